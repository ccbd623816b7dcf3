import type { Caller } from '../caller.ts';
import { draft, type LabContext } from '../context.ts';
import type { Refusal } from './interface.ts';

/** Alike refusals within this time of the first are one event with a count. */
const BURST_MS = 5_000;

interface Burst {
  caller: Caller;
  refusal: Refusal;
  /** Repetitions of the first. */
  count: number;
  /** Position of the first, null when it could not be written. */
  first: Promise<number | null>;
  timer: NodeJS.Timeout;
}

/** Puts refused writes on the record: the first at once, what repeats it as one more event with a count. */
export class Refusals {
  readonly #context: LabContext;
  readonly #bursts = new Map<string, Burst>();

  constructor(context: LabContext) {
    this.#context = context;
  }

  add(caller: Caller, refusal: Refusal): void {
    const key = JSON.stringify([
      caller.by,
      refusal.project_id,
      refusal.method,
      refusal.route,
      refusal.status,
      refusal.reason,
    ]);
    const burst = this.#bursts.get(key);
    if (burst !== undefined) {
      burst.count++;
      return;
    }
    const first = this.#append(caller, refusal, 1);
    const timer = setTimeout(() => void this.#end(key), BURST_MS);
    timer.unref();
    this.#bursts.set(key, { caller, refusal, count: 0, first, timer });
  }

  async #end(key: string): Promise<void> {
    const burst = this.#bursts.get(key);
    this.#bursts.delete(key);
    if (burst === undefined || burst.count === 0) return;
    await this.#append({ ...burst.caller, cause: await burst.first }, burst.refusal, burst.count);
  }

  /** Never rejects: a log that cannot be written says so elsewhere. */
  async #append(caller: Caller, { project_id, ...refusal }: Refusal, count: number): Promise<number | null> {
    const known = project_id !== null && this.#context.pending.get('project', project_id) !== undefined;
    const event = draft(caller, known ? project_id : null, 'request.refused', { ...refusal, count });
    try {
      const [appended] = await this.#context.log.append([event]);
      return appended?.position ?? null;
    } catch {
      return null;
    }
  }

  /** Writes the counts that still wait; for the shutdown. */
  async flush(): Promise<void> {
    const bursts = [...this.#bursts];
    for (const [, { timer }] of bursts) clearTimeout(timer);
    await Promise.all(bursts.map(([key]) => this.#end(key)));
  }
}
