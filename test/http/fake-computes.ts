import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { TopologError } from '../../src/common/errors.ts';
import type { ComputeClient } from '../../src/computes/client/client.ts';
import type { RemoteComputes, RemoteComputeView } from '../../src/http/api.ts';

/** A request as another compute gets it. */
export interface Asked {
  method: string;
  path: string;
  body?: unknown;
}

/** What it answers; a thrown error is the failure. */
type Answering = (asked: Asked, signal?: AbortSignal) => unknown;

export interface FakeFar {
  asked: Asked[];
  computes: RemoteComputes;
}

/** One other compute, `far`. `over.problem`: it is away. */
export const fakeFar = (answer: Answering, over: Partial<Omit<RemoteComputeView, 'client'>> = {}): FakeFar => {
  const asked: Asked[] = [];
  const ask = async (call: Asked, signal?: AbortSignal): Promise<unknown> => {
    asked.push(call);
    return answer(call, signal);
  };
  const client: ComputeClient = {
    request: (method, path, { body, signal } = {}) =>
      ask({ method, path, ...(body === undefined ? {} : { body }) }, signal),
    download: async (path) => Readable.from([String(await ask({ method: 'DOWNLOAD', path }))]),
    upload: async (path, content) => void (await ask({ method: 'UPLOAD', path, body: await text(content) })),
  };
  const { problem = null } = over;
  const load = { cpu_usage_percent: 3, memory_usage_percent: 4 };
  const compute: RemoteComputeView = {
    ...{ load, problem, engines: null, clockAhead: null, ...over },
    get client() {
      if (problem !== null) throw new TopologError('compute_unreachable', { name: 'far', reason: problem });
      return client;
    },
  };
  return {
    asked,
    computes: {
      isHere: (id) => id === 'local',
      find: (id) => (id === 'far' ? { compute } : undefined),
    },
  };
};
