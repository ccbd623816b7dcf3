import { FrameBatch, type FrameSink } from '../../frames/frame-batch.ts';

/** A socket that frames were put down for. It sends a batch at once: the memory is used again afterwards. */
type Sender = Pick<FrameSink, 'takeBatch'>;

/**
 * Frames sent one at a time in one tick, put together so that each socket needs one call of the system for them. Copied, so that
 * the frames' own memory need not be at a place of its own.
 */
export interface Outbox {
  add(sender: Sender, frame: Uint8Array): void;
  /** What was added leaves now. */
  flush(): void;
}

const ARENA = 256 * 1024;
const MOST_FRAMES = 1024;

export function createOutbox(addressOf: (memory: Uint8Array) => number): Outbox {
  let arena: Buffer | undefined;
  let address = 0;
  let used = 0;
  let count = 0;
  let scheduled = false;
  const waiting = new Map<Sender, [offsets: number[], lengths: number[]]>();

  const flush = (): void => {
    scheduled = false;
    if (arena === undefined || waiting.size === 0) return;
    used = count = 0;
    const all = [...waiting];
    waiting.clear();
    for (const [sender, [offsets, lengths]] of all) {
      const batch = new FrameBatch(arena, Uint32Array.from(offsets), Uint32Array.from(lengths), true);
      batch.address = address;
      sender.takeBatch(batch);
    }
  };
  const open = (): Buffer => {
    const memory = Buffer.allocUnsafeSlow(ARENA);
    address = addressOf(memory);
    return memory;
  };
  return {
    add(sender, frame) {
      if (count === MOST_FRAMES || used + frame.length > ARENA) flush();
      arena ??= open();
      arena.set(frame, used);
      const known = waiting.get(sender);
      if (known === undefined) waiting.set(sender, [[used], [frame.length]]);
      else {
        known[0].push(used);
        known[1].push(frame.length);
      }
      used += frame.length;
      count++;
      if (scheduled) return;
      scheduled = true;
      queueMicrotask(flush);
    },
    flush,
  };
}
