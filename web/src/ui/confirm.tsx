import { type ReactElement, type SubmitEvent, useState } from 'react';
import { createStore } from '../store/store.ts';
import { useStore } from '../store/use-store.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { t } from '../words/words.ts';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** Text of the button. */
  readonly action: string;
  /** Has to be typed first. */
  readonly typed?: string;
}

const asked = createStore<{ question: Question; answer: (yes: boolean) => void } | null>(null);

/** Asks before something that cannot be taken back. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    asked.get()?.answer(false);
    asked.set({
      question,
      answer: (yes) => {
        asked.set(null);
        resolve(yes);
      },
    });
  });

/** Shows what is asked; there is one of it. */
export const ConfirmHost = (): ReactElement | null => {
  const now = useStore(asked);
  return now === null ? null : <ConfirmDialog question={now.question} answer={now.answer} />;
};

const ConfirmDialog = ({ question, answer }: { question: Question; answer: (yes: boolean) => void }): ReactElement => {
  const { title, text, action, typed } = question;
  const [value, setValue] = useState('');
  const isReady = typed === undefined || value === typed;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isReady) answer(true);
  };
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <form onSubmit={submit} className="stack">
        <p className="wrap">{text}</p>
        {typed !== undefined && (
          <TextField
            label={t('Type {typed} to confirm', { typed })}
            value={value}
            onChange={setValue}
            autoComplete="off"
          />
        )}
        <div className="dialog-actions">
          <Button onClick={() => answer(false)} {...(typed === undefined ? { 'data-first': true } : {})}>
            {t('Cancel')}
          </Button>
          <Button kind="danger" type="submit" disabled={!isReady}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
