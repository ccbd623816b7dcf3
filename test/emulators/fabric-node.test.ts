import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { Emitter } from '../../src/common/emitter.ts';
import type { EngineContext, Exit } from '../../src/emulators/kit/contract.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { type FabricClient, FabricError } from '../../src/fabric/client/client.ts';
import type { FabricEvent, Inventory, Op, OpResult } from '../../src/fabric/protocol.ts';
import { nodeOf } from './sample.ts';

const pc = createKinds().get('simple_pc');
assert.ok(pc);
const kind = pc;
const never = new AbortController().signal;

interface Fake extends FabricClient {
  ops: Op[];
  inventories: number;
  emit(event: FabricEvent): void;
}

/** A fabric that does what it is told to answer. */
const fakeFabric = (answer: (op: Op) => OpResult | Promise<OpResult>, nodes: Inventory['nodes'] = []): Fake => {
  const emitter = new Emitter<{ event: [FabricEvent] }>();
  const fake: Fake = {
    ops: [],
    inventories: 0,
    emit: (event) => emitter.emit('event', event),
    async run(ops) {
      fake.ops.push(...ops);
      return Promise.all(ops.map(async (op) => answer(op)));
    },
    async one<T>(op: Op): Promise<T> {
      const [result] = await fake.run([op]);
      if (result?.ok !== true) throw new FabricError(result?.code ?? 'failed', result?.message ?? '');
      return result.value as T;
    },
    inventory: () => {
      fake.inventories += 1;
      return Promise.resolve({ pid: 1, nodes, cables: [], captures: [] });
    },
    console: () => Promise.reject(new FabricError('lost', 'gone')),
    onEvent: emitter.subscriber('event'),
    onLost: () => undefined,
    close: () => undefined,
  };
  return fake;
};

const fine = (): OpResult => ({ ok: true, value: { console: 21000 } });
const failing = (code: FabricError['code'], message = 'reason'): (() => OpResult) => {
  return () => {
    if (code === 'lost') throw new FabricError(code, message);
    return { ok: false, code, message };
  };
};
const engineOn = (context: EngineContext) => {
  const engine = kind.engines[0]?.create(context);
  assert.ok(engine);
  return engine;
};
const contextOf = (fabric: FabricClient): EngineContext => ({
  fabric,
  consoles: { host: '127.0.0.1', range: [21000, 21999] },
  mark: '',
  dataDir: '/nowhere',
  filesDir: '/nowhere',
});
const exitOf = (node_id: string): FabricEvent => ({ type: 'node.exited', node_id, project_id: 'p', output: 'bye' });

describe('a node in the fabric', () => {
  it('is looked for with one inventory for all who look together', async () => {
    const fabric = fakeFabric(fine);
    const engine = engineOn(contextOf(fabric));
    const nodes = Array.from({ length: 50 }, () => nodeOf(kind, {}, { node_id: randomUUID() }));
    await Promise.all(nodes.map((node) => engine.adopt(node, never)));
    assert.equal(fabric.inventories, 1);
  });

  it('is looked for again once something was started', async () => {
    const fabric = fakeFabric(fine);
    const engine = engineOn(contextOf(fabric));
    await engine.adopt(nodeOf(kind), never);
    await engine.start(nodeOf(kind), {}, never);
    await engine.adopt(nodeOf(kind), never);
    assert.equal(fabric.inventories, 2);
  });

  it('is reported when the fabric was replaced by a new one', async () => {
    const [old, next] = [fakeFabric(fine), fakeFabric(fine)];
    let current = old;
    const engine = engineOn({
      ...contextOf(old),
      get fabric() {
        return current;
      },
    });
    const exits: Exit[] = [];
    engine.onExit((exit) => exits.push(exit));
    const node = nodeOf(kind);
    await engine.start(node, {}, never);
    current = next;
    await engine.start(node, {}, never);
    next.emit(exitOf('someone-else'));
    next.emit(exitOf(node.node_id));
    next.emit(exitOf(node.node_id));
    assert.deepEqual(exits, [{ node_id: node.node_id, project_id: 'p', code: 0, signal: null, output: 'bye' }]);
  });

  it('is not reported as ended by itself after a stop, or once the engine is closed', async () => {
    const fabric = fakeFabric(fine);
    const engine = engineOn(contextOf(fabric));
    const exits: Exit[] = [];
    engine.onExit((exit) => exits.push(exit));
    const node = nodeOf(kind);
    await engine.start(node, {}, never);
    await engine.stop(node, never);
    fabric.emit(exitOf(node.node_id));
    await engine.start(node, {}, never);
    await engine.close();
    fabric.emit(exitOf(node.node_id));
    assert.deepEqual(exits, []);
  });

  it('is given up at once when its start is aborted, and stopped after whatever is on its way', async () => {
    const fabric = fakeFabric((op) => (op.op === 'node.start' ? new Promise<never>(() => undefined) : fine()));
    const engine = engineOn(contextOf(fabric));
    const controller = new AbortController();
    const starting = engine.start(nodeOf(kind), {}, controller.signal);
    controller.abort(new Error('closing'));
    await assert.rejects(starting, /closing/);
    assert.deepEqual(
      fabric.ops.map((op) => op.op),
      ['node.start', 'node.stop'],
    );
  });

  it('fails with what a user can act on', async () => {
    const cases: [FabricError['code'], object][] = [
      ['lost', { code: 'fabric_lost', status: 503 }],
      ['failed', { code: 'engine_failed', message: 'N1: reason' }],
      ['port_taken', { code: 'engine_failed', message: /no console port of 21000 to 21999 is free/ }],
    ];
    for (const [code, expected] of cases)
      await assert.rejects(engineOn(contextOf(fakeFabric(failing(code)))).start(nodeOf(kind), {}, never), expected);
    await assert.rejects(engineOn(contextOf(fakeFabric(failing('lost')))).stop(nodeOf(kind), never), {
      code: 'fabric_lost',
    });
  });
});

describe('a trace', () => {
  const tool = createKinds().get('trace_tool');
  assert.ok(tool);
  const configOf = async (given: object, args: object): Promise<unknown> => {
    const fabric = fakeFabric(fine);
    await tool.engines[0]?.create(contextOf(fabric)).start(nodeOf(tool, { ...given }), { ...args }, never);
    const [op] = fabric.ops;
    return op?.op === 'node.start' ? op.node.config : null;
  };

  it('goes to the destination of the start, or else to the default one', async () => {
    const given = { ip_address: '10.0.0.5/24', default_destination: '10.0.0.9' };
    assert.deepEqual(await configOf(given, { destination: 'example.org' }), {
      destination: 'example.org',
      ip_address: '10.0.0.5/24',
    });
    assert.deepEqual(await configOf(given, {}), { destination: '10.0.0.9', ip_address: '10.0.0.5/24' });
  });

  it('is refused without any destination', async () => {
    await assert.rejects(configOf({ ip_address: '10.0.0.5' }, {}), { code: 'conflict', status: 409 });
  });

  it('begins at a link-local address where the tool has been given none', async () => {
    const config = (await configOf({}, { destination: '10.0.0.1' })) as { ip_address: string };
    assert.match(config.ip_address, /^169\.254\.\d+\.\d+\/16$/);
  });

  it('keeps its destination when the running tool is renamed', async () => {
    const fabric = fakeFabric(fine);
    const engine = tool.engines[0]?.create(contextOf(fabric));
    const node = nodeOf(tool);
    await engine?.start(node, { destination: '10.1.1.1' }, never);
    await engine?.update({ ...node, name: 'T2' }, never);
    const last = fabric.ops.at(-1);
    assert.ok(last?.op === 'node.configure');
    assert.equal(last.config['destination'], '10.1.1.1');
  });
});
