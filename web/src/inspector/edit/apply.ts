import { ApiError } from 'topolog/client';
import type { Lab } from '../../store/lab.ts';
import { withTask } from '../../store/tasks.ts';
import { undoingOf } from '../../undo/edits.ts';
import { t } from '../../words/words.ts';
import { isSame } from '../form/values.ts';
import { changeOf, type Place, type Target, valueIn } from './targets.ts';

export interface Edit {
  readonly place: Place;
  readonly targets: readonly Target[];
  readonly value: unknown;
  /** As it was when the editing began, by id. */
  readonly base: ReadonlyMap<string, unknown>;
}

/** `theirs`: somebody else has changed it meanwhile, to this. */
export type Outcome = { readonly what: 'done' } | { readonly what: 'conflict'; readonly theirs: unknown };

const TRIES = 3;
const PATHS = {
  project: '/v2/projects/{project_id}',
  node: '/v2/projects/{project_id}/nodes/{node_id}',
  link: '/v2/projects/{project_id}/links/{link_id}',
  drawing: '/v2/projects/{project_id}/drawings/{drawing_id}',
} as const;

const pathOf = ({ projectId }: Lab, { id }: Target) => ({
  project_id: projectId,
  node_id: id,
  link_id: id,
  drawing_id: id,
});

type Read = { readonly etag: string | null; readonly value: unknown };

const read = async (lab: Lab, place: Place, target: Target): Promise<Read> => {
  const { body, etag } = await lab.client.request('get', PATHS[target.collection], { path: pathOf(lab, target) });
  const value = place.spec.file === null ? valueIn(place, body) : await readText(lab, target.id, place.spec.file);
  return { etag, value };
};

const write = (lab: Lab, { place, targets, value }: Edit, etags: readonly (string | null)[]): Promise<unknown> => {
  const [only] = targets;
  const change = changeOf(place, value);
  if (only !== undefined && targets.length === 1)
    return lab.client.put(PATHS[only.collection], {
      path: pathOf(lab, only),
      body: change as never,
      // A project is another one each time its file is saved.
      ifMatch: only.collection === 'project' ? undefined : (etags[0] ?? undefined),
    });
  // A batch expects nothing of its records; they were looked at just before.
  const steps = targets.map(({ collection, id }) => ({
    action: 'update' as const,
    type: collection as 'node' | 'link' | 'drawing',
    id,
    record: change,
  }));
  return lab.client.post('/v2/projects/{project_id}/batch', {
    path: { project_id: lab.projectId },
    body: { steps },
  });
};

/** Changes a field of all of them at once, unless somebody else has changed it since the editing began. Throws what the server says. */
export const apply = (lab: Lab, edit: Edit): Promise<Outcome> => undoingOf(lab).inTurn(() => applyNow(lab, edit));

const applyNow = async (lab: Lab, edit: Edit): Promise<Outcome> => {
  for (let left = TRIES; ; left -= 1) {
    const now = await Promise.all(edit.targets.map((target) => read(lab, edit.place, target)));
    const changed = now.find(({ value }, index) => !isSame(value, edit.base.get(edit.targets[index]?.id ?? '')));
    if (changed !== undefined) return { what: 'conflict', theirs: changed.value };
    try {
      await write(
        lab,
        edit,
        now.map(({ etag }) => etag),
      );
      return { what: 'done' };
    } catch (problem) {
      // Something else of it has changed in between: looked at again.
      if (left <= 1 || !(problem instanceof ApiError && problem.status === 412)) throw problem;
    }
  }
};

/** Stops those that run, changes the field, and starts them again, also where it was refused. */
export const applyStopped = (lab: Lab, edit: Edit): Promise<Outcome> => {
  const { nodes } = lab.state.get().records;
  const running = edit.targets.filter(({ id }) => (nodes.get(id)?.status ?? 'stopped') !== 'stopped');
  const started = running.filter(({ id }) => nodes.get(id)?.status === 'started');
  const act = (targets: readonly Target[], action: 'start' | 'stop'): Promise<unknown> =>
    Promise.all(
      targets.map(({ id }) =>
        lab.client.post(`/v2/projects/{project_id}/nodes/{node_id}/${action}`, {
          path: { project_id: lab.projectId, node_id: id },
        }),
      ),
    );
  return withTask(t('Stop, change, start'), async (task) => {
    task.report(t('Stopping'), null);
    await act(running, 'stop');
    try {
      task.report(t('Changing'), null);
      return await apply(lab, edit);
    } finally {
      task.report(t('Starting'), null);
      await act(started, 'start');
    }
  });
};

/** A text that is a file of a node; empty where there is none yet. Throws what the server says. */
export const readText = async (lab: Lab, nodeId: string, file: string, signal?: AbortSignal): Promise<string> => {
  const stream = await lab.client.get('/v2/projects/{project_id}/nodes/{node_id}/files/{path}', {
    path: { project_id: lab.projectId, node_id: nodeId, path: file.replace('{node_id}', nodeId) },
    query: { if_missing: 'empty' },
    ...(signal === undefined ? {} : { signal }),
  });
  // An answer without a byte is none.
  return typeof stream === 'object' ? new Response(stream).text() : '';
};
