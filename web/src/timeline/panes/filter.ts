import type { Kind, Mark } from '../bar/marks.ts';

/** Which marks are shown and stepped to. */
export interface Filter {
  /** Null: everybody. */
  readonly who: string | null;
  /** Id of an object; null: all of them. */
  readonly object: string | null;
  readonly hidden: ReadonlySet<Kind>;
}

export const NO_FILTER: Filter = { who: null, object: null, hidden: new Set(['other']) };

export const isFiltered = (filter: Filter): boolean =>
  filter.who !== null ||
  filter.object !== null ||
  filter.hidden.size !== NO_FILTER.hidden.size ||
  [...filter.hidden].some((kind) => !NO_FILTER.hidden.has(kind));

export const filterMarks = (marks: readonly Mark[], { who, object, hidden }: Filter): Mark[] =>
  marks.filter(
    (mark) =>
      !hidden.has(mark.kind) && (who === null || mark.who === who) && (object === null || mark.object?.id === object),
  );

export const toggleKind = (filter: Filter, kind: Kind): Filter => {
  const hidden = new Set(filter.hidden);
  if (!hidden.delete(kind)) hidden.add(kind);
  return { ...filter, hidden };
};

/** Everybody who did something, in the order of names. */
export const peopleIn = (marks: readonly Mark[]): string[] =>
  [...new Set(marks.map(({ who }) => who))].sort((a, b) => a.localeCompare(b));

/** Everything that something happened to, deleted or not, under its last name. */
export const objectsIn = (marks: readonly Mark[]): { id: string; name: string }[] => {
  const names = new Map<string, string>();
  for (const { object, subject } of marks) if (object !== null) names.set(object.id, subject);
  return [...names]
    .map(([id, name]) => ({ id, name }))
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
};
