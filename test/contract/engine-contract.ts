import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type {
  Engine,
  EngineContext,
  EngineFactory,
  Exit,
  Kind,
  KindNode,
  Properties,
} from '../../src/emulators/kit/contract.ts';
import { processesOf } from '../../src/processes/end.ts';
import { findMarked, markOf } from '../../src/processes/marker.ts';
import { createPlumbing } from '../../src/fabric/client/plumbing.ts';
import { nodeOf, PROJECT_ID } from '../emulators/sample.ts';
import { isElsewhere, isOnLoopback, isPrivate, listeningOf, unixSocketsOf } from '../support/listening.ts';
import { portBlock } from '../support/port-block.ts';
import { type FabricFixture, fabricFixture } from './fabric-fixture.ts';

export interface EngineCase {
  kind: Kind;
  factory: EngineFactory;
  given?: Properties;
  /** Ports of its consoles, where they are not those of the context. */
  consoles?: [number, number];
  /** Resolves once an engine that was just created can be used. Absent: it can be at once. */
  ready?(): Promise<void>;
  /** What there is of a node, for an engine whose nodes are not in the fabric; they go by the name they were started with. */
  outside?: (node: KindNode, context: EngineContext) => Promise<string[]>;
  /** Makes a running node end by itself; absent for what never does. */
  dies?: { given?: Properties; how(node: KindNode, engine: Engine, fixture: EngineContext): Promise<void> };
}

const never = (): AbortSignal => new AbortController().signal;

/** What every engine must do, whatever runs its nodes. Call it once for each engine of a kind. */
export const engineContract = (name: string, of: EngineCase): void => {
  describe(`engine ${name}`, () => {
    let fixture: FabricFixture;
    let context: EngineContext;
    let engine: Engine;
    let mark: string;
    /** Of the consoles. */
    let range: [number, number];
    const exits: Exit[] = [];

    const create = async (): Promise<Engine> => {
      context = {
        fabric: await fixture.connect(),
        consoles: { host: '127.0.0.1', range },
        mark,
        dataDir: fixture.directory,
        filesDir: fixture.directory,
      };
      const made = of.factory.create(context);
      made.onExit((exit) => void exits.push(exit));
      await of.ready?.();
      return made;
    };
    /** A node of its own for each test. */
    const make = (given: Properties = {}, changes: Partial<KindNode> = {}): KindNode => {
      const node_id = randomUUID();
      const directory = of.kind.capabilities.directory ? join(fixture.directory, node_id) : null;
      return nodeOf(
        of.kind,
        { ...of.given, ...given },
        { node_id, name: `N${node_id.slice(0, 8)}`, node_directory: directory, ...changes },
      );
    };
    const state = async (node: KindNode) => (await engine.adopt(node, never()))?.state ?? null;
    const { outside } = of;
    /** What there is of a node, its name first. */
    const found = async (node: KindNode) => {
      if (outside !== undefined) return outside(node, context);
      const { nodes, cables } = await context.fabric.inventory();
      return [
        ...nodes.filter((n) => n.spec.node_id === node.node_id).map((n) => n.spec.name),
        ...cables.map((cable) => cable.cable_id).filter((id) => id.includes(node.node_id)),
      ];
    };

    before(async () => {
      fixture = await fabricFixture();
      range = of.consoles ?? (await portBlock());
      mark = await markOf(fixture.directory);
      engine = await create();
    });
    after(async () => {
      await engine.close();
      await fixture.close();
    });

    it('starts, stops and starts again', async () => {
      const node = make();
      assert.equal(await engine.missing(node), null);
      const first = await engine.start(node, {}, never());
      assert.notEqual(first.command_line, '');
      assert.equal(await state(node), 'started');
      await engine.stop(node, never());
      assert.equal(await state(node), null);
      await engine.start(node, {}, never());
      assert.equal(await state(node), 'started');
      await engine.stop(node, never());
    });

    it('listens where nobody else comes: on the loopback, in a network of its own, at sockets of this user', async (t) => {
      if (process.platform !== 'linux') return t.skip('proc(5) is of Linux');
      const node = make();
      await engine.start(node, {}, never());
      const pids = (await processesOf(node.node_id, mark)).map(({ pid }) => pid);
      for (const socket of await listeningOf(pids))
        assert.ok(isOnLoopback(socket) || (await isElsewhere(socket.pid)), JSON.stringify(socket));
      for (const file of await unixSocketsOf(pids)) assert.ok(await isPrivate(file), file);
      await engine.stop(node, never());
    });

    it('takes a stop of what does not run', async () => {
      const node = make();
      await engine.stop(node, never());
      await engine.start(node, {}, never());
      await engine.stop(node, never());
      await engine.stop(node, never());
      await engine.remove(node, never());
      assert.deepEqual(await found(node), []);
    });

    it('leaves nothing of a start that is aborted, before or on its way', async () => {
      const reason = new Error('the project is closing');
      const node = make();
      await assert.rejects(engine.start(node, {}, AbortSignal.abort(reason)), reason);
      const controller = new AbortController();
      const starting = engine.start(node, {}, controller.signal);
      controller.abort(reason);
      await assert.rejects(starting, reason);
      assert.deepEqual(await found(node), []);
      await engine.start(node, {}, never());
      assert.equal(await state(node), 'started');
      await engine.stop(node, never());
    });

    it('replaces what a server that ended half-way has left of the node', async () => {
      const node = make();
      await engine.start(node, {}, never());
      const before = await found(node);
      const name = `${node.name}-again`;
      await engine.start({ ...node, name }, {}, never());
      const after = await found(node);
      assert.equal(after.length, before.length);
      assert.notDeepEqual(after, before);
      if (outside === undefined) assert.equal(after[0], name);
      await engine.stop(node, never());
    });

    it('takes a new name while it runs', async () => {
      const node = make();
      await engine.start(node, {}, never());
      const before = await found(node);
      const name = `${node.name}-renamed`;
      await engine.update({ ...node, name }, never());
      if (outside === undefined) assert.ok((await found(node)).includes(name));
      else assert.deepEqual(await found(node), before);
      assert.equal(await state({ ...node, name }), 'started');
      await engine.stop(node, never());
    });

    if (of.kind.capabilities.console_types.includes('telnet')) {
      const telnet = { console_type: 'telnet' };

      it('has a console that answers at the port it reports, and frees it', async () => {
        const node = make({}, telnet);
        const { console: port } = await engine.start(node, {}, never());
        assert.ok(port !== null && port >= range[0] && port <= range[1]);
        const client = connect(port, '127.0.0.1');
        await once(client, 'data');
        const closed = once(client, 'close');
        await engine.stop(node, never());
        client.end();
        await closed;
        const again = await engine.start({ ...node, console: port }, {}, never());
        assert.equal(again.console, port);
        await engine.stop(node, never());
      });

      it('takes another console port when the one wished for is taken, and reports it', async () => {
        const other = createServer().listen(0, '127.0.0.1');
        await once(other, 'listening');
        const { port } = other.address() as AddressInfo;
        const node = make({}, { ...telnet, console: port });
        const started = await engine.start(node, {}, never());
        assert.ok(started.console !== null && started.console !== port);
        await engine.stop(node, never());
        other.close();
        await once(other, 'close');
      });

      it('has no console where none was asked for', async () => {
        const node = make({}, { console_type: 'none' });
        assert.equal((await engine.start(node, {}, never())).console, null);
        await engine.stop(node, never());
      });
    }

    it('suspends and resumes where it can', async () => {
      const node = make();
      await engine.start(node, {}, never());
      assert.equal(engine.suspend === undefined, engine.resume === undefined);
      if (engine.suspend !== undefined && engine.resume !== undefined) {
        await engine.suspend(node, never());
        assert.equal(await state(node), 'suspended');
        await engine.resume(node, never());
      }
      assert.equal(await state(node), 'started');
      await engine.stop(node, never());
    });

    it('goes on while cables come to its ports and go', async () => {
      const node = make();
      const plumbing = createPlumbing(() => context.fabric);
      await engine.start(node, {}, never());
      for (const { adapter_number, port_number } of node.ports.slice(0, 2)) {
        const end = { node_id: node.node_id, adapter_number, port_number };
        const link = {
          link_id: randomUUID(),
          project_id: PROJECT_ID,
          ends: [end, { ...end, node_id: randomUUID() }] as const,
          suspend: false,
          filters: {},
        };
        await plumbing.putLink(link);
        await plumbing.putLink({ ...link, filters: { packet_loss: [50] } });
        await plumbing.removeCable(link.link_id);
        assert.equal(await state(node), 'started');
      }
      await engine.stop(node, never());
    });

    it('keeps a capture of its port over a restart', async () => {
      const node = make();
      const [port] = node.ports;
      if (port === undefined) return;
      const plumbing = createPlumbing(() => context.fabric);
      const at = { node_id: node.node_id, project_id: PROJECT_ID, ...place(port) };
      const path = join(fixture.directory, `${node.node_id}.pcap`);
      await engine.start(node, {}, never());
      await plumbing.startCapture(at, { path, data_link_type: Object.values(port.data_link_types)[0] ?? '' }, false);
      await engine.stop(node, never());
      await engine.start(node, {}, never());
      const { captures } = await context.fabric.inventory();
      assert.ok(captures.some((capture) => capture.path === path));
      await plumbing.stopCapture(at);
      assert.equal((await readFile(path)).readUInt32LE(0) === 0, false);
      await engine.stop(node, never());
    });

    it('finds its node again after a restart of the server, with what was changed meanwhile', async () => {
      const node = make();
      const started = await engine.start(node, {}, never());
      await engine.close();
      engine = await create();
      const name = `${node.name}-changed`;
      const adopted = await engine.adopt({ ...node, name }, never());
      assert.deepEqual(adopted, { state: 'started', started });
      if (outside === undefined) assert.ok((await found(node)).includes(name));
      await engine.stop(node, never());
      assert.deepEqual(await found(node), []);
    });

    it('finds nothing where nothing runs, or what runs is of another project', async () => {
      const node = make();
      assert.equal(await engine.adopt(node, never()), null);
      await engine.start(node, {}, never());
      assert.equal(await engine.adopt({ ...node, project_id: randomUUID() }, never()), null);
      await engine.stop(node, never());
    });

    const { dies } = of;
    if (dies !== undefined) {
      it('reports a node that ends by itself, and only that', async () => {
        const node = make(dies.given, { console_type: 'telnet' });
        if (node.node_directory !== null) await mkdir(node.node_directory, { recursive: true });
        const exited = new Promise<Exit>((resolve) => engine.onExit(resolve));
        const bystander = make();
        await engine.start(bystander, {}, never());
        await engine.start(node, {}, never());
        await dies.how(node, engine, context);
        const exit = await exited;
        assert.equal(exit.node_id, node.node_id);
        assert.equal(exit.project_id, node.project_id);
        assert.equal(await state(node), null);
        assert.equal(await state(bystander), 'started');
        await engine.stop(bystander, never());
      });
    }

    it('has not reported the stops that were asked for, and left nothing behind', async () => {
      const { nodes, cables, attachments, consoles } = await context.fabric.inventory();
      assert.deepEqual([nodes, cables, attachments ?? [], consoles ?? []], [[], [], [], []]);
      assert.deepEqual(await findMarked(mark), []);
      assert.equal(exits.length, dies === undefined ? 0 : 1);
    });
  });
};

const place = ({ adapter_number, port_number }: { adapter_number: number; port_number: number }) => ({
  adapter_number,
  port_number,
});
