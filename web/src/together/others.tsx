import { type ReactElement, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { Avatar, personName, tintOf } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { t } from '../words/words.ts';

/** Faces that are shown; the others are in the menu. */
const MOST = 4;

/** Other people at the map: following them, or having them follow. */
export const Others = (): ReactElement | null => {
  const { together } = useScope();
  const others = useStore(together.others);
  const following = useStore(together.following);
  const leads = useStore(together.mine, (mine) => mine.leads);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  if (others.length === 0) return null;
  const items: MenuItem[] = [
    ...others.map(({ id, name }): MenuItem => ({
      text: t('Follow {name}', { name: personName(name) }),
      icon: 'eye',
      isOn: id === following,
      onChoose: () => together.follow(id === following ? null : id),
    })),
    {
      text: t('Ask all to follow you'),
      icon: 'user',
      startsGroup: true,
      isOn: leads,
      onChoose: () => together.show({ leads: !leads }),
    },
  ];
  const label = t('With you: {names}', { names: others.map(({ name }) => personName(name)).join(', ') });
  return (
    <>
      <button
        type="button"
        className="icon-button others"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      >
        <span className="avatars">
          {others.slice(0, MOST).map(({ id, name }) => (
            <Avatar key={id} name={name} />
          ))}
        </span>
        {others.length > MOST && <span>+{others.length - MOST}</span>}
      </button>
      {at !== null && <Menu label={t('Who is with you')} at={at} items={items} onClose={() => setAt(null)} />}
    </>
  );
};

/** Whom one follows, or who asks for it. */
export const FollowNote = (): ReactElement | null => {
  const { together } = useScope();
  const others = useStore(together.others);
  const following = useStore(together.following);
  const [refused, setRefused] = useState<ReadonlySet<number>>(new Set());
  const leader = others.find(({ id }) => id === following);
  const asking = others.find(({ id, shown }) => shown.leads && !refused.has(id));
  const shown = leader ?? asking;
  if (shown === undefined) return null;
  const { id, name } = shown;
  return (
    <div className={`follow-note tint-${tintOf(name)}`} role="status">
      {leader === undefined ? (
        <>
          <span>{t('{name} asks you to follow', { name: personName(name) })}</span>
          <Button kind="primary" onClick={() => together.follow(id)}>
            {t('Follow')}
          </Button>
          <Button onClick={() => setRefused(new Set([...refused, id]))}>{t('Not now')}</Button>
        </>
      ) : (
        <>
          <span>{t('You follow {name}', { name: personName(name) })}</span>
          <Button
            onClick={() => {
              setRefused(new Set([...refused, id]));
              together.follow(null);
            }}
          >
            {t('Stop following')}
          </Button>
        </>
      )}
    </div>
  );
};
