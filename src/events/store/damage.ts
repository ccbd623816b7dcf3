import { TopologError } from '../../common/errors.ts';

/** Something of a stored log that is not as it was written, or is gone. */
export interface Damage {
  /** Position of the event that is concerned; null where none can be named. */
  position: number | null;
  /** Key in the store, or name of the file. */
  key: string;
  /** What is concerned, in words. */
  where: string;
  message: string;
}

/** A read has met damage: there is no answer, rather than one with a gap. */
export class DamagedLog extends TopologError {
  readonly damage: Damage;

  constructor(damage: Damage, options?: { cause?: unknown }) {
    const { message, ...rest } = damage;
    super('log_damaged', { ...rest, reason: message }, options);
    this.damage = damage;
  }
}

/** Most that is kept: a damaged table may hold thousands of entries. */
const MOST = 100;

/** What was found damaged since a store was opened, each once. */
export class Damages {
  readonly #found = new Map<string, Damage>();
  #listener: ((damage: Damage) => void) | null = null;

  get list(): Damage[] {
    return [...this.#found.values()];
  }

  /** Tells of what was found, and from now on of what is. One listener. */
  listen(listener: (damage: Damage) => void): void {
    this.#listener = listener;
    for (const damage of this.list) listener(damage);
  }

  add(damage: Damage): void {
    if (this.#found.has(damage.key) || this.#found.size === MOST) return;
    this.#found.set(damage.key, damage);
    this.#listener?.(damage);
  }
}

/** What a key stands for, in words, and the position that it names. */
export const placeOf = (key: string): Pick<Damage, 'position' | 'key' | 'where'> => {
  const [kind = '', name = '', last = ''] = key.split('/');
  const at = (position: number | null, where: string) => ({ position, key, where });
  switch (kind) {
    case 'f':
      return at(Number(name), `position ${Number(name)}`);
    case 'p':
      return at(null, `version ${Number(last)} of ${streamText(name)}`);
    case 'o':
      return at(Number(last), `position ${Number(last)} in the index of ${name}`);
    case 'h':
      return at(null, `the end of ${streamText(name)}`);
    case 'r':
      return at(null, `the record of ${name} ${last}`);
    case 'c':
      return at(null, `the checkpoint at version ${Number(last)} of ${streamText(name)}`);
    default:
      return at(null, key);
  }
};

const streamText = (stream: string): string => (stream === '-' ? "the server's own events" : `project ${stream}`);
