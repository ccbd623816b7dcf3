import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { useScope } from '../../app/lab-context.tsx';
import { keep } from '../../projects/transfer.ts';
import { notify } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { t } from '../../words/words.ts';
import { changeFontSize, type Screen } from './screen.ts';

interface Props {
  readonly screen: Screen | null;
  /** Whose console it is. */
  readonly name: string;
  /** Status text on the left. */
  readonly children: ReactNode;
  /** Further buttons. */
  readonly buttons?: ReactNode;
  /** Further items of its menu. */
  readonly items?: readonly MenuItem[];
  /** Nobody types there. */
  readonly isReadOnly?: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Tools that any terminal has: search, copy, size of its letters; the same and more in a menu. */
export const ScreenTools = (props: Props): ReactElement => {
  const { screen, name, children, buttons, items = [], isReadOnly = false } = props;
  const [isFinding, setFinding] = useState(false);
  const [at, setAt] = useState<Point | null>(null);
  useEffect(() => {
    if (screen === null) return undefined;
    // The browser’s own menu is still there with Shift.
    const ask = (event: MouseEvent): void => {
      if (event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      setAt({ x: event.clientX, y: event.clientY });
    };
    screen.element.addEventListener('contextmenu', ask, true);
    return () => screen.element.removeEventListener('contextmenu', ask, true);
  }, [screen]);
  const endFinding = (): void => {
    setFinding(false);
    screen?.stopFinding();
    screen?.terminal.focus();
  };
  return (
    <div className="screen-tools">
      <div className="screen-said">{children}</div>
      {isFinding && screen !== null && <FindBar screen={screen} onEnd={endFinding} />}
      {buttons}
      <IconButton
        icon="search"
        label={t('Search in this console')}
        aria-pressed={isFinding}
        onClick={() => (isFinding ? endFinding() : setFinding(true))}
      />
      <IconButton
        icon="copy"
        className="in-menu"
        label={t('Copy the selection, or everything')}
        onClick={() => void copyText(screen?.text() ?? '', t('Text of the console'))}
      />
      <IconButton icon="minus" className="in-menu" label={t('Smaller letters')} onClick={() => changeFontSize(-1)} />
      <IconButton icon="add" className="in-menu" label={t('Larger letters')} onClick={() => changeFontSize(1)} />
      <IconButton
        icon="more"
        label={t('More for this console')}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      {at !== null && screen !== null && (
        <Menu
          label={t('Console of {name}', { name })}
          at={at}
          onClose={() => setAt(null)}
          items={[...itemsOf(screen, { name, isReadOnly, onFind: () => setFinding(true) }), ...items]}
        />
      )}
    </div>
  );
};

/** The place where a screen stands at the moment. */
export const ScreenView = ({ screen }: { screen: Screen }): ReactElement => {
  const { workbench } = useScope();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = ref.current;
    place?.append(screen.element);
    screen.arrive(workbench.get().isQuiet);
    return () => {
      if (screen.element.parentElement === place) screen.element.remove();
    };
  }, [screen, workbench]);
  return <div ref={ref} className="screen-place" />;
};

interface About {
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly onFind: () => void;
}

const itemsOf = (screen: Screen, { name, isReadOnly, onFind }: About): MenuItem[] => {
  const { terminal } = screen;
  return [
    {
      text: t('Copy'),
      icon: 'copy',
      isDisabled: !terminal.hasSelection(),
      onChoose: () => void copyText(terminal.getSelection(), t('Selection')),
    },
    ...(isReadOnly ? [] : [{ text: t('Paste'), icon: 'paste', onChoose: () => void paste(screen) } satisfies MenuItem]),
    { text: t('Select all'), onChoose: () => terminal.selectAll() },
    { text: t('Find'), icon: 'search', startsGroup: true, onChoose: onFind },
    { text: t('Clear'), icon: 'delete', onChoose: () => terminal.clear() },
    {
      text: t('Save as text'),
      icon: 'download',
      onChoose: () => keep(new Blob([`${screen.everything()}\n`], { type: 'text/plain' }), `${fileOf(name)}.txt`),
    },
    { text: t('Larger letters'), icon: 'add', startsGroup: true, onChoose: () => changeFontSize(1) },
    { text: t('Smaller letters'), icon: 'minus', onChoose: () => changeFontSize(-1) },
  ];
};

const fileOf = (name: string): string => name.replaceAll(/[^\w.@ +-]/g, '_').slice(0, 100) || 'console';

/** Browsers let a page read the clipboard only where it came by TLS, and once they were asked. */
const paste = async ({ terminal }: Screen): Promise<void> => {
  try {
    terminal.paste(await navigator.clipboard.readText());
  } catch {
    notify('warning', t('The browser does not let the page paste. Press Ctrl+Shift+V in the console.'));
  }
  terminal.focus();
};

const FindBar = ({ screen, onEnd }: { screen: Screen; onEnd: () => void }): ReactElement => {
  const [text, setText] = useState('');
  const found = useStore(screen.found);
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') onEnd();
    if (event.key === 'Enter') screen.find(text, !event.shiftKey);
  };
  return (
    <div className="find-bar" role="search">
      <input
        type="search"
        aria-label={t('Search for; Enter goes up, Shift and Enter down')}
        value={text}
        autoFocus
        onChange={(event) => {
          setText(event.target.value);
          screen.find(event.target.value, true);
        }}
        onKeyDown={press}
      />
      <span className="note" role="status">
        {text === '' || found === null ? '' : sayFound(found)}
      </span>
      <IconButton icon="chevronUp" label={t('Previous match')} onClick={() => screen.find(text, true)} />
      <IconButton icon="chevronDown" label={t('Next match')} onClick={() => screen.find(text, false)} />
    </div>
  );
};

const sayFound = ({ count, index }: { readonly count: number; readonly index: number }): string => {
  if (count === 0) return t('Not found');
  return index === 0 ? t('{count} found', { count }) : t('{index} of {count}', { index, count });
};
