import type { Readable } from 'node:stream';

/** Requests to one compute. Paths begin below `/v2/compute`, e.g. `/projects/{id}/nodes`. Failures are TopologErrors. */
export interface ComputeClient {
  /** JSON both ways; `key`: the position of the event that asks. null where the answer is empty. */
  request(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    call?: { body?: unknown; key?: string; signal?: AbortSignal; timeoutMs?: number },
  ): Promise<unknown>;
  /** The bytes as they are, not decompressed. Throws `not_found`. */
  download(path: string, signal?: AbortSignal): Promise<Readable>;
  upload(path: string, content: Readable, signal?: AbortSignal): Promise<void>;
}
