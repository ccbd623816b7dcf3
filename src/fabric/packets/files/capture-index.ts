import { type FileHandle, open } from 'node:fs/promises';
import { FILE_HEADER, LONGEST_FRAME, readPcapHeader, RECORD_HEADER } from '../../capture/pcap.ts';
import type { CapturedFrame } from '../packet.ts';

const BLOCK = 1024 * 1024;
/** The offset of every STEPth frame is kept: a million frames cost 250 KB. */
const STEP = 64;
/** Frames read at once by `from`. */
const ROUND = 1024;
/** First octets of a file, by which a new file is told from one that grew. */
const START = FILE_HEADER + RECORD_HEADER;

/** A capture file with the offsets of its frames. Grows with its file, as far as callers give it time. */
export class CaptureIndex {
  readonly path: string;
  /** Frames found so far. */
  count = 0;
  linkType = -1;
  /** All frames of the file are found. */
  isWhole = false;
  /** Counts replacements of the file. */
  generation = 0;
  #start: Buffer = Buffer.alloc(0);
  #end = FILE_HEADER;
  #offsets: number[] = [];
  #times: number[] = [];
  #growing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** Looks for more frames for about `patience` milliseconds. Throws when it is no capture file. */
  async grow(patience: number): Promise<void> {
    const until = performance.now() + patience;
    this.#growing = this.#growing.catch(() => undefined).then(() => this.#with((file) => this.#grow(file, until)));
    return this.#growing;
  }

  /** Frames by their numbers from 1, which must be in order. */
  async read(numbers: readonly number[]): Promise<CapturedFrame[]> {
    if (numbers.length === 0) return [];
    return this.#with(async (file) => {
      const taken: CapturedFrame[] = [];
      let run: Run | null = null;
      for (const number of numbers) {
        if (number < 1 || number > this.count) continue;
        if (run === null || number < run.number || number - run.number > STEP) run = this.#runTo(file, number);
        const frame = await run.take(number);
        if (frame === null) break;
        taken.push(frame);
      }
      return taken;
    });
  }

  /** All frames from a number on, in chunks. */
  async *from(number: number): AsyncGenerator<CapturedFrame[]> {
    for (let at = number; at <= this.count; at += ROUND) {
      const most = Math.min(this.count, at + ROUND - 1);
      yield await this.read(Array.from({ length: most - at + 1 }, (_, index) => at + index));
    }
  }

  /** Number of a frame shortly before a time in seconds since 1970. */
  before(time: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#times[middle] ?? Infinity) < time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1) * STEP + 1;
  }

  async #with<T>(use: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = await open(this.path, 'r');
    try {
      return await use(file);
    } finally {
      await file.close();
    }
  }

  async #grow(file: FileHandle, until: number): Promise<void> {
    const start = await readAt(file, 0, START);
    const { size } = await file.stat();
    if (!start.subarray(0, this.#start.length).equals(this.#start) || size < this.#end) this.#forget();
    if (start.length < FILE_HEADER) return this.#finish(true);
    const linkType = readPcapHeader(start);
    if (linkType === null) throw new Error('it is no capture file');
    [this.#start, this.linkType] = [start, linkType];
    do {
      const found = this.#walk(await readAt(file, this.#end, BLOCK), size - this.#end);
      if (!found) return this.#finish(true);
    } while (performance.now() < until);
    return this.#finish(false);
  }

  #finish(isWhole: boolean): void {
    this.isWhole = isWhole;
  }

  #forget(): void {
    [this.count, this.#end, this.#offsets, this.#times] = [0, FILE_HEADER, [], []];
    this.#start = Buffer.alloc(0);
    this.generation++;
  }

  /** Counts the whole frames of a block; false: there is none. `rest`: octets of the file from the block's beginning. */
  #walk(block: Buffer, rest: number): boolean {
    let at = 0;
    while (at + RECORD_HEADER <= block.length) {
      const captured = block.readUInt32LE(at + 8);
      const next = at + RECORD_HEADER + captured;
      if (captured > LONGEST_FRAME || next > rest) break;
      if (this.count % STEP === 0) {
        this.#offsets.push(this.#end + at);
        this.#times.push(timeOf(block, at));
      }
      this.count++;
      at = next;
    }
    this.#end += at;
    return at > 0;
  }

  #runTo(file: FileHandle, number: number): Run {
    const anchor = Math.floor((number - 1) / STEP);
    return new Run(file, anchor * STEP + 1, this.#offsets[anchor] ?? FILE_HEADER);
  }
}

/** Reads frames sequentially. */
class Run {
  number: number;
  readonly #file: FileHandle;
  #offset: number;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Begins with frame `number` at `offset`. */
  constructor(file: FileHandle, number: number, offset: number) {
    [this.#file, this.number, this.#offset] = [file, number, offset];
  }

  /** Reads this or a later frame, skipping those before it. Null: it is no longer there. */
  async take(number: number): Promise<CapturedFrame | null> {
    for (;;) {
      if (!(await this.#has(RECORD_HEADER))) return null;
      const captured = this.#block.readUInt32LE(this.#at + 8);
      if (captured > LONGEST_FRAME || !(await this.#has(RECORD_HEADER + captured))) return null;
      const [at, block] = [this.#at, this.#block];
      this.#at += RECORD_HEADER + captured;
      if (this.number++ !== number) continue;
      const bytes = block.subarray(at + RECORD_HEADER, at + RECORD_HEADER + captured);
      return { number, time: timeOf(block, at), length: block.readUInt32LE(at + 12), bytes };
    }
  }

  async #has(length: number): Promise<boolean> {
    if (this.#at + length <= this.#block.length) return true;
    this.#offset += this.#at;
    this.#at = 0;
    this.#block = await readAt(this.#file, this.#offset, Math.max(length, BLOCK / 4));
    return length <= this.#block.length;
  }
}

const timeOf = (block: Buffer, at: number): number => block.readUInt32LE(at) + block.readUInt32LE(at + 4) / 1e6;

const readAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
};
