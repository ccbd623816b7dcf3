import { type ReactElement, useEffect, useState } from 'react';
import { closeProject, downloadProject, forkProject, nameOf, openProject } from '../projects/actions.ts';
import { NameDialog } from '../projects/name-dialog.tsx';
import { notify } from '../store/notices.ts';
import { useStore } from '../store/use-store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { ConnectionNote } from './connection-note.tsx';
import { useScope, useView } from './lab-context.tsx';
import { Lookers } from './lookers.tsx';
import { goTo, hashOf } from './router.ts';
import { StateCounts } from './state-counts.tsx';
import { ThemeButton } from './theme-button.tsx';
import { UserButton } from './user-button.tsx';

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
        <a className="icon-button" href={hashOf({ view: 'projects' })} aria-label="All projects" title="All projects">
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
              The past<span className="wide-only">: {new Date(past.moment.time).toLocaleString()}</span>
            </span>
          </strong>
        )}
        <StateCounts />
        <span className="spring" />
        <Lookers />
        <ConnectionNote connection={connection} />
        <UserButton />
        <ThemeButton />
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
        if (frame.action === 'log.error') notify('error', frame.event.message);
        if (frame.action === 'log.warning') notify('warning', frame.event.message);
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
      <span>This project is closed: it can be looked at, and not changed.</span>
      <Button kind="primary" onClick={() => void openProject(lab.client, project)}>
        Open it
      </Button>
    </div>
  );
};

const ProjectMenu = (): ReactElement | null => {
  const { lab } = useScope();
  const project = useStore(lab.state, (now) => now.records.project);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const [isForking, setForking] = useState(false);
  if (project === null) return null;
  const items: MenuItem[] = [
    { text: 'Fork', icon: 'fork', onChoose: () => setForking(true) },
    { text: 'Download', icon: 'download', onChoose: () => void downloadProject(lab.client, project) },
    project.status === 'opened'
      ? {
          text: 'Close project',
          icon: 'close',
          startsGroup: true,
          onChoose: () => void closeProject(lab.client, project),
        }
      : {
          text: 'Open project',
          icon: 'open',
          startsGroup: true,
          onChoose: () => void openProject(lab.client, project),
        },
  ];
  return (
    <>
      <IconButton
        icon="more"
        label="Project"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      {at !== null && <Menu label="Project" at={at} items={items} onClose={() => setAt(null)} />}
      {isForking && (
        <NameDialog
          title={`Fork ${nameOf(project)}`}
          text="The fork begins as the lab was at a moment, and goes its own way."
          action="Fork"
          name={`${nameOf(project)} fork`}
          withMoment
          onSubmit={async (name, moment) =>
            goTo({ view: 'lab', projectId: await forkProject(lab.client, project, name, moment) })
          }
          onClose={() => setForking(false)}
        />
      )}
    </>
  );
};
