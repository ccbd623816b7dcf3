/** Frames that came together, in one piece of memory, in their order. */
export class FrameBatch {
  readonly memory: Uint8Array;
  /** Where each frame begins in `memory`, and its octets; `count` of them are filled. */
  readonly offsets: Uint32Array;
  readonly lengths: Uint32Array;
  count: number;
  /** The memory is used again once whoever was given the batch has returned: what keeps a frame takes it from `frames` or `copy`. */
  readonly borrowed: boolean;
  /** Of `memory` in this process, for those who hand it to the system; 0: not known yet. */
  address = 0;

  constructor(memory: Uint8Array, offsets: Uint32Array, lengths: Uint32Array, count: number, borrowed: boolean) {
    this.memory = memory;
    this.offsets = offsets;
    this.lengths = lengths;
    this.count = count;
    this.borrowed = borrowed;
  }

  get bytes(): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.lengths[i] ?? 0;
    return sum;
  }

  /** A frame to look at, not to keep. */
  view(i: number): Uint8Array {
    const offset = this.offsets[i] ?? 0;
    return this.memory.subarray(offset, offset + (this.lengths[i] ?? 0));
  }

  /** Frames that may be kept: copied into one piece when the memory is borrowed. */
  frames(): Uint8Array[] {
    const from = this.borrowed ? this.copy() : this;
    return Array.from({ length: from.count }, (_, i) => from.view(i));
  }

  copy(): FrameBatch {
    const memory = Buffer.allocUnsafeSlow(this.bytes);
    const offsets = new Uint32Array(this.count);
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      offsets[i] = at;
      memory.set(this.view(i), at);
      at += this.lengths[i] ?? 0;
    }
    return new FrameBatch(memory, offsets, this.lengths.slice(0, this.count), this.count, false);
  }

  /** The frames that `passes`, in the same memory. The same batch when all do. */
  filter(passes: (frame: Uint8Array) => boolean): FrameBatch {
    const offsets = new Uint32Array(this.count);
    const lengths = new Uint32Array(this.count);
    let left = 0;
    for (let i = 0; i < this.count; i++) {
      if (!passes(this.view(i))) continue;
      offsets[left] = this.offsets[i] ?? 0;
      lengths[left++] = this.lengths[i] ?? 0;
    }
    if (left === this.count) return this;
    const kept = new FrameBatch(this.memory, offsets, lengths, left, this.borrowed);
    kept.address = this.address;
    return kept;
  }
}

/** Takes frames one at a time, which then are its own to keep, and batches. */
export interface FrameSink {
  frame(frame: Uint8Array): void;
  batch(batch: FrameBatch): void;
}
