import { constants } from 'node:fs';
import { cp } from 'node:fs/promises';
import { makeDirectory } from '../../common/durable.ts';
import { messageOf } from '../../common/errors.ts';
import type { NodeFields } from '../../events/fields.ts';
import { syncTree } from '../../files/project/tree.ts';
import type { LabContext } from '../context.ts';

/**
 * Gives a copy of a node the original's files as they are now; the log knows no older ones. Copied on write where the file system
 * can. What cannot be copied is reported: the copy is there in any case.
 */
export const copyNodeFiles = async (
  context: LabContext,
  from: string | null,
  { node_directory: to, name }: Pick<NodeFields, 'node_directory' | 'name'>,
  projectName: string,
): Promise<void> => {
  if (from === null || to === null) return;
  try {
    await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true });
    await syncTree(to, { files: true });
    await makeDirectory(to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      context.logger.warn(`files of ${name} in ${projectName}: ${messageOf(error)}`);
  }
};
