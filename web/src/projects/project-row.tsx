import { type ReactElement, useState } from 'react';
import type { Client } from 'topolog/client';
import { hashOf } from '../app/router.ts';
import type { Project } from '../store/records.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { closeProject, deleteProject, downloadProject, nameOf, openProject } from './actions.ts';

/** What is asked before something is done to a project. */
export type Wish = 'duplicate' | 'fork' | 'rename';

interface Props {
  readonly client: Client;
  readonly project: Project;
  readonly onWish: (wish: Wish) => void;
}

export const ProjectRow = ({ client, project, onWish }: Props): ReactElement => {
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const isOpen = project.status === 'opened';
  const name = nameOf(project);
  return (
    <li className="project-row" data-project={project.project_id}>
      <div className="project-what">
        <a className="project-name" href={hashOf({ view: 'lab', projectId: project.project_id })}>
          {name}
        </a>
        <span className={`status ${isOpen ? 'on' : 'off'}`}>
          <Icon name={isOpen ? 'play' : 'stop'} />
          {isOpen ? 'open' : 'closed'}
        </span>
        {isOpen && project.auto_close && <span className="note">closes when its last viewer leaves</span>}
        {project.path !== null && <span className="note wrap project-path">{project.path}</span>}
      </div>
      <div className="project-actions">
        {isOpen ? (
          <>
            <a className="button primary" href={hashOf({ view: 'lab', projectId: project.project_id })}>
              Show<span className="visually-hidden"> {name}</span>
            </a>
            <Button onClick={() => void closeProject(client, project)}>
              Close<span className="visually-hidden"> {name}</span>
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={() => void openProject(client, project)}>
            Open<span className="visually-hidden"> {name}</span>
          </Button>
        )}
        <IconButton
          icon="more"
          label={`More for ${name}`}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => {
            const { left, bottom } = currentTarget.getBoundingClientRect();
            setMenuAt({ x: left, y: bottom });
          }}
        />
      </div>
      {menuAt !== null && (
        <Menu label={name} at={menuAt} onClose={() => setMenuAt(null)} items={itemsOf(client, project, onWish)} />
      )}
    </li>
  );
};

const itemsOf = (client: Client, project: Project, onWish: (wish: Wish) => void): MenuItem[] => [
  { text: 'Rename', icon: 'edit', onChoose: () => onWish('rename') },
  { text: 'Duplicate', icon: 'copy', onChoose: () => onWish('duplicate') },
  { text: 'Fork', icon: 'fork', onChoose: () => onWish('fork') },
  { text: 'Download', icon: 'download', onChoose: () => void downloadProject(client, project) },
  {
    text: 'Delete',
    icon: 'delete',
    isDanger: true,
    startsGroup: true,
    onChoose: () => void deleteProject(client, project),
  },
];
