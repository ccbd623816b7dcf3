import {
  type KeyboardEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react';
import type { Client } from 'topolog/client';
import { useScope, useView } from '../../app/lab-context.tsx';
import { AUTO, byKind, defaultComputeOf, type Engine, isHere, readEngines } from '../../computes/computes.ts';
import { followComputes, useComputes } from '../../computes/follow.ts';
import { WhereField } from '../../computes/where-field.tsx';
import { offer } from '../../store/commands.ts';
import { attempt, sentenceOf } from '../../store/notices.ts';
import { useStore } from '../../store/use-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { t, told } from '../../words/words.ts';
import { useSymbol } from '../flow/symbols.ts';
import type { Placer, Wanted } from './placing.ts';
import {
  recentTemplates,
  rememberTemplate,
  type Shelf,
  shelvesOf,
  shownName,
  type Template,
  TEMPLATE_TYPE,
} from './templates.ts';

interface Props {
  readonly placer: Placer;
  /** The next free place, as the map is seen now. */
  readonly next: () => Wanted;
  /** Tells how to add a template that is dropped. */
  readonly onReady: (add: ((templateId: string, wanted: Wanted) => void) | null) => void;
}

const MOST_AT_ONCE = 50;

/** The server's templates: dragged onto the map, or pressed for the next free place. */
export const Palette = ({ placer, next, onReady }: Props): ReactElement => {
  const { frame } = useScope();
  const { isReadOnly } = useView();
  const { templates, problem, read } = useTemplates();
  const [sought, setSought] = useState('');
  const where = useWhere();
  const { add, recent, count, setCount, added } = useAdding(placer, where.where);
  const missing = useMissingEngines(where.where);
  const shelves = useMemo(() => shelvesOf(templates ?? [], sought, recent), [templates, sought, recent]);
  useEffect(() => {
    onReady(add);
    return () => onReady(null);
  }, [add, onReady]);
  useCommands(templates, (id) => add(id, next()));
  const first = shelves[0]?.templates[0];
  return (
    <section className="palette" aria-label={t('Templates')}>
      <div className="palette-head">
        <TextField
          label={t('Search templates')}
          type="search"
          value={sought}
          placeholder={t('Search templates')}
          onChange={setSought}
          onFocus={read}
          onKeyDown={(event) => searchKey(event, () => first !== undefined && add(first.template_id, next()))}
        />
        <IconButton
          icon="close"
          label={t('Put the templates away')}
          onClick={() => frame.update((now) => ({ ...now, hasPalette: false }))}
        />
      </div>
      {/* With nothing in it that can have the focus, it is scrolled by itself. */}
      <div className="palette-list" tabIndex={isReadOnly ? 0 : undefined}>
        {problem !== null && (
          <p role="alert" className="problem wrap">
            {problem}
          </p>
        )}
        {shelves.map((shelf) => (
          <ShelfList key={shelf.what} {...{ shelf, missing, isReadOnly }} onAdd={(id) => add(id, next())} />
        ))}
        {templates !== null && shelves.length === 0 && <p className="note">{t('No template has this name.')}</p>}
      </div>
      <PaletteFoot {...{ where, count }} onCount={setCount} />
      <p className="visually-hidden" role="status">
        {added}
      </p>
    </section>
  );
};

/** Offers the templates to the search of the page. */
const useCommands = (templates: readonly Template[] | null, onAdd: (templateId: string) => void): void => {
  const { isReadOnly } = useView();
  const add = useEffectEvent(onAdd);
  useEffect(
    () =>
      offer(
        (templates ?? []).map((template) => ({
          id: `template ${template.template_id}`,
          text: t('Add {name}', { name: shownName(template) }),
          note: t('Templates'),
          icon: 'add',
          isDisabled: isReadOnly,
          run: () => add(template.template_id),
        })),
      ),
    [templates, isReadOnly],
  );
};

/** Adds nodes of templates; says which, for those who do not see them. */
const useAdding = (placer: Placer, where: string | null) => {
  const { lab } = useScope();
  const { isReadOnly } = useView();
  const [recent, setRecent] = useState(() => recentTemplates(localStorage));
  const [count, setCount] = useState('1');
  const [added, setAdded] = useState('');
  const wanted = Math.min(MOST_AT_ONCE, Math.max(1, Number.parseInt(count, 10) || 1));
  const add = useCallback(
    (template_id: string, place: Wanted): void => {
      if (isReadOnly) return;
      setRecent(rememberTemplate(localStorage, template_id));
      setCount('1');
      void attempt(async () => {
        const names = await withComputes(lab.client, () => placer.add({ template_id, where, count: wanted }, place));
        setAdded(t('{names} added.', { names: names.join(', ') }));
      });
    },
    [isReadOnly, lab, placer, where, wanted],
  );
  return { add, recent, count, setCount, added };
};

interface FootProps {
  readonly where: ReturnType<typeof useWhere>;
  readonly count: string;
  readonly onCount: (count: string) => void;
}

/** How many, and where, when there is more than one place. */
const PaletteFoot = ({ where: { where, setWhere, computes }, count, onCount }: FootProps): ReactElement => (
  <div className="palette-foot">
    <TextField label={t('Number of nodes')} type="number" min={1} max={MOST_AT_ONCE} value={count} onChange={onCount} />
    {where !== null && <WhereField label={t('Where')} computes={computes} value={where} onChange={setWhere} />}
  </div>
);

/** Enter adds the first one; Escape gives the keys back to the map; arrow down goes into the list. */
const searchKey = (event: KeyboardEvent<HTMLInputElement>, addFirst: () => void): void => {
  if (event.key === 'Enter') addFirst();
  else if (event.key === 'ArrowDown') document.querySelector<HTMLElement>('.palette-item:not(:disabled)')?.focus();
  else if (event.key === 'Escape' && event.currentTarget.value === '') event.currentTarget.blur();
  else return;
  event.preventDefault();
};

const useTemplates = () => {
  const { lab } = useScope();
  const [templates, setTemplates] = useState<readonly Template[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = useCallback(() => {
    lab.client.get('/v2/templates').then(
      (all) => {
        setTemplates(all);
        setProblem(null);
      },
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  }, [lab]);
  useEffect(read, [read]);
  return { templates, problem, read };
};

const SHELVES = {
  recent: () => t('Used last'),
  guest: () => t('End devices'),
  switch: () => t('Switches'),
  router: () => t('Routers'),
  firewall: () => t('Firewalls'),
} as const;

interface ShelfProps {
  readonly shelf: Shelf;
  readonly missing: ReadonlyMap<string, string>;
  readonly isReadOnly: boolean;
  readonly onAdd: (templateId: string) => void;
}

const ShelfList = ({ shelf: { what, templates }, missing, isReadOnly, onAdd }: ShelfProps): ReactElement => (
  <section aria-labelledby={`shelf-${what}`}>
    <h2 id={`shelf-${what}`}>{SHELVES[what]()}</h2>
    <ul>
      {templates.map((template) => (
        <li key={template.template_id}>
          <TemplateButton
            {...{ template, isReadOnly }}
            missing={missing.get(template.template_type)}
            onAdd={() => onAdd(template.template_id)}
          />
        </li>
      ))}
    </ul>
  </section>
);

interface TemplateProps {
  readonly template: Template;
  readonly missing: string | undefined;
  readonly isReadOnly: boolean;
  readonly onAdd: () => void;
}

const TemplateButton = ({ template, missing, isReadOnly, onAdd }: TemplateProps): ReactElement => {
  const { lab } = useScope();
  const picture = useSymbol(lab.client, template.symbol);
  const title = missing === undefined ? undefined : t('Cannot run there yet: {install}', { install: told(missing) });
  return (
    <button
      type="button"
      className="palette-item"
      disabled={isReadOnly}
      draggable={!isReadOnly}
      title={title}
      onClick={onAdd}
      onKeyDown={walk}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(TEMPLATE_TYPE, template.template_id);
        dataTransfer.effectAllowed = 'copy';
      }}
    >
      {picture === null ? <span className="no-picture" /> : <img src={picture} alt="" draggable={false} />}
      <span className="palette-name">
        {shownName(template)}
        {missing !== undefined && <span className="visually-hidden">, {title}</span>}
      </span>
      {missing !== undefined && <span className="palette-warning" aria-hidden="true" />}
    </button>
  );
};

/** The list is walked by the arrow keys as well as by Tab. */
const walk = (event: KeyboardEvent<HTMLElement>): void => {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0) return;
  const items = [...document.querySelectorAll<HTMLElement>('.palette-item')];
  const to = items[items.findIndex((item) => item === event.currentTarget) + by];
  (to ?? document.querySelector<HTMLElement>('.palette [type=search]'))?.focus();
  event.preventDefault();
};

const NOTHING: ReadonlyMap<string, string> = new Map();

/** Where new nodes go: as the project has it. Null while there is nothing to select: the template says it. */
const useWhere = () => {
  const { lab } = useScope();
  const project = useView().records.project;
  const { computes } = useStore(useComputes(lab.client));
  const [selected, setWhere] = useState<string | null>(null);
  const usual = defaultComputeOf(project);
  return { where: selected ?? (computes.length > 1 || !isHere(usual) ? usual : null), setWhere, computes };
};

/** Images that go along are shown. */
const withComputes = async <T,>(client: Client, work: () => Promise<T>): Promise<T> => {
  const { close } = followComputes(client);
  try {
    return await work();
  } finally {
    close();
  }
};

/** By kind: what is to be installed at a compute before one of it can be started. Kinds that can run are not in it. */
const useMissingEngines = (where: string | null): ReadonlyMap<string, string> => {
  const { lab } = useScope();
  const [missing, setMissing] = useState(NOTHING);
  useEffect(() => {
    const ending = new AbortController();
    enginesAt(lab.client, where, ending.signal).then(
      (engines) => setMissing(new Map(byKind(engines).missing.map(({ kind, install }) => [kind, install]))),
      () => {
        // The list is of use without it.
        if (!ending.signal.aborted) setMissing(NOTHING);
      },
    );
    return () => ending.abort();
  }, [lab, where]);
  return missing;
};

/** Engines among which the server picks the best one. */
const enginesAt = async (client: Client, where: string | null, signal: AbortSignal): Promise<readonly Engine[]> => {
  if (where === AUTO) return [];
  if (where !== null && !isHere(where)) return readEngines(client, where, signal);
  return (await client.get('/v2/compute/capabilities', { signal })).engines ?? [];
};
