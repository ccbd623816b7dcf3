import type { Readable } from 'node:stream';

export interface ComputeCall {
  body?: unknown;
  /** Position of the event that asks. */
  key?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

export type ComputeMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Requests to one compute. Paths begin below `/v2/compute`, e.g. `/projects/{id}/nodes`. Failures are TopologErrors. */
export interface ComputeClient {
  /** JSON both ways. null where the answer is empty. */
  request(method: ComputeMethod, path: string, call?: ComputeCall): Promise<unknown>;
  /** The bytes as they are, not decompressed. Throws `not_found`. */
  download(path: string, signal?: AbortSignal): Promise<Readable>;
  upload(path: string, content: Readable, signal?: AbortSignal): Promise<void>;
}
