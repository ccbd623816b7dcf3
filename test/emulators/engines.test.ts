import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Emitter } from '../../src/common/emitter.ts';
import type { FabricClient } from '../../src/fabric/client/client.ts';
import type { Engine, EngineContext, EngineFactory, Exit, Kind, Missing } from '../../src/emulators/kit/contract.ts';
import { defineKind } from '../../src/emulators/kit/define-kind.ts';
import { createEngines } from '../../src/emulators/kit/engines.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { nodeOf } from './sample.ts';

const context: EngineContext = {
  fabric: {} as FabricClient,
  consoles: { host: '127.0.0.1', range: [21000, 21999] },
  mark: '',
  dataDir: '/nowhere',
  filesDir: '/nowhere',
};

interface Double {
  factory: EngineFactory;
  made: number;
  closed: number;
  exit(exit: Exit): void;
}

/** An engine that runs nothing, to choose from. */
const double = (name: string, missing: Missing | null): Double => {
  const emitter = new Emitter<{ exit: [Exit] }>();
  const self: Double = {
    made: 0,
    closed: 0,
    exit: (exit) => emitter.emit('exit', exit),
    factory: {
      name,
      create: () => {
        self.made += 1;
        const engine: Engine = {
          name,
          concurrency: 1,
          missing: () => Promise.resolve(missing),
          incomplete: ({ properties }) => Promise.resolve('image' in properties ? IMAGE : null),
          version: () => Promise.resolve('1.0'),
          start: () => Promise.resolve({ pid: null, console: null, command_line: name }),
          stop: () => Promise.resolve(),
          update: () => Promise.resolve(),
          adopt: () => Promise.resolve(null),
          remove: () => Promise.resolve(),
          deadline: () => 1,
          onExit: emitter.subscriber('exit'),
          close: () => {
            self.closed += 1;
            return Promise.resolve();
          },
        };
        return engine;
      },
    },
  };
  return self;
};

const kindWith = (...engines: Double[]): Kind =>
  defineKind({
    name: 'sample',
    alias: 'sample_alias',
    directory: 'sample',
    look: { symbol: '', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'S{0}' },
    fields: {},
    shown: [],
    hot: [],
    ports: () => [],
    engines: engines.map((engine) => engine.factory),
  });

const LACKS: Missing = { needs: 'first-program', install: 'apt-get install first' };
const IMAGE: Missing = { needs: 'image x', install: 'put it there' };
const first = () => double('first', LACKS);
const second = () => double('second', null);

const choose = async (engines: Double[], properties = {}, choice = {}) => {
  const kind = kindWith(...engines);
  const made = createEngines(createKinds([kind]), context, { engines: {}, simulate: false, ...choice });
  return (await made.forNode(kind, nodeOf(kind, properties))).name;
};

describe('the engine of a node', () => {
  it('is the first that can run', async () => {
    assert.equal(await choose([first(), second()]), 'second');
    assert.equal(await choose([second(), first()]), 'second');
  });

  it('is the one of the node, before the one of the command line, before the others', async () => {
    const third = double('third', null);
    const engines = { sample_alias: 'second' };
    assert.equal(await choose([third, second()], {}, { engines }), 'second');
    assert.equal(await choose([third, second()], { engine: 'third' }, { engines }), 'third');
    assert.equal(await choose([third], { engine: 'simulated' }), 'simulated');
  });

  it('is refused when the one asked for is missing, even where others are there', async () => {
    const refusal = { code: 'engine_missing', message: 'N1 needs first-program: apt-get install first' };
    await assert.rejects(choose([first(), second()], { engine: 'first' }), refusal);
    await assert.rejects(choose([first(), second()], {}, { engines: { sample: 'first' }, simulate: true }), refusal);
  });

  it('is simulated only where that was asked for; otherwise the refusal names what to install', async () => {
    await assert.rejects(choose([first()]), { code: 'engine_missing', status: 409, message: /first-program.*apt-get/ });
    await assert.rejects(choose([]), { code: 'engine_missing' });
    assert.equal(await choose([first()], {}, { simulate: true }), 'simulated');
    assert.equal(await choose([first(), second()], {}, { simulate: true }), 'second');
  });

  it('is simulated where an image is missing, simulation was asked for and no engine was named', async () => {
    const node = { image: 'x' };
    assert.equal(await choose([second()], node, { simulate: true }), 'simulated');
    assert.equal(await choose([second()], {}, { simulate: true }), 'second');
    assert.equal(await choose([second()], node), 'second');
    assert.equal(await choose([second()], { ...node, engine: 'second' }, { simulate: true }), 'second');
  });

  it('cannot be one that there is not', async () => {
    const kind = kindWith(second());
    const kinds = createKinds([kind]);
    const none = { engines: {}, simulate: false };
    assert.throws(
      () => createEngines(kinds, context, { ...none, engines: { sample: 'magic' } }),
      /possible: second, simulated/,
    );
    assert.throws(
      () => createEngines(kinds, context, { ...none, engines: { other: 'second' } }),
      /other is not a kind/,
    );
    const node = { ...nodeOf(kind), properties: { engine: 'magic' } };
    await assert.rejects(createEngines(kinds, context, none).forNode(kind, node), { code: 'invalid_request' });
  });
});

describe('the engines of a server', () => {
  const none = { engines: {}, simulate: false };

  it('are made once, and only when needed', async () => {
    const engine = second();
    const kind = kindWith(engine);
    const engines = createEngines(createKinds([kind]), context, none);
    assert.equal(engine.made, 0);
    const node = nodeOf(kind);
    assert.equal(await engines.forNode(kind, node), await engines.forNode(kind, node));
    assert.equal(engines.running(kind, 'second'), await engines.forNode(kind, node));
    assert.equal(engine.made, 1);
    assert.equal(engines.running(kind, 'gone'), undefined);
    await engines.close();
    assert.equal(engine.closed, 1);
  });

  it('report what is there and what is missing', async () => {
    const engines = createEngines(createKinds([kindWith(first(), second())]), context, none);
    assert.deepEqual(await engines.report(), [
      { kind: 'sample', engine: 'first', available: false, version: null, missing: LACKS },
      { kind: 'sample', engine: 'second', available: true, version: '1.0', missing: null },
    ]);
  });

  it('tell of nodes that end by themselves, whenever the engine was made', async () => {
    const engine = second();
    const kind = kindWith(engine);
    const engines = createEngines(createKinds([kind]), context, none);
    const heard: Exit[] = [];
    engines.onExit((exit) => heard.push(exit));
    await engines.forNode(kind, nodeOf(kind));
    const exit: Exit = { node_id: 'n', project_id: 'p', code: 1, signal: null, output: 'boom' };
    engine.exit(exit);
    assert.deepEqual(heard, [exit]);
  });

  it('say for every kind of the registry what they need, without starting anything', async () => {
    const kinds = createKinds();
    const engines = createEngines(kinds, context, none);
    const report = await engines.report();
    assert.deepEqual(new Set(report.map((row) => row.kind)), new Set(kinds.all().map((kind) => kind.name)));
    for (const { engine, available, missing } of report) {
      const own = engine === 'embedded' || engine === 'udp';
      // Programs may be installed here or not.
      assert.equal(available, missing === null, engine);
      if (own) assert.equal(missing, null, engine);
      else if (missing !== null) assert.ok(missing.needs !== '' && missing.install !== '');
    }
    await engines.close();
  });
});
