import { conflict, notFound } from '../../common/errors.ts';
import { type Candidate, placeNode } from '../../computes/placement.ts';
import type { NodeFields } from '../../events/fields.ts';
import { createLoad } from '../../emulators/shared/host/statistics.ts';
import type { LabContext } from '../context.ts';
import { kindOf, withMachine } from '../node/fields.ts';
import type { NodeInput } from '../node/interface.ts';

/** The word for the best compute. */
export const AUTO = 'auto';

/** Where a node goes, and why it was chosen; without a reason it was asked for. */
export interface Placed {
  compute_id: string;
  placed?: string;
}

interface Wish {
  /** Absent: the project's default, or this server. */
  compute_id: string | undefined;
  kind: string;
  project_id: string;
  /** Of a node that is there. */
  node_id?: string;
  /** Not these. */
  without?: readonly string[];
}

/** Throws `not_found` for an unknown compute, and a conflict where none has an engine. */
export const placeFor = async (context: LabContext, wish: Wish): Promise<Placed> => {
  const { computes, settings, pending } = context;
  const wished = wish.compute_id ?? pending.get('project', wish.project_id)?.default_compute ?? settings.computeId;
  if (wished !== AUTO) {
    if (!computes.isHere(wished) && computes.find(wished) === undefined) throw notFound('Compute', wished);
    return { compute_id: wished };
  }
  const candidates = (await candidatesFor(context, wish.kind)).filter(
    ({ compute_id }) => wish.without?.includes(compute_id) !== true,
  );
  const best = placeNode({ candidates, neighbours: neighboursOf(context, wish.node_id) });
  if (best === null) throw conflict(`no compute has an engine for ${wish.kind}`, { field: 'compute_id' });
  return { compute_id: best.compute_id, placed: best.reason };
};

/** A new node with its compute, and what it has from this machine where it goes there. */
export const asPlaced = async (context: LabContext, projectId: string, input: NodeInput): Promise<NodeInput> => {
  const { compute_id, kind } = input;
  const place = await placeFor(context, { compute_id, kind, project_id: projectId });
  const placed = { ...input, ...place };
  return context.computes.isHere(place.compute_id) ? withMachine(context, placed) : placed;
};

const load = createLoad();

const candidatesFor = async (context: LabContext, kindName: string): Promise<Candidate[]> => {
  const { computes, engines, settings } = context;
  const kind = kindOf(context, kindName);
  const report = await engines.report(kind);
  const own: Candidate = {
    compute_id: settings.computeId,
    name: settings.computeId,
    hasEngine: report.some(({ available }) => available),
    memory_usage_percent: load().memory_usage_percent,
  };
  const others = [...computes.all()].map(([compute_id, { compute }]): Candidate => ({
    compute_id,
    name: compute.target.name,
    hasEngine: compute.isConnected && compute.canRun(kind),
    memory_usage_percent: compute.load?.memory_usage_percent ?? 100,
  }));
  return [own, ...others];
};

const neighboursOf = ({ pending }: LabContext, nodeId: NodeFields['node_id'] | undefined): string[] =>
  nodeId === undefined
    ? []
    : pending
        .linksOf(nodeId)
        .flatMap(({ nodes }) => nodes)
        .flatMap((end) => (end.node_id === nodeId ? [] : (pending.get('node', end.node_id)?.compute_id ?? [])));
