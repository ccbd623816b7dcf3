import { FrameBatch } from './frame-batch.ts';
import type { Timers } from './timers.ts';

interface Delayed {
  /** Frames it is, and octets it is accounted with. */
  count: number;
  size: number;
  content: Uint8Array | FrameBatch;
  line: DelayLine;
}

/** Those of one direction of a wire. */
export interface DelayLine {
  release(content: Uint8Array | FrameBatch): void;
  /** Frames that wait. */
  waiting: number;
  /** Octets of its frames in the last slot that had some: what the next may have. */
  usual: number;
}

/**
 * Frames that wait, in slots of a quarter of a millisecond: one timer a slot, however many frames. What was put into a slot leaves it
 * in that order, so frames with the same delay keep theirs. No slot is released before all in it is due.
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

interface Slot {
  items: Delayed[];
  frames: number;
  cancel: () => void;
}

const LEAST_GATHERED = 2048;
const MOST_GATHERED = 128 * 1024;
/** Octets a frame has at least, for the number of frames that a batch has room for. */
const SMALL_FRAME = 60;

/** A copy with room for what comes next in the same slot, so that all of it leaves together. */
function gather(line: DelayLine, batch: FrameBatch): FrameBatch {
  const octets = Math.max(batch.bytes, Math.min(MOST_GATHERED, Math.max(LEAST_GATHERED, line.usual)));
  const gathered = FrameBatch.open(octets, Math.max(batch.count, Math.ceil(octets / SMALL_FRAME)));
  gathered.append(batch);
  return gathered;
}

export function createDelayWheel(timers: Timers): DelayWheel {
  const slots = new Map<number, Slot>();
  let size = 0;
  /** Frames come in bursts: mostly the slot is that of the last one. */
  let latest = -1;
  let latestSlot: Slot | undefined;

  const forget = (index: number): void => {
    slots.delete(index);
    if (latest === index) latest = -1;
  };
  const release = (index: number): void => {
    const slot = slots.get(index);
    if (slot === undefined) return;
    forget(index);
    for (const item of slot.items) {
      size -= item.size;
      item.line.waiting -= item.count;
      if (!(item.content instanceof Uint8Array)) item.line.usual = item.content.bytes;
      item.line.release(item.content);
    }
  };
  const open = (index: number): Slot => {
    const timer = timers.at(
      index / SLOTS_PER_MS,
      () => release(index),
      () => slot.frames,
    );
    const slot: Slot = { items: [], frames: 0, cancel: () => timer.cancel() };
    slots.set(index, slot);
    return slot;
  };

  return {
    hold(line, due, content) {
      const frame = content instanceof Uint8Array;
      const count = frame ? 1 : content.count;
      const octets = (frame ? content.length : content.bytes) + count * FRAME_OVERHEAD;
      if (size + octets > MOST_DELAYED) return false;
      size += octets;
      line.waiting += count;
      const index = Math.ceil(due * SLOTS_PER_MS);
      if (index !== latest || latestSlot === undefined) {
        latest = index;
        latestSlot = slots.get(index) ?? open(index);
      }
      latestSlot.frames += count;
      const last = latestSlot.items.at(-1);
      if (frame || !content.borrowed) latestSlot.items.push({ count, size: octets, content, line });
      else if (last?.line === line && !(last.content instanceof Uint8Array) && last.content.append(content)) {
        last.count += count;
        last.size += octets;
      } else latestSlot.items.push({ count, size: octets, content: gather(line, content), line });
      return true;
    },
    clear(line) {
      for (const [index, slot] of slots) {
        const [left, gone] = [slot.items.filter((i) => i.line !== line), slot.items.filter((i) => i.line === line)];
        for (const item of gone) size -= item.size;
        slot.items = left;
        if (left.length > 0) continue;
        slot.cancel();
        forget(index);
      }
      line.waiting = 0;
    },
    get size() {
      return size;
    },
  };
}
