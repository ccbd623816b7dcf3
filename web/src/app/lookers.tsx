import { type ReactElement, useState } from 'react';
import { useStore } from '../store/use-store.ts';
import { Icon } from '../ui/icon.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useScope } from './lab-context.tsx';

/** Who is looking at this project. */
export const Lookers = (): ReactElement | null => {
  const { lab } = useScope();
  const now = useStore(lab.state, (state) => state.listeners);
  const [isOpen, setOpen] = useState(false);
  if (now === null) return null;
  const label = now.count === 1 ? '1 is looking: only you' : `${now.count} are looking`;
  return (
    <>
      <button
        type="button"
        className="icon-button lookers"
        title={label}
        data-testid="lookers"
        onClick={() => setOpen(true)}
      >
        <Icon name="eye" />
        {now.count}
        <span className="visually-hidden">{now.count === 1 ? ': only you are looking' : ' are looking'}</span>
      </button>
      {isOpen && (
        <Dialog title="Who is looking" onClose={() => setOpen(false)}>
          <ul className="looker-list">
            {now.listeners.map(({ id, name, address, since }) => (
              <li key={id}>
                <strong className="wrap">{name}</strong>
                {id === now.you && ' (you)'}
                <span className="note">
                  {' '}
                  {address ?? ''} · since {new Date(since).toLocaleTimeString()}
                </span>
              </li>
            ))}
          </ul>
          {now.count > now.listeners.length && <p className="note">and {now.count - now.listeners.length} more</p>}
        </Dialog>
      )}
    </>
  );
};
