import type { Frame } from './frame.ts';

/** Who listens to a feed, as others are told. */
export interface Visitor {
  /** Of the user; where nobody is asked, what the listener calls itself, or `anonymous`. */
  name: string;
  address: string | null;
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

/** What waits this long is told at once: a hundred that come together are told of together. */
const GATHER_MS = 50;
/** Of more than these only the number is told. */
const MOST_NAMED = 50;

/** Who is looking at which project. Nothing of it is an event. */
export class Presence {
  readonly #rooms = new Map<string, Map<Guest, Present>>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #last = 0;

  /** The answer is to be called when the listener has gone. */
  enter(projectId: string, guest: Guest, { name, address }: Visitor): () => void {
    const room = this.#rooms.get(projectId) ?? new Map<Guest, Present>();
    this.#rooms.set(projectId, room);
    room.set(guest, { id: ++this.#last, name, address, since: new Date().toISOString() });
    this.#tellSoon(projectId);
    return () => {
      if (!room.delete(guest)) return;
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
    if (room !== undefined) tell(room, described(room), guest);
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
  const listeners = [...room.values()].slice(0, MOST_NAMED);
  return JSON.stringify({ count: room.size, listeners }).slice(0, -1);
};

const tell = (room: ReadonlyMap<Guest, Present>, text: string, guest: Guest): void => {
  const you = room.get(guest)?.id;
  if (you !== undefined) guest.live({ action: 'project.listeners', event: `${text},"you":${you}}` });
};
