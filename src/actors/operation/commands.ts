import { constants } from 'node:fs';
import { cp, rename, rm } from 'node:fs/promises';
import { moveTo } from '../../common/durable.ts';
import { conflict, notFound, TopologError } from '../../common/errors.ts';
import type { OperationContext } from '../../emulators/kit/contract.ts';
import { codeOf, diskError } from '../../files/project/disk-errors.ts';
import { replacementOf } from '../../files/project/node-directories.ts';
import { syncTree } from '../../files/project/tree.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller, NodeAddress } from '../caller.ts';
import { appendOne, type LabContext, nodeOf, openProjectOf, toKindNode } from '../context.ts';
import type { Directory } from '../directory.ts';
import { failureOf } from '../runtime/failures.ts';
import { checkReachable, engineOf } from '../node/engine.ts';
import { kindOf } from '../node/fields.ts';
import type { OperationCall, OperationCommands } from './interface.ts';

/** What an operation is done to, as its events have it. */
interface Operated {
  kind: string;
  operation: string;
  project_id: string | null;
  node_id: string | null;
}

/** What single kinds can do beside what all can, and what is done with the files of nodes. */
export const operationCommands = (directory: Directory): OperationCommands => {
  const { context } = directory;
  const { pending, committed, settings } = context;
  const place: OperationContext = {
    filesDir: settings.filesDir,
    imageDirectories: settings.imageDirectories,
    kindOptions: settings.kindOptions,
    local: settings.local,
  };
  return {
    async operate(caller, kindName, call) {
      const operation = kindOf(context, kindName).operations?.find(isAt(call));
      if (operation === undefined) throw notFound('Operation', call.path);
      const what = { kind: kindName, operation: call.path, project_id: null, node_id: null };
      return onRecord(context, caller, { what, ...call, run: () => operation.run(call.args, place, call.signal) });
    },

    async operateNode(caller, at, call) {
      inState(context, at);
      return directory.node(at.node_id).exclusive(async () => {
        const kind = kindOf(context, nodeOf(pending, at).kind);
        const operation = kind.nodeOperations?.find(isAt(call));
        if (operation === undefined) throw notFound('Operation', call.path);
        const record = inState(context, at, operation.requires);
        const within = { context: place, engine: engineOf(context, record) };
        const what = { kind: kind.name, operation: call.path, project_id: at.project_id, node_id: at.node_id };
        const node = toKindNode(context, record);
        checkReachable(context, record);
        const far = context.computes.placeOf(record.compute_id);
        const run = () =>
          far === null
            ? operation.run(node, call.args, within, call.signal)
            : far.nodes.operate(kind, node, { ...call, path: operation.path });
        return onRecord(context, caller, { what, ...call, run });
      });
    },

    async copyNodeFiles(caller, source, node_id) {
      const target = { project_id: source.project_id, node_id };
      const [from, to] = [inState(context, source), inState(context, target)];
      if (source.node_id === node_id) throw conflict('destination_node_id is the node itself');
      if (from.kind !== to.kind) throw conflict(`${from.name} and ${to.name} are not of one kind`);
      await context.placing.settled(source.project_id);
      await directory.node(node_id).exclusive(async () => {
        const stopped = inState(context, target, always(context, to) ? undefined : 'stopped');
        const copied = inState(context, source);
        const run = () => context.placing.inTurn(node_id, () => replaceFiles(copied, stopped));
        const what = { kind: to.kind, operation: 'duplicate', ...target };
        await onRecord(context, caller, { what, method: 'POST', args: { from: source.node_id }, run });
      });
      return committed.get('node', node_id) ?? to;
    },
  };
};

/** The node with the state that is needed, found once nothing else is done to it. */
const inState = ({ pending }: LabContext, at: NodeAddress, wanted?: NodeRecord['state']): NodeRecord => {
  openProjectOf(pending, at.project_id);
  const record = nodeOf(pending, at);
  if (wanted !== undefined && record.state !== wanted)
    throw conflict(`${record.name} is ${record.state}; it must be ${wanted} for this`);
  return record;
};

const isAt =
  (call: OperationCall) =>
  ({ method, path }: Pick<OperationCall, 'method' | 'path'>): boolean =>
    method === call.method && path === call.path;

const always = (context: LabContext, { kind }: NodeRecord): boolean => kindOf(context, kind).capabilities.always_on;

/** What only looks leaves no trace. What is cut off by an end of the server has a request without an end on record. */
const onRecord = async (
  context: LabContext,
  caller: Caller,
  { what, method, args, run }: Pick<OperationCall, 'method' | 'args'> & { what: Operated; run: () => Promise<unknown> },
): Promise<unknown> => {
  if (method === 'GET') return run();
  const { project_id } = what;
  const request = { ...what, arguments: args };
  const { position: cause } = await appendOne(context, caller, project_id, 'operation.requested', request);
  const end = (failure: ReturnType<typeof failureOf> | null) =>
    appendOne(context, { ...caller, cause }, project_id, 'operation.finished', { ...what, failure });
  try {
    const result = await run();
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
  const { part, old } = replacementOf(to.node_directory);
  try {
    const how = { recursive: true, verbatimSymlinks: true, errorOnExist: true, mode: constants.COPYFILE_FICLONE };
    await cp(from.node_directory, part, how);
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
