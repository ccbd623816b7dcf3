import { ApiError } from 'topolog/client';
import { unreachableOf } from '../../computes/computes.ts';
import type { Lab } from '../../store/lab.ts';
import { attempt, notify, sentenceOf } from '../../store/notices.ts';
import type { Node } from '../../store/records.ts';
import { withTask } from '../../store/tasks.ts';
import { confirm } from '../../ui/confirm.tsx';
import { asEdit } from '../../undo/edits.ts';
import { type Message, t, told } from '../../words/words.ts';
import { freePlace } from './free-place.ts';

export type NodeAction = 'start' | 'stop' | 'suspend' | 'reload';

/** A node whose action has failed, and why, with what there is to do about it. */
export interface Failure {
  readonly nodeId: string;
  readonly name: string;
  readonly message: string;
}

/** The lab that actions work on, and the place where they report. */
export interface ActionScope {
  readonly lab: Lab;
  /** Shows those that have failed. */
  readonly onFailed: (failed: readonly Failure[]) => void;
}

const DOING: Readonly<Record<NodeAction, Message>> = {
  start: 'Starting {count, plural, one {# node} other {# nodes}}',
  stop: 'Stopping {count, plural, one {# node} other {# nodes}}',
  suspend: 'Suspending {count, plural, one {# node} other {# nodes}}',
  reload: 'Restarting {count, plural, one {# node} other {# nodes}}',
};
const REACHED: Readonly<Record<NodeAction, Node['status']>> = {
  start: 'started',
  stop: 'stopped',
  suspend: 'suspended',
  reload: 'started',
};
/** Requests under way at once when some nodes of a lab are acted on. */
const AT_ONCE = 8;

const failuresOf = (problem: unknown): Failure[] | null => {
  if (!(problem instanceof ApiError) || problem.code !== 'nodes_failed') return null;
  const { failed } = problem.details as { failed?: { node_id: string; name: string; message: string }[] };
  return (failed ?? []).map(({ node_id, name, message }) => ({ nodeId: node_id, name, message: told(message) }));
};

/** Acts on every node of the lab, showing how far it is. */
export const actOnAll = async (scope: ActionScope, action: NodeAction): Promise<void> => {
  const { lab } = scope;
  const ids = [...lab.state.get().records.nodes.keys()];
  if (!(await isSure(action, ids.length))) return;
  const path = { project_id: lab.projectId };
  const call = (): Promise<unknown> => lab.client.post(`/v2/projects/{project_id}/nodes/${action}`, { path });
  const failed = await watched(lab, action, ids, async () => {
    try {
      await call();
      return [];
    } catch (problem) {
      const list = failuresOf(problem);
      if (list === null) throw problem;
      return list;
    }
  });
  if (failed !== null && failed.length > 0) scope.onFailed(failed);
};

/** Acts on some nodes; those that are unreachable are not asked. */
export const actOn = async (scope: ActionScope, action: NodeAction, nodes: readonly Node[]): Promise<void> => {
  const failures = awayOf(nodes);
  const left = nodes.filter((node) => unreachableOf(node) === null);
  if (left.length === 0) {
    scope.onFailed(failures);
    return;
  }
  if (!(await isSure(action, left.length))) return;
  const ids = left.map(({ node_id }) => node_id);
  const failed = await watched(scope.lab, action, ids, async () => {
    const work = async (): Promise<void> => {
      for (let node = left.shift(); node !== undefined; node = left.shift()) {
        const { node_id, name } = node;
        const path = { project_id: scope.lab.projectId, node_id };
        try {
          await scope.lab.client.post(`/v2/projects/{project_id}/nodes/{node_id}/${action}`, { path });
        } catch (problem) {
          failures.push({ nodeId: node_id, name, message: sentenceOf(problem) });
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return failures;
  });
  if (failed !== null && failed.length > 0) scope.onFailed(failed);
};

const awayOf = (nodes: readonly Node[]): Failure[] =>
  nodes.flatMap((node) => {
    const reason = unreachableOf(node);
    return reason === null
      ? []
      : [{ nodeId: node.node_id, name: node.name, message: t('It is unreachable: {reason}', { reason }) }];
  });

const isSure = (action: NodeAction, count: number): Promise<boolean> =>
  count < 2 || action === 'start' || action === 'suspend'
    ? Promise.resolve(true)
    : confirm({
        title: action === 'stop' ? t('Stop {count} nodes?', { count }) : t('Restart {count} nodes?', { count }),
        text: t('What they keep in memory is lost.'),
        action: action === 'stop' ? t('Stop') : t('Restart'),
      });

/** Shows work on nodes by what the feed tells of them. Null: it could not be done at all, which was told. */
const watched = async (
  lab: Lab,
  action: NodeAction,
  ids: readonly string[],
  work: () => Promise<Failure[]>,
): Promise<Failure[] | null> => {
  let failed: Failure[] | null = null;
  const title = t(DOING[action], { count: ids.length });
  await attempt(() =>
    withTask(title, async (task) => {
      const count = createNodeCount(lab.state.get().records.nodes, ids, REACHED[action], action === 'reload');
      const look = (): void => {
        const { done, of, last } = count(lab.state.get().records.nodes);
        const text =
          last === null
            ? t('{done} of {total} done', { done, total: of })
            : t('{done} of {total} done, last {name}', { done, total: of, name: last });
        task.report(text, of === 0 ? null : done / of);
      };
      look();
      const end = lab.state.subscribe(look);
      try {
        failed = await work();
      } finally {
        end();
      }
    }),
  );
  return failed;
};

const pathOf = ({ project_id, node_id }: Node): { path: { project_id: string; node_id: string } } => ({
  path: { project_id, node_id },
});

export const renameNode = async (lab: Lab, node: Node, name: string): Promise<void> => {
  // A label that shows the name follows it; another one stays.
  const label = node.label.text === node.name ? { label: { ...node.label, text: name } } : {};
  await asEdit(lab, (headers) =>
    lab.client.put('/v2/projects/{project_id}/nodes/{node_id}', { ...pathOf(node), body: { name, ...label }, headers }),
  );
};

/** Beside the original. Pixels of the map. */
const ASIDE = 60;
const STEP = 20;

export const duplicateNode = (lab: Lab, node: Node): Promise<boolean> =>
  attempt(async () => {
    const { name } = await asEdit(lab, (headers) => {
      const { x, y, width, height } = node;
      const wanted = { x: x + ASIDE, y: y + ASIDE, width, height };
      const place = freePlace([...lab.state.get().records.nodes.values()], wanted, STEP);
      return lab.client.post('/v2/projects/{project_id}/nodes/{node_id}/duplicate', {
        ...pathOf(node),
        headers,
        body: { ...place, z: node.z },
      });
    });
    notify('success', t('{copy} is a copy of {name}.', { copy: name, name: node.name }));
  });

type Nodes = ReadonlyMap<string, Node>;

interface NodeCount {
  readonly done: number;
  readonly of: number;
  /** Name of the one that got there last. */
  readonly last: string | null;
}

/**
 * Counts, of those nodes that had a way to go when it was made, those that are there. `isRepeated`: one that is there already has to come
 * there again, as in a restart: its record has changed since.
 */
export const createNodeCount = (
  before: Nodes,
  ids: readonly string[],
  wanted: Node['status'],
  isRepeated: boolean,
): ((now: Nodes) => NodeCount) => {
  const waiting = new Set(isRepeated ? ids : ids.filter((id) => before.get(id)?.status !== wanted));
  const of = waiting.size;
  let last: string | null = null;
  return (now) => {
    for (const id of waiting) {
      const node = now.get(id);
      if (node?.status !== wanted || (isRepeated && node === before.get(id))) continue;
      waiting.delete(id);
      last = node.name;
    }
    return { done: of - waiting.size, of, last };
  };
};
