import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { writeDurably } from '../../common/durable.ts';
import { messageOf } from '../../common/errors.ts';
import { parseMoment } from '../../events/history.ts';
import { fileBelow } from '../../files/project/files.ts';
import { copyNodeDirectory } from '../../files/project/node-directories.ts';
import { sizeBelow } from '../../files/project/tree.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { type LabContext, projectOf } from '../context.ts';
import { checkProjectName } from '../project/names.ts';
import { copyContent, fieldsOfCopy, makeCopy, type NodeCopy } from './copy-content.ts';

/** A new, closed project with a lab as it was at a moment. Its ids are its own; its nodes are stopped. */
export const fork = async (
  context: LabContext,
  caller: Caller,
  projectId: string,
  input: { at?: string; name: string },
): Promise<ProjectRecord> => {
  const { log, moments, pending, settings } = context;
  const last = log.status().position;
  const position = input.at === undefined ? last : await parseMoment(log.store, last, input.at);
  const view = await moments.at(projectId, position);
  const source = projectOf(view, projectId);
  checkProjectName(pending, input.name);

  const project_id = randomUUID();
  const place = path.join(settings.filesDir, 'projects', project_id);
  const own = { project_id, name: input.name, path: place, filename: 'project.gns3' };
  const fields = { ...fieldsOfCopy(source, own), forked_from: { project_id: projectId, position } };
  const copy = await copyContent(context, view, projectId, { ...fields, state: 'closed', created: 0, changed: 0 });
  return makeCopy(context, caller, { source: projectId, fields, copy }, (to) =>
    copyFiles(context, projectId, copy.nodes, { ...own, staged: to }),
  );
};

/** How far it is, is told of the project that is read, as for a duplicate. */
const copyFiles = async (
  context: LabContext,
  sourceId: string,
  nodes: NodeCopy[],
  project: { name: string; path: string; staged: string },
): Promise<void> => {
  const placeOf = ({ fields: { node_directory } }: NodeCopy): string | null =>
    node_directory === null ? null : path.join(project.staged, path.relative(project.path, node_directory));
  const copies: { node: NodeCopy; octets: number }[] = [];
  for (const node of nodes) copies.push({ node, octets: await octetsOf(node) });
  const work = context.jobs.begin(
    sourceId,
    'duplicate',
    copies.reduce((sum, { octets }) => sum + octets, 0),
  );
  try {
    for (const { node, octets } of copies) {
      const what = `${node.fields.name} in ${project.name}`;
      const directory = placeOf(node);
      await copyNodeDirectory(context.logger, node.from, directory, what);
      await writeFormerTexts(context, node, directory);
      work.add(octets);
    }
  } finally {
    work.end();
  }
};

/** Files are those of now: what is on record of then takes their place where it was changed since. */
const writeFormerTexts = async (
  context: LabContext,
  { fields, original }: NodeCopy,
  directory: string | null,
): Promise<void> => {
  const kind = context.kinds.get(fields.kind);
  const { texts = {} } = fields;
  const now = context.committed.get('node', original)?.texts;
  const former = Object.entries(texts).filter(([key, text]) => now?.[key] !== text);
  if (kind === undefined || former.length === 0 || directory === null) return;
  for (const { name, content } of kind.files?.(Object.fromEntries(former), fields) ?? [])
    await fileBelow(directory, name)
      .then((file) => writeDurably(file, content))
      .catch((error: unknown) => context.logger.warn(`texts of ${fields.name}: ${messageOf(error)}`));
};

/** What cannot be read is told by the copy. */
const octetsOf = async ({ from }: NodeCopy): Promise<number> =>
  from === null ? 0 : sizeBelow(from, ['.']).catch(() => 0);
