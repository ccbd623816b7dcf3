import type { Schemas } from '../store/api.ts';
import type { Lab } from '../store/lab.ts';
import { sayField } from '../undo/restore.ts';
import { type Message, t } from '../words/words.ts';

export type Snapshot = Schemas['Snapshot'];
export type Change = Schemas['Restored']['changes'][number];

/** A snapshot, and the event that made it. */
export interface Taken extends Snapshot {
  /** Who made it; null: it came with the project. */
  readonly by: string | null;
  /** Of the log; null: it came with the project, so nothing is known of the moment. */
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

/** What has happened to it since the snapshot, by what a restore would do. */
export const saySince = ({ action, name, type }: Change): string =>
  t(ACTIONS[action], { name: type === 'project' ? t(TYPES.project) : (name ?? t(TYPES[type])) });

/** `x: 0 → 5`, from then to now. */
export const sayFieldSince = ({ field, from, to }: Change['fields'][number]): string =>
  sayField({ field, from: to, to: from });
