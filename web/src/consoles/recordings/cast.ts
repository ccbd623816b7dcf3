import { t } from '../../words/words.ts';

/** One event of a recording; `at` in seconds from its beginning. */
export interface CastEvent {
  readonly at: number;
  readonly code: string;
  readonly text: string;
}

/** An asciicast, as docs/reference/recordings.md has it. */
export interface Cast {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly CastEvent[];
  readonly seconds: number;
}

interface Header {
  readonly version?: unknown;
  readonly term?: { readonly cols?: unknown; readonly rows?: unknown };
  readonly timestamp?: unknown;
  readonly topolog?: { readonly started_at?: unknown };
}

/** Throws a SyntaxError for what is no asciicast v3. A torn last line, of a recording that goes on, is left out. */
export const parseCast = (text: string): Cast => {
  const [first = '', ...lines] = text.split('\n');
  const header = JSON.parse(first) as Header;
  if (header.version !== 3) throw new SyntaxError(t('This is no recording that can be played here.'));
  const events: CastEvent[] = [];
  let at = 0;
  for (const line of lines) {
    const event = eventOf(line);
    if (event === null) continue;
    at = Math.round((at + event[0]) * 1000) / 1000;
    events.push({ at, code: event[1], text: event[2] });
  }
  return {
    startedAt: startOf(header),
    cols: sizeOf(header.term?.cols, 80),
    rows: sizeOf(header.term?.rows, 24),
    events,
    seconds: at,
  };
};

const sizeOf = (given: unknown, otherwise: number): number =>
  typeof given === 'number' && given > 0 && given <= 500 ? Math.floor(given) : otherwise;

const startOf = ({ topolog, timestamp }: Header): number => {
  const exact = typeof topolog?.started_at === 'string' ? Date.parse(topolog.started_at) : NaN;
  if (!Number.isNaN(exact)) return exact;
  return typeof timestamp === 'number' ? timestamp * 1000 : 0;
};

const eventOf = (line: string): [number, string, string] | null => {
  if (!line.startsWith('[')) return null;
  try {
    const [interval, code, text] = JSON.parse(line) as unknown[];
    return typeof interval === 'number' && typeof code === 'string' && typeof text === 'string'
      ? [interval, code, text]
      : null;
  } catch {
    return null;
  }
};

/** Index of the first event after a time. */
const nextAfter = ({ events }: Cast, at: number): number => {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Output printed after `from` and up to `to`, both in seconds. */
export const outputBetween = (cast: Cast, from: number, to: number): string => {
  const { events } = cast;
  const printed: string[] = [];
  for (let i = nextAfter(cast, from); i < events.length; i++) {
    const event = events[i];
    if (event === undefined || event.at > to) break;
    if (event.code === 'o') printed.push(event.text);
  }
  return printed.join('');
};

/** Pauses are played this long, and what follows is announced by as much. Seconds. */
const IDLE = 1;

/** Where playing goes on from a time: there, or shortly before the next event after a long pause; after the last one, at the end. */
export const afterIdle = (cast: Cast, at: number): number => {
  const next = nextAfter(cast, at);
  const before = cast.events[next - 1]?.at ?? 0;
  if (at < before + IDLE) return at;
  return Math.max(at, (cast.events[next]?.at ?? cast.seconds + IDLE) - IDLE);
};

interface Listed {
  readonly name: string;
  readonly started_at: string;
}

/** The recording that ran at a time, or the last one before it; null: there was none yet. `time` in milliseconds since 1970. */
export const recordingAt = <R extends Listed>(recordings: readonly R[], time: number): R | null =>
  recordings.findLast(({ started_at }) => Date.parse(started_at) <= time) ?? null;

/** `1:05`, `1:02:05`. */
export const sayPlayTime = (seconds: number): string => {
  const whole = Math.floor(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n: number): string => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
};
