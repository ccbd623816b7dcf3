import {
  type KeyboardEvent as ReactKeyboardEvent,
  type ReactElement,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Client } from 'topolog/client';
import { nameOf } from '../../projects/actions.ts';
import { commands } from '../../store/commands.ts';
import type { Project } from '../../store/records.ts';
import { createStore } from '../../store/store.ts';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { t } from '../../words/words.ts';
import { goTo } from '../router.ts';
import { type SearchEntry, ranked } from './ranking.ts';
import './search.css';

const isOpen = createStore(false);

/** Ctrl+K anywhere but in a terminal, which has its own use for it. */
const isAsked = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) &&
  !event.altKey &&
  event.key.toLowerCase() === 'k' &&
  !(event.target instanceof Element && event.target.closest('.xterm') !== null);

/** The search over everything. It is there with the page: what is typed behind its key goes into it. */
export const Search = ({ client }: { client: Client }): ReactElement | null => {
  const isShown = useStore(isOpen);
  const [before, setBefore] = useState<Element | null>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isAsked(event)) return;
      event.preventDefault();
      const field = document.querySelector<HTMLInputElement>('dialog.search input');
      if (field !== null) {
        field.select();
        return;
      }
      setBefore(document.activeElement);
      isOpen.set(true);
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  }, []);
  if (!isShown) return null;
  const close = (): void => {
    isOpen.set(false);
    if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
  };
  return <SearchDialog client={client} onClose={close} />;
};

export const SearchButton = (): ReactElement => (
  <IconButton icon="search" label={t('Search everything (Ctrl+K)')} onClick={() => isOpen.set(true)} />
);

interface SearchDialogProps {
  readonly client: Client;
  readonly onClose: () => void;
}

/** Finds commands, nodes of the lab and projects by words, and does or shows what is picked. */
const SearchDialog = ({ client, onClose }: SearchDialogProps): ReactElement => {
  const ref = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const entries = useEntries(client);
  const found = useMemo(() => ranked(entries, sought), [entries, sought]);
  const active = Math.min(at, Math.max(0, found.length - 1));
  useLayoutEffect(() => {
    ref.current?.showModal();
  }, []);
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [listId, active, found]);
  const pick = (entry: SearchEntry | undefined): void => {
    if (entry === undefined || entry.isDisabled) return;
    ref.current?.close();
    onClose();
    entry.run();
  };
  const seek = (text: string): void => {
    setSought(text);
    setAt(0);
  };
  const press = (event: ReactKeyboardEvent): void => {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(found.length - 1, active + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(found[active]);
    }
  };
  return (
    <dialog
      ref={ref}
      className="search"
      aria-label={t('Search everything')}
      onCancel={onClose}
      onClick={({ target }) => {
        if (target === ref.current) onClose();
      }}
      onKeyDown={press}
    >
      <SoughtField {...{ listId, sought, active: found.length > 0 ? active : null }} onSeek={seek} />
      <FoundList {...{ listId, found, active }} onPoint={setAt} onPick={pick} />
      <p className="visually-hidden" role="status">
        {t('{count, plural, =0 {Nothing found} one {# found} other {# found}}', { count: found.length })}
      </p>
      {found.length === 0 && <p className="search-nothing">{t('Nothing found. Try fewer words.')}</p>}
    </dialog>
  );
};

interface FieldProps {
  readonly listId: string;
  readonly sought: string;
  /** Id of the active entry; null: the list is empty. */
  readonly active: number | null;
  readonly onSeek: (sought: string) => void;
}

const SoughtField = ({ listId, sought, active, onSeek }: FieldProps): ReactElement => (
  <input
    type="text"
    role="combobox"
    aria-expanded="true"
    aria-controls={listId}
    aria-activedescendant={active === null ? undefined : `${listId}-${active}`}
    aria-label={t('Search everything')}
    placeholder={t('A command, a node, a project …')}
    value={sought}
    onChange={({ target }) => onSeek(target.value)}
  />
);

interface ListProps {
  readonly listId: string;
  readonly found: readonly SearchEntry[];
  readonly active: number;
  readonly onPoint: (index: number) => void;
  readonly onPick: (entry: SearchEntry) => void;
}

const FoundList = ({ listId, found, active, onPoint, onPick }: ListProps): ReactElement => (
  <ul id={listId} role="listbox" aria-label={t('Found')}>
    {found.map((entry, index) => (
      <li
        key={entry.key}
        id={`${listId}-${index}`}
        role="option"
        aria-selected={index === active}
        aria-disabled={entry.isDisabled}
        onPointerMove={() => onPoint(index)}
        onClick={() => onPick(entry)}
      >
        <Icon name={entry.icon} />
        <span className="search-text">{entry.text}</span>
        <span className="note">{entry.note}</span>
      </li>
    ))}
  </ul>
);

/** Commands first, then projects. */
const useEntries = (client: Client): readonly SearchEntry[] => {
  const offered = useStore(commands);
  const [projects, setProjects] = useState<readonly Project[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    client.get('/v2/projects', { signal: ending.signal }).then(setProjects, () => {
      // All other entries can be searched without the projects.
      if (!ending.signal.aborted) setProjects([]);
    });
    return () => ending.abort();
  }, [client]);
  return useMemo(
    () => [
      ...offered.toReversed().flatMap((list) =>
        (typeof list === 'function' ? list() : list).map(
          ({ id, text, note, keys, icon, isDisabled, run }): SearchEntry => ({
            key: id,
            text,
            run,
            note: [note, keys].filter((one) => one !== undefined).join(' · '),
            icon: icon ?? 'next',
            isDisabled: isDisabled ?? false,
          }),
        ),
      ),
      ...projects.map((project): SearchEntry => ({
        key: project.project_id,
        text: nameOf(project),
        note: t('Project'),
        icon: 'open',
        isDisabled: false,
        run: () => goTo({ view: 'lab', projectId: project.project_id }),
      })),
    ],
    [offered, projects],
  );
};
