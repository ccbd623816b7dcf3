import { conflict, notFound } from '../../common/errors.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller, Commands, NamePolicy, NodeChanges, NodeInput } from '../commands.ts';
import { type LabContext, nodeOf, openProjectOf, SYSTEM_CALLER } from '../context.ts';
import type { Directory } from '../directory.ts';
import { checkWishedConsole, consoleSupply, lookAtConsoles } from './consoles.ts';
import { draftsOf } from '../runtime/decision.ts';
import { checkPrecondition } from '../runtime/precondition.ts';
import { NodeActor } from './actor.ts';
import { nodeCreated, nodeDeleted, nodeUpdated } from './effects.ts';
import { decideNode, refuseLocked } from './decide.ts';
import { checkedProperties, isLayout, kindOf, withMachine } from './fields.ts';
import { standStill } from './removal.ts';

type NodeCommands = Pick<
  Commands,
  'createNode' | 'updateNode' | 'deleteNode' | 'duplicateNode' | 'actOnNode' | 'resetConsole' | 'openConsole'
>;

export const nodeCommands = (context: LabContext, directory: Directory): NodeCommands => {
  const { pending, committed, log } = context;

  /** What was just committed; for answers. */
  const answer = (nodeId: string): NodeRecord => {
    const record = committed.get('node', nodeId);
    if (record === undefined) throw notFound('Node', nodeId);
    return record;
  };

  const find = (projectId: string, nodeId: string): NodeActor => {
    openProjectOf(pending, projectId);
    nodeOf(pending, projectId, nodeId);
    return directory.node(nodeId);
  };

  const create = async (
    caller: Caller,
    projectId: string,
    wished: NodeInput,
    names: NamePolicy,
    original: NodeRecord | null = null,
  ): Promise<NodeRecord> => {
    openProjectOf(pending, projectId);
    const input = await withMachine(context, wished);
    if (input.console != null) await checkWishedConsole(context, input.console);
    else await lookAtConsoles(context, [input]);
    // From here to the append nothing waits: what is decided on cannot change.
    const step = { action: 'create', type: 'node', input } as const;
    const { id, events } = decideNode(context, projectId, step, { names, consoles: consoleSupply(context) });
    await log.append(draftsOf(caller, projectId, events));
    await nodeCreated(context, directory, caller, id, { given: input.properties, original });
    return answer(id);
  };

  const applyUpdate = async (
    caller: Caller,
    projectId: string,
    id: string,
    changes: NodeChanges,
    names: NamePolicy,
  ): Promise<void> => {
    const record = nodeOf(pending, projectId, id);
    checkPrecondition(caller, record.name, record);
    const { events } = decideNode(context, projectId, { action: 'update', type: 'node', id, changes }, { names });
    if ((await log.append(draftsOf(caller, projectId, events))).length > 0)
      await nodeUpdated(context, answer(id), changes);
  };

  const remove = async (caller: Caller, projectId: string, actor: NodeActor): Promise<void> => {
    const before = nodeOf(pending, projectId, actor.id);
    checkPrecondition(caller, before.name, before);
    refuseLocked(before);
    await standStill(pending, directory, caller, actor);
    // Taken only then: links and NIOs may have come or gone while the node stopped.
    let left: Parameters<typeof nodeDeleted>[1] = { record: before, links: [] };
    await NodeActor.remove(context, [actor], (append) => {
      left = { record: nodeOf(pending, projectId, actor.id), links: pending.linksOf(actor.id) };
      const { events } = decideNode(context, projectId, { action: 'delete', type: 'node', id: actor.id });
      return append(draftsOf(caller, projectId, events));
    });
    directory.forgetNode(actor.id);
    await nodeDeleted(context, left);
  };

  return {
    createNode: (caller, projectId, input, names) => create(caller, projectId, input, names),

    async updateNode(caller, projectId, nodeId, changes, names) {
      openProjectOf(pending, projectId);
      nodeOf(pending, projectId, nodeId);
      if (isLayout(changes)) await applyUpdate(caller, projectId, nodeId, changes, names);
      else {
        const console = changes.console;
        if (console != null && console !== nodeOf(pending, projectId, nodeId).console)
          await checkWishedConsole(context, console, nodeId);
        const { kind } = nodeOf(pending, projectId, nodeId);
        if (changes.console_type != null) await lookAtConsoles(context, [{ kind, console_type: changes.console_type }]);
        await find(projectId, nodeId).exclusive(() => applyUpdate(caller, projectId, nodeId, changes, names));
      }
      return answer(nodeId);
    },

    async deleteNode(caller, projectId, nodeId) {
      const actor = find(projectId, nodeId);
      await actor.exclusive(() => remove(caller, projectId, actor));
    },

    async duplicateNode(caller, projectId, nodeId, at) {
      openProjectOf(pending, projectId);
      const source = nodeOf(pending, projectId, nodeId);
      const kind = kindOf(context, source.kind);
      if (!kind.capabilities.duplicate) throw conflict(`${source.name}: this kind of node cannot be duplicated`);
      if (source.state !== 'stopped' && !kind.capabilities.always_on)
        throw conflict(`${source.name} runs; stop it first`);
      return create(caller, projectId, copyOf(kind, source, at), 'make_unique', source);
    },

    async actOnNode(caller, projectId, nodeId, action, args = {}) {
      const actor = find(projectId, nodeId);
      await actor.act(caller, action, args);
      if (action === 'start') {
        const project = directory.project(openProjectOf(pending, projectId));
        await project.nodes.startAlwaysOn(SYSTEM_CALLER, null);
      }
      return answer(nodeId);
    },

    async resetConsole(_caller, projectId, nodeId) {
      find(projectId, nodeId);
      await context.plumbing.resetConsole(nodeId);
    },

    async openConsole(projectId, nodeId) {
      const record = nodeOf(pending, projectId, nodeId);
      if (record.state !== 'started') throw conflict(`${record.name} is not started`);
      if (record.console_type !== 'telnet') throw conflict(`${record.name} has no text console`);
      return context.plumbing.openConsole(nodeId);
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
    console_auto_start: source.console_auto_start,
    properties: checkedProperties(kind, properties),
    symbol,
    port_name_format,
    port_segment_size,
    first_port_name,
    custom_adapters: source.custom_adapters as NonNullable<NodeInput['custom_adapters']>,
    x: at.x,
    y: at.y,
    z: at.z ?? source.z,
  };
};
