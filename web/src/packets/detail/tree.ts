import type { PacketField } from '../server.ts';

/** A row of the tree; `path` says where it is: `2.0.1`. */
export interface TreeRow {
  readonly path: string;
  readonly depth: number;
  readonly field: PacketField;
  readonly isOpen: boolean;
}

/** Rows of what is open. */
export const rowsOf = (fields: readonly PacketField[], open: ReadonlySet<string>, parent = ''): TreeRow[] =>
  fields.flatMap((field, index) => {
    const path = parent === '' ? String(index) : `${parent}.${index}`;
    const isOpen = open.has(field.name);
    const row = { path, depth: path.split('.').length, field, isOpen };
    return isOpen ? [row, ...rowsOf(field.fields, open, path)] : [row];
  });

/** The field at a path. */
export const fieldAt = (fields: readonly PacketField[], path: string): PacketField | null => {
  let found: PacketField | null = null;
  let among = fields;
  for (const index of path.split('.').map(Number)) {
    found = among[index] ?? null;
    if (found === null) return null;
    among = found.fields;
  }
  return found;
};

/** The smallest field that an octet is of, by its path, with the names of what has to be open to see it; null: of none. */
export const fieldOfOctet = (
  fields: readonly PacketField[],
  octet: number,
): { readonly path: string; readonly names: readonly string[] } | null => {
  let best: { path: string; names: readonly string[]; length: number } | null = null;
  const walk = (among: readonly PacketField[], parent: string, names: readonly string[]): void => {
    for (const [index, field] of among.entries()) {
      const path = parent === '' ? String(index) : `${parent}.${index}`;
      const isIn = octet >= field.at && octet < field.at + field.length;
      // All of the frame is said by every field of it, so it says the least.
      if (isIn && field.name !== 'frame' && (best === null || field.length <= best.length))
        best = { path, names, length: field.length };
      walk(field.fields, path, [...names, field.name]);
    }
  };
  walk(fields, '', []);
  return best;
};

/** What a key does to a tree: another row is selected, or a field opened or closed; null: nothing. */
export const stepOf = (
  key: string,
  rows: readonly TreeRow[],
  at: number,
): { readonly path: string } | { readonly name: string; readonly isOpen: boolean } | null => {
  const row = rows[at];
  const to = (next: TreeRow | undefined): { readonly path: string } | null => next ?? null;
  const hasFields = (row?.field.fields.length ?? 0) > 0;
  switch (key) {
    case 'ArrowDown':
      return to(rows[at + 1]);
    case 'ArrowUp':
      return to(rows[Math.max(0, at - 1)]);
    case 'Home':
      return to(rows[0]);
    case 'End':
      return to(rows.at(-1));
    case 'ArrowRight':
      if (row === undefined || !hasFields) return null;
      return row.isOpen ? to(rows[at + 1]) : { name: row.field.name, isOpen: true };
    case 'ArrowLeft':
      if (row === undefined) return null;
      if (hasFields && row.isOpen) return { name: row.field.name, isOpen: false };
      return to(rows.find(({ path }) => path === row.path.replace(/(?:\.|(?<![\d.]))\d+$/, '')));
    default:
      return null;
  }
};
