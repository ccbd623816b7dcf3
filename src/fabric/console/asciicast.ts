/**
 * asciicast v3 (https://docs.asciinema.org/manual/asciicast/v3/): one JSON line with the header, then a line an event:
 * `[seconds since the event before, code, text]`.
 */

/** Output, input, a marker, the end. */
export type CastCode = 'o' | 'i' | 'm' | 'x';

export interface CastHeader {
  title: string;
  node_id: string;
  project_id: string;
  /** Milliseconds since 1970. */
  started_at: number;
}

/** Consoles have no size of their own; this is what the oldest terminals and most emulators begin with. */
const TERM = { cols: 80, rows: 24 };

/** The format's own `timestamp` has whole seconds only; `topolog.started_at` has the milliseconds that events have. */
export const castHeader = ({ title, node_id, project_id, started_at }: CastHeader): string =>
  `${JSON.stringify({
    version: 3,
    term: TERM,
    timestamp: Math.floor(started_at / 1000),
    title,
    topolog: { node_id, project_id, started_at: new Date(started_at).toISOString() },
  })}\n`;

export interface CastEvents {
  /** `at`: milliseconds since 1970; an earlier one than the last counts as the last. */
  add(code: CastCode, text: string, at: number): void;
  /** The lines of what was added since the last call. */
  take(): string;
  /** Characters that `take` would return, about. */
  readonly length: number;
}

/** Events to lines. Of what comes within one millisecond, output joins output and input joins input. */
export function createCastEvents(startedAt: number): CastEvents {
  let written = startedAt;
  let lines: string[] = [];
  let length = 0;
  let open: { code: CastCode; texts: string[]; at: number } | null = null;

  const seal = (): void => {
    if (open === null) return;
    const { code, texts, at } = open;
    open = null;
    // Whole milliseconds from one event to the next: their sum is the clock, however many they are.
    const line = `[${((at - written) / 1000).toFixed(3)}, ${JSON.stringify(code)}, ${JSON.stringify(texts.join(''))}]\n`;
    written = at;
    lines.push(line);
    length += line.length;
  };
  return {
    add(code, text, time) {
      const at = Math.max(time, open?.at ?? written);
      length += text.length;
      if (open !== null && open.at === at && open.code === code && (code === 'o' || code === 'i')) {
        open.texts.push(text);
        return;
      }
      seal();
      open = { code, texts: [text], at };
    },
    take() {
      seal();
      const text = lines.join('');
      lines = [];
      length = 0;
      return text;
    },
    get length() {
      return length;
    },
  };
}
