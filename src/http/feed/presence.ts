import { z } from 'zod';
import { boundedJson, BOUNDS } from '../../common/json.ts';
import type { Frame } from './frame.ts';

/** Bytes of a message. */
export const MOST_BYTES = 32 << 10;
/** Messages of a listener in a second, beyond which it is cut. */
const MOST_MESSAGES = 200;
const SECOND_MS = 1000;

const place = z.number().min(-1e7).max(1e7);
const id = z.string().max(64);

/** Message of a listener with all that it shows to the others who look at the same project. */
export const shown = z.strictObject({
  pointer: z.strictObject({ x: place, y: place }).nullable().meta({ description: 'On the map' }),
  selected: z.array(id).max(200),
  moving: z
    .array(z.strictObject({ id, x: place, y: place }))
    .max(200)
    .meta({ description: 'Where objects are dragged to at the moment' }),
  view: z
    .strictObject({ x: place, y: place, width: place.positive(), height: place.positive() })
    .nullable()
    .meta({ description: 'What is seen of the map' }),
  consoles: z.array(id).max(20).meta({ description: 'Nodes whose consoles are open, the one in front first' }),
  leads: z.boolean().meta({ description: 'Asks the others to follow' }),
});
export type Shown = z.output<typeof shown>;

/** Why a WebSocket of a listener is closed (RFC 6455, section 7.4.1); its reason has 123 octets at most. */
interface Refusal {
  code: 1008 | 1009;
  reason: string;
}

/** Reads the messages of one listener. Answers what it shows, or why it is cut. */
export const createReader = (now: () => number = () => performance.now()): ((data: Buffer) => Shown | Refusal) => {
  let begun = 0;
  let count = 0;
  return (data) => {
    if (data.length > MOST_BYTES) return { code: 1009, reason: `a message has ${MOST_BYTES} octets at most` };
    const at = now();
    if (at - begun >= SECOND_MS) {
      begun = at;
      count = 0;
    }
    if (++count > MOST_MESSAGES) return { code: 1008, reason: `more than ${MOST_MESSAGES} messages in a second` };
    const read = shown.safeParse(parsed(data));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    const field = issue?.path.join('.') ?? '';
    return {
      code: 1008,
      reason: `${field === '' ? 'message' : field}: ${issue?.message ?? 'is not valid'}`.slice(0, 120),
    };
  };
};

export const isRefusal = (read: Shown | Refusal): read is Refusal => 'code' in read;

const parsed = (data: Buffer): unknown => {
  try {
    return boundedJson(data.toString('utf8'), BOUNDS.message);
  } catch {
    return undefined;
  }
};

/** Person behind a listener, as others are told. */
export interface Visitor {
  /** Name of the user; where nobody is asked for a password, the one that the listener gives, or `anonymous`. */
  name: string;
  address: string | null;
  /** Name by which its further windows refer to it. */
  seat: string | null;
  /** Seat of the listener of which this is a further window: as long as that one listens, both count as one. */
  beside: string | null;
}

/** A listener that others can be told of, and that may be told of others. */
export interface Guest {
  /** Tells it of what is no event, if it has asked for that. */
  live(frame: Frame): void;
}

interface Present extends Visitor {
  id: number;
  since: string;
}

/** Last message of a listener for the others. */
interface Showing {
  text: string;
  /** Milliseconds of a steady clock. */
  toldAt: number;
  /** Set while the message waits to be sent. */
  timer: NodeJS.Timeout | null;
}

/** Changes of this time are told together, so that a hundred listeners that come at once make one frame. */
const GATHER_MS = 50;
/** Listeners named in a frame; of further ones only the number is told. */
const MOST_NAMED = 50;
/** Shortest time between two messages of one listener; where more than `FEW` listen, longer in proportion. */
const SHOWN_MS = 50;
const FEW = 20;

/** Listeners of each project. Nothing of it is an event. */
export class Presence {
  readonly #rooms = new Map<string, Map<Guest, Present>>();
  readonly #shown = new WeakMap<Guest, Showing>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #last = 0;

  /** The answer is to be called when the listener has gone. */
  enter(projectId: string, guest: Guest, visitor: Visitor): () => void {
    const room = this.#rooms.get(projectId) ?? new Map<Guest, Present>();
    this.#rooms.set(projectId, room);
    room.set(guest, { ...visitor, id: ++this.#last, since: new Date().toISOString() });
    this.#tellSoon(projectId);
    return () => {
      if (!room.delete(guest)) return;
      clearTimeout(this.#shown.get(guest)?.timer ?? undefined);
      this.#shown.delete(guest);
      if (room.size === 0 && this.#rooms.get(projectId) === room) this.#rooms.delete(projectId);
      this.#tellSoon(projectId);
    };
  }

  /** Names of the listeners of a project, each once. */
  names(projectId: string): string[] {
    const room = this.#rooms.get(projectId)?.values() ?? [];
    return [...new Set([...room].map(({ name }) => name))].slice(0, MOST_NAMED);
  }

  /** Tells a new listener who else is there. */
  greet(projectId: string, guest: Guest): void {
    const room = this.#rooms.get(projectId);
    if (room === undefined) return;
    tell(room, described(room), guest);
    for (const other of room.keys()) {
      const showing = this.#shown.get(other);
      if (other !== guest && showing !== undefined) guest.live({ action: 'listener.updated', event: showing.text });
    }
  }

  /** Tells the others what a listener shows, if it is among those who are named. */
  show(projectId: string, guest: Guest, shown: Shown): void {
    const room = this.#rooms.get(projectId);
    const present = room?.get(guest);
    if (room === undefined || present === undefined || ![...room.keys()].slice(0, MOST_NAMED).includes(guest)) return;
    const text = JSON.stringify({ id: present.id, ...shown });
    const showing = this.#shown.get(guest) ?? { text, toldAt: -Infinity, timer: null };
    this.#shown.set(guest, showing);
    showing.text = text;
    if (showing.timer !== null) return;
    const everyMs = SHOWN_MS * Math.max(1, room.size / FEW);
    const waitMs = showing.toldAt + everyMs - performance.now();
    if (waitMs <= 0) tellOthers(room, guest, showing);
    else showing.timer = setTimeout(() => tellOthers(room, guest, showing), waitMs).unref();
  }

  #tellSoon(projectId: string): void {
    this.#changed.add(projectId);
    this.#timer ??= setTimeout(() => this.#tell(), GATHER_MS).unref();
  }

  #tell(): void {
    this.#timer = null;
    for (const projectId of this.#changed) {
      const room = this.#rooms.get(projectId);
      if (room === undefined) continue;
      const text = described(room);
      for (const guest of room.keys()) tell(room, text, guest);
    }
    this.#changed.clear();
  }
}

/** JSON text of the listeners, without the closing brace. */
const described = (room: ReadonlyMap<Guest, Present>): string => {
  const people = peopleOf([...room.values()]);
  const listeners = people.slice(0, MOST_NAMED).map(({ id, name, address, since }) => ({ id, name, address, since }));
  return JSON.stringify({ count: people.length, listeners }).slice(0, -1);
};

/** Leaves out further windows of somebody who is there already. */
const peopleOf = (all: readonly Present[]): Present[] => {
  const taken = new Set(all.map(({ seat }) => seat));
  return all.filter(({ beside }) => {
    if (beside === null) return true;
    const isFirst = !taken.has(beside);
    taken.add(beside);
    return isFirst;
  });
};

const tell = (room: ReadonlyMap<Guest, Present>, text: string, guest: Guest): void => {
  const you = room.get(guest)?.id;
  if (you !== undefined) guest.live({ action: 'project.listeners', event: `${text},"you":${you}}` });
};

const tellOthers = (room: ReadonlyMap<Guest, Present>, guest: Guest, showing: Showing): void => {
  showing.timer = null;
  showing.toldAt = performance.now();
  for (const other of room.keys()) if (other !== guest) other.live({ action: 'listener.updated', event: showing.text });
};
