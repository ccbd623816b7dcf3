import type { Client } from '../store/api.ts';
import type { Project } from '../store/records.ts';
import { type Compute, type Engine, LOCAL, type Moved } from './records.ts';

/** Whatever the page asks about computes. */

const ONE = '/v2/computes/{compute_id}';
const at = (compute_id: string): { path: { compute_id: string } } => ({ path: { compute_id } });

export interface ComputeWish {
  name?: string;
  protocol: 'http' | 'https';
  host: string;
  port: number;
  user?: string | null;
  password?: string;
  /** PEM. */
  certificate?: string;
  /** From the controller that has it. */
  take?: true;
}

export interface MoveWish {
  /** An id, or `auto`. */
  to: string;
  /** Those that run are stopped, put there and started. */
  restart: boolean;
}

export const readComputes = (client: Client, signal: AbortSignal): Promise<Compute[]> =>
  client.get('/v2/computes', { signal });

export const addCompute = (client: Client, body: ComputeWish): Promise<Compute> =>
  client.post('/v2/computes', { body });

export const changeCompute = (client: Client, id: string, body: ComputeWish): Promise<Compute> =>
  client.put(ONE, { ...at(id), body });

export const removeCompute = (client: Client, id: string): Promise<unknown> => client.delete(ONE, at(id));

export const connectCompute = (client: Client, id: string): Promise<Compute> => client.post(`${ONE}/connect`, at(id));

export const drainCompute = (client: Client, id: string, body: MoveWish): Promise<Moved> =>
  client.post(`${ONE}/drain`, { ...at(id), body });

export const moveNodes = (client: Client, project_id: string, nodes: string[], wish: MoveWish): Promise<Moved> =>
  client.post('/v2/projects/{project_id}/nodes/move', { path: { project_id }, body: { ...wish, nodes } });

export const readEngines = (client: Client, id: string, signal: AbortSignal): Promise<Engine[]> =>
  client.get(`${ONE}/engines`, { ...at(id), signal });

/** Where new nodes of a project go: an id, or `auto`. A server that answers as others do does not say it. */
export const defaultComputeOf = (project: Partial<Pick<Project, 'default_compute'>> | null): string =>
  project?.default_compute ?? LOCAL;
