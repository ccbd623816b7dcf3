import type { Client } from 'topolog/client';
import { goTo } from '../app/router.ts';
import { attempt, notify } from '../store/notices.ts';
import type { Project } from '../store/records.ts';
import { withTask } from '../store/tasks.ts';
import { type Job, withJob } from '../store/jobs.ts';
import { confirm } from '../ui/confirm.tsx';
import { t } from '../words/words.ts';
import { download } from './transfer.ts';

/** Actions on a project as a whole. Failures are told; each answers whether it worked. */

export const nameOf = ({ name, project_id }: Project): string => name ?? project_id;

const copyOf = ({ project_id }: Project): Job => ({ project_id, what: 'duplicate' });

const pathOf = ({ project_id }: Project): { path: { project_id: string } } => ({ path: { project_id } });

export const openProject = async (client: Client, project: Project): Promise<boolean> => {
  const worked = await attempt(() =>
    withTask(t('Opening {name}', { name: nameOf(project) }), () =>
      client.post('/v2/projects/{project_id}/open', pathOf(project)),
    ),
  );
  if (worked) goTo({ view: 'lab', projectId: project.project_id });
  return worked;
};

export const closeProject = async (client: Client, project: Project): Promise<boolean> => {
  const isSure = await confirm({
    title: t('Close {name}?', { name: nameOf(project) }),
    text: t('All its nodes stop. Nothing is lost: you can open it again.'),
    action: t('Close it'),
  });
  return (
    isSure &&
    attempt(() =>
      withTask(t('Closing {name}', { name: nameOf(project) }), () =>
        client.post('/v2/projects/{project_id}/close', pathOf(project)),
      ),
    )
  );
};

export const deleteProject = async (client: Client, project: Project): Promise<boolean> => {
  const isSure = await confirm({
    title: t('Delete {name}?', { name: nameOf(project) }),
    text: t('Its nodes stop and all its files are deleted. This cannot be undone. Its history stays in the log.'),
    action: t('Delete it'),
    typed: nameOf(project),
  });
  if (!isSure) return false;
  const worked = await attempt(() =>
    withTask(t('Deleting {name}', { name: nameOf(project) }), () =>
      client.delete('/v2/projects/{project_id}', pathOf(project)),
    ),
  );
  if (worked) notify('success', t('{name} is deleted.', { name: nameOf(project) }));
  return worked;
};

export const downloadProject = (client: Client, project: Project): Promise<boolean> =>
  attempt(() => download(client, project.project_id, nameOf(project)));

export const duplicateProject = (client: Client, project: Project, name: string): Promise<void> =>
  withTask(t('Duplicating {name}', { name: nameOf(project) }), async (task) => {
    task.report(t('The server copies its files'), null);
    await withJob(client, copyOf(project), task, () =>
      client.post('/v2/projects/{project_id}/duplicate', { ...pathOf(project), body: { name } }),
    );
    notify('success', t('{name} is a copy of {original}.', { name, original: nameOf(project) }));
  });

/** `at`: a position or an ISO time; now when it is undefined. */
export const forkProject = (
  client: Client,
  project: Project,
  name: string,
  at: string | number | undefined,
): Promise<string> =>
  withTask(t('Forking {name}', { name: nameOf(project) }), async (task) => {
    task.report(t('The server copies its files'), null);
    const body = at === undefined ? { name } : { name, at };
    const { project_id } = await withJob(client, copyOf(project), task, () =>
      client.post('/v2/projects/{project_id}/fork', { ...pathOf(project), body }),
    );
    notify('success', t('{name} begins as {original} was.', { name, original: nameOf(project) }));
    return project_id;
  });

export const renameProject = async (client: Client, project: Project, name: string): Promise<void> => {
  await client.put('/v2/projects/{project_id}', { ...pathOf(project), body: { name } });
};
