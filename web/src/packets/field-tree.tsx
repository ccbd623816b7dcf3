import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef } from 'react';
import { t } from '../words/words.ts';
import type { PacketField } from './server.ts';

interface Props {
  readonly fields: readonly PacketField[];
  /** Names of fields that are open, in every packet. */
  readonly open: ReadonlySet<string>;
  readonly selected: string | null;
  readonly onOpen: (name: string, isOpen: boolean) => void;
  readonly onSelect: (path: string) => void;
}

/** The fields of a packet. Arrow keys go through them, open and close. */
export const FieldTree = ({ fields, open, selected, onOpen, onSelect }: Props): ReactElement => {
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  const rows = rowsOf(fields, open);
  const at = rows.findIndex(({ path }) => path === selected);
  useEffect(() => {
    keepInSight(ref.current, '[aria-selected=true]');
  }, [selected, open]);
  const press = (event: KeyboardEvent): void => {
    const step = stepOf(event.key, rows, at);
    if (step === null) return;
    if ('path' in step) onSelect(step.path);
    else onOpen(step.name, step.isOpen);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={ref}
      className="packet-fields"
      role="tree"
      tabIndex={0}
      aria-label={t('Fields of the packet')}
      aria-activedescendant={at < 0 ? undefined : `${id}-${selected}`}
      onKeyDown={press}
    >
      {rows.map(({ path, depth, field, isOpen }) => (
        <div
          key={path}
          id={`${id}-${path}`}
          role="treeitem"
          aria-level={depth}
          aria-selected={path === selected}
          aria-expanded={field.fields.length === 0 ? undefined : isOpen}
          className={depth === 1 ? 'protocol' : ''}
          style={{ paddingInlineStart: `${depth}rem` }}
          title={field.name}
          onClick={() => {
            onSelect(path);
            if (field.fields.length > 0) onOpen(field.name, !isOpen || path !== selected);
          }}
        >
          {field.label}
          {field.text !== '' && <>: {field.text}</>}
        </div>
      ))}
    </div>
  );
};

/** A row of the tree; `path` says where it is: `2.0.1`. */
interface TreeRow {
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

/** Effect of a key on a tree: another row is selected, or a field opened or closed; null: none. */
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

/** Scrolls to the first part that matches, and nothing around: `scrollIntoView` would move the page as well. */
export const keepInSight = (scroller: HTMLElement | null, selector: string): void => {
  const part = scroller?.querySelector(selector)?.getBoundingClientRect();
  if (scroller === null || part === undefined) return;
  const { top, bottom } = scroller.getBoundingClientRect();
  if (part.top < top) scroller.scrollTop -= top - part.top;
  else if (part.bottom > bottom) scroller.scrollTop += part.bottom - bottom;
};
