import { type KeyboardEvent, type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { unreachableOf } from '../../computes/computes.ts';
import { notify } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import { createStore } from '../../store/store.ts';
import { useStore } from '../../store/use-store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { ConsoleStatus } from '../console-status.tsx';
import type { LinkState } from '../../store/following/kept-socket.ts';
import { openVnc, type VncLink } from './vnc-link.ts';
import './vnc.css';

const WAITING = createStore<LinkState>('waiting');
const NOTHING = createStore<string | null>(null);
const NEVER = createStore(false);

/** The screen stands at a place for as long as the node runs and can be reached. */
const useVnc = (
  node: Node,
  place: RefObject<HTMLDivElement | null>,
  isFitted: boolean,
): { readonly link: VncLink | null; readonly isConnected: boolean } => {
  const { lab } = useScope();
  const [link, setLink] = useState<VncLink | null>(null);
  const isConnected = useStore(lab.state, (now) => now.connection === 'connected');
  const isWanted = isConnected && node.status === 'started' && unreachableOf(node) === null;
  const { node_id, name } = node;
  useEffect(() => {
    const { current } = place;
    if (!isWanted || current === null) return undefined;
    const url = lab.client.socketUrl('/v2/projects/{project_id}/nodes/{node_id}/console/ws', {
      path: { project_id: lab.projectId, node_id },
    });
    const label = t('Screen of {name}. Shift and Escape leaves it.', { name });
    const opened = openVnc({ place: current, url, label, isFitted });
    setLink(opened);
    return () => {
      opened.close();
      setLink(null);
    };
    // A change of the fit is told to the open link; a new name is no other console.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [lab, node_id, isWanted]);
  return { link, isConnected };
};

interface Props {
  readonly node: Node;
  /** Further items of its menu. */
  readonly items: readonly MenuItem[];
}

/** The screen of a graphical node, with its keyboard and pointer. */
const VncConsole = ({ node, items }: Props): ReactElement => {
  const place = useRef<HTMLDivElement>(null);
  const [isFitted, setFitted] = useState(true);
  const { link, isConnected } = useVnc(node, place, isFitted);
  const isLocked = useStore(link?.isLocked ?? NEVER);
  const isUsed = useRef(false);
  const { name } = node;
  return (
    <>
      <div className="screen-tools">
        <div className="screen-said">
          {!isLocked && <ConsoleStatus node={node} link={link?.state ?? WAITING} isConnected={isConnected} />}
        </div>
        <Button disabled={link === null} onClick={() => link?.ctrlAltDel()}>
          {t('Ctrl+Alt+Del')}
        </Button>
        <IconButton
          icon="fit"
          label={t('Fit to the panel')}
          aria-pressed={isFitted}
          onClick={() => {
            setFitted(!isFitted);
            link?.scale(!isFitted);
          }}
        />
        <VncMenu name={name} link={link} items={items} />
      </div>
      <div
        ref={place}
        className="vnc-place"
        onFocusCapture={() => (isUsed.current = false)}
        onPointerDownCapture={() => (isUsed.current = true)}
        onKeyDownCapture={(event) => keepOurKeys(event, isUsed)}
      />
      {isLocked && (
        <p className="panel-note problem">
          {t('The screen of {name} asks for a password. Open it in a program of your own.', { name })}
        </p>
      )}
    </>
  );
};
export default VncConsole;

/**
 * Every other key is for the node. Tab goes by a screen in which nothing was typed or pressed since it has the focus: one can get past it
 * with the keyboard.
 */
const keepOurKeys = (event: KeyboardEvent, isUsed: { current: boolean }): void => {
  const { key, shiftKey, currentTarget } = event;
  if (key === 'Escape' && shiftKey) {
    event.preventDefault();
    event.stopPropagation();
    const panel = currentTarget.closest('[role=tabpanel]');
    document.getElementById(panel?.getAttribute('aria-labelledby') ?? '')?.focus();
  } else if (key === 'Tab' && !isUsed.current) event.stopPropagation();
  else if (key !== 'Shift' && key !== 'Control' && key !== 'Alt') isUsed.current = true;
};

const withClipboard = async (link: VncLink, take: (text: string) => void): Promise<void> => {
  try {
    take(await navigator.clipboard.readText());
  } catch {
    notify('warning', t('The browser does not let the page read the clipboard.'));
  }
  link.focus();
};

const VncMenu = ({
  name,
  link,
  items,
}: {
  name: string;
  link: VncLink | null;
  items: Props['items'];
}): ReactElement => {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const copied = useStore(link?.copied ?? NOTHING);
  const isDisabled = link === null;
  const own: MenuItem[] = [
    {
      text: t('Copy what was copied there'),
      icon: 'copy',
      isDisabled: copied === null,
      onChoose: () => void copyText(copied ?? '', t('Text')),
    },
    {
      text: t('Type the clipboard'),
      note: t('As keys of an American keyboard'),
      icon: 'paste',
      isDisabled,
      onChoose: () => {
        if (link !== null) void withClipboard(link, link.type);
      },
    },
    {
      text: t('Give it the clipboard'),
      note: t('Where a program there takes it'),
      isDisabled,
      onChoose: () => {
        if (link !== null) void withClipboard(link, link.paste);
      },
    },
  ];
  return (
    <>
      <IconButton
        icon="more"
        label={t('More for this console')}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      {at !== null && (
        <Menu label={t('Console of {name}', { name })} at={at} items={[...own, ...items]} onClose={() => setAt(null)} />
      )}
    </>
  );
};
