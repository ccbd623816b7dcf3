/** Kept for the broker when the node prints before it has a console; a few screens. */
const EARLY_LIMIT = 8 * 1024;

/** The shell's way to the console: makes bytes of text and knows whether the cursor is at the start of a line. */
export class Output {
  #target: ((bytes: Uint8Array) => void) | null = null;
  #early = '';
  #atLineStart = true;

  get target(): (bytes: Uint8Array) => void {
    return this.#target ?? (() => undefined);
  }

  set target(target: (bytes: Uint8Array) => void) {
    this.#target = target;
    const early = this.#early;
    this.#early = '';
    if (early !== '') target(Buffer.from(early));
  }

  /** Text with `\n` line ends. */
  print(text: string): void {
    this.raw(text.replaceAll('\n', '\r\n'));
  }

  /** Ends the line unless it is empty. */
  freshLine(): void {
    if (!this.#atLineStart) this.raw('\r\n');
  }

  /** Text as a terminal takes it. */
  raw(text: string): void {
    if (text === '') return;
    this.#atLineStart = text.endsWith('\n');
    if (this.#target === null) this.#early = (this.#early + text).slice(-EARLY_LIMIT);
    else this.#target(Buffer.from(text));
  }
}
