import { messageOf, TopologError } from '../../common/errors.ts';
import { discardUpload, isPlaced, leftUploads } from '../../files/uploads.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { type LabContext, toKindNode, warn } from '../context.ts';
import { removeIfDeleted } from '../project/directory.ts';
import { kindOfNode } from '../node/engine.ts';

/** Longest transfer of one node's files. Milliseconds. */
const FETCH_MS = 3_600_000;

/**
 * Brings the directory of a node to what its compute has. Where the compute is away, or is not there any more, the files are those of the last
 * time, and a warning says so.
 */
export const fetchFiles = async (context: LabContext, record: NodeRecord): Promise<void> => {
  const { compute_id, project_id, name, node_directory } = record;
  if (context.computes.isHere(compute_id) || node_directory === null) return;
  const project = context.committed.get('project', project_id);
  try {
    const { nodes } = context.computes.placeOf(compute_id) ?? {};
    if (project !== undefined) await sendOwed(context, project.path, ({ node_id }) => node_id === record.node_id);
    await nodes?.fetch(kindOfNode(context, record), toKindNode(context, record), AbortSignal.timeout(FETCH_MS));
  } catch (error) {
    if (!(error instanceof TopologError)) throw error;
    // It was never made there.
    if (error.code === 'not_found') return;
    warn(context, project_id, `the files of ${name} are those of the last time they were fetched: ${messageOf(error)}`);
  } finally {
    if (project !== undefined) await removeIfDeleted(context, project);
  }
};

/** Files of a node were written here, `names` in its directory: its compute gets them. Throws where that is away. */
export const sendFilesOf = async (context: LabContext, record: NodeRecord, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return;
  const { nodes } = context.computes.placeOf(record.compute_id) ?? {};
  const signal = AbortSignal.timeout(FETCH_MS);
  const node = toKindNode(context, record);
  await nodes?.send(kindOfNode(context, record), node, names, signal);
};

/**
 * Sends the files of nodes that are in their places here, and that an end of the server or of the way has kept from their computes.
 * `isAsked`: of nodes that are there.
 */
export const sendOwed = async (
  context: LabContext,
  projectPath: string,
  isAsked: (node: NodeRecord) => boolean,
): Promise<void> => {
  for (const { id, plan } of await leftUploads(projectPath)) {
    if (plan === null || plan === 'broken' || plan.node === undefined || !(await isPlaced(projectPath, id))) continue;
    const record = context.committed.get('node', plan.node.node_id);
    const isOwed = record !== undefined && !context.computes.isHere(record.compute_id);
    if (isOwed && !isAsked(record)) continue;
    if (isOwed) await sendFilesOf(context, record, [plan.node.path]);
    await discardUpload(projectPath, id);
  }
};

/** Before files of a project are copied as a whole. */
export const fetchProjectFiles = async (context: LabContext, projectId: string): Promise<void> => {
  for (const record of context.committed.ofProject('node', projectId)) await fetchFiles(context, record);
};
