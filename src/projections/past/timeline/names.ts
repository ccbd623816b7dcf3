import type { LogEvent } from '../../../events/event.ts';
import { asData } from './kinds.ts';

export type Collection = 'node' | 'link' | 'drawing' | 'snapshot';
export interface ObjectRef {
  readonly collection: Collection;
  readonly id: string;
}

/** Object in the path of a refused request. */
const OBJECT_PATH = /\/(node|link|drawing|snapshot)s\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\/|$)/;

/** Object of an event; null: the project, or the server. */
export const objectOf = (given: unknown): ObjectRef | null => {
  const data = asData(given);
  if (typeof data['route'] === 'string' && typeof data['path'] === 'string') {
    const [, collection, id] = OBJECT_PATH.exec(data['path']) ?? [];
    return id === undefined ? null : { collection: collection as Collection, id };
  }
  for (const collection of ['link', 'node', 'drawing', 'snapshot'] as const) {
    const id = data[`${collection}_id`];
    if (typeof id === 'string') return { collection, id };
  }
  return null;
};

/** Name of an object from a position on. A link is named by its ends: node and label of the port. */
export type Naming = readonly [id: string, from: number, name: string | readonly End[]];
export type End = readonly [node: string, port: string];

/** Longer names are cut here; the record has them in full. */
const LONGEST = 80;
export const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

const endsOf = (nodes: unknown): readonly End[] | null =>
  Array.isArray(nodes)
    ? nodes.map((one) => {
        const { node_id: id, label } = asData(one);
        const { text } = asData(label);
        return [typeof id === 'string' ? id : '', typeof text === 'string' && text.length <= 16 ? text : ''] as const;
      })
    : null;

const NAMING = /^(node|link|snapshot)\.(created|updated|restored)$/;

/** Name that an event gives to an object. */
export const namingOf = ({
  type,
  data: given,
  position,
}: Pick<LogEvent, 'type' | 'data' | 'position'>): Naming | null => {
  const [, collection, verb] = NAMING.exec(type) ?? [];
  if (collection === undefined) return null;
  const data = asData(given);
  const id = data[`${collection}_id`];
  const { name, nodes } = verb === 'updated' ? asData(data['changes']) : data;
  if (typeof id !== 'string') return null;
  if (collection === 'link') {
    const ends = endsOf(nodes);
    return ends === null ? null : [id, position, ends];
  }
  return typeof name === 'string' ? [id, position, short(name)] : null;
};

/** Names of all objects at any position. */
export class Names {
  readonly #names = new Map<string, Naming[]>();

  add(naming: Naming): void {
    const [id, from] = naming;
    const known = this.#names.get(id);
    if (known === undefined) this.#names.set(id, [naming]);
    else if ((known.at(-1)?.[1] ?? 0) < from) known.push(naming);
  }

  at(id: string, position: number): Naming[2] | null {
    return this.#names.get(id)?.findLast(([, from]) => from <= position)?.[2] ?? null;
  }

  /** Every name that it had. */
  all(id: string): readonly Naming[] {
    return this.#names.get(id) ?? [];
  }
}
