import { randomUUID } from 'node:crypto';
import { conflict } from '../../common/errors.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import { dropDeleted, keptDirectory } from '../../files/project/deleted-nodes.ts';
import { copyNodeDirectory } from '../../files/project/node-directories.ts';
import { newValues } from '../../model/derive.ts';
import { NODE } from '../../model/node.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller, NamePolicy, NodeAddress } from '../caller.ts';
import { fetchFiles } from '../compute/files.ts';
import { moveNode } from '../compute/move.ts';
import { asPlaced } from '../compute/placing.ts';
import { type LabContext, nodeOf, openProjectOf, projectOf, recordOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { removeIfDeleted } from '../project/directory.ts';
import { draftsOf } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { NodeActor } from './actor.ts';
import { collecting } from './collect.ts';
import { checkWishedConsole, consoleSupply, lookAtConsoles } from './consoles.ts';
import { decideNode, refuseLocked } from './decide.ts';
import { nodeCreated, nodeDeleted, nodeUpdated } from './effects.ts';
import { checkReachable } from './engine.ts';
import { checkedProperties, isLayout, kindOf } from './fields.ts';
import type { NodeChanges, NodeCommands, NodeInput } from './interface.ts';
import { standStill } from './removal.ts';
import { leaveUnlinked } from './served-ports.ts';
import { NodeTexts, textsWithName, withKeptTexts } from './texts.ts';

export const nodeCommands = (directory: Directory): NodeCommands => ({
  ...making(directory),
  ...changing(directory),
  ...acting(directory),
  ...collecting(directory),
});

/** What was just committed; for answers. */
const answer = ({ committed }: LabContext, nodeId: string): NodeRecord => recordOf(committed, 'node', nodeId);

/** The node as decisions see it. */
const openNodeOf = ({ pending }: LabContext, at: NodeAddress): NodeRecord => {
  openProjectOf(pending, at.project_id);
  return nodeOf(pending, at);
};

const actorOf = (directory: Directory, at: NodeAddress): NodeActor =>
  directory.node(openNodeOf(directory.context, at).node_id);

const making = (directory: Directory): Pick<NodeCommands, 'createNode' | 'duplicateNode'> => {
  const { context } = directory;
  const create = async (
    caller: Caller,
    project_id: string,
    wished: NodeInput,
    { names, original = null }: { names: NamePolicy; original?: NodeRecord | null },
  ): Promise<NodeRecord> => {
    openProjectOf(context.pending, project_id);
    const placed = await asPlaced(context, project_id, wished);
    const input = { ...placed, node_id: placed.node_id ?? randomUUID() };
    if (input.console != null) await checkWishedConsole(context, input.console);
    else await lookAtConsoles(context, [input]);
    const step = { action: 'create', type: 'node', input } as const;
    const { node_id } = input;
    const texts = new NodeTexts(context, project_id);
    const kept = original === null ? null : await keepCopy(context, original, node_id);
    try {
      await texts.decided(
        () => decideNode(context, project_id, step, { names, consoles: consoleSupply(context), texts }),
        ({ events }) => context.log.append(draftsOf(caller, project_id, events)),
      );
      await nodeCreated(directory, caller, node_id, { texts, isBack: original !== null });
    } finally {
      await texts.end();
      if (context.committed.get('node', node_id) === undefined) await kept?.drop();
    }
    return answer(context, node_id);
  };
  return {
    createNode: (caller, projectId, input, names) => create(caller, projectId, input, { names }),

    async duplicateNode(caller, at, place) {
      const original = openNodeOf(context, at);
      const { name, state } = original;
      const kind = kindOf(context, original.kind);
      if (!kind.capabilities.duplicate) throw conflict(`${name}: this kind of node cannot be duplicated`);
      if (state !== 'stopped' && !kind.capabilities.always_on) throw conflict(`${name} runs; stop it first`);
      await fetchFiles(context, original);
      const copy = copyOf(kind, original, place);
      const properties = { ...copy.properties, ...(await textsWithName(kind, original, true)) };
      return create(caller, at.project_id, { ...copy, properties }, { names: 'make_unique', original });
    },
  };
};

const changing = (directory: Directory): Pick<NodeCommands, 'updateNode' | 'deleteNode'> => {
  const { context } = directory;
  const { pending } = context;
  /** Start-up texts follow a new name. Another compute sees to those of its nodes itself. */
  const withName = async (record: NodeRecord, changes: NodeChanges): Promise<NodeChanges> => {
    if (changes.name === undefined || changes.name === record.name || !context.computes.isHere(record.compute_id))
      return changes;
    const texts = await textsWithName(kindOf(context, record.kind), record);
    return Object.keys(texts).length === 0 ? changes : { ...changes, properties: { ...texts, ...changes.properties } };
  };
  const apply = async (caller: Caller, at: NodeAddress, wished: NodeChanges, names: NamePolicy): Promise<void> => {
    const record = nodeOf(pending, at);
    checkPrecondition(caller, record.name, record);
    if (!isLayout(wished)) checkReachable(context, record);
    const changes = await withName(record, await withKeptTexts(context, record, wished));
    const step = { action: 'update', type: 'node', id: at.node_id, changes } as const;
    const texts = new NodeTexts(context, at.project_id);
    try {
      const appended = await texts.decided(
        () => decideNode(context, at.project_id, step, { names, texts }),
        ({ events }) => context.log.append(draftsOf(caller, at.project_id, events)),
      );
      // It is alone already where its engine has something to do with it.
      if (appended.length > 0) await nodeUpdated(context, at.node_id, { changes, texts }, (work) => work());
    } finally {
      await texts.end();
    }
  };
  return {
    async updateNode(asking, at, { compute_id: to, ...changes }, names) {
      const { kind, console, compute_id } = openNodeOf(context, at);
      const isMoved = to !== undefined && to !== compute_id;
      // Nothing is moved for changes that are refused.
      if (isMoved)
        decideNode(context, at.project_id, { action: 'update', type: 'node', id: at.node_id, changes }, { names });
      if (isMoved) await moveNode(directory, asking, actorOf(directory, at), { to });
      // What was expected of the record is not there any more after a move, which has looked at it.
      const caller = isMoved ? omitExpected(asking) : asking;
      if (isLayout(changes)) await apply(caller, at, changes, names);
      else {
        if (changes.console != null && changes.console !== console)
          await checkWishedConsole(context, changes.console, at.node_id);
        if (changes.console_type != null) await lookAtConsoles(context, [{ kind, console_type: changes.console_type }]);
        await actorOf(directory, at).exclusive(() => apply(caller, at, changes, names));
      }
      return answer(context, at.node_id);
    },

    async deleteNode(caller, at) {
      const actor = actorOf(directory, at);
      await actor.exclusive(() => remove(directory, caller, actor, at));
    },
  };
};

const omitExpected = ({ expected: _, ...caller }: Caller): Caller => caller;

const remove = async (directory: Directory, caller: Caller, actor: NodeActor, at: NodeAddress): Promise<void> => {
  const { context } = directory;
  const { pending } = context;
  const before = nodeOf(pending, at);
  checkPrecondition(caller, before.name, before);
  refuseLocked(before);
  await standStill(directory, caller, actor);
  // Taken only then: links and NIOs may have come or gone while the node stopped.
  let left: Parameters<typeof nodeDeleted>[1] = { record: before, links: [] };
  await NodeActor.remove(context, [actor], (append) => {
    left = { record: nodeOf(pending, at), links: pending.linksOf(actor.id) };
    const { events } = decideNode(context, at.project_id, { action: 'delete', type: 'node', id: actor.id });
    return append(draftsOf(caller, at.project_id, events));
  });
  directory.forgetNode(actor.id);
  await nodeDeleted(context, left);
  await leaveUnlinked(
    directory,
    left.links.flatMap(({ nodes }) => nodes.map(({ node_id }) => node_id)),
  );
};

const acting = (directory: Directory): Pick<NodeCommands, 'actOnNode' | 'resetConsole' | 'openConsole'> => {
  const { context } = directory;
  return {
    async actOnNode(caller, at, action, args = {}) {
      await actorOf(directory, at).act(caller, action, args);
      if (action === 'start') {
        const project = directory.project(openProjectOf(context.pending, at.project_id));
        await project.nodes.keepAlwaysOn();
      }
      return answer(context, at.node_id);
    },

    async resetConsole(_caller, at) {
      await context.plumbing.resetConsole(actorOf(directory, at).id);
    },

    async openConsole(at) {
      const record = nodeOf(context.pending, at);
      const { name, state, console_type } = record;
      if (state !== 'started') throw conflict(`${name} is not started`);
      if (console_type === 'vnc') return context.plumbing.openScreen(record);
      if (console_type !== 'telnet') throw conflict(`${name} has no console that can be opened here`);
      return context.plumbing.openConsole(at.node_id);
    },
  };
};

/** Files of the original as they are now, kept for the node that is to have them: its event brings them to their place. */
const keepCopy = async (
  context: LabContext,
  { node_directory, project_id }: NodeRecord,
  nodeId: string,
): Promise<{ drop(): Promise<void> }> => {
  const project = projectOf(context.pending, project_id);
  const { path, name } = project;
  await copyNodeDirectory(context.logger, node_directory, keptDirectory(path, nodeId), `a copy in ${name}`);
  return {
    async drop() {
      await dropDeleted(path, nodeId);
      await removeIfDeleted(context, project);
    },
  };
};

const copyOf = (kind: Kind, source: NodeRecord, at: { x: number; y: number; z?: number }): NodeInput => {
  const known = Object.keys(kind.properties.shape);
  const properties = Object.fromEntries(
    Object.entries(source.properties).filter(([key]) => known.includes(key) && !kind.unique.includes(key)),
  );
  const { compute_id, template_id, console_type, symbol, port_name_format, port_segment_size, first_port_name } =
    source;
  return {
    name: source.name,
    kind: source.kind,
    compute_id,
    template_id,
    console_type,
    properties: checkedProperties(kind, properties),
    symbol,
    port_name_format,
    port_segment_size,
    first_port_name,
    custom_adapters: source.custom_adapters as NonNullable<NodeInput['custom_adapters']>,
    ...newValues(NODE, { ...source, ...at, locked: false }),
  };
};
