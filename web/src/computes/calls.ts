import type { Client } from '../store/api.ts';
import type { Project } from '../store/records.ts';
import { type Compute, type Engine, LOCAL, type Moved } from './records.ts';

/** Whatever the page asks about computes. */

interface Call {
  path?: Readonly<Record<string, string>>;
  body?: object;
  signal?: AbortSignal;
}
type Send = (path: string, call?: Call) => Promise<unknown>;

/** Shapes of these requests stand here, not in the client's types. */
const to = (client: Client): Readonly<Record<'get' | 'post' | 'put' | 'delete', Send>> => client as never;

const ONE = '/v2/computes/{compute_id}';
const at = (compute_id: string): Pick<Call, 'path'> => ({ path: { compute_id } });

export interface ComputeWish {
  readonly name?: string;
  readonly protocol: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly user?: string | null;
  readonly password?: string | null;
  /** PEM. */
  readonly certificate?: string;
  /** From the controller that has it. */
  readonly take?: true;
}

export interface MoveWish {
  /** An id, or `auto`. */
  readonly to: string;
  /** Those that run are stopped, put there and started. */
  readonly restart: boolean;
}

export const readComputes = (client: Client, signal: AbortSignal): Promise<Compute[]> =>
  to(client).get('/v2/computes', { signal }) as Promise<Compute[]>;

export const addCompute = (client: Client, body: ComputeWish): Promise<Compute> =>
  to(client).post('/v2/computes', { body }) as Promise<Compute>;

export const changeCompute = (client: Client, id: string, body: ComputeWish): Promise<Compute> =>
  to(client).put(ONE, { ...at(id), body }) as Promise<Compute>;

export const removeCompute = (client: Client, id: string): Promise<unknown> => to(client).delete(ONE, at(id));

export const connectCompute = (client: Client, id: string): Promise<unknown> =>
  to(client).post(`${ONE}/connect`, { ...at(id), body: {} });

export const drainCompute = (client: Client, id: string, body: MoveWish): Promise<Moved> =>
  to(client).post(`${ONE}/drain`, { ...at(id), body }) as Promise<Moved>;

export const moveNodes = (
  client: Client,
  project_id: string,
  nodes: readonly string[],
  wish: MoveWish,
): Promise<Moved> =>
  to(client).post('/v2/projects/{project_id}/nodes/move', {
    path: { project_id },
    body: { ...wish, nodes },
  }) as Promise<Moved>;

export const readEngines = (client: Client, id: string, signal: AbortSignal): Promise<Engine[]> =>
  to(client).get(`${ONE}/engines`, { ...at(id), signal }) as Promise<Engine[]>;

/** Where new nodes of a project go: an id, or `auto`. */
export const defaultComputeOf = (project: Project | null): string => {
  const { default_compute: id } = (project ?? {}) as { default_compute?: unknown };
  return typeof id === 'string' && id !== '' ? id : LOCAL;
};

/** A part of a project's body. */
export const withDefaultCompute = (id: string): object => ({ default_compute: id });
