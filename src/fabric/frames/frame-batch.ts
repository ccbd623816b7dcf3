/** Frames that arrived together, in order, in one piece of memory. */
export class FrameBatch {
  readonly memory: Uint8Array;
  /** Offset of each frame in `memory`, and its length in octets; the first `count` are valid. */
  readonly offsets: Uint32Array;
  readonly lengths: Uint32Array;
  count: number;
  /** The memory is reused once the receiver of the batch has returned: to keep frames, take them from `frames` or `copy`. */
  readonly borrowed: boolean;
  /** Address of `memory` in this process, for calls of the system; 0: not known yet. */
  address = 0;

  /** Expects all of `lengths` to be valid. */
  constructor(memory: Uint8Array, offsets: Uint32Array, lengths: Uint32Array, borrowed: boolean) {
    this.memory = memory;
    this.offsets = offsets;
    this.lengths = lengths;
    this.count = lengths.length;
    this.borrowed = borrowed;
  }

  get bytes(): number {
    let sum = 0;
    for (let i = 0; i < this.count; i++) sum += this.lengths[i] ?? 0;
    return sum;
  }

  /** An empty batch with memory of its own, for `append`. */
  static open(octets: number, frames: number, borrowed = false): FrameBatch {
    const memory = Buffer.allocUnsafe(octets);
    const batch = new FrameBatch(memory, new Uint32Array(frames), new Uint32Array(frames), borrowed);
    batch.count = 0;
    return batch;
  }

  /** Copies the frames of another batch behind these; false when there is no room for all of them. */
  append(more: FrameBatch): boolean {
    const last = this.count - 1;
    let at = last < 0 ? 0 : (this.offsets[last] ?? 0) + (this.lengths[last] ?? 0);
    if (this.count + more.count > this.offsets.length || at + more.bytes > this.memory.length) return false;
    for (let i = 0; i < more.count; i++) {
      this.memory.set(more.view(i), at);
      this.offsets[this.count] = at;
      this.lengths[this.count++] = more.lengths[i] ?? 0;
      at += more.lengths[i] ?? 0;
    }
    return true;
  }

  /** A frame that must not be kept. */
  view(i: number): Uint8Array {
    const offset = this.offsets[i] ?? 0;
    return this.memory.subarray(offset, offset + (this.lengths[i] ?? 0));
  }

  /** Frames that may be kept: copies when the memory is borrowed. */
  frames(): Uint8Array[] {
    const from = this.borrowed ? this.copy() : this;
    return Array.from({ length: from.count }, (_, i) => from.view(i));
  }

  copy(): FrameBatch {
    const copy = FrameBatch.open(this.bytes, this.count);
    copy.append(this);
    return copy;
  }

  /** The frames that pass, in the same memory; this batch itself when all do. */
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
    const kept = new FrameBatch(this.memory, offsets, lengths, this.borrowed);
    kept.count = left;
    kept.address = this.address;
    return kept;
  }
}

/** Takes single frames, which it may keep, and batches. */
export interface FrameSink {
  take(frame: Uint8Array): void;
  takeBatch(batch: FrameBatch): void;
}
