import { type ReactElement, useState } from 'react';
import { NameDialog } from '../../projects/name-dialog.tsx';
import { attempt } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { Avatar, personName } from '../../ui/avatar.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { changeLanguage, type Language, language, LANGUAGES, t } from '../../words/words.ts';
import { setUserName, logOut, session } from './session.ts';
import { type Theme, theme } from './theme.ts';

const THEMES = { auto: 'Colours as the system has them', light: 'Light', dark: 'Dark' } as const satisfies Record<
  Theme,
  string
>;
const ICONS = { auto: 'system', light: 'light', dark: 'dark' } as const;

/** Menu of the person and of how this browser shows the page: name or logging out, colours, language. */
export const UserButton = (): ReactElement => {
  const { user, isLoggedIn } = useStore(session);
  const shown = useStore(theme);
  const spoken = useStore(language);
  const [isAsking, setAsking] = useState(false);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const name = user ?? 'anonymous';
  const label = t('You are {name}. Name, colours, language', { name: personName(name) });
  const isNow = (is: boolean): Pick<MenuItem, 'isOn'> => ({ isOn: is });
  const items: MenuItem[] = [
    isLoggedIn
      ? { text: t('Log out {name}', { name }), icon: 'user', onChoose: () => void attempt(logOut) }
      : { text: t('Change your name'), icon: 'user', onChoose: () => setAsking(true) },
    ...(Object.keys(THEMES) as Theme[]).map((one, index): MenuItem => ({
      text: t(THEMES[one]),
      icon: ICONS[one],
      startsGroup: index === 0,
      ...isNow(one === shown),
      onChoose: () => theme.set(one),
    })),
    ...(Object.keys(LANGUAGES) as Language[]).map((one, index): MenuItem => ({
      text: LANGUAGES[one],
      startsGroup: index === 0,
      ...isNow(one === spoken),
      onChoose: () => void attempt(() => changeLanguage(one)),
    })),
  ];
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-haspopup="menu"
        aria-label={label}
        title={label}
        onClick={({ currentTarget }) => {
          const { right, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: right, y: bottom });
        }}
      >
        <Avatar name={name} />
      </button>
      {at !== null && <Menu label={t('You')} at={at} items={items} onClose={() => setAt(null)} />}
      {isAsking && (
        <NameDialog
          title={t('Your name')}
          text={t('Others see who is looking, and the history says who changed what.')}
          action={t('Use it')}
          name={user ?? ''}
          onSubmit={(next) => Promise.resolve().then(() => setUserName(next))}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
};
