import { type ReactElement, useEffect, useState } from 'react';
import { CheckCounts } from '../checks/check-counts.tsx';
import { unreachableOf } from '../computes/computes.ts';
import { openProject } from '../projects/actions.ts';
import { notify } from '../store/notices.ts';
import type { Node } from '../store/records.ts';
import { useStore } from '../store/use-store.ts';
import { openSheet } from '../store/workbench.ts';
import { Others } from '../together/others.tsx';
import { personName } from '../ui/avatar.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { WeatherNow } from '../weather/weather-now.tsx';
import { t, told } from '../words/words.ts';
import { ConnectionNote } from './connection-note.tsx';
import { useScope, useView } from './lab-context.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { hashOf } from './router.ts';
import { SearchButton } from './search/search.tsx';
import { useIsNarrow } from './use-is-narrow.ts';
import { UserButton } from './user/user-button.tsx';

/** The bar over a lab: where one is, what it does, who else is there, and how the connection is. */
export const LabHeader = (): ReactElement => {
  const { lab } = useScope();
  const { records, past } = useView();
  const connection = useStore(lab.state, (now) => now.connection);
  const name = records.project?.name ?? '';
  useEffect(() => {
    document.title = name === '' ? 'Topolog' : `${name.slice(0, 80)} – Topolog`;
  }, [name]);
  useFaults();
  return (
    <>
      <header className="lab-header">
        <a
          className="icon-button"
          href={hashOf({ view: 'projects' })}
          aria-label={t('All projects')}
          title={t('All projects')}
        >
          <Icon name="back" />
        </a>
        <h1 className="lab-name" title={name.slice(0, 200)}>
          {name.slice(0, 200)}
        </h1>
        <ProjectMenu />
        {past !== null && (
          <strong className="past-badge" data-testid="past">
            <Icon name="history" />
            <span>
              {t('The past')}
              <span className="wide-only">: {new Date(past.moment.time).toLocaleString()}</span>
            </span>
          </strong>
        )}
        <StateCounts />
        <CheckCounts />
        <WeatherNow />
        <span className="spring" />
        <SearchButton />
        <Others />
        <Lookers />
        <ConnectionNote connection={connection} />
        <InspectorButton />
        <UserButton />
      </header>
      <ClosedBanner />
    </>
  );
};

/** Notices of faults that the server has logged. */
const useFaults = (): void => {
  const { lab } = useScope();
  useEffect(
    () =>
      lab.listen((frame) => {
        if (frame.action === 'log.error') notify('error', told(frame.event.message));
        if (frame.action === 'log.warning') notify('warning', told(frame.event.message));
      }),
    [lab],
  );
};

const ClosedBanner = (): ReactElement | null => {
  const { lab } = useScope();
  const project = useStore(lab.state, (now) => now.records.project);
  if (project?.status !== 'closed') return null;
  return (
    <div className="banner">
      <Icon name="lock" />
      <span role="status">{t('This project is closed: you can look at it, but not change it.')}</span>
      <Button kind="primary" onClick={() => void openProject(lab.client, project)}>
        {t('Open it')}
      </Button>
    </div>
  );
};

const ICONS: Readonly<Record<Node['status'], IconName>> = { started: 'play', stopped: 'stop', suspended: 'pause' };

/** How many nodes are in which state. */
const StateCounts = (): ReactElement => {
  const { records } = useView();
  const counts = { started: 0, suspended: 0, stopped: 0 };
  let unreachable = 0;
  for (const node of records.nodes.values()) {
    counts[node.status] += 1;
    if (unreachableOf(node) !== null) unreachable += 1;
  }
  return (
    <span className="state-counts" data-testid="counts">
      {(['started', 'suspended', 'stopped'] as const)
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <span key={state} className={`count ${state}`} title={`${counts[state]} ${t(state)}`}>
            <Icon name={ICONS[state]} />
            {counts[state]}
            <span className="visually-hidden"> {t(state)}</span>
          </span>
        ))}
      {unreachable > 0 && (
        <span className="count unreachable" title={t('{count} of them unreachable', { count: unreachable })}>
          <Icon name="warning" />
          {unreachable}
          <span className="visually-hidden"> {t('unreachable')}</span>
        </span>
      )}
    </span>
  );
};

/** Names of the people who look at this project. */
const Lookers = (): ReactElement | null => {
  const { lab } = useScope();
  const now = useStore(lab.state, (state) => state.listeners);
  const [isOpen, setOpen] = useState(false);
  if (now === null) return null;
  const label = t('{count, plural, one {Only you are looking} other {# people are looking}}', { count: now.count });
  return (
    <>
      <button
        type="button"
        className="icon-button lookers"
        title={label}
        data-testid="lookers"
        onClick={() => setOpen(true)}
      >
        <Icon name="eye" />
        {now.count}
        <span className="visually-hidden"> {label}</span>
      </button>
      {isOpen && (
        <Dialog title={t('Who is looking')} onClose={() => setOpen(false)}>
          <ul className="looker-list">
            {now.listeners.map(({ id, name, address, since }) => (
              <li key={id}>
                <strong className="wrap">{personName(name)}</strong>
                {id === now.you && ` (${t('you')})`}
                <span className="note">
                  {' '}
                  {address ?? ''} · {t('since {time}', { time: new Date(since).toLocaleTimeString() })}
                </span>
              </li>
            ))}
          </ul>
          {now.count > now.listeners.length && (
            <p className="note">{t('and {count} more', { count: now.count - now.listeners.length })}</p>
          )}
        </Dialog>
      )}
    </>
  );
};

/** Shows the form of what is selected, or puts it away. */
const InspectorButton = (): ReactElement => {
  const { workbench, frame } = useScope();
  const isNarrow = useIsNarrow();
  const isAsked = useStore(
    workbench,
    (now) => now.sheet !== null && now.sheet.kind !== 'history' && now.sheet.kind !== 'why',
  );
  const hasInspector = useStore(frame, (now) => now.hasInspector);
  const isShown = isAsked || (!isNarrow && hasInspector);
  const toggle = (): void => {
    workbench.update(openSheet(isNarrow && !isShown ? { kind: 'inspector' } : null));
    if (!isNarrow) frame.update((now) => ({ ...now, hasInspector: !isShown }));
  };
  return <IconButton icon="inspector" label={t('Inspector (Alt+Enter)')} aria-pressed={isShown} onClick={toggle} />;
};
