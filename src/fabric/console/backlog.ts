const LIMIT = 8 * 1024;
const FIRST_CAPACITY = 128;
const LF = 0x0a;
/** Lines of a screen, as terminals have them unless they are told otherwise (ECMA-48 leaves it open, VT100: 24). */
const ROWS = 24;
/** Sequences that clear a screen: ED 2 and 3 (ECMA-48, 8.3.39, and xterm), RIS (ECMA-35). */
const CLEARS = ['\u001b[2J', '\u001b[3J', '\u001bc'].map((sequence) => Buffer.from(sequence));

/**
 * The last output of a console, for clients that come later: at most ~8 KB, beginning at a line. Nothing is allocated
 * before there is output, and then no more than it needs, as thousands of consoles hold little but a prompt.
 */
export class Backlog {
  #bytes: Uint8Array | null = null;
  #length = 0;

  append(output: Uint8Array): void {
    const bytes = output.length > LIMIT ? output.subarray(output.length - LIMIT) : output;
    // Only after twice the limit is the older half dropped, so that a stream of small outputs is not copied each time.
    if (this.#length + bytes.length > 2 * LIMIT) this.#dropOld();
    const target = this.#room(bytes.length);
    target.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A copy, as it may wait in a slow client's buffer while this one changes. */
  read(): Uint8Array {
    if (this.#bytes === null) return new Uint8Array(0);
    return this.#bytes.slice(lineStart(this.#bytes, this.#length), this.#length);
  }

  /** Of these what a terminal still shows: the last lines, from the sequence on that has last cleared the screen. */
  screen(): Uint8Array {
    const bytes = Buffer.from(this.read());
    const cleared = Math.max(0, ...CLEARS.map((sequence) => bytes.lastIndexOf(sequence)));
    let start = bytes.length;
    for (let rows = 0; rows < ROWS && start >= 0; rows += 1)
      start = start === 0 ? -1 : bytes.lastIndexOf(LF, start - 1);
    return bytes.subarray(Math.max(cleared, start + 1));
  }

  #dropOld(): void {
    if (this.#bytes === null) return;
    const start = Math.max(0, this.#length - LIMIT);
    this.#bytes.copyWithin(0, start, this.#length);
    this.#length -= start;
  }

  #room(more: number): Uint8Array {
    const needed = this.#length + more;
    if (this.#bytes !== null && this.#bytes.length >= needed) return this.#bytes;
    let capacity = this.#bytes?.length ?? FIRST_CAPACITY;
    // By halves: what is not needed is multiplied by all consoles.
    while (capacity < needed) capacity += Math.max(FIRST_CAPACITY, capacity >> 1);
    const grown = new Uint8Array(capacity);
    if (this.#bytes !== null) grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    return grown;
  }
}

/** Where to begin so that at most LIMIT bytes are shown from the start of a line, or of a character in one endless line. */
function lineStart(bytes: Uint8Array, length: number): number {
  if (length < LIMIT) return 0;
  const earliest = length - LIMIT;
  const lineEnd = bytes.subarray(0, length).indexOf(LF, earliest);
  if (lineEnd >= 0 && lineEnd < length - 1) return lineEnd + 1;
  let start = earliest;
  // Bytes 10xxxxxx continue a UTF-8 character; no character has more than three.
  while (start < earliest + 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
