import { randomUUID } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import path from 'node:path';
import { needRoom } from '../../common/file.ts';
import { conflict, TopologError } from '../../common/errors.ts';
import { etagOfFile, plainPath } from '../../files/project/files.ts';
import { finishRestore } from '../../files/project/snapshot-files.ts';
import { readyPlace, stageUpload } from '../../files/uploads.ts';
import type { NodeRecord, ProjectRecord } from '../../projections/records.ts';
import { takeBack } from '../runtime/outcomes.ts';
import { removeIfDeleted } from './directory.ts';
import { placeFile } from './place-file.ts';
import type { Caller } from '../caller.ts';
import { draft, type LabContext, nodeOf, projectOf } from '../context.ts';
import type { ProjectCommands } from './interface.ts';
import { sendFilesOf } from '../compute/files.ts';
import { checkReachable } from '../node/engine.ts';

interface Writing {
  context: LabContext;
  caller: Caller;
  project: ProjectRecord;
  /** Whose file it is; null: the project's. */
  node: NodeRecord | null;
  root: string;
  /** Below the root. */
  own: string;
  target: Parameters<typeof readyPlace>[0];
  id: string;
  upload: Awaited<ReturnType<typeof stageUpload>>;
  isElsewhere: boolean;
}

/** The event, and then the file in its place. */
const takePlace = async (writing: Writing): Promise<void> => {
  const { context, caller, project, node, root, own, target, id, upload, isElsewhere } = writing;
  const { project_id } = project;
  const checkThere = (): unknown =>
    node === null ? projectOf(context.pending, project_id) : nodeOf(context.pending, node);
  const file = { node_id: node?.node_id ?? null, path: plainPath(own), upload: id };
  try {
    checkThere();
    await readyPlace(target);
    await checkContent(caller, root, own);
    await behindRestore(context, project);
    // It may have been deleted while the file came.
    checkThere();
    const { bytes, sha256 } = upload;
    await context.log.append([draft(caller, project_id, 'file.written', { project_id, ...file, bytes, sha256 })]);
  } catch (error) {
    await takeBack(context.log, () => upload.discard());
    await leaveDeleted(writing);
    throw error;
  }
  try {
    const isPlaced = await placeFile(context, project, { ...file, root });
    if (!isPlaced || !isElsewhere) await upload.discard();
  } catch (error) {
    // The next start puts a recorded file in its place.
    projectOf(context.pending, project_id);
    throw error;
  } finally {
    await removeIfDeleted(context, project);
  }
};

/** Resolves in the tick in which no snapshot, which is on record, has files that would take the place of what is written now. */
const behindRestore = async (context: LabContext, { project_id, path: place }: ProjectRecord): Promise<void> => {
  const { log, pending, placing } = context;
  for (let finished: string | null = null; ;) {
    const staged: string | null = pending.get('project', project_id)?.restore?.staged ?? null;
    if (staged === finished) return;
    if (staged !== null) {
      // Until the restore is on disk the project has its files.
      await log.settled();
      await placing.moved(project_id);
      await finishRestore(place, staged);
    }
    finished = staged;
  }
};

/** Nothing is left of what was refused where its owner has gone meanwhile. */
const leaveDeleted = async ({ context, project, node, root, own }: Writing): Promise<void> => {
  const { committed, log, pending } = context;
  if (node !== null && pending.get('node', node.node_id) === undefined) {
    // Until its deletion is on disk it has its files.
    await log.settled().catch(() => undefined);
    if (committed.get('node', node.node_id) === undefined) await leaveDirectory(root, own);
  }
  await removeIfDeleted(context, project);
};

/** Files of projects and nodes, written by clients. The event has a checksum and no content. */
export const fileCommands = (context: LabContext): Pick<ProjectCommands, 'writeFile'> => {
  return {
    async writeFile(caller, { project_id, node_id, name }, { content, limit, length }) {
      const { pending, kinds, log } = context;
      const project = projectOf(pending, project_id);
      const node = node_id === null ? null : nodeOf(pending, { project_id, node_id });
      const root = node === null ? project.path : node.node_directory;
      if (root === null) throw conflict(`${node?.name ?? 'the node'}: this kind of node has no files`);
      const own = node === null ? name : (kinds.get(node.kind)?.fileName?.(name, node) ?? name);
      if (node !== null) checkReachable(context, node);
      log.check();
      await needRoom(root, length ?? 0);
      const id = randomUUID();
      // A node on another compute has it once it was sent there: until then its plan stays.
      const isElsewhere = node !== null && context.computes.find(node.compute_id) !== undefined;
      const owed = isElsewhere ? { node: { node_id: node.node_id, path: plainPath(own) } } : {};
      const target = { root, name: own, version: log.version(project_id), project, ...owed };
      const upload = await stageUpload(project.path, id, target, { content, limit }).catch(async (error: unknown) => {
        await removeIfDeleted(context, project);
        projectOf(pending, project_id);
        throw error;
      });
      const writing = { context, caller, project, node, root, own, target, id, upload, isElsewhere };
      const placed = context.placing.begin(project_id);
      // Uploads of a project take their places in the order of their events.
      await context.placing.inTurn(project.path, () => takePlace(writing)).finally(placed);
      if (!isElsewhere) return;
      await sendFilesOf(context, node, [plainPath(own)]);
      await upload.discard();
    },
  };
};

/** The directories that were made for a file below `root`, as far as nothing is in them. */
const leaveDirectory = async (root: string, name: string): Promise<void> => {
  for (let at = path.join(root, plainPath(name)); at.length > root.length;) {
    at = path.dirname(at);
    await rmdir(at).catch(() => undefined);
  }
};

/** Refuses a write that was meant for another content than the file has. */
const checkContent = async ({ expected }: Caller, root: string, name: string): Promise<void> => {
  if (expected === undefined || expected.includes('*')) return;
  const etag = await etagOfFile(root, name);
  if (!expected.includes(etag)) throw new TopologError('precondition_failed', { what: plainPath(name), etag });
};
