export interface Recordable {
  input: string;
  /** Input before it was left out. */
  hidden: boolean;
}

/** Characters that may wait. */
const MOST = 4096;
/** Characters of a line of output that are compared. */
const LONGEST_LINE = 1024;
/** Length from which a text counts as an echo even in the middle of a line. */
const UNLIKELY = 4;

/** ECMA-48: control sequences, other escapes, single controls; and what is between them. */
const TOKENS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])?|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/gsu;
const isControl = (token: string): boolean => token < ' ' || token.startsWith('\u007f');
const isLineEnd = (token: string): boolean => token === '\r' || token === '\n';

/**
 * Filters the input that a node has echoed. A console does not tell when its echo is off: telnet's ECHO is the server's all the time, and
 * a serial line or a container's terminal tells nothing. Therefore input waits here until the node prints it, as it does with a command
 * and not with a password. Control characters and the sequences of keys are no secrets and wait only for input typed before them.
 */
export class ShownInput {
  /** Controls, and runs of characters between them. */
  #tokens: string[] = [];
  /** Nothing else waited when the first waiting token was typed. */
  #alone = false;
  /** Output of the current line since then. */
  #line = '';
  #input = '';
  #hidden = false;

  /** Takes input; returns what can be recorded at once. */
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
      // Output from before it was typed is no echo of it.
      this.#line = '';
    }
    this.#tokens.push(token);
  }

  /** Takes output that is about to be recorded; returns the input to record before it. */
  printed(text: string): Recordable {
    for (const [at, part] of visible(text).split('\n').entries()) {
      if (at > 0) this.#lineEnded();
      this.#line = (this.#line + part).slice(-LONGEST_LINE);
      this.#takeEchoedKeys(this.#takeEchoedLine(part));
    }
    return this.#taken();
  }

  /** Ends: waiting input will not be echoed. */
  end(): Recordable {
    this.#leaveOut(this.#tokens.length);
    return this.#taken();
  }

  /** The reader of a single typed line has gone on to the next line without echoing it. */
  #lineEnded(): void {
    this.#line = '';
    if (this.#alone && this.#tokens.findIndex(isLineEnd) === this.#tokens.length - 1)
      this.#leaveOut(this.#tokens.length);
  }

  /** Takes the first whole typed line that is echoed in the output line. Returns the output behind it. */
  #takeEchoedLine(printed: string): string {
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

  /** Takes the echo of the line being typed, key by key, at the beginning of the output. */
  #takeEchoedKeys(printed: string): void {
    const run = this.#tokens.at(-1);
    if (run === undefined || isControl(run) || printed === '') return;
    // After hidden input, the output must be exactly the echo: other output may begin with the same letter.
    const isWhole = printed.startsWith(run) || run.startsWith(printed);
    if (!isWhole && !run.endsWith(printed)) return;
    const from = isWhole ? 0 : run.length - printed.length;
    this.#leaveOut(this.#tokens.length - 1);
    this.#hidden ||= from > 0;
    const shown = run.slice(from, from + printed.length);
    this.#input += shown;
    // This output is no echo of later input.
    this.#line = '';
    const rest = run.slice(from + shown.length);
    this.#tokens = rest === '' ? [] : [rest];
  }

  /** Leaves out waiting characters before an index; keeps controls. */
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
