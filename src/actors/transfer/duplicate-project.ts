import { randomUUID } from 'node:crypto';
import type { ProjectFields } from '../../events/fields.ts';
import { diskError } from '../../files/project/disk-errors.ts';
import { isOwnDirectory, projectParts } from '../../files/project/parts.ts';
import { copyEntry, sizeBelow, walk } from '../../files/project/tree.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { type LabContext, projectOf } from '../context.ts';
import type { DuplicateInput } from './interface.ts';
import { type ContentCopy, copyContent, fieldsOfCopy, makeCopy } from './copy-content.ts';
import { withOwnMacs } from '../node/mac-addresses.ts';
import { checkProjectName, projectFileName, uniqueProjectName } from '../project/names.ts';
import { placeOf, refuseTaken } from '../project/place.ts';

/** A new, closed project with everything that another one has, files included. Captures, recordings and snapshots stay with that. */
export const duplicateProject = async (
  context: LabContext,
  caller: Caller,
  projectId: string,
  input: DuplicateInput,
): Promise<ProjectRecord> => {
  const { pending, committed, settings } = context;
  const source = projectOf(committed, projectId);
  const name = input.name ?? uniqueProjectName(pending, source.name);
  checkProjectName(pending, name);
  const project_id = randomUUID();
  const place = placeOf(settings, project_id, input.path);
  refuseTaken(context, project_id, place);
  const fields = fieldsOfCopy(source, { project_id, name, path: place, filename: projectFileName(name) });
  const copy = await contentOf(context, projectId, fields, input.reset_mac_addresses === true);
  return makeCopy(context, caller, { source: projectId, fields, copy }, (to) =>
    copyFiles(context, source, copy.ids, to),
  );
};

const contentOf = async (
  context: LabContext,
  from: string,
  fields: ProjectFields,
  resetMacs: boolean,
): Promise<ContentCopy> => {
  const copy = await copyContent(context, context.committed, from, {
    ...fields,
    state: 'closed',
    created: 0,
    changed: 0,
  });
  if (!resetMacs) return copy;
  return {
    ...copy,
    nodes: copy.nodes.map((node) => ({
      ...node,
      fields: withOwnMacs(context.kinds.get(node.fields.kind), node.fields),
    })),
  };
};

const copyFiles = async (
  { settings, jobs, pending }: LabContext,
  source: ProjectRecord,
  ids: ReadonlyMap<string, string>,
  to: string,
): Promise<void> => {
  try {
    const parts = await projectParts(source.path, isOwnDirectory(settings.filesDir, source));
    const work = jobs.begin(source.project_id, 'duplicate', await sizeBelow(source.path, parts));
    try {
      for (const part of parts)
        for await (const entry of walk(source.path, part)) {
          const node = nodeOfFile(entry.path);
          const id = node === null ? undefined : ids.get(node);
          // A node that was made since is not in the copy.
          const isNew = node !== null && id === undefined && pending.get('node', node) !== undefined;
          if (!isNew) await copyEntry(entry, source.path, to, { as: renamed(entry.path, id) });
          if (entry.type === 'file') work.add(entry.bytes);
        }
    } finally {
      work.end();
    }
  } catch (error) {
    throw diskError(error, `the files of ${source.name} cannot be copied`);
  }
};

/** The node in whose directory a file is, `project-files/<kind>/<node>/…`. */
const nodeOfFile = (name: string): string | null => {
  const [folder, , node] = name.split('/');
  return folder === 'project-files' ? (node ?? null) : null;
};

/** A name in the directory of a node, with the id of the copy. */
const renamed = (name: string, id: string | undefined): string => {
  const parts = name.split('/');
  return id === undefined ? name : [...parts.slice(0, 2), id, ...parts.slice(3)].join('/');
};
