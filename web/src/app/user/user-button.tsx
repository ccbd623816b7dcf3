import { type ReactElement, useState } from 'react';
import { NameDialog } from '../../projects/name-dialog.tsx';
import { attempt } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { callMyself, logOut, session } from './session.ts';
import { t } from '../../words/words.ts';

/** Who one is: logs out where there are users, and asks for a name where nobody is asked. */
export const UserButton = (): ReactElement => {
  const { user, isLoggedIn } = useStore(session);
  const [isAsking, setAsking] = useState(false);
  const name = user ?? t('anonymous');
  if (isLoggedIn)
    return <IconButton icon="user" label={t('Log out {name}', { name })} onClick={() => void attempt(logOut)} />;
  return (
    <>
      <IconButton icon="user" label={t('You are {name}. Change your name', { name })} onClick={() => setAsking(true)} />
      {isAsking && (
        <NameDialog
          title={t('Your name')}
          text={t('Others see who is looking, and the history says who changed what.')}
          action={t('Use it')}
          name={user ?? ''}
          onSubmit={(next) => Promise.resolve().then(() => callMyself(next))}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
