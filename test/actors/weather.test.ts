import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../src/common/promises.ts';
import { weatherForm } from '../../src/common/forms/weather.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { readEvents } from '../../src/events/read.ts';
import type { WeatherInput } from '../../src/actors/commands.ts';
import type { CableSpec, Op } from '../../src/fabric/protocol.ts';
import { withWeather } from '../../src/projections/weather.ts';
import type { LinkRecord, NodeRecord, WeatherRun } from '../../src/projections/records.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, clientOf, fabricInProcess, type TestLab, testLab } from './test-lab.ts';
import { waitFor } from '../support/wait-for.ts';

/** Never reached within a test. */
const NEVER = '2h';

interface Scene {
  lab: TestLab;
  project_id: string;
  pcs: [NodeRecord, NodeRecord];
  link(): LinkRecord;
  node(index: 0 | 1): NodeRecord;
  run(): WeatherRun | undefined;
  set(...entries: object[]): Promise<void>;
  events(): Promise<AnyEvent[]>;
  /** Of the link, in the fabric. */
  cable(): Promise<CableSpec>;
  restart(resume?: boolean): Promise<void>;
}

const holds = (condition: () => boolean): Promise<true> => waitFor(String(condition), condition);

/** `before`: waited for before the fabric does something. */
const scene = async (t: TestContext, before?: (op: Op) => Promise<void>): Promise<Scene> => {
  const dir = await tempDir();
  const inProcess = fabricInProcess();
  const fabric = clientOf({
    ...inProcess,
    async perform(op) {
      await before?.(op);
      return inProcess.perform(op);
    },
  });
  let lab = await testLab({ dir: dir.path, fabric });
  t.after(async () => {
    await lab.close();
    await inProcess.close();
    await dir.remove();
  });
  const { project_id } = await lab.commands.createProject(CALLER, { name: 'lab' });
  const pc = (name: string) => lab.commands.createNode(CALLER, project_id, { name, kind: 'simple_pc' }, 'conflict');
  const pcs = [await pc('PC1'), await pc('PC2')] as [NodeRecord, NodeRecord];
  const nodes = pcs.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const { link_id } = await lab.commands.createLink(CALLER, project_id, { nodes, filters: { delay: [5] } });
  await lab.commands.actOnProject(CALLER, project_id, 'start');
  const get = <T>(value: T | undefined): T => value ?? assert.fail('it is gone');
  return {
    get lab() {
      return lab;
    },
    project_id,
    pcs,
    link: () => get(lab.records.committed.get('link', link_id)),
    node: (index) => get(lab.records.committed.get('node', pcs[index].node_id)),
    run: () => lab.records.committed.get('project', project_id)?.weather_run,
    async set(...entries) {
      const inputs = entries.map((entry): WeatherInput => weatherForm.parse(entry));
      await lab.commands.setWeather(CALLER, project_id, inputs);
    },
    async events() {
      const found: AnyEvent[] = [];
      for await (const event of readEvents(lab.log.store)) found.push(event);
      return found;
    },
    cable: async () => get((await fabric.inventory()).cables.find(({ cable_id }) => cable_id === link_id)),
    async restart(resume = true) {
      await lab.close();
      lab = await testLab({ dir: dir.path, fabric });
      await lab.lab.recover(resume);
    },
  };
};

const start = (s: Scene, seed?: number) =>
  s.lab.commands.startWeather(CALLER, s.project_id, { paused: true, ...(seed === undefined ? {} : { seed }) });
const skip = (s: Scene, to?: number | string) => s.lab.commands.skipWeather(CALLER, s.project_id, to);
const end = (s: Scene) => s.lab.commands.endWeather(CALLER, s.project_id);

const STORM = { name: 'storm', at: '1s', for: NEVER, filters: { packet_loss: [30] } };

describe('the weather of a project', () => {
  it('lays its filters over those of a link, and takes them away at its end', async (t) => {
    const s = await scene(t);
    const before = await s.cable();
    await s.set({ ...STORM, links: [['PC1', 'PC2']] });
    await start(s, 7);
    assert.equal(s.link().weather, undefined);
    await skip(s);
    const { seed, ...more } = s.link().weather?.filters ?? {};
    assert.deepEqual(more, { packet_loss: [30] });
    assert.deepEqual(s.link().filters, { delay: [5] });
    assert.deepEqual(withWeather(s.link()).filters, { delay: [5], seed, packet_loss: [30] });
    const { filters, seed: made } = await s.cable();
    assert.deepEqual([filters, made], [{ delay: { latency_ms: 5, jitter_ms: 0 }, packet_loss: 30 }, seed?.[0]]);
    assert.deepEqual(s.run()?.storms, ['storm']);
    await end(s);
    assert.equal(s.link().weather, undefined);
    assert.equal(s.run(), undefined);
    assert.deepEqual(await s.cable(), before);
  });

  it('does its steps by itself in time, each an event by the system, caused by what began it', async (t) => {
    const s = await scene(t);
    await s.set({ ...STORM, at: '50ms', for: '50ms' }, { at: '120ms', for: '50ms', suspend: true });
    await s.lab.commands.startWeather(CALLER, s.project_id, {});
    await holds(() => s.run() === undefined);
    await holds(() => s.link().weather === undefined);
    const events = (await s.events()).filter(({ type }) => type.startsWith('weather.') || type === 'link.updated');
    const [started, ...rest] = events;
    assert.equal(started?.type, 'weather.started');
    assert.equal(started.by.principal, 'tester');
    assert.ok(rest.every(({ by }) => by.principal === 'system'));
    const positions = new Map(events.map((event) => [event.position, event.type]));
    const led = rest.map(({ type, cause }) => `${positions.get(cause ?? 0)} > ${type}`);
    assert.deepEqual(led, [
      'weather.started > weather.stepped',
      'weather.stepped > link.updated',
      'weather.stepped > weather.stepped',
      'weather.stepped > link.updated',
      'weather.stepped > weather.stepped',
      'weather.stepped > link.updated',
      'weather.stepped > weather.stepped',
      'weather.stepped > link.updated',
      'weather.stepped > weather.ended',
    ]);
    const steps = rest.flatMap((event) => (event.type === 'weather.stepped' ? [event.data.at] : []));
    assert.deepEqual(steps, [50, 100, 120, 170]);
  });

  it('has the same seed for the same storm each time it is started, and another one for another seed', async (t) => {
    const s = await scene(t);
    await s.set({ ...STORM, repeat: { every: '3h', times: 2 } });
    const seeds = async (seed: number): Promise<unknown[]> => {
      await start(s, seed);
      const found: unknown[] = [];
      for (const storm of [1, 2]) {
        await skip(s, 'storm');
        found.push(s.link().weather?.filters['seed'], storm);
      }
      await end(s);
      return found;
    };
    const once = await seeds(7);
    assert.deepEqual(await seeds(7), once);
    assert.notDeepEqual(await seeds(8), once);
    assert.notDeepEqual(once[0], once[2]);
  });

  it('ends nodes as a crash does, and starts them again', async (t) => {
    const s = await scene(t);
    await s.set({ at: '1s', for: NEVER, crash: ['PC2'] }, { at: '5s', for: NEVER, suspend: true });
    await start(s);
    await skip(s);
    await holds(() => s.node(1).state === 'stopped');
    assert.equal(s.node(0).state, 'started');
    const exited = (await s.events()).find(({ type }) => type === 'node.exited');
    assert.deepEqual([exited?.cause, exited?.by.principal], [s.run()?.cause, 'system']);
    await skip(s);
    assert.deepEqual(s.run()?.down, [s.node(1).node_id]);
    await end(s);
    await holds(() => s.node(1).state === 'started');
  });

  it('starts no node that did not run when it was to crash', async (t) => {
    const s = await scene(t);
    const { node_id, project_id } = s.node(1);
    await s.lab.commands.actOnNode(CALLER, { project_id, node_id }, 'stop');
    await s.set({ at: 0, for: '1s', crash: ['PC2'] }, { at: 0, for: NEVER, suspend: true });
    await start(s);
    await skip(s, 0);
    assert.deepEqual(s.run()?.down, []);
    await skip(s, 1000);
    assert.deepEqual(s.run()?.up, []);
  });

  it('waits while it is paused, and goes on from there', async (t) => {
    const s = await scene(t);
    await s.set({ ...STORM, at: '100ms', for: '100ms' });
    await start(s);
    await s.lab.commands.resumeWeather(CALLER, s.project_id);
    await s.lab.commands.pauseWeather(CALLER, s.project_id);
    const at = s.run()?.at ?? 0;
    assert.ok(at < 100);
    assert.equal(s.run()?.since, null);
    // Again is once.
    await s.lab.commands.pauseWeather(CALLER, s.project_id);
    await s.lab.commands.resumeWeather(CALLER, s.project_id);
    await holds(() => s.run() === undefined);
    const types = (await s.events()).map(({ type }) => type).filter((type) => type.startsWith('weather.'));
    assert.deepEqual(types, [
      ...['weather.started', 'weather.resumed', 'weather.paused', 'weather.resumed'],
      ...['weather.stepped', 'weather.stepped', 'weather.ended'],
    ]);
  });

  it('goes on after an end of the server with no step twice and none left out', async (t) => {
    const s = await scene(t);
    await s.set({ ...STORM, at: 0, for: '400ms' }, { at: '200ms', for: '100ms', crash: ['PC2'] });
    await s.lab.commands.startWeather(CALLER, s.project_id, { seed: 3 });
    const { weather } = s.link();
    assert.ok(weather !== undefined);
    await s.restart();
    assert.deepEqual(s.link().weather, weather);
    assert.deepEqual((await s.cable()).filters.packet_loss, 30);
    await holds(() => s.run() === undefined);
    await holds(() => s.link().weather === undefined && s.node(1).state === 'started');
    const steps = (await s.events()).flatMap((event) => (event.type === 'weather.stepped' ? [event.data.at] : []));
    assert.deepEqual(steps, [0, 200, 300, 400]);
  });

  it('does what a step that is on record has not done before the server ended', async (t) => {
    const s = await scene(t);
    await s.set({ ...STORM, at: 0 }, { at: 0, for: NEVER, crash: ['PC1'] });
    await start(s, 5);
    // As a server leaves it that ends right behind the append.
    const data = { at: 0, since: null, storms: ['storm'], down: [s.node(0).node_id], up: [] };
    const by = { ...CALLER.by, principal: 'system' };
    const project_id = s.project_id;
    await s.lab.log.append([
      { project_id, type: 'weather.stepped', data: { project_id, ...data }, by, request_id: null, cause: null },
    ]);
    await s.restart();
    await holds(() => s.link().weather !== undefined && s.node(0).state === 'stopped');
    assert.deepEqual(s.link().weather?.filters['packet_loss'], [30]);
    assert.equal((await s.events()).filter(({ type }) => type === 'weather.stepped').length, 1);
  });

  it('ends when the project is closed, and leaves nothing at its links', async (t) => {
    const s = await scene(t);
    await s.set(STORM);
    await start(s);
    await skip(s);
    await s.lab.commands.closeProject(CALLER, s.project_id);
    assert.equal(s.run(), undefined);
    assert.equal(s.link().weather, undefined);
    await s.lab.commands.openProject(CALLER, s.project_id);
    assert.deepEqual((await s.cable()).filters, { delay: { latency_ms: 5, jitter_ms: 0 } });
    assert.equal((await s.events()).filter(({ type }) => type === 'weather.ended').length, 1);
  });

  it('takes up what is changed while it is on', async (t) => {
    const s = await scene(t);
    await s.set(STORM);
    await start(s);
    await skip(s);
    await s.set({ ...STORM, filters: { delay: [80] } });
    await holds(() => s.link().weather?.filters['delay'] !== undefined);
    assert.equal(s.link().weather?.filters['packet_loss'], undefined);
    const events = (await s.events()).length;
    // The same once more changes nothing.
    await s.set({ ...STORM, filters: { delay: [80] } });
    assert.equal((await s.events()).length, events);
    await s.set();
    await holds(() => s.run() === undefined && s.link().weather === undefined);
  });

  it('is no edit of anybody, and what is to happen is one', async (t) => {
    const s = await scene(t);
    const caller = { ...CALLER, request_id: 'r1' };
    await s.lab.commands.setWeather(caller, s.project_id, [weatherForm.parse(STORM)]);
    await s.lab.commands.startWeather({ ...CALLER, request_id: 'r2' }, s.project_id, { paused: true });
    await s.lab.commands.skipWeather({ ...CALLER, request_id: 'r3' }, s.project_id);
    const { edit } = await s.lab.commands.undo({ ...CALLER, request_id: 'r4' }, s.project_id);
    assert.deepEqual(
      edit.objects.map(({ fields }) => fields),
      [['weather']],
    );
    await holds(() => s.run() === undefined && s.link().weather === undefined);
  });

  it('refuses what cannot be, and says why', async (t) => {
    const s = await scene(t);
    await assert.rejects(start(s), /the project has no weather/);
    await assert.rejects(end(s), /the weather is not on/);
    await s.set({ ...STORM, for: '1s' });
    await start(s);
    await assert.rejects(start(s), /the weather is on already/);
    await assert.rejects(skip(s, 'calm'), /no entry of the weather that is called calm begins after this/);
    await skip(s);
    await assert.rejects(skip(s, 500), /the weather is at 1 s already/);
    const wrong: [object, RegExp][] = [
      [{ links: [['PC1', 'PC3']], suspend: true }, /links: there is no node PC3/],
      [{ links: ['PC1:7'], suspend: true }, /links: PC1 has no port 7/],
      [{ crash: ['R1'] }, /crash: there is no node R1/],
      [{ filters: { delai: [5] } }, /there is no filter delai/],
      [{ for: '1s', ramp: { to: { delay: [99_999] } } }, /filter delay: latency must be/],
      [{ for: '1s', ramp: { to: { frequency_drop: [5] }, steps: 3 } }, /frequency must be a whole number/],
      [{ trace: { file: 'a.csv' } }, /a server reads no files/],
      [{ trace: { csv: 'time,speed\n0,1' } }, /columns among time, rate, delay, loss/],
      [{ trace: { csv: 'time,loss\n0,1\n1,101' } }, /line 3: loss must be a number from 0 to 100/],
    ];
    for (const [entry, message] of wrong) await assert.rejects(s.set(entry), message);
  });

  it('reads a trace of CSV, and names links in every way', async (t) => {
    const s = await scene(t);
    const csv = '# measured\ntime, delay, loss\n0, 20, 1\n1.5, 40,\n';
    for (const link of [['PC1', 'PC2'], ['PC2:0', 'PC1:0/0'], 'PC1:e0', s.link().link_id]) {
      await s.set({ links: [link], trace: { csv } });
      const [entry] = s.lab.records.committed.get('project', s.project_id)?.weather ?? [];
      assert.deepEqual(entry?.links, [s.link().link_id]);
      assert.deepEqual(entry.trace?.points, [
        { time: 0, delay: 20, loss: 1 },
        { time: 1.5, delay: 40 },
      ]);
    }
  });
});

describe('a check during weather', () => {
  it('looks once links have it, and not when it is only on record', async (t) => {
    const told: string[] = [];
    const isMet = (): boolean => told.includes('check.met');
    const s = await scene(t, async (op) => {
      const isStorm = op.op === 'cable.put' && op.cable.filters.packet_loss !== undefined;
      if (!isStorm) return;
      // Long enough for a look that does not wait.
      await until(isMet, { every: 5, within: 200 });
      told.push('links');
    });
    s.lab.log.onCommitted((events) => told.push(...events.map(({ type }) => type)));
    await s.set({ name: 'storm', at: 0, for: NEVER, links: [['PC1', 'PC2']], filters: { packet_loss: [100] } });
    await s.lab.lab.recover(true);
    const check = { state: { node: 'PC1', is: 'started' }, during: 'storm' } as const;
    await s.lab.commands.createCheck(CALLER, s.project_id, check);
    await s.lab.commands.startWeather(CALLER, s.project_id, {});
    await holds(isMet);
    assert.deepEqual(
      told.filter((one) => ['weather.stepped', 'links', 'check.met'].includes(one)),
      ['weather.stepped', 'links', 'check.met'],
    );
  });
});

describe('a clock that is set back while the server is away', () => {
  /** Answers how the clock is set back. */
  const clockOf = (t: TestContext): (() => void) => {
    const now = Date.now;
    let ahead = 3_600_000;
    t.mock.method(Date, 'now', () => now() + ahead);
    return () => (ahead = 0);
  };

  it('holds up no weather', async (t) => {
    const setBack = clockOf(t);
    const s = await scene(t);
    await s.set({ ...STORM, at: '50ms' });
    await s.lab.commands.startWeather(CALLER, s.project_id, {});
    await holds(() => s.run()?.stepped === 50);
    await s.set({ ...STORM, at: '50ms', for: '200ms' });
    setBack();
    await s.restart();
    await holds(() => s.run() === undefined);
    assert.equal(s.link().weather, undefined);
  });

  it('holds up no look of a check', async (t) => {
    const setBack = clockOf(t);
    const s = await scene(t);
    setBack();
    await s.restart();
    const { check_id } = await s.lab.commands.createCheck(CALLER, s.project_id, {
      state: { node: 'PC1', is: 'started' },
    });
    await holds(() => s.lab.records.committed.get('run', s.project_id)?.verdicts[check_id]?.is_met === true);
  });
});
