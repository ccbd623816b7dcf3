import { type ReactElement, useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { ConnectionNote } from '../app/connection-note.tsx';
import { goTo } from '../app/router.ts';
import { ThemeButton } from '../app/user/theme-button.tsx';
import { UserButton } from '../app/user/user-button.tsx';
import { ComputesSlot } from '../computes/slots.tsx';
import { sentenceOf } from '../store/notices.ts';
import { openProjects, type Projects } from '../store/projects.ts';
import type { Project } from '../store/records.ts';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { duplicateProject, forkProject, nameOf, renameProject } from './actions.ts';
import { DropZone, UploadButtons } from './drop-zone.tsx';
import { NameDialog } from './name-dialog.tsx';
import { ProjectRow, type Wish } from './project-row.tsx';
import './projects.css';

/** Every lab of the server. */
export const ProjectsView = ({ client }: { client: Client }): ReactElement | null => {
  const [list, setList] = useState<Projects | null>(null);
  useEffect(() => {
    document.title = 'Topolog';
    const opened = openProjects(client);
    setList(opened);
    return () => opened.close();
  }, [client]);
  return list === null ? null : <ProjectsPage client={client} list={list} />;
};

type Asked = { readonly wish: 'create' | 'computes' } | { readonly wish: Wish; readonly project: Project };
/** With more than these the list can be searched. */
const MANY = 8;

const ProjectsPage = ({ client, list }: { client: Client; list: Projects }): ReactElement => {
  const { projects, connection, isLoaded, problem } = useStore(list.state);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [sought, setSought] = useState('');
  const shown = projects.filter((project) => nameOf(project).toLowerCase().includes(sought.trim().toLowerCase()));
  return (
    <DropZone>
      <header className="lab-header">
        <h1>Topolog</h1>
        <span className="spring" />
        <ConnectionNote connection={connection} />
        <UserButton />
        <ThemeButton />
      </header>
      <main className="projects">
        <div className="projects-head">
          <h2>Projects</h2>
          <span className="spring" />
          <Button kind="primary" icon="add" onClick={() => setAsked({ wish: 'create' })}>
            New project
          </Button>
          <UploadButtons />
          <Button icon="computes" onClick={() => setAsked({ wish: 'computes' })}>
            Computes
          </Button>
        </div>
        {projects.length > MANY && <TextField label="Search" type="search" value={sought} onChange={setSought} />}
        {problem !== null && (
          <p role="alert" className="problem">
            {sentenceOf(problem)}
          </p>
        )}
        <ul className="project-list">
          {shown.map((project) => (
            <ProjectRow
              key={project.project_id}
              client={client}
              project={project}
              onWish={(wish) => setAsked({ wish, project })}
            />
          ))}
        </ul>
        {isLoaded && projects.length === 0 && (
          <p className="empty">No project yet. Make one, or drop a project file, its folder or an archive here.</p>
        )}
        {isLoaded && projects.length > 0 && shown.length === 0 && <p className="empty">No project has this name.</p>}
      </main>
      {asked !== null && <WishDialog client={client} asked={asked} onClose={() => setAsked(null)} />}
    </DropZone>
  );
};

const WishDialog = ({
  client,
  asked,
  onClose,
}: {
  client: Client;
  asked: Asked;
  onClose: () => void;
}): ReactElement => {
  switch (asked.wish) {
    case 'create': {
      const create = async (name: string): Promise<void> => {
        const { project_id } = await client.post('/v2/projects', { body: { name, auto_close: false } });
        goTo({ view: 'lab', projectId: project_id });
      };
      return <NameDialog title="New project" action="Create" name="" onSubmit={create} onClose={onClose} />;
    }
    case 'computes':
      return <ComputesSlot client={client} onClose={onClose} />;
    case 'rename':
      return (
        <NameDialog
          title={`Rename ${nameOf(asked.project)}`}
          action="Rename"
          name={nameOf(asked.project)}
          onSubmit={(name) => renameProject(client, asked.project, name)}
          onClose={onClose}
        />
      );
    case 'duplicate':
      return (
        <NameDialog
          title={`Duplicate ${nameOf(asked.project)}`}
          text="The copy has everything that is there now, its files as well."
          action="Duplicate"
          name={`${nameOf(asked.project)} copy`}
          onSubmit={(name) => duplicateProject(client, asked.project, name)}
          onClose={onClose}
        />
      );
    case 'fork':
      return (
        <NameDialog
          title={`Fork ${nameOf(asked.project)}`}
          text="The fork begins as the lab was at a moment, and goes its own way."
          action="Fork"
          name={`${nameOf(asked.project)} fork`}
          withMoment
          onSubmit={(name, at) => forkProject(client, asked.project, name, at)}
          onClose={onClose}
        />
      );
  }
};
