import { isSame } from '../form/values.ts';
import { type Place, valueIn } from './targets.ts';

/** An event of an object's history, as far as fields have one. */
export interface Told {
  readonly position: number;
  readonly at: string;
  readonly by: { readonly principal: string };
  readonly data: unknown;
}

/** A value that a field has had. */
export interface Past {
  readonly position: number;
  /** ISO time. */
  readonly at: string;
  readonly by: string;
  readonly value: unknown;
}

type Bag = Readonly<Record<string, unknown>>;

const isIn = ({ spec, isOfKind }: Place, change: Bag): boolean =>
  isOfKind ? Object.hasOwn(change['properties'] ?? {}, spec.key) : Object.hasOwn(change, spec.key);

/** The values that a field has had, newest first: the first is what it has now. `events`: oldest first. */
export const fieldHistory = (place: Place, events: readonly Told[]): readonly Past[] => {
  const pasts: Past[] = [];
  for (const { position, at, by, data } of events) {
    const told = (data ?? {}) as Bag;
    const change = (told['changes'] ?? told) as Bag;
    if (!isIn(place, change)) continue;
    const value = valueIn(place, change);
    if (pasts.length > 0 && isSame(pasts.at(-1)?.value, value)) continue;
    pasts.push({ position, at, by: by.principal, value });
  }
  return pasts.reverse();
};
