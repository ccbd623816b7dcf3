import { type ReactElement, useState } from 'react';
import { NameDialog } from '../../projects/name-dialog.tsx';
import { attempt } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { callMyself, logOut, session } from './session.ts';

/** Who one is: logs out where there are users, and asks for a name where nobody is asked. */
export const UserButton = (): ReactElement => {
  const { user, isLoggedIn } = useStore(session);
  const [isAsking, setAsking] = useState(false);
  const name = user ?? 'anonymous';
  if (isLoggedIn) return <IconButton icon="user" label={`Log out ${name}`} onClick={() => void attempt(logOut)} />;
  return (
    <>
      <IconButton icon="user" label={`You are ${name}. Change your name`} onClick={() => setAsking(true)} />
      {isAsking && (
        <NameDialog
          title="Your name"
          text="Others see who is looking, and the history says who changed what."
          action="Use it"
          name={user ?? ''}
          onSubmit={(next) => Promise.resolve().then(() => callMyself(next))}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
