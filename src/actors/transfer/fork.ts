import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { ProjectFields } from '../../events/fields.ts';
import { writeDurably } from '../../common/durable.ts';
import { messageOf } from '../../common/errors.ts';
import { parseMoment } from '../../events/history.ts';
import { fileBelow } from '../../files/project/files.ts';
import { copyNodeDirectory } from '../../files/project/node-directories.ts';
import { sizeBelow } from '../../files/project/tree.ts';
import type { ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { type LabContext, projectOf } from '../context.ts';
import { makeOwnDirectory } from '../project/directory.ts';
import { checkProjectName } from '../project/names.ts';
import { copyContent, copyEvents, fieldsOfCopy, type NodeCopy } from './copy-content.ts';

/** A new, closed project with a lab as it was at a moment. Its ids are its own; its nodes are stopped. */
export const fork = async (
  context: LabContext,
  caller: Caller,
  projectId: string,
  input: { at?: string; name: string },
): Promise<ProjectRecord> => {
  const { log, moments, pending, committed, settings } = context;
  const last = log.status().position;
  const position = input.at === undefined ? last : await parseMoment(log.store, last, input.at);
  const view = await moments.at(projectId, position);
  const source = projectOf(view, projectId);
  checkProjectName(pending, input.name);

  const project_id = randomUUID();
  const place = path.join(settings.filesDir, 'projects', project_id);
  const own = { project_id, name: input.name, path: place, filename: 'project.gns3' };
  const fields = { ...fieldsOfCopy(source, own), forked_from: { project_id: projectId, position } };
  const copies = await copyContent(context, view, projectId, { ...fields, state: 'closed', created: 0, changed: 0 });
  const events = await copyEvents(context, caller, fields, copies);
  checkProjectName(pending, input.name);
  await log.append(events);
  await makeOwnDirectory(context, caller, fields);
  await copyFiles(context, projectId, fields, copies.nodes);
  return projectOf(committed, project_id);
};

/** How far it is, is told of the project that is read, as for a duplicate. */
const copyFiles = async (
  context: LabContext,
  sourceId: string,
  project: ProjectFields,
  nodes: NodeCopy[],
): Promise<void> => {
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
      await copyNodeDirectory(context.logger, node.from, node.fields.node_directory, what);
      await writeFormerTexts(context, node);
      work.add(octets);
    }
  } finally {
    work.end();
  }
};

/** Files are those of now: what is on record of then takes their place where it was changed since. */
const writeFormerTexts = async (context: LabContext, { fields, original }: NodeCopy): Promise<void> => {
  const kind = context.kinds.get(fields.kind);
  const { texts = {} } = fields;
  const now = context.committed.get('node', original)?.texts;
  const former = Object.entries(texts).filter(([key, text]) => now?.[key] !== text);
  if (kind === undefined || former.length === 0) return;
  const directory = fields.node_directory;
  if (directory === null) return;
  for (const { name, content } of kind.files?.(Object.fromEntries(former), fields) ?? [])
    await fileBelow(directory, name)
      .then((file) => writeDurably(file, content))
      .catch((error: unknown) => context.logger.warn(`texts of ${fields.name}: ${messageOf(error)}`));
};

/** What cannot be read is told by the copy. */
const octetsOf = async ({ from }: NodeCopy): Promise<number> =>
  from === null ? 0 : sizeBelow(from, ['.']).catch(() => 0);
