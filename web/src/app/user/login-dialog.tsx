import { type ReactElement, type SubmitEvent, useState } from 'react';
import { ApiError } from 'topolog/client';
import { sentenceOf } from '../../store/notices.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { logIn } from './session.ts';
import { t } from '../../words/words.ts';

/** Asks who it is. What is typed stays in this tab and ends with it. */
export const LoginDialog = (): ReactElement => {
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setBusy(true);
    logIn(user, password).catch((error: unknown) => {
      setProblem(error instanceof ApiError && error.status === 401 ? t('Wrong user or password.') : sentenceOf(error));
      setBusy(false);
    });
  };
  return (
    <Dialog title={t('Log in')} onClose={null}>
      <form onSubmit={submit} className="stack">
        <TextField label={t('User')} value={user} onChange={setUser} autoComplete="username" required />
        <TextField
          label={t('Password')}
          type="password"
          value={password}
          onChange={setPassword}
          autoComplete="current-password"
          required
        />
        {problem !== null && (
          <p role="alert" className="problem">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <Button kind="primary" type="submit" disabled={isBusy}>
            {t('Log in')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
