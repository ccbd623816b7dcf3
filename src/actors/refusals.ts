import type { Caller, Refusal } from './commands.ts';
import { draft, type LabContext } from './context.ts';

/** Alike refusals within this time of the first are one fact with a count. */
const BURST_MS = 5_000;

interface Burst {
  caller: Caller;
  refusal: Refusal;
  count: number;
  timer: NodeJS.Timeout;
}

/** Puts refused writes on the record: the first at once, what repeats it as one more fact with a count. */
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
    this.#append(caller, refusal, 1);
    const timer = setTimeout(() => this.#end(key), BURST_MS);
    timer.unref();
    this.#bursts.set(key, { caller, refusal, count: 0, timer });
  }

  #end(key: string): void {
    const burst = this.#bursts.get(key);
    this.#bursts.delete(key);
    if (burst !== undefined && burst.count > 0) this.#append(burst.caller, burst.refusal, burst.count);
  }

  /** Never waited for, and a log that cannot be written says so elsewhere. */
  #append(caller: Caller, { project_id, ...refusal }: Refusal, count: number): void {
    const known = project_id !== null && this.#context.pending.get('project', project_id) !== undefined;
    const fact = draft(caller, known ? project_id : null, 'request.refused', { ...refusal, count });
    void this.#context.log.append([fact]).catch(() => undefined);
  }

  /** Writes the counts that still wait; for the shutdown. */
  flush(): void {
    for (const [key, burst] of [...this.#bursts]) {
      clearTimeout(burst.timer);
      this.#end(key);
    }
  }
}
