import { type ReactElement, useState } from 'react';
import { useStore } from '../store/use-store.ts';
import { personName } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useScope } from './lab-context.tsx';
import { t } from '../words/words.ts';

/** Who is looking at this project. */
export const Lookers = (): ReactElement | null => {
  const { lab } = useScope();
  const now = useStore(lab.state, (state) => state.listeners);
  const [isOpen, setOpen] = useState(false);
  if (now === null) return null;
  const label = t('{count, plural, one {Only you are looking} other {# people are looking}}', { count: now.count });
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
        <span className="visually-hidden"> {label}</span>
      </button>
      {isOpen && (
        <Dialog title={t('Who is looking')} onClose={() => setOpen(false)}>
          <ul className="looker-list">
            {now.listeners.map(({ id, name, address, since }) => (
              <li key={id}>
                <strong className="wrap">{personName(name)}</strong>
                {id === now.you && ` (${t('you')})`}
                <span className="note">
                  {' '}
                  {address ?? ''} · {t('since {time}', { time: new Date(since).toLocaleTimeString() })}
                </span>
              </li>
            ))}
          </ul>
          {now.count > now.listeners.length && (
            <p className="note">{t('and {count} more', { count: now.count - now.listeners.length })}</p>
          )}
        </Dialog>
      )}
    </>
  );
};
