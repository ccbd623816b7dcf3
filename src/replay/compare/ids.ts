import { randomUUID } from 'node:crypto';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Ids of the recording and those of the replay; both ways, wherever they stand in a value. */
export interface Ids {
  /** The replay's id of an object. */
  of(recorded: string): string;
  /** A value of the recording with the replay's ids. */
  forth<T>(value: T): T;
  /** A value of the replay with the recording's ids. */
  back<T>(value: T): T;
}

export const createIds = (recorded: readonly string[], newId: () => string = randomUUID): Ids => {
  const forth = new Map(recorded.map((id) => [id, newId()]));
  const back = new Map([...forth].map(([old, id]) => [id, old]));
  const through =
    (ids: ReadonlyMap<string, string>) =>
    <T>(value: T): T =>
      mapTexts(value, (text) => text.replace(UUID, (id) => ids.get(id) ?? id));
  return { of: (id) => forth.get(id) ?? id, forth: through(forth), back: through(back) };
};

/** A copy of a JSON value with every text in it replaced; keys too, as ports and nodes may be keys. */
export const mapTexts = <T>(value: T, replace: (text: string) => string): T => {
  const map = (item: unknown): unknown => {
    if (typeof item === 'string') return replace(item);
    if (Array.isArray(item)) return item.map(map);
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, inner]) => [replace(key), map(inner)]));
  };
  return map(value) as T;
};
