import { TopologError } from '../../common/errors.ts';

/** A part of a stored log that is missing or not as it was written. */
export interface Damage {
  /** Position of the affected event; null where none can be named. */
  position: number | null;
  /** Key in the store, or name of the file. */
  key: string;
  /** Description of the affected part. */
  where: string;
  message: string;
}

/** A read has met damage: it fails, rather than returning a result with a gap. */
export class DamagedLog extends TopologError {
  readonly damage: Damage;

  constructor(damage: Damage, options?: { cause?: unknown }) {
    const { message, ...rest } = damage;
    super('log_damaged', { ...rest, reason: message }, options);
    this.damage = damage;
  }
}

/** Maximum kept: a damaged table may hold thousands of entries. */
const MOST = 100;

/** Damage found since a store was opened, each once. */
export class Damages {
  readonly #found = new Map<string, Damage>();
  #listener: ((damage: Damage) => void) | null = null;

  get list(): Damage[] {
    return [...this.#found.values()];
  }

  /** Reports what was found, and from now on what is found. One listener only. */
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

/** Description of a key, and the position that it names. */
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
