import { type ProcessStat, statOf } from '../../processes/identity.ts';

/** Milliseconds between two beats. */
const BEAT_MS = 500;
/** Beats in a row that a process lets pass without an answer and without computing anything: it is stopped or blocked. */
const MOST_MISSED = 10;
/** Where the system does not tell how much a process computes, it may be slow as well. */
const MOST_MISSED_UNSEEN = 40;
/**
 * Milliseconds of the processor that a process takes without an answer: its event loop is stuck. On a loaded machine they take long
 * to gather, so that a fabric which gets little of the processor is waited for.
 */
const MOST_BUSY_MS = 10_000;

/** What a beat found: whether one was answered since the last, and the processor time that the process has taken so far. */
export interface Sample {
  answered: boolean;
  /** Milliseconds; null: not known. */
  busy: number | null;
  /** Ready to run: it waits for nothing but the processor. */
  runnable: boolean;
}

/**
 * Tells a fabric that hangs from one that is slow. What counts are beats of our own timer, not the clock: a server that was held up
 * itself, or stopped and continued, has counted one.
 */
export const createVerdict = (): ((sample: Sample) => string | null) => {
  let missed = 0;
  let spent = 0;
  let before: number | null = null;
  return ({ answered, busy, runnable }) => {
    const used = busy === null || before === null ? 0 : busy - before;
    before = busy;
    if (answered) {
      missed = spent = 0;
      return null;
    }
    spent += used;
    if (used === 0 && !runnable) missed++;
    if (spent >= MOST_BUSY_MS) return `it has computed for ${spent / 1000} s without an answer`;
    if (missed >= (busy === null ? MOST_MISSED_UNSEEN : MOST_MISSED))
      return `it has answered none of ${missed} heartbeats and does nothing`;
    return null;
  };
};

export interface Heartbeat {
  /** Milliseconds since the last answer. */
  silence(): number;
  stop(): void;
}

interface Watched {
  pid: number;
  /** Resolves when the process has answered. */
  beat: () => Promise<void>;
  onHung: (reason: string) => void;
  /** For tests. */
  look?: (pid: number) => Promise<ProcessStat | null>;
  beatMs?: number;
}

/** Beats until it is stopped or the process hangs. */
export const watchHeartbeat = ({ pid, beat, onHung, look = statOf, beatMs = BEAT_MS }: Watched): Heartbeat => {
  const verdict = createVerdict();
  let answered = true;
  let heard = performance.now();
  let looking = false;
  const ask = (): void =>
    void beat().then(() => {
      answered = true;
      heard = performance.now();
    });
  const tick = async (): Promise<void> => {
    const stat = await look(pid);
    // An answer that has arrived by now counts, however late this process came to read it.
    const reason = verdict({ answered, busy: stat?.busy ?? null, runnable: stat?.runnable ?? false });
    if (answered) ask();
    answered = false;
    if (reason === null) return;
    clearInterval(timer);
    onHung(reason);
  };
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void tick().finally(() => (looking = false));
  }, beatMs);
  timer.unref();
  return { silence: () => performance.now() - heard, stop: () => clearInterval(timer) };
};
