import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react';
import { detach } from '../app/detach.ts';
import { type LabScope, useScope, useView } from '../app/lab-context.tsx';
import { unreachableOf } from '../computes/computes.ts';
import type { Node } from '../store/records.ts';
import { useStore } from '../store/use-store.ts';
import { keyOf } from '../store/workbench.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { copyText } from '../ui/copy.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { t } from '../words/words.ts';
import { ConsoleStatus } from './console-status.tsx';
import { PastConsole } from './recordings/past-console.tsx';
import { RecordingsDialog } from './recordings/recordings-dialog.tsx';
import { ScreenTools, ScreenView } from './screens/screen-view.tsx';
import { consoleOf, type OpenConsole } from './screens/terminals.ts';
import { nativeItems, nativeOf, openNative } from './native.ts';

/** Loaded with the first screen. */
const VncConsole = lazy(() => import('./vnc/vnc-console.tsx'));

/** A node’s console: the live one, or what it showed at the moment of the past that is shown. */
export const ConsolePanel = ({ nodeId }: { nodeId: string }): ReactElement => {
  const { past } = useView();
  const scope = useScope();
  const { lab } = scope;
  const node = useStore(lab.state, (now) => now.records.nodes.get(nodeId));
  if (past !== null)
    return <PastConsole nodeId={nodeId} time={Date.parse(past.moment.time)} name={node?.name ?? t('the node')} />;
  if (node === undefined) return <p className="panel-note">{t('This node was deleted.')}</p>;
  if (node.console_type === 'vnc' && node.console !== null)
    return (
      <Suspense fallback={<p className="panel-note">{t('Loading …')}</p>}>
        <VncConsole node={node} items={itemsOf(scope, node)} />
      </Suspense>
    );
  if (node.console_type !== 'telnet') return <OtherConsole node={node} />;
  return <LiveConsole node={node} />;
};

/** A console that no panel can show: where it is, and what opens it. */
const OtherConsole = ({ node }: { node: Node }): ReactElement => {
  const { console_type, console_host, console: port, name } = node;
  const isPage = console_type === 'http' || console_type === 'https';
  const address = `${console_host}:${port ?? ''}`;
  if (console_type === 'none' || port === null)
    return <p className="panel-note">{t('{name} has no console.', { name })}</p>;
  const native = nativeOf(node, location.hostname);
  return (
    <div className="panel-note other-console">
      <p>
        {t('The console of {name} is {type} at {address}. It needs a program of its own.', {
          name,
          type: console_type,
          address,
        })}
      </p>
      {isPage && (
        <a href={`${console_type}://${address}`} target="_blank" rel="noreferrer">
          {address}
        </a>
      )}
      {native !== null && (
        <p className="row">
          <Button icon="open" onClick={() => openNative(native.url)}>
            {t('Open in a program of your own')}
          </Button>
          <Button icon="copy" onClick={() => void copyText(native.command, t('Command'))}>
            {t('Copy the command')}
          </Button>
        </p>
      )}
    </div>
  );
};

const LiveConsole = ({ node }: { node: Node }): ReactElement => {
  const scope = useScope();
  const { lab, workbench } = scope;
  const { node_id: nodeId, name, status } = node;
  const isConnected = useStore(lab.state, (now) => now.connection === 'connected');
  const isRecorded = useStore(lab.state, (now) => now.records.project?.record_consoles === true);
  const [opened, setOpened] = useState<OpenConsole | null>(null);
  const [isListing, setListing] = useState(false);
  useEffect(() => {
    const label = t('Console of {name}. Shift and Escape leaves it.', { name });
    const now = consoleOf(workbench, { client: lab.client, projectId: lab.projectId, nodeId, label });
    now.screen.terminal.attachCustomKeyEventHandler(keysFor(now));
    setOpened(now);
    // A name that changes is no other console.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [lab, workbench, nodeId]);
  const isWanted = isConnected && status !== 'stopped' && unreachableOf(node) === null;
  useEffect(() => opened?.link.want(isWanted), [opened, isWanted]);
  return (
    <>
      <ScreenTools
        screen={opened?.screen ?? null}
        name={name}
        buttons={<IconButton icon="history" label={t('Recordings of this console')} onClick={() => setListing(true)} />}
        items={itemsOf(scope, node)}
      >
        {opened !== null && <ConsoleStatus link={opened.link.state} node={node} isConnected={isConnected} />}
        {isRecorded && status !== 'stopped' && <span className="recorded-note">{t('● Recorded')}</span>}
      </ScreenTools>
      {opened !== null && <ScreenView screen={opened.screen} />}
      {isListing && <RecordingsDialog nodeId={nodeId} name={name} onClose={() => setListing(false)} />}
    </>
  );
};

const itemsOf = (scope: LabScope, node: Node): MenuItem[] => [
  ...(scope.isDetached
    ? []
    : [
        {
          text: t('Into a window of its own'),
          icon: 'window',
          startsGroup: true,
          onChoose: () => detach(scope, [keyOf({ kind: 'console', nodeId: node.node_id })]),
        } satisfies MenuItem,
      ]),
  ...nativeItems(node),
];

/**
 * Keys that are not for the node; the handler answers whether the terminal is to have a key. Tab goes by a terminal in which nothing was
 * typed since it has the focus: one can get past it with the keyboard.
 */
const keysFor = ({ screen: { element, terminal } }: OpenConsole): ((event: KeyboardEvent) => boolean) => {
  let isUsed = false;
  terminal.textarea?.addEventListener('focus', () => (isUsed = false));
  element.addEventListener('pointerup', () => (isUsed = true));
  return (event) => {
    if (event.type !== 'keydown') return true;
    const { key, shiftKey, ctrlKey } = event;
    if (key === 'Escape' && shiftKey) {
      const panel = element.closest('[role=tabpanel]');
      document.getElementById(panel?.getAttribute('aria-labelledby') ?? '')?.focus();
      return false;
    }
    if (key === 'Tab' && !isUsed) return false;
    if (ctrlKey && shiftKey && key.toLowerCase() === 'c' && terminal.hasSelection()) {
      event.preventDefault();
      void copyText(terminal.getSelection(), t('Selection'));
      return false;
    }
    if (key !== 'Shift' && key !== 'Control' && key !== 'Alt') isUsed = true;
    // The browser pastes.
    return !(ctrlKey && shiftKey && key.toLowerCase() === 'v');
  };
};
