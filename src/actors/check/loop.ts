import { type Actor, assign, createActor, fromPromise, setup } from 'xstate';
import { messageOf, reporting } from '../../common/errors.ts';
import { type CheckRecord, execOf } from '../../common/forms/check.ts';
import type { LabContext } from '../context.ts';
import { linkName } from '../../projections/check-names.ts';
import { type Finding, isSettled, type Times, timesOf, verdictOf } from './decide.ts';
import { look } from './look.ts';
import type { Matched, Questions } from './questions.ts';

export interface LoopParts {
  context: LabContext;
  questions: Questions;
  projectId: string;
  check: CheckRecord;
  /** Of the run, in milliseconds of the clock. */
  began: number;
  /** As it was told last in this run; undefined: not at all. */
  is_met: boolean | undefined;
  /** The server has just been started, and maybe nodes with it: what held before has its time to hold again. */
  isResumed: boolean;
  /** Whether the weather that it asks for is there; true where it asks for none. */
  isTime: () => boolean;
  /** Resolves once the verdict is on disk. */
  tell: (verdict: 'met' | 'broken', finding: Finding, afterMs: number) => Promise<void>;
}

/** From one look to the next before a check has begun to hold. Milliseconds. */
const SOON_MS = 200;
/** At least so long after a restart of the server. Milliseconds. */
const RESUMED_MS = 5_000;

/** A look without its evidence. `at`: ISO time. */
export interface LastLook extends Pick<Finding, 'holds' | 'text'> {
  at: string;
}

/** Steps of a check, by which its machine goes. */
interface CheckSteps {
  /** Nothing it can find would change its verdict. */
  isOver(): boolean;
  isTime(): boolean;
  /** Milliseconds since the run began. */
  after(): number;
  /** The time of the next look, after one that began at `began`. Milliseconds since the run began. */
  next(began: number): number;
  readonly first: number;
  /** Never throws. */
  lookNow(): Promise<Finding>;
  /** Never throws. */
  judge(finding: Finding): Promise<void>;
  unwatch(): void;
}

/** `began`: of the last look, in milliseconds since the run began. `wasTime`: the weather that it asks for was there when that was asked last. */
interface CheckContext {
  steps: CheckSteps;
  began: number;
  wasTime: boolean;
  finding: Finding;
}

const NOTHING: Finding = { holds: null, text: '', evidence: {} };

/** Looks at a check of a lab that runs, again and again. The check's events are its verdicts; nothing of this is on record. */
export const checkMachine = setup({
  types: {
    context: {} as CheckContext,
    input: {} as CheckSteps,
    events: {} as { type: 'weather changed' } | { type: 'stop' },
  },
  actors: {
    look: fromPromise(({ input }: { input: CheckSteps }) => input.lookNow()),
    judge: fromPromise(({ input }: { input: { steps: CheckSteps; finding: Finding } }) =>
      input.steps.judge(input.finding),
    ),
  },
  actions: {
    begin: assign({
      began: ({ context }) => context.steps.after(),
      wasTime: ({ context }) => context.steps.isTime(),
    }),
    noteEnd: assign({ wasTime: false }),
    unwatch: ({ context }) => context.steps.unwatch(),
  },
  guards: {
    isOver: ({ context }) => context.steps.isOver(),
    isTime: ({ context }) => context.wasTime,
    weatherBegan: ({ context: { steps, wasTime } }) => !wasTime && steps.isTime(),
    weatherEnded: ({ context: { steps, wasTime } }) => wasTime && !steps.isTime(),
  },
  delays: {
    first: ({ context: { steps } }) => Math.max(0, steps.first - steps.after()),
    next: ({ context: { steps, began } }) => Math.max(0, steps.next(began) - steps.after()),
  },
}).createMachine({
  id: 'check',
  context: ({ input }) => ({ steps: input, began: 0, wasTime: false, finding: NOTHING }),
  initial: 'notYet',
  on: { stop: '.over' },
  states: {
    notYet: {
      always: { guard: 'isOver', target: 'over' },
      after: { first: 'due' },
    },
    due: {
      entry: 'begin',
      always: [
        { guard: 'isOver', target: 'over' },
        { guard: 'isTime', target: 'looking' },
        { target: 'waiting', actions: 'unwatch' },
      ],
    },
    looking: {
      invoke: {
        src: 'look',
        input: ({ context }) => context.steps,
        onDone: { target: 'judging', actions: assign({ finding: ({ event }) => event.output }) },
      },
    },
    judging: {
      invoke: {
        src: 'judge',
        input: ({ context: { steps, finding } }) => ({ steps, finding }),
        onDone: 'waiting',
      },
    },
    waiting: {
      always: { guard: 'isOver', target: 'over' },
      on: {
        // A check of some weather is made from its first moment on, and no frame behind its last one counts.
        'weather changed': [
          { guard: 'weatherBegan', target: 'due' },
          { guard: 'weatherEnded', actions: ['noteEnd', 'unwatch'] },
        ],
      },
      after: { next: 'due' },
    },
    over: { type: 'final', entry: 'unwatch' },
  },
});

/** One check of a lab that runs: tells when its verdict changes. */
export class CheckLoop implements CheckSteps {
  readonly check: CheckRecord;
  readonly #parts: LoopParts;
  readonly #times: Times;
  readonly #ends = new AbortController();
  readonly #actor: Actor<typeof checkMachine>;
  last: LastLook | null = null;
  #isMet: boolean | undefined;
  /** The frame that has passed. */
  #seen: Finding | null = null;
  #watches = false;
  /** The last look was typed at a console. */
  #isTyped = false;
  /** Until when what was met is not broken, as `performance.now` has it. */
  readonly #patience: number;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.check = parts.check;
    this.#times = timesOf(parts.check);
    this.#isMet = parts.is_met;
    this.#patience = parts.isResumed ? performance.now() + Math.max(RESUMED_MS, this.#times.deadline) : 0;
    this.#actor = createActor(checkMachine, { input: this });
  }

  begin(): void {
    const { context, projectId: project_id } = this.#parts;
    // Without an observer an actor's error would end the process.
    this.#actor.subscribe({ error: reporting(context.logger, { project_id }, 'a check') });
    this.#actor.start();
  }

  get first(): number {
    return this.#times.first;
  }

  isTime(): boolean {
    return this.#parts.isTime();
  }

  isOver(): boolean {
    return (
      this.#ends.signal.aborted || this.after() > this.#times.end || isSettled(this.check, this.#times, this.#isMet)
    );
  }

  /** What is still to begin to hold is looked at sooner, and what has its deadline in between then. */
  next(began: number): number {
    const { every, deadline } = this.#times;
    if (this.#isMet !== undefined || began >= deadline) return began + every;
    const { console, loss } = this.check;
    const isCheap = (console ?? execOf(this.check) ?? loss) === undefined && !this.#isTyped;
    return Math.min(began + (isCheap ? Math.min(SOON_MS, every) : every), deadline);
  }

  after(): number {
    return Date.now() - this.#parts.began;
  }

  weatherChanged(): void {
    this.#actor.send({ type: 'weather changed' });
  }

  /** What is to be seen now. Never throws. */
  async lookNow(): Promise<Finding> {
    if (this.check.capture !== undefined) {
      const finding = await this.#watch(this.check.capture);
      // It may have passed while the fabric was still being asked.
      return this.#seen ?? finding;
    }
    const { context, questions, projectId } = this.#parts;
    const eyes = { context, questions, projectId, everyMs: this.#times.every, signal: this.#ends.signal };
    const finding = await look(eyes, this.check);
    this.#isTyped = finding.evidence.console !== undefined;
    return finding;
  }

  async judge(finding: Finding): Promise<void> {
    this.last = { at: new Date().toISOString(), holds: finding.holds, text: finding.text };
    const after = this.after();
    const verdict = verdictOf(this.#times, this.#isMet, finding, after);
    if (verdict === null || this.#ends.signal.aborted) return;
    if (verdict === 'broken' && this.#seen === null && performance.now() < this.#patience) return;
    const before = this.#isMet;
    this.#isMet = verdict === 'met';
    try {
      await this.#parts.tell(verdict, finding, after);
    } catch (error) {
      // The log cannot be written just now: the next look finds the same.
      this.#isMet = before;
      const { context, projectId } = this.#parts;
      context.logger.warn({ project_id: projectId }, `a verdict is not on record: ${messageOf(error)}`);
    }
  }

  async #watch({ link, filter, is }: NonNullable<CheckRecord['capture']>): Promise<Finding> {
    const { context, projectId, check } = this.#parts;
    if (this.#seen !== null) return this.#seen;
    const name = linkName(context.committed, link);
    try {
      const cable_id = typeof link === 'string' ? link : '';
      const watch = { watch_id: check.check_id, project_id: projectId, cable_id, filter };
      await context.plumbing.putWatch(watch);
      this.#watches = true;
      if (this.#ends.signal.aborted) this.unwatch();
    } catch (error) {
      // What is not there carries no frame.
      const isGone = context.committed.get('link', String(link)) === undefined;
      const holds = isGone ? is === 'never' : null;
      return { holds, text: isGone ? `${name} carries nothing` : messageOf(error), evidence: {} };
    }
    return { holds: is === 'never', text: `no frame of ${filter} has passed ${name} so far`, evidence: {} };
  }

  /** A frame has passed that was waited for. */
  matched({ direction, at_us, number, octets, head }: Matched): void {
    const { capture } = this.check;
    if (capture === undefined || this.#seen !== null) return;
    const { committed } = this.#parts.context;
    const record = committed.get('link', String(capture.link));
    const node = committed.get('node', record?.nodes[direction]?.node_id ?? '');
    const from = node?.name ?? null;
    const at = new Date(at_us / 1_000).toISOString();
    const text = `frame ${number}${from === null ? '' : ` from ${from}`} of ${capture.filter} passed ${linkName(committed, capture.link)}`;
    const frame = { link_id: String(capture.link), from, number, octets, head };
    this.#seen = { holds: capture.is === 'seen', text, evidence: { at, frame } };
    void this.judge(this.#seen);
  }

  unwatch(): void {
    if (!this.#watches) return;
    this.#watches = false;
    this.#parts.context.plumbing.removeWatch(this.check.check_id).catch(() => undefined);
  }

  stop(): void {
    this.#ends.abort();
    this.#actor.send({ type: 'stop' });
    this.unwatch();
  }
}
