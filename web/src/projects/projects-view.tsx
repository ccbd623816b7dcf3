import { Fragment, type ReactElement, useEffect, useMemo, useState } from 'react';
import type { Client } from 'topolog/client';
import { ConnectionNote } from '../app/connection-note.tsx';
import { goTo } from '../app/router.ts';
import { SearchButton } from '../app/search/search.tsx';
import { UserButton } from '../app/user/user-button.tsx';
import { ComputesSlot } from '../computes/slots.tsx';
import type { Connection } from '../store/lab.ts';
import { sentenceOf } from '../store/notices.ts';
import { followOverviews, openProjects, type Overviews, type Projects } from '../store/projects.ts';
import type { Project } from '../store/records.ts';
import { createStore } from '../store/store.ts';
import { useStore } from '../store/use-store.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { t } from '../words/words.ts';
import { duplicateProject, forkProject, nameOf, renameProject } from './actions.ts';
import { DropZone, UploadButtons } from './drop-zone.tsx';
import {
  NO_FILTER,
  folderOf,
  type ProjectList,
  listProjects,
  sayFolder,
  tagsIn,
  type ListFilter,
} from './project-list.ts';
import { NameDialog } from './name-dialog.tsx';
import { OrganiseDialog } from './organise-dialog.tsx';
import { ProjectCard, type Wish } from './project-card.tsx';
import './projects.css';
import { Samples } from './samples.tsx';

const NOTHING = createStore<Overviews>(new Map());

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

/** Read again whenever the list has changed, and now and then. */
const useOverviews = (client: Client, projects: readonly Project[]): Overviews => {
  const [followed, setFollowed] = useState<ReturnType<typeof followOverviews> | null>(null);
  useEffect(() => {
    const opened = followOverviews(client, () => !document.hidden);
    setFollowed(opened);
    return () => opened.close();
  }, [client]);
  useEffect(() => followed?.touch(), [followed, projects]);
  return useStore(followed?.state ?? NOTHING);
};

type Asked = { readonly wish: 'create' | 'computes' } | { readonly wish: Wish; readonly project: Project };

const ProjectsPage = ({ client, list }: { client: Client; list: Projects }): ReactElement => {
  const { projects, connection, isLoaded, problem } = useStore(list.state);
  const overviews = useOverviews(client, projects);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [wanted, setWanted] = useState<ListFilter>(NO_FILTER);
  const shown = useMemo(() => listProjects(projects, overviews, wanted), [projects, overviews, wanted]);
  const tags = useMemo(() => tagsIn(projects), [projects]);
  const known = useMemo(
    () => [...new Set(projects.map((one) => sayFolder(folderOf(one))))].filter(Boolean),
    [projects],
  );
  const enter = (folder: readonly string[]): void => setWanted({ ...wanted, folder, sought: '', tag: null });
  return (
    <DropZone>
      <PageHeader connection={connection} />
      <main className="projects">
        <div className="projects-head">
          <h2>{t('Projects')}</h2>
          <span className="spring" />
          <Button kind="primary" icon="add" onClick={() => setAsked({ wish: 'create' })}>
            {t('New project')}
          </Button>
          <UploadButtons />
          <Button icon="catalogue" onClick={() => goTo({ view: 'catalogue', section: 'images' })}>
            {t('Catalogue')}
          </Button>
          <Button icon="computes" onClick={() => setAsked({ wish: 'computes' })}>
            {t('Computes')}
          </Button>
        </div>
        {projects.length > 0 && <Narrow wanted={wanted} tags={tags} onWant={setWanted} />}
        {wanted.folder.length > 0 && <FolderPath folder={wanted.folder} onEnter={enter} />}
        {problem !== null && (
          <p role="alert" className="problem">
            {sentenceOf(problem)}
          </p>
        )}
        <FolderList folders={shown.folders} onEnter={(name) => enter([...wanted.folder, name])} />
        <ul className="project-list">
          {shown.projects.map((project) => (
            <ProjectCard
              key={project.project_id}
              client={client}
              project={project}
              overview={overviews.get(project.project_id)}
              inFolder={folderOf(project).slice(wanted.folder.length)}
              onWish={(wish) => setAsked({ wish, project })}
              onTag={(tag) => setWanted({ ...wanted, tag })}
            />
          ))}
        </ul>
        {isLoaded && projects.length === 0 && <Samples />}
        {isLoaded && projects.length > 0 && shown.projects.length + shown.folders.length === 0 && (
          <p className="empty">{t('No project fits.')}</p>
        )}
      </main>
      {asked !== null && <WishDialog client={client} asked={asked} folders={known} onClose={() => setAsked(null)} />}
    </DropZone>
  );
};

const PageHeader = ({ connection }: { connection: Connection }): ReactElement => (
  <header className="lab-header">
    <h1>Topolog</h1>
    <span className="spring" />
    <SearchButton />
    <ConnectionNote connection={connection} />
    <UserButton />
  </header>
);

interface FolderProps {
  readonly folders: ProjectList['folders'];
  readonly onEnter: (name: string) => void;
}

const FolderList = ({ folders, onEnter }: FolderProps): ReactElement | null =>
  folders.length === 0 ? null : (
    <ul className="folder-list" aria-label={t('Folders')}>
      {folders.map(({ name, count }) => (
        <li key={name}>
          <Button icon="open" onClick={() => onEnter(name)}>
            {name} <span className="note">{count}</span>
          </Button>
        </li>
      ))}
    </ul>
  );

interface WishProps {
  readonly client: Client;
  readonly asked: Asked;
  readonly folders: readonly string[];
  readonly onClose: () => void;
}

const WishDialog = ({ client, asked, folders, onClose }: WishProps): ReactElement => {
  if (asked.wish === 'create') {
    const create = async (name: string): Promise<void> => {
      const { project_id } = await client.post('/v2/projects', { body: { name, auto_close: false } });
      goTo({ view: 'lab', projectId: project_id });
    };
    return <NameDialog title={t('New project')} action={t('Create')} name="" onSubmit={create} onClose={onClose} />;
  }
  if (!('project' in asked)) return <ComputesSlot client={client} onClose={onClose} />;
  const { project, wish } = asked;
  if (wish === 'organise')
    return <OrganiseDialog client={client} project={project} folders={folders} onClose={onClose} />;
  return <NamedWish {...{ client, project, wish, onClose }} />;
};

interface NamedProps {
  readonly client: Client;
  readonly project: Project;
  readonly wish: Exclude<Wish, 'organise'>;
  readonly onClose: () => void;
}

const NamedWish = ({ client, project, wish, onClose }: NamedProps): ReactElement => {
  const name = nameOf(project);
  switch (wish) {
    case 'rename':
      return (
        <NameDialog
          title={t('Rename {name}', { name })}
          action={t('Rename')}
          name={name}
          onSubmit={(next) => renameProject(client, project, next)}
          onClose={onClose}
        />
      );
    case 'duplicate':
      return (
        <NameDialog
          title={t('Duplicate {name}', { name })}
          text={t('The copy has everything that is there now, its files as well.')}
          action={t('Duplicate')}
          name={t('{name} copy', { name })}
          onSubmit={(next) => duplicateProject(client, project, next)}
          onClose={onClose}
        />
      );
    case 'fork':
      return (
        <NameDialog
          title={t('Fork {name}', { name })}
          text={t('The fork begins as the lab was at a moment, and goes its own way.')}
          action={t('Fork')}
          name={t('{name} fork', { name })}
          withMoment
          onSubmit={(next, at) => forkProject(client, project, next, at)}
          onClose={onClose}
        />
      );
  }
};

interface NarrowProps {
  readonly wanted: ListFilter;
  readonly tags: readonly { readonly name: string; readonly count: number }[];
  readonly onWant: (wanted: ListFilter) => void;
}

/** Fields that choose the shown part of the list, and its order. */
const Narrow = ({ wanted, tags, onWant }: NarrowProps): ReactElement => (
  <div className="narrow">
    <TextField
      label={t('Search')}
      type="search"
      value={wanted.sought}
      onChange={(sought) => onWant({ ...wanted, sought })}
      placeholder={t('Name, tag or folder')}
    />
    <SelectField
      label={t('Order')}
      value={wanted.order}
      options={[
        { value: 'changed', text: t('Changed last') },
        { value: 'name', text: t('Name') },
      ]}
      onChange={(order) => onWant({ ...wanted, order: order === 'name' ? 'name' : 'changed' })}
    />
    {tags.length > 0 && (
      <ul className="tag-list" aria-label={t('Tags')}>
        {tags.map(({ name, count }) => (
          <li key={name}>
            <button
              type="button"
              className="tag"
              aria-pressed={wanted.tag === name}
              onClick={() => onWant({ ...wanted, tag: wanted.tag === name ? null : name })}
            >
              {name} <span aria-hidden="true">{count}</span>
            </button>
          </li>
        ))}
      </ul>
    )}
  </div>
);

interface PathProps {
  readonly folder: readonly string[];
  readonly onEnter: (folder: readonly string[]) => void;
}

/** Where one is, and the way back. */
const FolderPath = ({ folder, onEnter }: PathProps): ReactElement => (
  <nav className="folder-path" aria-label={t('Folder')}>
    <Button onClick={() => onEnter([])}>{t('All projects')}</Button>
    {folder.map((name, index) => (
      <Fragment key={folder.slice(0, index + 1).join('/')}>
        <span aria-hidden="true">/</span>
        <Button
          aria-current={index === folder.length - 1 ? 'location' : undefined}
          onClick={() => onEnter(folder.slice(0, index + 1))}
        >
          {name}
        </Button>
      </Fragment>
    ))}
  </nav>
);
