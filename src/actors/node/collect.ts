import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { confined, readBounded } from '../../common/file.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import type { Engine, Kind, NodeFile } from '../../emulators/kit/contract.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { fetchFiles } from '../compute/files.ts';
import { appendOne, type LabContext, nodeOf, openProjectOf, toKindNode } from '../context.ts';
import type { Directory } from '../directory.ts';
import { engineOf } from './engine.ts';
import { kindOf } from './fields.ts';
import type { Collected, NodeCommands } from './interface.ts';

/** Octets of a node's configuration: all of it is in one event. */
const MOST = 2 * 1024 ** 2;
/** For an engine to read it. Milliseconds. */
const READ_MS = 30_000;

/** What nodes are configured with, read and kept as versions on record. */
export const collecting = (directory: Directory): Pick<NodeCommands, 'collectConfigs'> => {
  const { context } = directory;
  return {
    async collectConfigs(caller, project_id, nodeIds) {
      openProjectOf(context.pending, project_id);
      const records =
        nodeIds === null
          ? [...context.pending.ofProject('node', project_id)].filter((record) => keepsConfig(context, record))
          : nodeIds.map((node_id) => nodeOf(context.pending, { project_id, node_id }));
      return Promise.all(records.map((record) => collect(directory, caller, record)));
    },
  };
};

const keepsConfig = (context: LabContext, record: NodeRecord): boolean =>
  context.kinds.get(record.kind)?.configFiles !== undefined ||
  (record.state === 'started' && engineOf(context, record)?.configuration !== undefined);

const collect = async (directory: Directory, caller: Caller, record: NodeRecord): Promise<Collected> => {
  const { context } = directory;
  const { project_id, node_id, name } = record;
  const told = { node_id, name, position: null, files: [], problem: null };
  try {
    return await directory.node(node_id).exclusive(async () => {
      const now = nodeOf(context.pending, { project_id, node_id });
      // The checksum is that of the event's files, so that no secret can be guessed from it.
      const files = context.secrets.untold(project_id, context.secrets.sealed(project_id, await read(context, now)));
      const sha256 = createHash('sha256').update(JSON.stringify(files)).digest('hex');
      const names = files.map((file) => file.name);
      if (files.length === 0 || now.config_sha256 === sha256) return { ...told, files: names };
      const data = { project_id, node_id, files, sha256 };
      const { position } = await appendOne(context, caller, project_id, 'node.config_collected', data);
      return { ...told, files: names, position };
    });
  } catch (error) {
    return { ...told, problem: messageOf(error) };
  }
};

/** What a running node says itself goes before what its directory has. */
const read = async (context: LabContext, record: NodeRecord): Promise<NodeFile[]> => {
  const kind = kindOf(context, record.kind);
  const engine = record.state === 'started' ? engineOf(context, record) : undefined;
  if (!keepsConfig(context, record))
    throw conflict(
      record.state === 'started'
        ? `${record.name}: nodes of this kind keep no configuration that can be read`
        : `${record.name} is ${record.state}; its configuration can be read while it runs`,
    );
  const files = (await saidBy(engine, context, record)) ?? (await keptBy(kind, context, record));
  const octets = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  if (octets > MOST) throw conflict(`${record.name}: its configuration has ${octets} octets, more than ${MOST}`);
  return files;
};

const saidBy = async (
  engine: Engine | undefined,
  context: LabContext,
  record: NodeRecord,
): Promise<NodeFile[] | null> =>
  engine?.configuration === undefined
    ? null
    : engine.configuration(toKindNode(context, record), AbortSignal.timeout(READ_MS));

const keptBy = async (kind: Kind, context: LabContext, record: NodeRecord): Promise<NodeFile[]> => {
  await fetchFiles(context, record);
  const { node_directory: root } = record;
  if (root === null) return [];
  const files: NodeFile[] = [];
  for (const name of kind.configFiles?.(record) ?? []) {
    const file = await confined(root, path.join(root, name));
    const size = file === null ? null : await stat(file).catch(() => null);
    if (file !== null && size !== null && size.isFile() && size.size <= MOST)
      files.push({ name, content: (await readBounded(file, MOST)).toString() });
  }
  return files;
};
