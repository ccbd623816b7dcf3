import { type ReactElement, useEffect, useState } from 'react';
import type { Client } from 'topolog/client';
import { hashOf } from '../app/router.ts';
import { session } from '../app/user/session.ts';
import type { Overview } from '../store/projects.ts';
import type { Project } from '../store/records.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { sayAgo } from '../words/format.ts';
import { t } from '../words/words.ts';
import { closeProject, deleteProject, downloadProject, nameOf, openProject } from './actions.ts';
import { sayFolder, tagsOf } from './project-list.ts';

/** Actions on a project that ask something first. */
export type Wish = 'duplicate' | 'fork' | 'rename' | 'organise';

interface Props {
  readonly client: Client;
  readonly project: Project;
  readonly overview: Overview | undefined;
  /** Folders below the one that is shown, where it is found in one of them. */
  readonly inFolder: readonly string[];
  readonly onWish: (wish: Wish) => void;
  readonly onTag: (tag: string) => void;
}

export const ProjectCard = ({ client, project, overview, inFolder, onWish, onTag }: Props): ReactElement => {
  const name = nameOf(project);
  const href = hashOf({ view: 'lab', projectId: project.project_id });
  return (
    <li className="project-card" data-project={project.project_id}>
      <a className="card-picture" href={href} tabIndex={-1} aria-hidden="true">
        <Thumbnail projectId={project.project_id} changedAt={overview?.changed_at ?? null} />
      </a>
      <div className="card-text">
        <div className="card-head">
          <a className="project-name" href={href} title={project.path ?? undefined}>
            {name}
          </a>
          <More {...{ client, project, overview, onWish }} />
        </div>
        <StateLine project={project} overview={overview} />
        {(inFolder.length > 0 || tagsOf(project).length > 0) && (
          <div className="card-tags">
            {inFolder.length > 0 && <span className="note">{sayFolder(inFolder)}</span>}
            {tagsOf(project).map((tag) => (
              <button
                key={tag}
                type="button"
                className="tag"
                title={t('Show all with this tag')}
                onClick={() => onTag(tag)}
              >
                {tag}
              </button>
            ))}
          </div>
        )}
        <Foot {...{ client, project, overview }} />
      </div>
    </li>
  );
};

/** Opens, shows and closes it; who is there. */
const Foot = ({ client, project, overview }: Pick<Props, 'client' | 'project' | 'overview'>): ReactElement => {
  const name = nameOf(project);
  return (
    <div className="card-foot">
      {project.status === 'opened' ? (
        <>
          <a className="button primary" href={hashOf({ view: 'lab', projectId: project.project_id })}>
            {t('Show')}
            <span className="visually-hidden"> {name}</span>
          </a>
          <Button onClick={() => void closeProject(client, project)}>
            {t('Close')}
            <span className="visually-hidden"> {name}</span>
          </Button>
        </>
      ) : (
        <Button kind="primary" onClick={() => void openProject(client, project)}>
          {t('Open')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      )}
      <span className="spring" />
      <span className="avatars">
        {(overview?.viewers ?? []).slice(0, 4).map((viewer) => (
          <Avatar key={viewer} name={viewer} />
        ))}
      </span>
    </div>
  );
};

/** Its state in a line: what runs, what failed, when it was changed. */
const StateLine = ({ project, overview }: Pick<Props, 'project' | 'overview'>): ReactElement => {
  const isOpen = project.status === 'opened';
  const { nodes = 0, running = 0, failed = 0, unreachable = 0, changed_at = null } = overview ?? {};
  return (
    <p className="card-facts">
      <span className={`status ${isOpen ? 'on' : 'off'}`}>
        <Icon name={isOpen ? 'play' : 'stop'} />
        {isOpen ? t('open') : t('closed')}
      </span>
      <span>{t('{count, plural, =0 {no nodes} one {# node} other {# nodes}}', { count: nodes })}</span>
      {running > 0 && <span className="count started">{t('{count} started', { count: running })}</span>}
      {failed > 0 && <span className="count failed">{t('{count} failed', { count: failed })}</span>}
      {unreachable > 0 && <span className="count unreachable">{t('{count} unreachable', { count: unreachable })}</span>}
      {changed_at !== null && (
        <time dateTime={changed_at} title={new Date(changed_at).toLocaleString()}>
          {sayAgo(changed_at, Date.now())}
        </time>
      )}
      {isOpen && project.auto_close && <span>{t('closes when its last viewer leaves')}</span>}
    </p>
  );
};

const More = ({
  client,
  project,
  overview,
  onWish,
}: Pick<Props, 'client' | 'project' | 'overview' | 'onWish'>): ReactElement => {
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const name = nameOf(project);
  return (
    <>
      <IconButton
        icon="more"
        label={t('More for {name}', { name })}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      />
      {at !== null && (
        <Menu
          label={name}
          at={at}
          onClose={() => setAt(null)}
          items={itemsOf(client, project, { isRunning: (overview?.busy ?? 0) > 0, onWish })}
        />
      )}
    </>
  );
};

interface Wishing {
  readonly isRunning: boolean;
  readonly onWish: (wish: Wish) => void;
}

/** Actions that need the files of all nodes at rest say so, instead of being refused. */
const itemsOf = (client: Client, project: Project, { isRunning, onWish }: Wishing): MenuItem[] => {
  const atRest = isRunning ? { isDisabled: true, note: t('Stop its nodes first') } : {};
  return [
    { text: t('Rename'), icon: 'edit', onChoose: () => onWish('rename') },
    { text: t('Folder and tags'), icon: 'open', onChoose: () => onWish('organise') },
    { text: t('Duplicate'), icon: 'copy', onChoose: () => onWish('duplicate'), ...atRest },
    { text: t('Fork'), icon: 'fork', onChoose: () => onWish('fork') },
    { text: t('Download'), icon: 'download', onChoose: () => void downloadProject(client, project), ...atRest },
    {
      text: t('Delete'),
      icon: 'delete',
      isDanger: true,
      startsGroup: true,
      onChoose: () => void deleteProject(client, project),
    },
  ];
};

interface ThumbnailProps {
  readonly projectId: string;
  /** Another one: the picture may be another. */
  readonly changedAt: string | null;
}

/** The lab's map, small. */
const Thumbnail = ({ projectId, changedAt }: ThumbnailProps): ReactElement => {
  const [isBroken, setBroken] = useState(false);
  useEffect(() => setBroken(false), [changedAt]);
  const { url } = session.get().client;
  if (isBroken || changedAt === null) return <Icon name="shapes" />;
  return (
    <img
      src={`${url}/v2/projects/${projectId}/picture.svg?size=thumbnail&changed=${changedAt}`}
      alt=""
      loading="lazy"
      onError={() => setBroken(true)}
    />
  );
};
