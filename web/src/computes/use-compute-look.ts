import { useMemo } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { type ComputeLooks, looksOf } from './compute-look.ts';
import { isHere } from './records.ts';
import { useComputes } from './use-computes.ts';

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
