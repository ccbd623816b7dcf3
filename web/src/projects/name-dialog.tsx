import { type ReactElement, type SubmitEvent, useState } from 'react';
import { sentenceOf } from '../store/notices.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { t } from '../words/words.ts';

interface Props {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly name: string;
  /** Asks for a moment as well. */
  readonly withMoment?: boolean;
  /** Throws what is wrong with it. `at`: ISO time, undefined for now. */
  readonly onSubmit: (name: string, at: string | undefined) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for a name, and says beside it why the server did not take it. */
export const NameDialog = (props: Props): ReactElement => {
  const { title, text, action, withMoment = false, onSubmit, onClose } = props;
  const [name, setName] = useState(props.name);
  const [moment, setMoment] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setBusy(true);
    const at = moment === '' ? undefined : new Date(moment).toISOString();
    onSubmit(name.trim(), at).then(onClose, (error: unknown) => {
      setProblem(sentenceOf(error));
      setBusy(false);
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="stack">
        {text !== undefined && <p>{text}</p>}
        <TextField label={t('Name')} value={name} onChange={setName} required autoComplete="off" />
        {withMoment && (
          <TextField
            label={t('As it was at')}
            type="datetime-local"
            step={1}
            value={moment}
            onChange={setMoment}
            note={t('Empty: as it is now')}
          />
        )}
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" disabled={isBusy || name.trim() === ''}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
