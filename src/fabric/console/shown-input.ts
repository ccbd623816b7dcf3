/**
 * What of the typed input a node has shown. A console does not say that its echo is off: telnet's ECHO is the server's for good, a serial
 * line and a container's terminal tell nothing. So what is typed waits here until the node prints it, as it does with a command and does
 * not with a password. Control characters and the sequences of keys are no secrets and wait only for what was typed before them.
 */
export interface ShownInput {
  /** Takes what was typed; answers what can be recorded at once. */
  typed(text: string): Recordable;
  /** Takes what is about to be recorded as printed; answers what can be recorded before it. */
  printed(text: string): Recordable;
  /** Nothing that waits will be shown any more. */
  end(): Recordable;
}

export interface Recordable {
  input: string;
  /** Something that was typed before it was left out. */
  hidden: boolean;
}

/** Characters that may wait. */
const MOST = 4096;
/** Of a line of output that are looked at. */
const LONGEST_LINE = 1024;
/** Characters that nobody prints by chance in the middle of a line. */
const UNLIKELY = 4;

/** ECMA-48: control sequences, other escapes, single controls; and what is between them. */
// eslint-disable-next-line no-control-regex
const TOKENS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])?|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/gsu;
const isControl = (token: string): boolean => token < ' ' || token.startsWith('\u007f');
const isLineEnd = (token: string): boolean => token === '\r' || token === '\n';

export const createShownInput = (): ShownInput => {
  let waiting: string[] = [];
  /** Nothing waited when the first that waits was typed. */
  let alone = false;
  /** Of what is printed, since then. */
  let line = '';
  let input = '';
  let hidden = false;

  const takeControls = (): void => {
    while (waiting[0] !== undefined && isControl(waiting[0])) input += waiting.shift() ?? '';
  };
  const taken = (): Recordable => {
    takeControls();
    const result = { input, hidden };
    [input, hidden] = ['', false];
    return result;
  };
  /** Leaves out the characters that wait before this place; controls are kept. */
  const leaveOut = (before: number): void => {
    for (const token of waiting.splice(0, before)) {
      if (isControl(token)) input += token;
      else hidden = true;
    }
  };
  /** What is still being typed: the beginning of what is printed is its echo, key by key. */
  const lookAtLast = (printed: string): void => {
    const last = waiting.length - 1;
    const run = waiting[last];
    if (run === undefined || isControl(run) || printed === '') return;
    for (let from = 0; from < run.length; from++) {
      const rest = run.slice(from);
      // Behind what is left out it has to be the echo and nothing else: other output may begin with the same letter.
      const isEcho = printed === rest || (from === 0 && (printed.startsWith(rest) || rest.startsWith(printed)));
      if (!isEcho) continue;
      leaveOut(last);
      hidden ||= from > 0;
      const shown = rest.slice(0, printed.length);
      input += shown;
      waiting = rest === shown ? [] : [rest.slice(shown.length)];
      return;
    }
  };
  /** Whole lines that were typed: the first of them that is on the line. Answers what is printed behind it. */
  const lookAtLines = (printed: string): string => {
    for (let at = 0; at < waiting.length - 1; at++) {
      const run = waiting[at] ?? '';
      if (isControl(run) || !isOn(run, printed, line)) continue;
      leaveOut(at);
      input += waiting.shift() ?? '';
      alone = false;
      const rest = line.slice(line.lastIndexOf(run) + run.length);
      line = '';
      takeControls();
      return rest;
    }
    return printed;
  };

  return {
    typed(text) {
      for (const token of text.match(TOKENS) ?? []) {
        const last = waiting.length - 1;
        if (!isControl(token) && last >= 0 && !isControl(waiting[last] ?? '')) waiting[last] += token;
        else if (waiting.push(token) === 1) {
          alone = true;
          // What was printed before it was typed does not show it.
          line = '';
        }
      }
      if (waiting.join('').length > MOST) leaveOut(waiting.length);
      return taken();
    },
    printed(text) {
      const [first = '', ...others] = visible(text).split('\n');
      for (const [at, part] of [first, ...others].entries()) {
        if (at > 0) {
          line = '';
          // One line was typed, its reader has gone on to the next, and it was not shown.
          if (alone && waiting.findIndex(isLineEnd) === waiting.length - 1) leaveOut(waiting.length);
        }
        line = (line + part).slice(-LONGEST_LINE);
        lookAtLast(lookAtLines(part));
      }
      return taken();
    },
    end() {
      leaveOut(waiting.length);
      return taken();
    },
  };
};

const isOn = (run: string, printed: string, line: string): boolean =>
  printed.startsWith(run) || line.endsWith(run) || (run.length >= UNLIKELY && line.includes(run));

const visible = (text: string): string =>
  (text.match(TOKENS) ?? []).filter((token) => token === '\n' || !isControl(token)).join('');
