import type { ReactElement } from 'react';
import type { Connection } from '../store/lab.ts';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';

/** Whether what is shown is up to date. */
export const ConnectionNote = ({ connection }: { connection: Connection }): ReactElement => (
  <span className={`connection ${connection}`} role="status" data-testid="connection">
    {connection === 'connected' ? (
      <>
        <Icon name="check" />
        <span className="wide-only">{t('Live')}</span>
      </>
    ) : connection === 'connecting' ? (
      <>
        <Icon name="reload" />
        <span>{t('Connecting …')}</span>
      </>
    ) : (
      <>
        <Icon name="warning" />
        <span>{t('Connection lost. Trying again …')}</span>
      </>
    )}
  </span>
);
