import { type ReactElement, useState } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { useStore } from '../store/use-store.ts';
import { personName, tintOf } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { t } from '../words/words.ts';

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
