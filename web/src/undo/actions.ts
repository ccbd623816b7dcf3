import type { Lab } from '../store/lab.ts';
import { attempt, notify } from '../store/notices.ts';
import { t } from '../words/words.ts';
import { undoingOf, type What } from './edits.ts';
import { sayEdit, sayLeft } from './sentences.ts';

/** Undoes or redoes the next edit, or one, and says what that was. */
export const takeBack = async (lab: Lab, what: What, position?: number): Promise<void> => {
  await attempt(async () => {
    const undone = await undoingOf(lab).take(what, position);
    if (undone === null) {
      notify('info', what === 'undo' ? t('There is nothing to undo.') : t('There is nothing to redo.'));
      return;
    }
    const said = sayEdit(undone.edit);
    notify('success', what === 'undo' ? t('Undone: {what}', { what: said }) : t('Redone: {what}', { what: said }));
    const left = sayLeft(undone.left);
    if (left !== null) notify('warning', left);
  });
};
