import { isDeletedKept, keptDirectory } from '../../files/project/deleted-nodes.ts';
import { fileBelow } from '../../files/project/files.ts';
import { isThere } from '../../files/project/tree.ts';
import { placeUpload } from '../../files/uploads.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { LabContext } from '../context.ts';
import type { ToldFile } from './placing.ts';

type Project = Pick<ProjectRecord, 'project_id' | 'path'>;

/** A file whose content is on disk as an upload, and its event as well. */
interface WaitingFile extends ToldFile {
  /** Directory of its owner. */
  root: string;
}

/**
 * Puts a file in its place. Answers whether it is there: a later event may tell of the file, or its node may be gone with all that it
 * had. Of a node that was deleted since, what is kept has it, so that an undo brings it back. For those that have begun (`Placing`).
 */
export const placeFile = (context: LabContext, project: Project, file: WaitingFile): Promise<boolean> =>
  context.placing.put(project.project_id, file, async () => {
    const { node_id, path, upload, root } = file;
    const directory = node_id === null ? root : await directoryOf(context, project, node_id, root);
    if (directory === null) return false;
    await placeUpload(project.path, upload, await fileBelow(directory, path));
    return true;
  });

/**
 * Where the files of a node are that it was told of; null: nowhere. `own`: its directory, which the effect of its deletion may still have
 * to take away; null: it has none.
 */
export const directoryOf = async (
  { committed }: Pick<LabContext, 'committed'>,
  { project_id, path }: Project,
  nodeId: string,
  own: string | null,
): Promise<string | null> => {
  if (committed.get('node', nodeId)?.project_id === project_id) return own;
  if (await isDeletedKept(path, nodeId)) return keptDirectory(path, nodeId);
  return own !== null && (await isThere(own)) ? own : null;
};
