import type { Schemas } from 'topolog/client';
import type { Lab } from '../store/lab.ts';
import { attempt, notify } from '../store/notices.ts';
import { withTask } from '../store/tasks.ts';
import { confirm } from '../ui/confirm.tsx';
import { sayField } from '../undo/restore.ts';
import { type Message, t } from '../words/words.ts';

export type Snapshot = Schemas['Snapshot'];
export type Change = Schemas['Restored']['changes'][number];

/** A snapshot, and the event that made it. */
export interface Taken extends Snapshot {
  /** Name of the person who made it; null: it came with the project. */
  readonly by: string | null;
  /** Position in the log; null: it came with the project, so nothing is known of the moment. */
  readonly position: number | null;
}

const MOST = '1000';

/** Newest first. */
export const readSnapshots = async ({ client, projectId }: Lab, signal: AbortSignal): Promise<Taken[]> => {
  const path = { project_id: projectId };
  const [snapshots, { events }] = await Promise.all([
    client.get('/v2/projects/{project_id}/snapshots', { path, signal }),
    client.get('/v2/projects/{project_id}/events', { path, query: { type: 'snapshot.created', limit: MOST }, signal }),
  ]);
  const made = new Map(events.map((event) => [(event.data as { snapshot_id?: string }).snapshot_id, event] as const));
  return snapshots
    .map((snapshot): Taken => {
      const event = made.get(snapshot.snapshot_id);
      return { ...snapshot, by: event?.by.principal ?? null, position: event?.position ?? null };
    })
    .reverse();
};

const ACTIONS: Readonly<Record<Change['action'], Message>> = {
  // A restore would make it, or take it away: since then it was deleted, or made.
  create: '{name} was deleted',
  delete: '{name} was added',
  change: '{name} was changed',
};
const TYPES: Readonly<Record<Change['type'], Message>> = {
  node: 'a node',
  link: 'a link',
  drawing: 'a drawing',
  project: 'the project settings',
};

/** Says what has happened to an object since the snapshot, by what a restore would do. */
export const saySince = ({ action, name, type }: Change): string =>
  t(ACTIONS[action], { name: type === 'project' ? t(TYPES.project) : (name ?? t(TYPES[type])) });

/** `x: 0 → 5`, from then to now. */
export const sayFieldSince = ({ field, from, to }: Change['fields'][number]): string =>
  sayField({ field, from: to, to: from });

interface Known {
  readonly snapshot_id: string;
  readonly name: string;
}

const at = ({ projectId }: Lab, { snapshot_id }: Known) => ({ path: { project_id: projectId, snapshot_id } });

/** Asks, and answers whether it worked. */
export const restoreSnapshot = async (lab: Lab, snapshot: Known): Promise<boolean> => {
  const { name } = snapshot;
  const isSure = await confirm({
    title: t('Restore {name}?', { name }),
    text: t(
      'All nodes stop. The lab and its files become what they were; what came since is lost, but for the history.',
    ),
    action: t('Restore'),
  });
  if (!isSure) return false;
  return attempt(async () => {
    await withTask(t('Restoring {name}', { name }), async (task) => {
      task.report(t('The server stops the nodes and puts the files back'), null);
      await lab.client.post('/v2/projects/{project_id}/snapshots/{snapshot_id}/restore', at(lab, snapshot));
    });
    notify('success', t('The lab is as it was in {name}.', { name }));
  });
};

/** The same. */
export const removeSnapshot = async (lab: Lab, snapshot: Known): Promise<boolean> => {
  const { name } = snapshot;
  const isSure = await confirm({
    title: t('Delete {name}?', { name }),
    text: t('Its files are gone then. This cannot be undone.'),
    action: t('Delete it'),
  });
  return (
    isSure && attempt(() => lab.client.delete('/v2/projects/{project_id}/snapshots/{snapshot_id}', at(lab, snapshot)))
  );
};
