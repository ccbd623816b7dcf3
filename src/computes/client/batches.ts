import type { Readable } from 'node:stream';
import { BOUNDS, boundedJson, boundedLines, TooMuch } from '../../common/json.ts';
import type { ComputeCall, ComputeMethod } from './client-contract.ts';

/** Calls that one request takes. */
const MOST_CALLS = 500;

interface Waiting {
  line: { method: ComputeMethod; path: string; body?: unknown; key?: string };
  settle(status: number, body: unknown): void;
  fail(error: unknown): void;
}

/** An answer as it came. */
export interface Answer {
  status: number;
  body: unknown;
}

/**
 * Gathers the calls of one tick into one request: `POST /batch {calls}`, answered by a line of JSON `{call, status, body}` for each as it is done
 * (docs/explanation/computes.md).
 */
export class Batches {
  readonly #send: (calls: object[]) => Promise<Readable>;
  #waiting: Waiting[] = [];

  /** `send`: makes the request, and answers its lines. */
  constructor(send: (calls: object[]) => Promise<Readable>) {
    this.#send = send;
  }

  add(method: ComputeMethod, path: string, { body, key }: ComputeCall): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const line = {
        method,
        path: `/v2/compute${path}`,
        ...(body === undefined ? {} : { body }),
        ...(key ? { key } : {}),
      };
      this.#waiting.push({ line, settle: (status, answer) => resolve({ status, body: answer }), fail: reject });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += MOST_CALLS)
      void this.#run(waiting.slice(from, from + MOST_CALLS));
  }

  async #run(calls: readonly Waiting[]): Promise<void> {
    const left = new Set(calls);
    let heard = 0;
    try {
      const lines = await this.#send(calls.map(({ line }) => line));
      for await (const line of boundedLines(lines, BOUNDS.answer.size)) {
        if (++heard > 2 * calls.length)
          throw new TooMuch(`has more lines than the ${calls.length} that it was asked for`);
        if (line === '') continue;
        const { call, status, body } = boundedJson(line, BOUNDS.answer) as Answer & { call: number };
        const waiting = calls[call];
        if (waiting === undefined) continue;
        left.delete(waiting);
        waiting.settle(status, body);
      }
      for (const waiting of left) waiting.fail(new Error('its answer is not whole'));
    } catch (error) {
      for (const waiting of left) waiting.fail(error);
    }
  }
}
