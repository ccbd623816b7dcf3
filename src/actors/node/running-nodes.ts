import { conflict } from '../../common/errors.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';

/** Nodes whose files may change under a copy. Those that always run keep none. */
export const runningNodes = ({ pending, kinds }: LabContext, projectId: string): NodeRecord[] =>
  pending
    .ofProject('node', projectId)
    .filter(({ kind, state }) => state !== 'stopped' && kinds.get(kind)?.capabilities.always_on !== true);

export const refuseRunning = (context: LabContext, projectId: string, what: string): void => {
  const running = runningNodes(context, projectId);
  if (running.length === 0) return;
  const names = running.map(({ name }) => name);
  throw conflict(`the project cannot ${what} while ${names.join(', ')} ${names.length === 1 ? 'runs' : 'run'}`, {
    nodes: running.map(({ node_id }) => node_id),
  });
};
