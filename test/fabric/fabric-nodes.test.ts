import assert from 'node:assert/strict';
import { PassThrough, type Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import type { ModelContext, ModelFactory } from '../../src/fabric/process/model.ts';
import type { Inventory, NodeSpec, StartedNode } from '../../src/fabric/protocol.ts';
import type { ConsoleHandle, ConsoleRequest, ConsoleSink, OpenConsole } from '../../src/fabric/console/console.ts';
import { createLab, nodeSpec, PROJECT, portsOf, quiet } from './lab.ts';
import { noSeat } from '../support/no-seat.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface FakeConsoles {
  open: OpenConsole;
  requests: ConsoleRequest[];
  log: string[];
}

/** Consoles without sockets; the port in use is the one after the port wished for. */
const fakeConsoles = (): FakeConsoles => {
  const consoles: FakeConsoles = {
    requests: [],
    log: [],
    open: (request) => {
      consoles.requests.push(request);
      request.sink.output = (bytes) => void consoles.log.push(Buffer.from(bytes).toString());
      const handle: ConsoleHandle = {
        port: request.port + 1,
        attach: (stream: Duplex) => stream.on('data', (chunk: Buffer) => request.sink.input(chunk)),
        reset: () => void consoles.log.push('reset'),
        record: () => undefined,
        join: noSeat,
        close: () => {
          consoles.log.push('close');
          return Promise.resolve();
        },
      };
      return Promise.resolve(handle);
    },
  };
  return consoles;
};

const echo =
  (): ModelFactory =>
  (context): ReturnType<ModelFactory> => {
    const sink: ConsoleSink = {
      output: () => undefined,
      input: (bytes) => {
        const text = Buffer.from(bytes).toString();
        if (text === 'quit') context.exit('bye');
        else if (text === 'fail') throw new Error('console failed');
        else sink.output(bytes);
      },
    };
    return { ...quiet, console: sink };
  };

const withConsole = (id: string, more: Partial<NodeSpec> = {}): NodeSpec =>
  nodeSpec(id, { model: 'host', console: { host: '127.0.0.1', port: 5000, range: [5000, 5010] }, ...more });

describe('starting a node', () => {
  it('again with the same settings answers the console again; with others it is refused', async (t) => {
    const consoles = fakeConsoles();
    const lab = createLab(t, { models: { host: echo() }, openConsole: consoles.open });
    const start = (node: NodeSpec) => lab.fabric.perform({ op: 'node.start', node });
    for (let n = 0; n < 2; n++)
      assert.deepEqual(await lab.ok(start(withConsole('a'))), { console: 5001 } satisfies StartedNode);
    // The port in use is as good as the port wished for.
    const wished = withConsole('a', { console: { host: '127.0.0.1', port: 5001, range: [5000, 5010] } });
    assert.deepEqual(await lab.ok(start(wished)), { console: 5001 });
    const other = await start(withConsole('a', { name: 'other' }));
    assert.ok(!other.ok && other.code === 'exists');
    const inventory = (await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory;
    assert.deepEqual(inventory.nodes, [{ spec: withConsole('a'), state: 'started', console: 5001 }]);
    assert.equal(consoles.requests.length, 1);
  });

  it('of no known model, or one that fails, leaves nothing behind', async (t) => {
    const consoles = fakeConsoles();
    let stopped = 0;
    const failing: ModelFactory = (context) => {
      context.timer(1, () => assert.fail('a timer outlived its node'));
      if (context.spec.config['exit'] === true) context.exit('no image');
      else if (context.spec.config['later'] !== true) throw new Error('no memory');
      return { ...quiet, console: { input: () => undefined, output: () => undefined }, stop: () => stopped++ };
    };
    const taken = (): Promise<never> => Promise.reject(Object.assign(new Error('all taken'), { code: 'port_taken' }));
    const lab = createLab(t, { models: { host: failing }, openConsole: taken });
    const start = (config: Record<string, unknown>) =>
      lab.fabric.perform({ op: 'node.start', node: withConsole('a', { config }) });
    assert.deepEqual(await start({}), { ok: false, code: 'failed', message: 'no memory' });
    assert.deepEqual(await start({ later: true }), { ok: false, code: 'port_taken', message: 'all taken' });
    const unknown = await lab.fabric.perform({ op: 'node.start', node: nodeSpec('b', { model: 'atm_switch' }) });
    assert.ok(!unknown.ok && unknown.code === 'invalid');
    const inventory = (await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory;
    assert.deepEqual([inventory.nodes, stopped, lab.events, consoles.log], [[], 1, [], []]);
  });

  it('that ends itself while it starts is a start that failed', async (t) => {
    const quitter: ModelFactory = (context) => {
      context.exit('no image');
      return quiet;
    };
    const lab = createLab(t, { models: { host: quitter } });
    const answer = await lab.fabric.perform({ op: 'node.start', node: nodeSpec('a', { model: 'host' }) });
    assert.deepEqual(answer, { ok: false, code: 'failed', message: 'no image' });
    assert.deepEqual(lab.events, []);
  });
});

describe('a running node', () => {
  it('that throws is reported and removed, and the others go on', async (t) => {
    const thrower: ModelFactory = () => ({
      ...quiet,
      receive: () => {
        throw new Error('cannot take this');
      },
    });
    const lab = createLab(t, { models: { trace_tool: thrower } });
    const [a, b] = [await lab.probe('a', 2), await lab.probe('b')];
    await lab.ok(lab.fabric.perform({ op: 'node.start', node: nodeSpec('x', { model: 'trace_tool' }) }));
    await lab.ok(lab.cable('ax', ['a/0/0', 'x/0/0']));
    await lab.ok(lab.cable('ab', ['a/0/1', 'b/0/0']));
    a.send('poison', 0);
    a.send('poison', 0);
    a.send('good', 1);
    await b.received(1);
    assert.equal(lab.events.length, 1);
    const [event] = lab.events;
    assert.ok(event?.type === 'node.exited' && event.node_id === 'x' && event.project_id === PROJECT);
    assert.match(event.output, /cannot take this/);
    await lab.ok(lab.fabric.perform({ op: 'node.start', node: nodeSpec('x', { model: 'trace_tool' }) }));
  });

  it('that ends itself closes its console and can be started again', async (t) => {
    const consoles = fakeConsoles();
    const lab = createLab(t, { models: { host: echo() }, openConsole: consoles.open });
    await lab.ok(lab.fabric.perform({ op: 'node.start', node: withConsole('a') }));
    const client = new PassThrough();
    lab.fabric.console('a')(client);
    client.write('quit');
    while (lab.events.length === 0) await tick();
    assert.deepEqual(lab.events, [{ type: 'node.exited', node_id: 'a', project_id: PROJECT, output: 'bye' }]);
    await lab.ok(lab.fabric.perform({ op: 'node.start', node: withConsole('a') }));
    assert.deepEqual(consoles.log, ['close']);
    assert.throws(() => lab.fabric.console('b'), /does not run/);
  });

  it('stops with all its timers, however often it is stopped', async (t) => {
    const contexts: ModelContext[] = [];
    const timed: ModelFactory = (context) => {
      contexts.push(context);
      context.timer(1, () => assert.fail('a timer outlived its node'));
      context.timer(60_000, () => undefined);
      return quiet;
    };
    const lab = createLab(t, { models: { host: timed } });
    await lab.ok(lab.fabric.perform({ op: 'node.start', node: nodeSpec('a', { model: 'host' }) }));
    for (let n = 0; n < 3; n++) await lab.ok(lab.fabric.perform({ op: 'node.stop', node_id: 'a' }));
    contexts[0]?.timer(1, () => assert.fail('a stopped node set a timer'));
    const statistics = (await lab.ok(lab.fabric.perform({ op: 'statistics' }))) as { timers: number };
    assert.equal(statistics.timers, 0);
    assert.deepEqual(lab.events, []);
  });

  it('takes new settings and ports, or refuses them and stays as it was', async (t) => {
    const seen: string[] = [];
    const configurable: ModelFactory = (context) => ({
      ...quiet,
      configure: (spec) => {
        if (spec.config['vlan'] === 0) throw new Error('VLAN 0 is not possible');
      },
      receive: (adapter, port) => void seen.push(`${context.spec.node_id} ${adapter}/${port}`),
    });
    const lab = createLab(t, { models: { ethernet_switch: configurable } });
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    await lab.ok(lab.fabric.perform({ op: 'node.start', node: nodeSpec('s', { model: 'ethernet_switch' }) }));
    await lab.ok(lab.cable('w0', ['a/0/0', 's/0/0']));
    await lab.ok(lab.cable('w1', ['b/0/0', 's/0/1']));
    b.send('no such port yet');
    await tick();
    const change = (vlan: number) =>
      ({ op: 'node.configure', node_id: 's', name: 'S', config: { vlan }, ports: portsOf(2) }) as const;
    const refused = await lab.fabric.perform(change(0));
    assert.deepEqual(refused, { ok: false, code: 'invalid', message: 'VLAN 0 is not possible' });
    await lab.ok(lab.fabric.perform(change(5)));
    a.send('x');
    b.send('y');
    await tick();
    assert.deepEqual(seen, ['s 0/0', 's 0/1']);
    const inventory = (await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory;
    const found = inventory.nodes.find(({ spec }) => spec.node_id === 's')?.spec;
    assert.deepEqual([found?.name, found?.config, found?.ports], ['S', { vlan: 5 }, portsOf(2)]);
    const nobody = await lab.fabric.perform({ ...change(5), node_id: 'nobody' });
    assert.ok(!nobody.ok && nobody.code === 'not_found');
  });
});

describe('a suspended node', () => {
  it('takes no frames; its timers and what is typed wait until it is resumed', async (t) => {
    const consoles = fakeConsoles();
    const happened: string[] = [];
    const model: ModelFactory = (context) => {
      context.timer(1, () => happened.push('timer'));
      return {
        ...quiet,
        console: { output: () => undefined, input: (bytes) => void happened.push(Buffer.from(bytes).toString()) },
        receive: (_adapter, _port, frame) => void happened.push(Buffer.from(frame).toString()),
      };
    };
    const lab = createLab(t, { models: { host: model }, openConsole: consoles.open });
    const a = await lab.probe('a');
    await lab.ok(lab.cable('w', ['a/0/0', 'x/0/0']));
    // In one go, so that the timer has no time to fire between.
    const [started] = await Promise.all([
      lab.fabric.perform({ op: 'node.start', node: withConsole('x') }),
      lab.fabric.perform({ op: 'node.suspend', node_id: 'x' }),
    ]);
    assert.ok(started.ok);
    consoles.requests[0]?.sink.input(Buffer.from('typed'));
    a.send('lost');
    await new Promise<void>((resolve) => void a.context.timer(5, resolve));
    const inventory = (await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory;
    assert.equal(inventory.nodes.find(({ spec }) => spec.node_id === 'x')?.state, 'suspended');
    assert.deepEqual(happened, []);
    await lab.ok(lab.fabric.perform({ op: 'node.resume', node_id: 'x' }));
    while (happened.length < 2) await tick();
    a.send('taken');
    while (happened.length < 3) await tick();
    assert.deepEqual(happened, ['typed', 'timer', 'taken']);
  });
});

describe('removing a project', () => {
  it('removes what is its own and nothing else', async (t) => {
    const lab = createLab(t);
    await lab.probe('a');
    await lab.probe('b');
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    const other = { project_id: 'other' };
    await lab.ok(lab.fabric.perform({ op: 'node.start', node: nodeSpec('c', other) }));
    await lab.ok(lab.cable('v', ['c/0/0', 'd/0/0'], other));
    await lab.ok(lab.fabric.perform({ op: 'project.remove', project_id: PROJECT }));
    const inventory = (await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory;
    assert.deepEqual(
      [inventory.nodes.map(({ spec }) => spec.node_id), inventory.cables.map(({ cable_id }) => cable_id)],
      [['c'], ['v']],
    );
  });
});
