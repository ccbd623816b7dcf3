/** More than anyone types while a command runs; a long paste still fits. */
const LIMIT = 64 * 1024;

/** What is typed while a command runs, in order and bounded: what does not fit is dropped. */
export class TypeAhead {
  #chunks: Uint8Array[] = [];
  #length = 0;

  get empty(): boolean {
    return this.#length === 0;
  }

  add(bytes: Uint8Array): void {
    this.#insert(bytes, this.#chunks.length);
  }

  /** For what was taken out and could not be used yet. */
  addFirst(bytes: Uint8Array): void {
    this.#insert(bytes, 0);
  }

  take(): Uint8Array | null {
    const first = this.#chunks.shift() ?? null;
    this.#length -= first?.length ?? 0;
    return first;
  }

  clear(): void {
    this.#chunks = [];
    this.#length = 0;
  }

  #insert(bytes: Uint8Array, at: number): void {
    const room = Math.min(bytes.length, LIMIT - this.#length);
    if (room <= 0) return;
    // A copy: the reader may use its buffer again.
    this.#chunks.splice(at, 0, bytes.slice(0, room));
    this.#length += room;
  }
}
