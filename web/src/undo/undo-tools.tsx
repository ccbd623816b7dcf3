import { type ReactElement, useEffect, useState } from 'react';
import { useScope, useView } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { t } from '../words/words.ts';
import { type Edit, undoingOf, type What } from './edits.ts';
import { sayEdit } from './sentences.ts';

interface Props {
  /** Does it, with what the map has not told the server yet. */
  readonly onTake: (what: What, position?: number) => void;
}

/** As many are in the menu. */
const SHOWN = 10;

/** Undo, redo, and one's last edits, for a toolbar. */
export const UndoTools = ({ onTake }: Props): ReactElement => {
  const { lab } = useScope();
  const { isReadOnly } = useView();
  const undoing = undoingOf(lab);
  const { undo, redo, edits } = useStore(undoing.last);
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  useEffect(() => undoing.follow(), [undoing]);
  const items = itemsOf(edits, onTake);
  return (
    <>
      <IconButton
        icon="undo"
        label={undo === null ? t('Undo (Ctrl+Z)') : t('Undo: {what} (Ctrl+Z)', { what: sayEdit(undo) })}
        disabled={isReadOnly || undo === null}
        onClick={() => onTake('undo')}
      />
      <IconButton
        icon="redo"
        label={redo === null ? t('Redo (Ctrl+Y)') : t('Redo: {what} (Ctrl+Y)', { what: sayEdit(redo) })}
        disabled={isReadOnly || redo === null}
        onClick={() => onTake('redo')}
      />
      <IconButton
        icon="history"
        label={t('Your last edits')}
        aria-haspopup="menu"
        disabled={isReadOnly || items.length === 0}
        onClick={({ currentTarget }) => {
          const { right, top } = currentTarget.getBoundingClientRect();
          setMenu({ x: right, y: top });
        }}
      />
      {menu !== null && <Menu label={t('Your last edits')} at={menu} items={items} onClose={() => setMenu(null)} />}
    </>
  );
};

const itemsOf = (edits: readonly Edit[], onTake: Props['onTake']): MenuItem[] =>
  edits
    .filter(({ can_undo, can_redo }) => can_undo || can_redo)
    .slice(0, SHOWN)
    .map((edit) => {
      const what: What = edit.can_undo ? 'undo' : 'redo';
      const said = sayEdit(edit);
      return {
        text: what === 'undo' ? t('Undo: {what}', { what: said }) : t('Redo: {what}', { what: said }),
        icon: what,
        note: new Date(edit.at).toLocaleTimeString(),
        onChoose: () => onTake(what, edit.position),
      };
    });
