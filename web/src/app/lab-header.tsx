import { type ReactElement, useEffect } from 'react';
import { openProject } from '../projects/actions.ts';
import { notify } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Others } from '../together/others.tsx';
import { ConnectionNote } from './connection-note.tsx';
import { InspectorButton } from './inspector-button.tsx';
import { useScope, useView } from './lab-context.tsx';
import { Lookers } from './lookers.tsx';
import { ProjectMenu } from './project-menu.tsx';
import { hashOf } from './router.ts';
import { SearchButton } from './search/search.tsx';
import { CheckCounts } from '../checks/check-counts.tsx';
import { StateCounts } from './states/state-counts.tsx';
import { UserButton } from './user/user-button.tsx';
import { WeatherNow } from '../weather/weather-now.tsx';
import { t, told } from '../words/words.ts';

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

/** What the server says of faults is said here as well. */
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
