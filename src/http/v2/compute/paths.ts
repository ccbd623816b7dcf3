import type { Kind } from '../../../actors/kinds.ts';

export const nodesPath = (kind: Kind): string => `/v2/compute/projects/{project_id}/${kind.name}/nodes`;
export const nodePath = (kind: Kind): string => `${nodesPath(kind)}/{node_id}`;
export const portPath = (kind: Kind): string => `${nodePath(kind)}/adapters/{adapter_number}/ports/{port_number}`;

export const ofNode = { group: 'compute', params: ['project_id', 'node_id'] } as const;

export const ofPort = {
  group: 'compute',
  params: ['project_id', 'node_id', 'adapter_number', 'port_number'],
} as const;
