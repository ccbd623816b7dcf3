import { type ReactElement, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import type { Wish } from './restore.ts';

interface Props {
  readonly label: string;
  /** Of the dialog. */
  readonly title: string;
  readonly wish: Wish;
  readonly onDone: () => void;
}

/** Asks for what was, with a list of what changes. */
export const RestoreButton = ({ label, title, wish, onDone }: Props): ReactElement => {
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
