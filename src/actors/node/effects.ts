import { messageOf, reporting } from '../../common/errors.ts';
import { withMachineLists } from '../../computes/nodes/node-bodies.ts';
import { placeFiles } from '../../emulators/shared/host/first-files.ts';
import type { NodeFields } from '../../events/fields.ts';
import { restoreDeleted, dropDeleted, keepDeleted } from '../../files/project/deleted-nodes.ts';
import { removeTree } from '../../files/project/tree.ts';
import type { LinkRecord, NodeRecord, ProjectRecord } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';
import { sendFilesOf } from '../compute/files.ts';
import { appendOne, type LabContext, SYSTEM_CALLER, toKindNode, warn } from '../context.ts';
import type { Directory } from '../directory.ts';
import { removeLink } from '../link/cabling.ts';
import { parsePort } from '../port/port-key.ts';
import { removeIfDeleted } from '../project/directory.ts';
import { isNothing } from '../runtime/decision.ts';
import { engineOf } from './engine.ts';
import { isLayout, kindOf } from './fields.ts';
import type { NodeChanges } from './interface.ts';
import type { NodeTexts } from './texts.ts';

/** What events about a node bring about outside the log, after they have been appended. */

/**
 * A node was created: its files take their places, and it runs when its kind always does. It is there for others from the first turn on,
 * and their commands wait until its files are. `isBack`: it has the files that are kept of it.
 */
export const nodeCreated = async (
  directory: Directory,
  caller: Caller,
  nodeId: string,
  { texts, isBack }: { texts: NodeTexts; isBack: boolean },
): Promise<void> => {
  const { context } = directory;
  const { committed } = context;
  const fields = committed.get('node', nodeId);
  if (fields === undefined) return;
  const kind = kindOf(context, fields.kind);
  const project = committed.get('project', fields.project_id);
  const files = async (): Promise<void> => {
    if (project !== undefined) await settleFiles(context, project, fields, isBack);
    await texts.place(nodeId);
    if (fields.node_directory !== null && context.computes.isHere(fields.compute_id))
      await placeFiles(fields.node_directory, kind.firstFiles?.(fields) ?? []).catch(
        reporting(context.logger, { node_id: nodeId }, `the first files of ${fields.name}`),
      );
  };
  if (project?.state !== 'opened') return files();
  const actor = directory.addNode(fields);
  await actor.exclusive(files);
  const record = committed.get('node', nodeId);
  if (record === undefined) return;
  await prepareElsewhere(context, record);
  if (!kind.capabilities.always_on) return;
  // Without its engine the node is there, stopped, with the reason in its record.
  await actor
    .act(caller, 'start')
    .catch(reporting(context.logger, { node_id: record.node_id, request_id: caller.request_id }));
};

/**
 * Restores the kept files of a node that an undo has brought back, and drops them for a new node with the same id. A node that was deleted
 * again meanwhile keeps its files.
 */
const settleFiles = async (
  context: LabContext,
  project: ProjectRecord,
  { node_id, node_directory, name }: NodeFields,
  isBack: boolean,
): Promise<void> => {
  if (node_directory === null) return;
  const { path } = project;
  const settle = async (): Promise<void> => {
    if (context.committed.get('node', node_id) === undefined) return;
    await (isBack ? restoreDeleted(path, node_id, node_directory) : dropDeleted(path, node_id));
  };
  await context.placing
    .inTurn(node_id, settle)
    .catch(reporting(context.logger, { node_id }, `the files that ${name} had`));
  await removeIfDeleted(context, project);
};

/** A node of another compute is made there as well. Where that fails it is made later: its start says what is wrong. */
export const prepareElsewhere = async (context: LabContext, record: NodeRecord): Promise<void> => {
  const { compute_id, console } = record;
  const nodes = context.computes.find(compute_id)?.nodes;
  if (nodes === undefined || context.computes.find(compute_id)?.compute.isConnected !== true) return;
  const node = toKindNode(context, record);
  const kind = kindOf(context, record.kind);
  try {
    const made = await nodes.prepare(kind, node, AbortSignal.timeout(PREPARE_MS));
    const properties = withMachineLists(kind, node, made.record);
    const changes = {
      ...(made.console === null || made.console === console ? {} : { console: made.console }),
      ...(properties === null ? {} : { properties }),
    };
    if (isNothing(changes)) return;
    const { project_id, node_id } = record;
    await appendOne(context, SYSTEM_CALLER, project_id, 'node.updated', { project_id, node_id, changes });
  } catch (error) {
    warn(context, record.project_id, `${record.name}: ${messageOf(error)}`);
  }
};

/** Longest preparation of a node elsewhere: its images go there. Milliseconds. */
const PREPARE_MS = 1_800_000;

/**
 * A node was changed: its files follow at once, and its engine `alone`, with the node as it is by then. Otherwise an engine that takes its time
 * over one change could come to its end behind that of the next.
 */
export const nodeUpdated = async (
  context: LabContext,
  nodeId: string,
  { changes, texts }: { changes: NodeChanges; texts: NodeTexts },
  alone: (work: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  if (isLayout(changes)) return;
  const written = await texts.place(nodeId);
  await alone(async () => {
    const record = context.committed.get('node', nodeId);
    if (record === undefined) return;
    if (context.computes.find(record.compute_id) !== undefined) {
      await sendFilesOf(context, record, written);
      texts.delivered(nodeId);
    }
    // Another compute has it also while it is stopped.
    if (record.state === 'stopped' && context.computes.isHere(record.compute_id)) return;
    await engineOf(context, record)?.update(toKindNode(context, record), AbortSignal.timeout(30_000));
  });
};

/** A node was deleted with its links: what it had outside the log is taken away. */
export const nodeDeleted = async (
  context: LabContext,
  { record, links }: { record: NodeRecord; links: readonly LinkRecord[] },
): Promise<void> => {
  const results = await Promise.allSettled([
    ...links.map((link) => removeLink(context, link, new Map([[record.node_id, record]]))),
    ...Object.keys(record.nios).map((key) =>
      context.plumbing.removeNio({ node_id: record.node_id, ...parsePort(key) }),
    ),
    engineOf(context, record)?.remove(toKindNode(context, record), AbortSignal.timeout(30_000)),
    keepFiles(context, record),
  ]);
  for (const result of results)
    if (result.status === 'rejected')
      context.logger.warn({ node_id: record.node_id }, `after deleting ${record.name}: ${messageOf(result.reason)}`);
};

/** Keeps what a deleted node has, unless it is there again by now. */
const keepFiles = async (
  context: LabContext,
  record: Pick<NodeRecord, 'node_id' | 'node_directory' | 'project_id'>,
): Promise<void> => {
  const { committed } = context;
  const { node_id, node_directory, project_id } = record;
  if (node_directory === null) return;
  await context.placing.inTurn(node_id, async () => {
    if (committed.get('node', node_id) !== undefined) return;
    const project = committed.get('project', project_id);
    if (project === undefined) return removeTree(node_directory);
    await keepDeleted(project.path, node_id, node_directory);
    await removeIfDeleted(context, project);
  });
};
