import type { NodeFields, ProjectFields } from '../../events/fields.ts';
import type { ComputeFields } from '../../events/server-fields.ts';
import { isBag } from '../fields/json.ts';

/**
 * A project whose file names the computes of its nodes, as existing tools need it: they open no lab whose nodes are at a compute that neither
 * they nor the file know. What the file named before stays.
 */
export const namingComputes = <P extends Pick<ProjectFields, 'extra'>>(
  project: P,
  nodes: readonly Pick<NodeFields, 'compute_id'>[],
  known: readonly ComputeFields[],
): P => {
  const used = new Set(nodes.map(({ compute_id }) => compute_id));
  const { topology } = project.extra;
  const kept = isBag(topology) ? topology : {};
  const before: unknown[] = Array.isArray(kept['computes']) ? kept['computes'] : [];
  const named = new Set(before.map((compute) => (isBag(compute) ? compute['compute_id'] : null)));
  const more = known
    .filter(({ compute_id }) => used.has(compute_id) && !named.has(compute_id))
    .map(({ compute_id, name, protocol, host, port }) => ({ compute_id, name, protocol, host, port }));
  if (more.length === 0) return project;
  return { ...project, extra: { ...project.extra, topology: { ...kept, computes: [...before, ...more] } } };
};
