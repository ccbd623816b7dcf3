/**
 * Forwarding table of a bridge (IEEE 802.1Q clause 8.8): (VLAN, MAC) → port. Open addressing over flat arrays of integers: a switch
 * accesses it twice for every frame, and a Map would allocate a boxed number for each 48-bit key.
 */
interface MacEntry {
  vlan: number;
  mac: number;
  port: number;
  /** Seconds since it was last seen. */
  age: number;
}

export interface MacTable {
  /** Learns the source address of a frame. `now` in milliseconds. */
  learn: (frame: Uint8Array, vlan: number, port: number, now: number) => void;
  /** Port of the frame's destination address; -1: unknown. */
  find: (frame: Uint8Array, vlan: number, now: number) => number;
  entries: (now: number) => MacEntry[];
  /** Removes the entries of a port. */
  forget: (port: number) => void;
  clear: () => void;
}

/** IEEE 802.1Q clause 8.8.3. */
const AGEING_SECONDS = 300;
const SMALLEST = 256;
/** Slots. When three quarters are in use, nothing more is learned and unknown addresses are flooded, as in real switches. */
const LARGEST = 32_768;
const SOURCE = 6;

/** A key is the first four bytes of the MAC and, in a second integer, its last two and the VLAN. `port` is -1 in a free slot. */
interface Slots {
  size: number;
  high: Int32Array;
  low: Int32Array;
  port: Int16Array;
  seen: Int32Array;
}

const createSlots = (size: number): Slots => ({
  size,
  high: new Int32Array(size),
  low: new Int32Array(size),
  port: new Int16Array(size).fill(-1),
  seen: new Int32Array(size),
});

const highOf = (frame: Uint8Array, at: number): number =>
  ((frame[at] ?? 0) << 24) | ((frame[at + 1] ?? 0) << 16) | ((frame[at + 2] ?? 0) << 8) | (frame[at + 3] ?? 0);

const lowOf = (frame: Uint8Array, at: number, vlan: number): number =>
  ((frame[at + 4] ?? 0) << 24) | ((frame[at + 5] ?? 0) << 16) | vlan;

/** Index of the slot of a key, or of the free slot for it. */
function slotOf(slots: Slots, high: number, low: number): number {
  const last = slots.size - 1;
  const mixed = Math.imul(high ^ Math.imul(low, 0x9e3779b1), 0x85ebca6b);
  let slot = (mixed ^ (mixed >>> 15)) & last;
  while (slots.port[slot] !== -1 && (slots.high[slot] !== high || slots.low[slot] !== low)) slot = (slot + 1) & last;
  return slot;
}

/** Takes a slot for a key. The caller sets its port. */
function claim(slots: Slots, high: number, low: number): number {
  const slot = slotOf(slots, high, low);
  slots.high[slot] = high;
  slots.low[slot] = low;
  return slot;
}

/** Copies some slots into a table of another size. */
function copied(slots: Slots, alive: readonly number[], size: number): Slots {
  const next = createSlots(size);
  for (const slot of alive) {
    const to = claim(next, slots.high[slot] ?? 0, slots.low[slot] ?? 0);
    next.port[to] = slots.port[slot] ?? -1;
    next.seen[to] = slots.seen[slot] ?? 0;
  }
  return next;
}

export function createMacTable(): MacTable {
  let slots = createSlots(SMALLEST);
  let used = 0;
  /** Second of the last vain search for room: a flood of new addresses must not search each time. */
  let fullAt = -1;

  /** Removes aged entries; grows when that is not enough. True when there is room. */
  function makeRoom(now: number): boolean {
    if (now === fullAt) return false;
    const alive = usedSlots(slots).filter((slot) => now - (slots.seen[slot] ?? 0) <= AGEING_SECONDS);
    const grow = alive.length * 2 > slots.size && slots.size < LARGEST;
    if (!grow && alive.length * 4 >= slots.size * 3) {
      fullAt = now;
      return false;
    }
    keep(alive, grow ? slots.size * 2 : slots.size);
    return true;
  }

  function keep(alive: readonly number[], size: number): void {
    slots = copied(slots, alive, size);
    used = alive.length;
  }

  return {
    learn(frame, vlan, port, now) {
      const high = highOf(frame, SOURCE);
      // The group bit: nobody sends from a multicast address.
      if ((high & 0x01000000) !== 0) return;
      const low = lowOf(frame, SOURCE, vlan);
      const seconds = (now / 1000) | 0;
      let slot = slotOf(slots, high, low);
      if (slots.port[slot] === -1) {
        if (used * 4 >= slots.size * 3 && !makeRoom(seconds)) return;
        slot = claim(slots, high, low);
        used += 1;
      }
      slots.port[slot] = port;
      slots.seen[slot] = seconds;
    },
    find(frame, vlan, now) {
      const slot = slotOf(slots, highOf(frame, 0), lowOf(frame, 0, vlan));
      const port = slots.port[slot] ?? -1;
      return port !== -1 && ((now / 1000) | 0) - (slots.seen[slot] ?? 0) <= AGEING_SECONDS ? port : -1;
    },
    entries: (now) => entriesOf(slots, (now / 1000) | 0),
    forget(port) {
      const all = usedSlots(slots);
      const others = all.filter((slot) => slots.port[slot] !== port);
      if (others.length < all.length) keep(others, slots.size);
    },
    clear() {
      slots = createSlots(SMALLEST);
      used = 0;
    },
  };
}

const usedSlots = (slots: Slots): number[] =>
  Array.from(slots.port.keys()).filter((slot) => (slots.port[slot] ?? -1) !== -1);

const entriesOf = (slots: Slots, seconds: number): MacEntry[] =>
  usedSlots(slots)
    .map((slot) => entryAt(slots, slot, seconds))
    .filter((entry) => entry.age <= AGEING_SECONDS)
    .sort((a, b) => a.vlan - b.vlan || a.mac - b.mac);

function entryAt(slots: Slots, slot: number, now: number): MacEntry {
  const low = slots.low[slot] ?? 0;
  return {
    vlan: low & 0xffff,
    mac: ((slots.high[slot] ?? 0) >>> 0) * 0x10000 + (low >>> 16),
    port: slots.port[slot] ?? -1,
    age: now - (slots.seen[slot] ?? 0),
  };
}
