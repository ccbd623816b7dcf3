import type { ReactElement } from 'react';
import { dismiss, type NoticeKind, notices } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { t } from '../words/words.ts';

const ICONS: Readonly<Record<NoticeKind, IconName>> = {
  info: 'eye',
  success: 'check',
  warning: 'warning',
  error: 'warning',
};

/** Recent notices, read aloud as they come. */
export const NoticeList = (): ReactElement => {
  const now = useStore(notices);
  return (
    <div className="notices" role="status" aria-live="polite">
      {now.map(({ id, kind, text }) => (
        <div key={id} className={`notice ${kind}`}>
          <Icon name={ICONS[kind]} />
          <span>{text}</span>
          <IconButton icon="close" label={t('Dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
};
