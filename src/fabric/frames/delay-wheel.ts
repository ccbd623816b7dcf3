import { FrameBatch } from './frame-batch.ts';
import type { Timer, Timers } from './timers.ts';

/** The delayed frames of one direction of a cable. */
export interface DelayLine {
  /** Takes frames whose delay is over. The memory of a batch is reused afterwards. */
  release(content: Uint8Array | FrameBatch): void;
  /** Frames that wait. */
  waiting: number;
  /** Octets of its frames in the last slot that had some: the estimate for the next slot. */
  usual: number;
}

/**
 * Delayed frames in slots of a quarter of a millisecond, with one timer for all slots. Frames leave a slot in the order in which they
 * came, so frames with the same delay keep their order. No slot is released before all in it is due.
 *
 * Slots, their items and the memory of frames are reused: objects made for each frame would live as long as its delay, and the garbage
 * collector would stop all frames while it copies them.
 */
export interface DelayWheel {
  /** `due`: milliseconds on the clock of the timers. Copies a batch whose memory is borrowed. False when there is no room. */
  hold(line: DelayLine, due: number, content: Uint8Array | FrameBatch): boolean;
  /** Drops the frames of a line. */
  clear(line: DelayLine): void;
  /** Octets accounted for all delayed frames. */
  readonly size: number;
}

/** Octets of delayed frames a fabric holds at most, overhead included. */
const MOST_DELAYED = 256 * 1024 * 1024;
/** Octets accounted for each frame beside its content. */
const FRAME_OVERHEAD = 256;
const SLOTS_PER_MS = 4;
/** Frames released before the event loop gets its turn. */
const MOST_AT_ONCE = 4096;

/** Octets of the memory in which frames of one slot are gathered. */
const LEAST_GATHERED = 2048;
const MOST_GATHERED = 128 * 1024;
/** Least octets of a frame, by which the number of frames in a batch is estimated. */
const SMALL_FRAME = 60;
/** Octets of empty batches kept for reuse. */
const MOST_SPARE = 64 * 1024 * 1024;

export function createDelayWheel(timers: Timers): DelayWheel {
  const spares = createSpares();
  const ring = createRing();
  let size = 0;
  let timer: Timer | undefined;

  const arm = (): void => {
    const due = ring.first() / SLOTS_PER_MS;
    if (timer !== undefined && timer.due <= due && due !== Infinity) return;
    timer?.cancel();
    timer = due === Infinity ? undefined : timers.at(due, fire);
  };
  const fire = (): void => {
    timer = undefined;
    const latest = timers.now() * SLOTS_PER_MS;
    let released = 0;
    for (let first = ring.first(); first <= latest && released < MOST_AT_ONCE; first = ring.first())
      released += ring.at(first).empty(release);
    if (size === 0) spares.clear();
    arm();
  };
  const release = ({ line, count, size: octets, content }: Delayed): void => {
    size -= octets;
    line.waiting -= count;
    if (content instanceof FrameBatch) line.usual = content.bytes;
    line.release(content);
    if (content instanceof FrameBatch && content.borrowed) spares.give(content);
  };
  /** A copy with room for more frames of the same slot, so that all of them leave together. */
  const gather = (line: DelayLine, batch: FrameBatch): FrameBatch => {
    const octets = Math.max(batch.bytes, Math.min(MOST_GATHERED, Math.max(LEAST_GATHERED, line.usual)));
    const gathered = spares.take(octets, batch.count);
    gathered.append(batch);
    return gathered;
  };

  return {
    hold(line, due, content) {
      const count = content instanceof FrameBatch ? content.count : 1;
      const octets = (content instanceof FrameBatch ? content.bytes : content.length) + count * FRAME_OVERHEAD;
      if (size + octets > MOST_DELAYED) return false;
      size += octets;
      line.waiting += count;
      const slot = ring.at(Math.ceil(due * SLOTS_PER_MS));
      if (content instanceof FrameBatch && content.borrowed) {
        if (!slot.append(line, content, octets)) slot.add(line, gather(line, content), count, octets);
      } else slot.add(line, content, count, octets);
      arm();
      return true;
    },
    clear(line) {
      for (const gone of ring.drop(line)) size -= gone;
      line.waiting = 0;
      arm();
    },
    get size() {
      return size;
    },
  };
}

/** A frame or batch of one line in a slot. */
interface Delayed {
  /** Number of frames, and octets accounted for them. */
  count: number;
  size: number;
  content: Uint8Array | FrameBatch;
  line: DelayLine;
}

const NO_FRAME = new Uint8Array();

class Slot {
  /** Only the first `used` items wait; the others are kept for reuse. */
  private readonly items: Delayed[] = [];
  private used = 0;

  get isEmpty(): boolean {
    return this.used === 0;
  }

  add(line: DelayLine, content: Uint8Array | FrameBatch, count: number, size: number): void {
    const item = this.items[this.used++];
    if (item === undefined) this.items.push({ count, size, content, line });
    else Object.assign(item, { count, size, content, line });
  }

  /** Appends to the item that was added last; false when it is of another line or has no room. */
  append(line: DelayLine, batch: FrameBatch, size: number): boolean {
    const last = this.items[this.used - 1];
    if (last?.line !== line || !(last.content instanceof FrameBatch) || !last.content.append(batch)) return false;
    last.count += batch.count;
    last.size += size;
    return true;
  }

  /** Releases all items; returns the number of frames. */
  empty(release: (item: Delayed) => void): number {
    let frames = 0;
    for (let i = 0; i < this.used; i++) {
      const item = this.items[i];
      if (item === undefined) continue;
      frames += item.count;
      release(item);
      item.content = NO_FRAME;
    }
    this.used = 0;
    return frames;
  }

  /** Drops the items of a line; returns the octets accounted for each. */
  drop(line: DelayLine): number[] {
    const waiting = this.items.splice(0, this.used);
    this.used = 0;
    for (const item of waiting) if (item.line !== line) this.add(item.line, item.content, item.count, item.size);
    return waiting.filter((item) => item.line === line).map((item) => item.size);
  }
}

/** Slots by their number (quarters of a millisecond) in a ring that is as long as the longest delay. */
interface Ring {
  /** Number of the first slot in use; Infinity: none is. */
  first(): number;
  at(number: number): Slot;
  drop(line: DelayLine): number[];
}

const SHORTEST_RING = 1024;

function createRing(): Ring {
  let slots: (Slot | undefined)[] = new Array<undefined>(SHORTEST_RING);
  /** Lowest and highest number of a slot in use. */
  let first = Infinity;
  let last = -Infinity;

  const seek = (): void => {
    while (first <= last && (slots[first % slots.length]?.isEmpty ?? true)) first++;
    if (first <= last) return;
    first = Infinity;
    last = -Infinity;
  };
  const lengthen = (least: number): void => {
    const longer = new Array<Slot | undefined>(2 ** Math.ceil(Math.log2(least)));
    for (let number = first; number <= last; number++) longer[number % longer.length] = slots[number % slots.length];
    slots = longer;
  };
  return {
    first() {
      seek();
      return first;
    },
    at(number) {
      const [from, to] = [Math.min(first, number), Math.max(last, number)];
      if (to - from >= slots.length) lengthen(to - from + 1);
      first = from;
      last = to;
      return (slots[number % slots.length] ??= new Slot());
    },
    drop: (line) => slots.flatMap((slot) => slot?.drop(line) ?? []),
  };
}

interface Spares {
  /** An empty batch with at least this room. */
  take(octets: number, frames: number): FrameBatch;
  give(batch: FrameBatch): void;
  clear(): void;
}

function createSpares(): Spares {
  /** By size in octets, a power of two. */
  const bySize = new Map<number, FrameBatch[]>();
  let kept = 0;
  return {
    take(octets, frames) {
      const size = 2 ** Math.ceil(Math.log2(Math.max(octets, frames * SMALL_FRAME)));
      const spare = bySize.get(size)?.pop();
      if (spare === undefined) return FrameBatch.open(size, Math.ceil(size / SMALL_FRAME), true);
      kept -= size;
      return spare;
    },
    give(batch) {
      const size = batch.memory.length;
      if (kept + size > MOST_SPARE) return;
      batch.count = 0;
      kept += size;
      const alike = bySize.get(size);
      if (alike === undefined) bySize.set(size, [batch]);
      else alike.push(batch);
    },
    clear() {
      bySize.clear();
      kept = 0;
    },
  };
}
