import { type KeyboardEvent, type ReactElement, useEffect, useId, useRef } from 'react';
import { keepInSight } from './keep-in-sight.ts';
import { t } from '../../words/words.ts';
import type { PacketField } from '../server.ts';
import { rowsOf, stepOf } from './tree.ts';

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
