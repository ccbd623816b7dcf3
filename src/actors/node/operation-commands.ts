import { constants } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { moveTo } from '../../common/durable.ts';
import { conflict, notFound, TopologError } from '../../common/errors.ts';
import type { OperationContext } from '../../emulators/kit/contract.ts';
import { codeOf, diskError } from '../../files/project/disk-errors.ts';
import { besideDirectory } from '../../files/project/node-directories.ts';
import { syncTree } from '../../files/project/tree.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller, Commands, OperationRef } from '../commands.ts';
import { draft, type LabContext, nodeOf, openProjectOf, toKindNode } from '../context.ts';
import type { Directory } from '../directory.ts';
import { failureOf } from '../runtime/failures.ts';
import { engineOf } from './engine.ts';
import { kindOf } from './fields.ts';

type OperationCommands = Pick<Commands, 'operate' | 'operateNode' | 'copyNodeFiles'>;

/** What an operation is done to, as its events have it. */
interface Operated {
  kind: string;
  operation: string;
  project_id: string | null;
  node_id: string | null;
}

/** What single kinds can do beside what all can, and what is done with the files of nodes. */
export const operationCommands = (context: LabContext, directory: Directory): OperationCommands => {
  const { pending, committed, settings } = context;
  const place: OperationContext = {
    dataDir: settings.dataDir,
    imageDirectories: settings.imageDirectories,
    dockerHost: settings.dockerHost,
    local: settings.local,
  };

  /** The node with the state that is needed, found once nothing else is done to it. */
  const inState = (projectId: string, nodeId: string, wanted: NodeRecord['state'] | undefined): NodeRecord => {
    openProjectOf(pending, projectId);
    const record = nodeOf(pending, projectId, nodeId);
    if (wanted !== undefined && record.state !== wanted)
      throw conflict(`${record.name} is ${record.state}; it must be ${wanted} for this`);
    return record;
  };

  return {
    async operate(caller, kindName, ref, args, signal) {
      const operation = kindOf(context, kindName).operations?.find(isAt(ref));
      if (operation === undefined) throw notFound('Operation', ref.path);
      const what = { kind: kindName, operation: ref.path, project_id: null, node_id: null };
      return onRecord(context, caller, ref, what, args, () => operation.run(args, place, signal));
    },

    async operateNode(caller, projectId, nodeId, ref, args, signal) {
      inState(projectId, nodeId, undefined);
      return directory.node(nodeId).exclusive(async () => {
        const { kind: name } = nodeOf(pending, projectId, nodeId);
        const kind = kindOf(context, name);
        const operation = kind.nodeOperations?.find(isAt(ref));
        if (operation === undefined) throw notFound('Operation', ref.path);
        const record = inState(projectId, nodeId, operation.requires);
        const engine = engineOf(context, record);
        const what = { kind: kind.name, operation: ref.path, project_id: projectId, node_id: nodeId };
        return onRecord(context, caller, ref, what, args, () =>
          operation.run(toKindNode(context, record), args, { context: place, engine }, signal),
        );
      });
    },

    async copyNodeFiles(caller, projectId, fromId, toId) {
      const [from, to] = [inState(projectId, fromId, undefined), inState(projectId, toId, undefined)];
      if (fromId === toId) throw conflict('destination_node_id is the node itself');
      if (from.kind !== to.kind) throw conflict(`${from.name} and ${to.name} are not of one kind`);
      await directory.node(toId).exclusive(async () => {
        const target = inState(projectId, toId, always(context, to) ? undefined : 'stopped');
        const source = inState(projectId, fromId, undefined);
        const what = { kind: to.kind, operation: 'duplicate', project_id: projectId, node_id: toId };
        await onRecord(context, caller, { method: 'POST', path: 'duplicate' }, what, { from: fromId }, () =>
          replaceFiles(source, target),
        );
      });
      return committed.get('node', toId) ?? to;
    },
  };
};

const isAt =
  (ref: OperationRef) =>
  ({ method, path }: OperationRef): boolean =>
    method === ref.method && path === ref.path;

const always = (context: LabContext, { kind }: NodeRecord): boolean => kindOf(context, kind).capabilities.always_on;

/** What only looks leaves no trace. What is cut off by an end of the server has a request without an end on record. */
const onRecord = async (
  { log }: LabContext,
  caller: Caller,
  { method }: OperationRef,
  what: Operated,
  args: Record<string, unknown>,
  work: () => Promise<unknown>,
): Promise<unknown> => {
  if (method === 'GET') return work();
  const [request] = await log.append([
    draft(caller, what.project_id, 'operation.requested', { ...what, arguments: args }),
  ]);
  const cause = request?.position ?? null;
  const end = (failure: ReturnType<typeof failureOf> | null) =>
    log.append([draft(caller, what.project_id, 'operation.finished', { ...what, failure }, cause)]);
  try {
    const result = await work();
    await end(null);
    return result;
  } catch (error) {
    await end(failureOf(error));
    throw error;
  }
};

/** The copy is whole before it takes the place of what was there. */
const replaceFiles = async (from: NodeRecord, to: NodeRecord): Promise<void> => {
  if (from.node_directory === null || to.node_directory === null) return;
  const { part, old } = besideDirectory(to.node_directory);
  try {
    await cp(from.node_directory, part, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true });
    await syncTree(part, { files: true });
    await rename(to.node_directory, old).catch(unlessAbsent);
    await moveTo(part, to.node_directory);
  } catch (error) {
    await rename(old, to.node_directory).catch(() => undefined);
    if (codeOf(error) === 'ENOENT') return;
    throw error instanceof TopologError ? error : diskError(error, `${to.name}: its files cannot be replaced`);
  } finally {
    await rm(part, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
};

const unlessAbsent = (error: unknown): void => {
  if (codeOf(error) !== 'ENOENT') throw error;
};
