import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Milliseconds that somebody else's small reads took. */
export interface Latency {
  count: number;
  median: number;
  p99: number;
  worst: number;
  /** Answers that were none, or not 200. */
  failed: number;
}

/** Reads as another client does, from a thread of its own: what the attacker does takes none of its time. */
export interface Probe {
  stop(): Promise<Latency>;
}

export const probe = async (url: string): Promise<Probe> => {
  const worker = new Worker(new URL('probe-worker.js', import.meta.url), { workerData: url });
  await once(worker, 'message');
  return {
    async stop() {
      worker.postMessage('stop');
      const [latency] = (await once(worker, 'message')) as [Latency];
      await worker.terminate();
      return latency;
    },
  };
};
