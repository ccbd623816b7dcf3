import path from 'node:path';
import { conflict } from '../../common/errors.ts';
import { eachInTurns } from '../../common/slices.ts';
import type { LogEvent } from '../../events/event.ts';
import { history, type HistoryQuery } from '../../events/history.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { upcast } from '../../events/upcasters.ts';
import { changedSinceDeletion, isDeletedKept, keptDirectory } from '../../files/project/deleted-nodes.ts';
import { LoggedFiles } from '../../projections/logged-files.ts';
import type { BatchStep } from '../batch/interface.ts';
import { type LabContext, projectOf } from '../context.ts';
import { ownerOf } from '../project/placing.ts';

/**
 * A node that comes back has the files that are kept of it; one whose files are gone does not have them. Throws a conflict for files that
 * are not what the log says that they were.
 */
export const withoutLostFiles = (
  context: LabContext,
  projectId: string,
  steps: readonly BatchStep[],
): Promise<BatchStep[]> => {
  const { path: place } = projectOf(context.pending, projectId);
  return eachInTurns(steps, async (step) => {
    if (step.type !== 'node' || step.action !== 'create') return step;
    const { node_id = '', name } = step.input;
    if (await isDeletedKept(place, node_id)) {
      // A file of it may be on its way there.
      await context.placing.settled(projectId);
      await refuseChanged(context, { project_id: projectId, place, node_id, name });
      return step;
    }
    if (step.input.kept?.text_files === undefined) return step;
    const { text_files: _, ...kept } = step.input.kept;
    return { ...step, input: { ...step.input, kept } };
  });
};

interface Kept {
  project_id: string;
  /** Directory of the project. */
  place: string;
  node_id: string;
  name: string;
}

const refuseChanged = async (context: LabContext, { project_id, place, node_id, name }: Kept): Promise<void> => {
  const given = new LoggedFiles();
  for await (const event of eventsOf(context, { project_id, object: node_id })) given.apply(event);
  const changed = await changedSinceDeletion(place, node_id, given.files);
  if (changed === null) return;
  const { position = 0 } = given.files.get(changed) ?? {};
  // Also looks at files that were written by a project path; few ever come here.
  const types = ['project.restored', 'file.written'];
  for await (const event of eventsOf(context, { project_id, from: position + 1, types }))
    if (event.type === 'project.restored' || isWrittenBelow(event, node_id)) return;
  const file = path.join(keptDirectory(place, node_id), changed);
  throw conflict(
    `${name}: its file ${changed} is kept in ${file}, and is not what was written: it was changed by another program, or is damaged; ` +
      'remove it there, and the node comes back without it',
  );
};

/** By a controller, as a file of the project. */
const isWrittenBelow = (event: AnyEvent, nodeId: string): boolean =>
  event.type === 'file.written' && event.data.node_id === null && ownerOf(event.data) === nodeId;

async function* eventsOf({ log }: LabContext, query: HistoryQuery): AsyncGenerator<AnyEvent> {
  for (let from = query.from ?? 1, next: number | null; ; from = next) {
    const page = await history(log.store, log.status().position, { ...query, from });
    for (const text of page.texts) yield upcast(JSON.parse(text) as LogEvent);
    next = page.next;
    if (next === null) return;
  }
}
