import { FrameBatch } from './frame-batch.ts';
import type { Timer, Timers } from './timers.ts';

/** Those of one direction of a cable. */
export interface DelayLine {
  /** The memory of a batch is used again afterwards. */
  release(content: Uint8Array | FrameBatch): void;
  /** Frames that wait. */
  waiting: number;
  /** Octets of its frames in the last slot that had some: what the next may have. */
  usual: number;
}

/**
 * Frames that wait, in slots of a quarter of a millisecond: one timer for all of them, however many frames. What was put into a slot
 * leaves it in that order, so frames with the same delay keep theirs. No slot is released before all in it is due.
 *
 * Slots, what is in them and the memory of their frames are used again. What is made for each frame lives as long as its delay, and
 * the collector holds every frame up while it copies what lives.
 */
export interface DelayWheel {
  /** `due` on the clock of the timers. A batch whose memory is borrowed is copied. False when there is no room. */
  hold(line: DelayLine, due: number, content: Uint8Array | FrameBatch): boolean;
  /** What waits of a line is gone. */
  clear(line: DelayLine): void;
  /** Octets that wait. */
  readonly size: number;
}

/** Octets of delayed frames a fabric holds at most, with what each costs beside its content. */
const MOST_DELAYED = 256 * 1024 * 1024;
const FRAME_OVERHEAD = 256;
const SLOTS_PER_MS = 4;
/** Frames released before the event loop gets its turn. */
const MOST_AT_ONCE = 4096;

const LEAST_GATHERED = 2048;
const MOST_GATHERED = 128 * 1024;
/** Octets a frame has at least, for the number of frames that a batch has room for. */
const SMALL_FRAME = 60;
/** Octets of batches that are kept to be used again. */
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
  /** A copy with room for what comes next in the same slot, so that all of it leaves together. */
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

/** What leaves together: frames of one line in a slot. */
interface Delayed {
  /** Frames it is, and octets it is accounted with. */
  count: number;
  size: number;
  content: Uint8Array | FrameBatch;
  line: DelayLine;
}

const NO_FRAME = new Uint8Array();

class Slot {
  /** The first `used` of them wait. */
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

  /** To the last that was added: false when that is another line's, or has no room. */
  append(line: DelayLine, batch: FrameBatch, size: number): boolean {
    const last = this.items[this.used - 1];
    if (last?.line !== line || !(last.content instanceof FrameBatch) || !last.content.append(batch)) return false;
    last.count += batch.count;
    last.size += size;
    return true;
  }

  /** Answers how many frames it was. */
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

  /** Of one line; answers the octets each was accounted with. */
  drop(line: DelayLine): number[] {
    const waiting = this.items.splice(0, this.used);
    this.used = 0;
    for (const item of waiting) if (item.line !== line) this.add(item.line, item.content, item.count, item.size);
    return waiting.filter((item) => item.line === line).map((item) => item.size);
  }
}

/** Slots by their number, quarters of a millisecond, in a ring that is as long as the longest delay. */
interface Ring {
  /** Number of the first slot that holds something, Infinity when none does. */
  first(): number;
  at(number: number): Slot;
  drop(line: DelayLine): number[];
}

const SHORTEST_RING = 1024;

function createRing(): Ring {
  let slots: (Slot | undefined)[] = new Array<undefined>(SHORTEST_RING);
  /** Between them is all that holds something. */
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
  /** An empty batch with room for at least so much. */
  take(octets: number, frames: number): FrameBatch;
  give(batch: FrameBatch): void;
  clear(): void;
}

function createSpares(): Spares {
  /** By their octets, a power of two. */
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
