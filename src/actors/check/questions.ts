import { randomUUID } from 'node:crypto';
import type { FabricEvent } from '../../fabric/client/keeper.ts';
import type { LabContext } from '../context.ts';

type EventOf<T extends FabricEvent['type']> = Extract<FabricEvent, { type: T }>;
type Probed = EventOf<'node.probed'>;
type Answered = EventOf<'console.answered'>;
export type Matched = EventOf<'watch.matched'>;

/** Beyond the time that the fabric has: it has gone, or was exchanged. Milliseconds. */
const GRACE_MS = 5_000;

type Probe = Parameters<LabContext['plumbing']['probe']>[0];
type Question = Parameters<LabContext['plumbing']['askConsole']>[0];

/** What the fabric was asked, and answers by events. */
export class Questions {
  readonly #context: LabContext;
  readonly #waiting = new Map<string, (answer: FabricEvent | null) => void>();

  constructor(context: LabContext) {
    this.#context = context;
  }

  heard(event: Probed | Answered): void {
    this.#waiting.get('probe_id' in event ? event.probe_id : event.question_id)?.(event);
  }

  /** null: it was not answered. Throws a TopologError where it cannot be asked. */
  async probe(probe: Omit<Probe, 'probe_id'>): Promise<Probed | null> {
    const probe_id = randomUUID();
    const within = probe.timeout_ms + probe.count * probe.interval_ms;
    return (await this.#ask(probe_id, within, () =>
      this.#context.plumbing.probe({ ...probe, probe_id }),
    )) as Probed | null;
  }

  async console(question: Omit<Question, 'question_id'>): Promise<Answered | null> {
    const question_id = randomUUID();
    const ask = () => this.#context.plumbing.askConsole({ ...question, question_id });
    // Others may be asking there.
    return (await this.#ask(question_id, 3 * question.timeout_ms, ask)) as Answered | null;
  }

  async #ask(id: string, ms: number, begin: () => Promise<void>): Promise<FabricEvent | null> {
    let timer: NodeJS.Timeout | undefined;
    // Before it is asked: the answer may come with the answer to the op.
    const answer = new Promise<FabricEvent | null>((resolve) => {
      this.#waiting.set(id, resolve);
      timer = setTimeout(() => resolve(null), ms + GRACE_MS);
    });
    try {
      await begin();
      return await answer;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }

  stop(): void {
    for (const resolve of this.#waiting.values()) resolve(null);
  }
}
