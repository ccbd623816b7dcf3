import { ENTRY_KINDS, type EntryKind } from './kinds.ts';
import type { TimeIndex } from './time-index.ts';

/** Filter of rows. Absent: all. */
export interface RowFilter {
  kinds?: readonly EntryKind[];
  /** Requester. */
  person?: string;
  /** Id of a node, link, drawing or snapshot. */
  object?: string;
  /** Each word must occur in a name of that time, a person, a type or a note. */
  text?: string;
}

type Test = (row: number) => boolean;

/** Predicate of wanted rows; null: all. Evaluates each text once, not once per row. */
export const testOf = (index: TimeIndex, { kinds, person, object, text }: RowFilter): Test | null => {
  const tests = [
    ...(kinds === undefined ? [] : [ofKinds(index, kinds)]),
    ...(person === undefined ? [] : [is(index, 'who', (who) => index.people.text(who) === person)]),
    ...(object === undefined ? [] : [is(index, 'object', (one) => index.object(one)?.id === object)]),
    ...wordsOf(text ?? '').map((word) => says(index, word)),
  ];
  const [first] = tests;
  if (first === undefined) return null;
  return tests.length === 1 ? first : (row) => tests.every((test) => test(row));
};

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

const ofKinds = ({ rows }: TimeIndex, kinds: readonly EntryKind[]): Test => {
  const wanted = ENTRY_KINDS.map((kind) => kinds.includes(kind));
  const column = rows.column('kind');
  return (row) => wanted[column[row] ?? -1] === true;
};

/** Evaluates each number of a column once. */
const is = (
  { rows }: TimeIndex,
  name: 'who' | 'object' | 'type' | 'note',
  holds: (number: number) => boolean,
): Test => {
  const column = rows.column(name);
  const known: boolean[] = [];
  return (row) => {
    const number = column[row] ?? 0;
    return (known[number] ??= holds(number));
  };
};

const says = (index: TimeIndex, word: string): Test => {
  const has = (text: string): boolean => text.toLowerCase().includes(word);
  const tests = [
    is(index, 'type', (type) => has(index.types.text(type).replaceAll(/[._]/g, ' '))),
    is(index, 'who', (who) => has(index.people.text(who))),
    is(index, 'note', (note) => has(index.notes.text(note))),
    named(index, has),
  ];
  return (row) => tests.some((test) => test(row));
};

/** Matches the name that an object had at the time; links by the names of their ends. */
const named = (index: TimeIndex, has: (text: string) => boolean): Test => {
  const { rows, names } = index;
  const isConstant = (id: string): boolean => {
    const [first, ...more] = names.all(id);
    if (first === undefined) return true;
    return more.length === 0 && (typeof first[2] === 'string' || first[2].every(([node]) => isConstant(node)));
  };
  const known: (boolean | null)[] = [];
  const alike = (number: number): boolean | null => {
    const id = index.object(number)?.id;
    if (id === undefined) return false;
    return isConstant(id) ? has(index.nameAt(id, index.position) ?? '') : null;
  };
  const column = rows.column('object');
  return (row) => {
    const number = column[row] ?? 0;
    const always = known[number] === undefined ? (known[number] = alike(number)) : known[number];
    if (always !== null) return always;
    const { id = '' } = index.object(number) ?? {};
    const position = rows.get('position', row);
    // A rename matches the old and the new name.
    return [position - 1, position].some((at) => has(index.nameAt(id, at) ?? ''));
  };
};
