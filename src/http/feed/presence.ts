import type { Frame } from './frame.ts';
import type { Shown } from './showing.ts';

/** Who listens to a feed, as others are told. */
export interface Visitor {
  /** Of the user; where nobody is asked, what the listener calls itself, or `anonymous`. */
  name: string;
  address: string | null;
  /** What its further windows call it by. */
  seat: string | null;
  /** It is a further window of the listener that has this seat: as long as that is there, nobody of its own. */
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

/** What one of them shows to the others; only the last is kept. */
interface Showing {
  text: string;
  /** Milliseconds of a steady clock. */
  toldAt: number;
  /** It waits for its turn. */
  timer: NodeJS.Timeout | null;
}

/** What waits this long is told at once: a hundred that come together are told of together. */
const GATHER_MS = 50;
/** Of more than these only the number is told. */
const MOST_NAMED = 50;
/** What one shows is told this often, at most; where many look, less often in proportion. */
const SHOWN_MS = 50;
const FEW = 20;

/** Who is looking at which project. Nothing of it is an event. */
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

  /** Who looks at a project, each name once. */
  names(projectId: string): string[] {
    const room = this.#rooms.get(projectId)?.values() ?? [];
    return [...new Set([...room].map(({ name }) => name))].slice(0, MOST_NAMED);
  }

  /** What a listener that has just come is told. */
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

/** JSON text of who is there, without the closing brace. */
const described = (room: ReadonlyMap<Guest, Present>): string => {
  const people = peopleOf([...room.values()]);
  const listeners = people.slice(0, MOST_NAMED).map(({ id, name, address, since }) => ({ id, name, address, since }));
  return JSON.stringify({ count: people.length, listeners }).slice(0, -1);
};

/** Without further windows of somebody who is there already. */
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
