import { useMemo } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import type { Node } from '../store/records.ts';
import { useStore } from '../store/use-store.ts';
import { t } from '../words/words.ts';
import { isHere } from './computes.ts';
import { useComputes } from './follow.ts';

const LINES = ['solid', 'dashed', 'dotted', 'double'] as const;
const COLOURS = 6;

/** How the nodes of a compute are framed on the map. Colour and line together tell the first 24 apart; the name tells all. */
export interface ComputeLook {
  readonly name: string;
  /** As CSS. */
  readonly colour: string;
  readonly line: (typeof LINES)[number];
}
export type ComputeLooks = ReadonlyMap<string, ComputeLook>;

type Nodes = ReadonlyMap<string, Pick<Node, 'compute_id'>>;

/**
 * A look for each compute of the list, in its order, and then for those that only nodes name, as in the past or in a lab from elsewhere.
 * `used`: ids in order, each once.
 */
export const looksOf = (names: ReadonlyMap<string, string>, used: readonly string[]): ComputeLooks => {
  const unknown = used.filter((id) => !names.has(id));
  const all = [...names, ...unknown.map((id) => [id, isHere(id) ? t('This server') : id] as const)];
  return new Map(
    all.map(([id, name], index) => [
      id,
      {
        name,
        colour: `var(--compute-${(index % COLOURS) + 1})`,
        line: LINES[Math.floor(index / COLOURS) % LINES.length] ?? 'solid',
      },
    ]),
  );
};

export interface LegendRow {
  readonly id: string;
  readonly look: ComputeLook;
  readonly nodeIds: readonly string[];
}

/** The computes that nodes of the lab are on, in the order of their looks. */
export const legendOf = (looks: ComputeLooks, nodes: Nodes): LegendRow[] => {
  const ids = new Map<string, string[]>();
  for (const [nodeId, { compute_id: id }] of nodes) {
    const list = ids.get(id);
    if (list === undefined) ids.set(id, [nodeId]);
    else list.push(nodeId);
  }
  return [...looks].flatMap(([id, look]) => {
    const nodeIds = ids.get(id);
    return nodeIds === undefined ? [] : [{ id, look, nodeIds }];
  });
};

const NO_LOOKS: ComputeLooks = new Map();

/**
 * The looks of computes, and the names of those that are not this server. The server is asked about computes only where nodes are
 * elsewhere, or when `isWanted`.
 */
export const useComputeLook = (isWanted: boolean): { looks: ComputeLooks; places: ReadonlyMap<string, string> } => {
  const { lab } = useScope();
  const { nodes } = useView().records;
  // A lab changes often, the computes of its nodes hardly ever.
  const used = [...new Set([...nodes.values()].map(({ compute_id }) => compute_id))].sort().join('\n');
  const isNeeded = isWanted || used.split('\n').some((id) => id !== '' && !isHere(id));
  const names = useStore(useComputes(lab.client, isNeeded), (now) => now.names);
  return useMemo(() => {
    const ids = used === '' ? [] : used.split('\n');
    const looks = isNeeded ? looksOf(names, ids) : NO_LOOKS;
    const places = [...looks].flatMap(([id, { name }]) => (isHere(id) ? [] : [[id, name] as const]));
    return { looks, places: new Map(places) };
  }, [names, used, isNeeded]);
};
