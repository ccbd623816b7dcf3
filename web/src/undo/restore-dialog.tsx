import { type ReactElement, useEffect, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { attempt, notify, sentenceOf } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { t } from '../words/words.ts';
import { type Change, restore, type Restored, sayChange, sayField, type Wish } from './restore.ts';
import { sayLeft } from './sentences.ts';
import './undo.css';

interface Props {
  readonly title: string;
  readonly wish: Wish;
  /** It is done. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Objects listed at most. */
const FIRST = 200;

/** Shows what a restore would change, and does it. */
const RestoreDialog = ({ title, wish, onDone, onClose }: Props): ReactElement => {
  const { lab } = useScope();
  const [plan, setPlan] = useState<Restored | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    let isOver = false;
    restore(lab, wish, true).then(
      (found) => !isOver && setPlan(found),
      (error: unknown) => !isOver && setProblem(sentenceOf(error)),
    );
    return () => void (isOver = true);
  }, [lab, wish]);
  const doIt = async (): Promise<void> => {
    setBusy(true);
    const worked = await attempt(async () => {
      const { changes, left } = await restore(lab, wish, false);
      notify(
        'success',
        t('{count, plural, one {One object restored.} other {# objects restored.}}', { count: changes.length }),
      );
      const said = sayLeft(left);
      if (said !== null) notify('warning', said);
    });
    setBusy(false);
    if (!worked) return;
    onClose();
    onDone();
  };
  const isEmpty = plan !== null && plan.changes.length === 0;
  return (
    <Dialog title={title} onClose={onClose} wide>
      <div className="stack">
        {problem !== null && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        {plan === null && problem === null && <p className="note">{t('Comparing with now …')}</p>}
        {isEmpty && <p>{t('Nothing has changed since that moment.')}</p>}
        {plan !== null && !isEmpty && <Changes changes={plan.changes} />}
        {plan !== null && plan.left.length > 0 && <p className="note wrap">{sayLeft(plan.left)}</p>}
        {plan !== null && !isEmpty && (
          <p className="note">{t('Files of nodes stay as they are. You can undo the restore.')}</p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{isEmpty ? t('Close') : t('Cancel')}</Button>
          {!isEmpty && (
            <Button kind="primary" disabled={plan === null || isBusy} onClick={() => void doIt()} data-first>
              {t('Restore')}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
};

const Changes = ({ changes }: { changes: readonly Change[] }): ReactElement => (
  <>
    <p role="status">
      {t('{count, plural, one {One object changes:} other {# objects change:}}', { count: changes.length })}
    </p>
    {/* A long list is scrolled by keyboard too. */}
    <ul className="restore-changes" tabIndex={0} aria-label={t('What changes')}>
      {changes.slice(0, FIRST).map((change) => (
        <li key={change.id} className={change.action}>
          {sayChange(change)}
          {change.fields.length > 0 && <span className="note wrap"> {change.fields.map(sayField).join(', ')}</span>}
        </li>
      ))}
      {changes.length > FIRST && <li>{t('and {count} more', { count: changes.length - FIRST })}</li>}
    </ul>
  </>
);

interface RestoreButtonProps {
  readonly label: string;
  /** Title of the dialog. */
  readonly title: string;
  readonly wish: Wish;
  readonly onDone: () => void;
}

/** Asks for what was, with a list of what changes. */
export const RestoreButton = ({ label, title, wish, onDone }: RestoreButtonProps): ReactElement => {
  const { lab } = useScope();
  // Whatever moment is shown, it is the present that changes.
  const isOpen = useStore(lab.state, (now) => now.records.project?.status === 'opened');
  const [asked, setAsked] = useState<Wish | null>(null);
  return (
    <>
      <Button icon="undo" disabled={!isOpen} onClick={() => setAsked(wish)}>
        {label}
      </Button>
      {asked !== null && <RestoreDialog title={title} wish={asked} onDone={onDone} onClose={() => setAsked(null)} />}
    </>
  );
};
