import { type ReactElement, useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { session } from '../app/session.ts';
import { ConnectionNote } from '../app/connection-note.tsx';
import { ThemeButton } from '../app/theme-button.tsx';
import { openProjects, type Projects } from '../store/projects.ts';
import { useStore } from '../store/use-store.ts';
import { hashOf } from '../app/router.ts';

/** Every lab of the server. */
export const ProjectsView = ({ client }: { client: Client }): ReactElement | null => {
  const [list, setList] = useState<Projects | null>(null);
  useEffect(() => {
    document.title = 'Topolog';
    const opened = openProjects(client, session.get().over);
    setList(opened);
    return () => opened.close();
  }, [client]);
  return list === null ? null : <ProjectsPage list={list} />;
};

const ProjectsPage = ({ list }: { list: Projects }): ReactElement => {
  const { projects, connection } = useStore(list.state);
  return (
    <div className="projects-page">
      <header className="lab-header">
        <h1>Topolog</h1>
        <span className="spring" />
        <ConnectionNote connection={connection} />
        <ThemeButton />
      </header>
      <main>
        <ul>
          {projects.map((project) => (
            <li key={project.project_id}>
              <a href={hashOf({ view: 'lab', projectId: project.project_id })}>{project.name}</a>
            </li>
          ))}
        </ul>
      </main>
    </div>
  );
};
