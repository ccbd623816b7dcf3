import type { ReactElement } from 'react';
import type { Connection } from '../store/lab.ts';
import { Icon } from '../ui/icon.tsx';

/** Whether what is shown is up to date. */
export const ConnectionNote = ({ connection }: { connection: Connection }): ReactElement => (
  <span className={`connection ${connection}`} role="status" data-testid="connection">
    {connection === 'connected' ? (
      <>
        <Icon name="check" />
        <span className="wide-only">Live</span>
      </>
    ) : connection === 'connecting' ? (
      <>
        <Icon name="reload" />
        <span>Connecting …</span>
      </>
    ) : (
      <>
        <Icon name="warning" />
        <span>Connection lost. Trying again …</span>
      </>
    )}
  </span>
);
