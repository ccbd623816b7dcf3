import type { ReactElement } from 'react';
import { useScope } from '../app/lab-context.tsx';
import { unreachableOf } from '../computes/computes.ts';
import type { LinkState } from '../store/following/kept-socket.ts';
import { attempt } from '../store/notices.ts';
import type { Node } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { type Message, t } from '../words/words.ts';

const WORDS: Readonly<Record<LinkState, Message>> = {
  waiting: 'Waiting for the server',
  connecting: 'Connecting …',
  open: 'Connected',
  lost: 'Connection lost. Trying again …',
};

interface StatusProps {
  readonly link: Store<LinkState>;
  readonly node: Node;
  readonly isConnected: boolean;
}

/** How the connection to a console is, and what to do about it. */
export const ConsoleStatus = ({ link, node, isConnected }: StatusProps): ReactElement => {
  const { node_id, name, status } = node;
  const unreachable = unreachableOf(node);
  const { lab } = useScope();
  const now = useStore(link);
  const start = (): Promise<boolean> =>
    attempt(() =>
      lab.client.post('/v2/projects/{project_id}/nodes/{node_id}/start', {
        path: { project_id: lab.projectId, node_id },
        body: {},
      }),
    );
  if (unreachable !== null)
    return (
      <span role="status" className="wrap">
        {t('{name} is unreachable: {reason}', { name, reason: unreachable })}
      </span>
    );
  if (status === 'stopped' && isConnected)
    return (
      <>
        <span role="status">{t('{name} is stopped.', { name })}</span>
        <Button icon="play" onClick={() => void start()}>
          {t('Start it')}
        </Button>
      </>
    );
  if (status === 'suspended' && now === 'waiting')
    return <span role="status">{t('{name} is suspended.', { name })}</span>;
  return (
    <span role="status" className={`link-state ${now}`}>
      {t(WORDS[now])}
    </span>
  );
};
