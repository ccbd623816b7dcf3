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
const TOKENS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])?|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/gsu;
const isControl = (token: string): boolean => token < ' ' || token.startsWith('\u007f');
const isLineEnd = (token: string): boolean => token === '\r' || token === '\n';

/**
 * What of the typed input a node has shown. A console does not say that its echo is off: telnet's ECHO is the server's for good, a serial
 * line and a container's terminal tell nothing. So what is typed waits here until the node prints it, as it does with a command and does
 * not with a password. Control characters and the sequences of keys are no secrets and wait only for what was typed before them.
 */
export class ShownInput {
  /** Controls, and runs of characters between them. */
  #tokens: string[] = [];
  /** Nothing waited when the first that waits was typed. */
  #alone = false;
  /** Of what is printed, since then. */
  #line = '';
  #input = '';
  #hidden = false;

  /** Takes what was typed; answers what can be recorded at once. */
  typed(text: string): Recordable {
    for (const token of text.match(TOKENS) ?? []) this.#add(token);
    if (this.#tokens.join('').length > MOST) this.#leaveOut(this.#tokens.length);
    return this.#taken();
  }

  #add(token: string): void {
    const last = this.#tokens.at(-1);
    if (last !== undefined && !isControl(last) && !isControl(token)) {
      this.#tokens.splice(-1, 1, last + token);
      return;
    }
    if (last === undefined) {
      this.#alone = true;
      // What was printed before it was typed does not show it.
      this.#line = '';
    }
    this.#tokens.push(token);
  }

  /** Takes what is about to be recorded as printed; answers what can be recorded before it. */
  printed(text: string): Recordable {
    for (const [at, part] of visible(text).split('\n').entries()) {
      if (at > 0) this.#lineEnded();
      this.#line = (this.#line + part).slice(-LONGEST_LINE);
      this.#lookAtLast(this.#lookAtLines(part));
    }
    return this.#taken();
  }

  /** Nothing that waits will be shown. */
  end(): Recordable {
    this.#leaveOut(this.#tokens.length);
    return this.#taken();
  }

  /** Where one line was typed, its reader has gone on to the next, and did not show it. */
  #lineEnded(): void {
    this.#line = '';
    if (this.#alone && this.#tokens.findIndex(isLineEnd) === this.#tokens.length - 1)
      this.#leaveOut(this.#tokens.length);
  }

  /** Whole lines that were typed: the first of them that is on the line. Answers what is printed behind it. */
  #lookAtLines(printed: string): string {
    const at = this.#tokens.findIndex(
      (run, n) => n < this.#tokens.length - 1 && !isControl(run) && isOn(run, printed, this.#line),
    );
    const run = this.#tokens[at];
    if (run === undefined) return printed;
    this.#leaveOut(at);
    this.#tokens.shift();
    this.#input += run;
    this.#takeControls();
    this.#alone = false;
    const rest = this.#line.slice(this.#line.lastIndexOf(run) + run.length);
    this.#line = '';
    return rest;
  }

  /** What is still being typed: the beginning of what is printed is its echo, key by key. */
  #lookAtLast(printed: string): void {
    const run = this.#tokens.at(-1);
    if (run === undefined || isControl(run) || printed === '') return;
    // Behind what is left out it has to be the echo and nothing else: other output may begin with the same letter.
    const isWhole = printed.startsWith(run) || run.startsWith(printed);
    if (!isWhole && !run.endsWith(printed)) return;
    const from = isWhole ? 0 : run.length - printed.length;
    this.#leaveOut(this.#tokens.length - 1);
    this.#hidden ||= from > 0;
    const shown = run.slice(from, from + printed.length);
    this.#input += shown;
    // What is on the line shows it, and nothing that is typed later.
    this.#line = '';
    const rest = run.slice(from + shown.length);
    this.#tokens = rest === '' ? [] : [rest];
  }

  /** Leaves out the characters that wait before this place; controls are kept. */
  #leaveOut(before: number): void {
    for (const token of this.#tokens.splice(0, before)) {
      if (isControl(token)) this.#input += token;
      else this.#hidden = true;
    }
  }

  #takeControls(): void {
    const at = this.#tokens.findIndex((token) => !isControl(token));
    this.#input += this.#tokens.splice(0, at < 0 ? this.#tokens.length : at).join('');
  }

  #taken(): Recordable {
    this.#takeControls();
    const result = { input: this.#input, hidden: this.#hidden };
    [this.#input, this.#hidden] = ['', false];
    return result;
  }
}

const isOn = (run: string, printed: string, line: string): boolean =>
  printed.startsWith(run) || line.endsWith(run) || (run.length >= UNLIKELY && line.includes(run));

const visible = (text: string): string =>
  (text.match(TOKENS) ?? []).filter((token) => token === '\n' || !isControl(token)).join('');
