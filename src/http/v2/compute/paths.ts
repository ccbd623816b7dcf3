import type { Kind } from '../../../emulators/kit/contract.ts';

export const nodesPath = (kind: Kind) => `/v2/compute/projects/{project_id}/${kind.name}/nodes` as const;
export const nodePath = (kind: Kind) => `${nodesPath(kind)}/{node_id}` as const;
export const portPath = (kind: Kind) => `${nodePath(kind)}/adapters/{adapter_number}/ports/{port_number}` as const;
