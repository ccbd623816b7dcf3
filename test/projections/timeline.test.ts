import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { entries, type Store } from '../../src/events/store/store.ts';
import type { LogEvent } from '../../src/events/event.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { readTexts } from '../../src/events/read.ts';
import type { AnyDraft } from '../../src/events/schemas.ts';
import { createTimeReader, type TimeReader } from '../../src/projections/past/timeline/reader.ts';
import { IDLE_MS } from '../../src/projections/past/timeline/rows.ts';
import { TimeIndex } from '../../src/projections/past/timeline/time-index.ts';
import { TimeLines } from '../../src/projections/past/timeline/time-lines.ts';
import { overviewOf } from '../../src/projections/past/timeline/overview.ts';
import { Records } from '../../src/projections/store.ts';
import { draftOf, PROJECT } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';

const T = Date.parse('2026-11-21T12:00:00.000Z');
const CHUNK = 7;
const nodeId = (n: number): string => `00000000-0000-4000-8000-00000000010${n}`;

type By = Partial<Pick<AnyDraft, 'by' | 'request_id' | 'cause'>>;
const by = (principal: string, request_id: string | null = null): By => ({
  by: { principal, address: null, agent: null },
  request_id,
});
const of = (type: string, data: object, more: By = {}): AnyDraft =>
  Object.assign(draftOf(type as 'node.deleted', { project_id: PROJECT, ...data } as never), more);
const named = (n: number, name: string, more?: By): AnyDraft =>
  of('node.updated', { node_id: nodeId(n), changes: { name } }, more);
const moved = (n: number, more?: By): AnyDraft => of('node.updated', { node_id: nodeId(n), changes: { x: n } }, more);

/** A log that checks nothing of what it is given, and its clock. */
const openLog = async (store: Store = memoryStore()) => {
  const clock = { now: T };
  const projector = new Records();
  const log = await EventLog.open(() => Promise.resolve(store), unfolded(projector), { clock: () => clock.now });
  return { log, store, clock };
};

/** Records that stay as they are: these events tell of objects that were never made. */
const unfolded = (records: Records): Records => Object.assign(records, { fold: () => [], project: () => [] });

const stored = async (store: Store): Promise<LogEvent[]> =>
  (await readTexts(store, PROJECT, { limit: 100_000 })).map((text) => JSON.parse(text) as LogEvent);

const linesOf = (log: EventLog): TimeLines => new TimeLines(log, { chunk: CHUNK, waitMs: 60_000 });
const readerOf = (log: EventLog): TimeReader => createTimeReader(log, linesOf(log));

const LINK = { suspend: false, filters: {}, link_style: {}, extra: {} };
const TAKEN = { created_at: 0, files: 1, bytes: 1, manifest_sha256: '' };
const STARTED = { engine: 'embedded', pid: null, console: null, command_line: '' };

const ALL = { buckets: 10, single: 1000 };
const LIST = { order: 'asc', offset: 0, limit: 500 } as const;

const step = fc.record({
  node: fc.nat(3),
  what: fc.constantFrom('move', 'rename', 'start', 'fail', 'refuse', 'delete'),
  who: fc.constantFrom('ada', 'bob', 'system'),
  request: fc.constantFrom(null, 'r1', 'r2'),
  idle: fc.constantFrom(0, 1, 500, 2 * IDLE_MS),
  name: fc.constantFrom('PC1', 'host', 'R2'),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const draftOfStep = ({ node, what, who, request, name }: Step): AnyDraft => {
  const more = by(who, request);
  if (what === 'move') return moved(node, more);
  if (what === 'rename') return named(node, name, more);
  if (what === 'start') return of('node.start_requested', { node_id: nodeId(node), arguments: {} }, more);
  if (what === 'delete') return of('node.deleted', { node_id: nodeId(node) }, more);
  if (what === 'refuse') {
    const path = `/v2/projects/${PROJECT}/nodes/${nodeId(node)}/start`;
    return of(
      'request.refused',
      { method: 'POST', route: path, path, status: 409, reason: `no ${name}`, body: null, count: 1 },
      more,
    );
  }
  return of('node.start_failed', { node_id: nodeId(node), failure: { code: 'x', message: `no ${name}` } }, more);
};

describe('the index of time', () => {
  it('is what all events fold to, however it grew, and after any number of starts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.array(step, { maxLength: 12 }), fc.boolean()), { maxLength: 12 }),
        async (parts) => {
          const { log, store, clock } = await openLog();
          let lines = linesOf(log);
          for (const [steps, isStart] of parts) {
            if (isStart) lines = linesOf(log);
            if (steps.length % 2 === 0) await lines.of(PROJECT);
            for (const one of steps) {
              clock.now += one.idle;
              await log.append([draftOfStep(one)]);
            }
          }
          const whole = new TimeIndex();
          for (const event of await stored(store)) whole.add(event);
          for (const one of [lines, linesOf(log)]) {
            const { index } = await one.of(PROJECT);
            assert.deepEqual(overviewOf(index, ALL), overviewOf(whole, ALL));
            assert.equal(index.hash, whole.hash);
            for (let n = 0; n < 4; n++) assert.deepEqual(index.names.all(nodeId(n)), whole.names.all(nodeId(n)));
          }
          await log.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is read from its chunks, and made again where they are of another log', async () => {
    const { log, store } = await openLog();
    for (let n = 0; n < 30; n++) await log.append([moved(n % 3, by('ada'))]);
    assert.equal((await linesOf(log).of(PROJECT)).index.rows.length, 30);
    const keys: string[] = [];
    const chunks = async (): Promise<number> => {
      keys.splice(0);
      for await (const [key] of entries(store, { gte: 't/', lte: 't/~' })) keys.push(key);
      return keys.length;
    };
    while ((await chunks()) < 4) await new Promise((resolve) => setImmediate(resolve));
    const [, text = ''] = [0, await store.get(keys.at(-1) ?? '')];
    await store.batch(
      [{ type: 'put', key: keys.at(-1) ?? '', value: text.replace(/"hash":"...../, '"hash":"00000') }],
      { sync: true },
    );
    const { index } = await linesOf(log).of(PROJECT);
    assert.equal(index.rows.length, 30);
    assert.equal(index.version, 30);
    await log.close();
  });

  it('tells what there is while the rest is still made', async () => {
    const { log } = await openLog();
    for (let n = 0; n < 20; n++) await log.append([moved(n % 3)]);
    const reader = createTimeReader(log, new TimeLines(log, { waitMs: 0 }));
    const first = await reader.overview(PROJECT, ALL);
    assert.equal(first.of, 20);
    let now = first;
    while (now.indexed < now.of) now = await reader.overview(PROJECT, ALL);
    assert.equal(now.entries, 20);
    await log.close();
  });
});

describe('entries of a time line', () => {
  it('are one for what a request says of several objects', async () => {
    const { log } = await openLog();
    await log.append([named(1, 'R1'), moved(1, by('bob', 'r1')), moved(2, by('bob', 'r1')), moved(3, by('bob', 'r1'))]);
    await log.append([moved(1, by('bob', 'r2'))]);
    const { total, entries: found } = await readerOf(log).entries(PROJECT, LIST);
    assert.equal(total, 3);
    assert.deepEqual(
      found.map(({ kind, count, person, name, position, last }) => [kind, count, person, name, position, last]),
      [
        ['change', 1, 'system', 'R1', 1, 1],
        ['move', 3, 'bob', 'R1', 2, 4],
        ['move', 1, 'bob', 'R1', 5, 5],
      ],
    );
    await log.close();
  });

  it('have the names of their time, of nodes and of the ends of links', async () => {
    const { log } = await openLog();
    const label = { text: 'e0' };
    const nodes = [1, 2].map((n) => ({ node_id: nodeId(n), adapter_number: 0, port_number: 0, label }));
    await log.append([
      named(1, 'PC3'),
      named(2, 'SW1'),
      of('link.created', { link_id: 'l', link_type: 'ethernet', nodes, ...LINK }),
      named(1, 'host124', by('ada')),
      of('link.updated', { link_id: 'l', changes: { filters: { packet_loss: [20] } } }),
    ]);
    const { entries: found } = await readerOf(log).entries(PROJECT, LIST);
    assert.deepEqual(
      found.map(({ name, former }) => [name, former]),
      [
        ['PC3', null],
        ['SW1', null],
        ['PC3 – SW1', null],
        ['host124', 'PC3'],
        ['host124 – SW1', null],
      ],
    );
    assert.deepEqual(found.at(-1)?.ends, [
      { name: 'host124', port: 'e0' },
      { name: 'SW1', port: 'e0' },
    ]);
    const shown = await readerOf(log).entries(PROJECT, { ...LIST, text: 'pc3 ada' });
    assert.deepEqual(
      shown.entries.map(({ position }) => position),
      [4],
    );
    await log.close();
  });

  it('say how long it took, and whose request it was', async () => {
    const { log, clock } = await openLog();
    await log.append([of('node.start_requested', { node_id: nodeId(1), arguments: {} }, by('ada'))]);
    clock.now += 400;
    await log.append([of('node.started', { node_id: nodeId(1), ...STARTED }, { cause: 1 })]);
    const { entries: found } = await readerOf(log).entries(PROJECT, { ...LIST, order: 'desc', limit: 1 });
    assert.deepEqual([found[0]?.took, found[0]?.person, found[0]?.type], [400, 'ada', 'node.started']);
    await log.close();
  });

  it('are of what a refused request asked about', async () => {
    const { log } = await openLog();
    await log.append([named(1, 'PC1')]);
    const route = '/v2/projects/{project_id}/nodes/{node_id}/start';
    const path = `/v2/projects/${PROJECT}/nodes/${nodeId(1)}/start`;
    const refused = { method: 'POST', route, path, status: 409, reason: 'it runs', body: null, count: 1 };
    await log.append([of('request.refused', refused), of('request.refused', { ...refused, route: '/', path: '/v2' })]);
    const { entries: found } = await readerOf(log).entries(PROJECT, LIST);
    assert.deepEqual(
      found.slice(1).map(({ object, name, kind }) => [object?.id ?? null, name, kind]),
      [
        [nodeId(1), 'PC1', 'failure'],
        [null, null, 'failure'],
      ],
    );
    await log.close();
  });

  it('are one where a request was refused for what has failed, and two where it was refused for something else', async () => {
    const { log } = await openLog();
    const message = 'R1 needs an image that is not here';
    const ada = by('ada', 'r1');
    const refused = (what: string, reason: string): AnyDraft => {
      const [route, path] = [`/v2/projects/{project_id}/${what}`, `/v2/projects/${PROJECT}/${what}`];
      return of('request.refused', { method: 'POST', route, path, status: 409, reason, body: null, count: 1 }, ada);
    };
    const start = `nodes/${nodeId(1)}/start`;
    const failure = { code: 'x', message };
    const failed = [{ node_id: nodeId(1), name: 'R1', failure }];
    await log.append([
      of('node.start_requested', { node_id: nodeId(1), arguments: {} }, ada),
      of('node.start_failed', { node_id: nodeId(1), failure }, { cause: 1 }),
      moved(2, by('bob')),
      refused(start, message),
      refused(start, 'R1 is locked'),
      refused(start, 'R1 is locked'),
      of('project.nodes_finished', { action: 'start', done: 0, failed }, ada),
      refused('nodes/start', `1 of 1 nodes could not be started: R1 (${message})`),
      refused('nodes/start', 'the project is closed'),
    ]);
    const told = async (): Promise<unknown> =>
      (await readerOf(log).entries(PROJECT, { ...LIST, kinds: ['failure'] })).entries.map(({ position }) => position);
    assert.deepEqual(await told(), [2, 5, 6, 7, 9]);
    await log.close();
  });

  it('come in pages, forwards and backwards, by kind, person, object and words', async () => {
    const { log, clock } = await openLog();
    for (let n = 0; n < 20; n++) {
      clock.now += 1000;
      await log.append([n % 2 === 0 ? moved(n % 3, by('ada')) : named(n % 3, `PC${n}`, by('bob'))]);
    }
    const reader = readerOf(log);
    const positions = async (query: object): Promise<[number, number, number[]]> => {
      const page = await reader.entries(PROJECT, { ...LIST, ...query });
      return [page.total, page.index, page.entries.map(({ position }) => position)];
    };
    assert.deepEqual(await positions({ offset: 3, limit: 2 }), [20, 3, [4, 5]]);
    assert.deepEqual(await positions({ to: '8', order: 'desc', limit: 2 }), [8, 7, [8, 7]]);
    assert.deepEqual(await positions({ from: new Date(T + 19_000).toISOString() }), [2, 18, [19, 20]]);
    assert.deepEqual(await positions({ kinds: ['move'], from: '4', limit: 2 }), [8, 2, [5, 7]]);
    assert.deepEqual(await positions({ person: 'bob', to: '9', order: 'desc', limit: 1 }), [4, 3, [8]]);
    assert.deepEqual((await positions({ object: nodeId(0), limit: 3 }))[2], [1, 4, 7]);
    assert.deepEqual((await positions({ text: 'pc19' }))[2], [20]);
    assert.deepEqual((await positions({ text: 'nothing like it' }))[2], []);
    await assert.rejects(positions({ from: 'yesterday' }), /from must be a position or an ISO time/);
    await log.close();
  });

  it('are counted in buckets of busy time, with the idle times told', async () => {
    const { log, clock } = await openLog();
    await log.append([moved(1, by('ada'))]);
    clock.now += 3_600_000;
    await log.append([of('node.start_failed', { node_id: nodeId(1), failure: { code: 'x', message: 'no' } })]);
    clock.now += IDLE_MS;
    await log.append([moved(1, by('bob'))]);
    const seen = await readerOf(log).overview(PROJECT, { buckets: 2, single: 2 });
    assert.deepEqual(seen.edges, [T, T + 3_600_000, T + 3_600_000 + IDLE_MS]);
    assert.deepEqual(seen.gaps, [{ from: T, to: T + 3_600_000 }]);
    assert.equal(seen.marks, null);
    const lanes = Object.fromEntries(seen.lanes.map(({ lane, person, counts }) => [person ?? lane, counts]));
    assert.deepEqual(lanes, {
      start: [0, 0],
      stop: [0, 0],
      failure: [0, 1],
      warning: [0, 0],
      met: [0, 0],
      broken: [0, 0],
      weather: [0, 0],
      ada: [1, 0],
      bob: [0, 1],
    });
    await log.close();
  });

  it('has the snapshots that are still there as marks of their own, whatever the filter', async () => {
    const { log, clock } = await openLog();
    for (const [n, name] of ['first', 'gone', 'last'].entries()) {
      clock.now += 1000;
      await log.append([of('snapshot.created', { snapshot_id: nodeId(n), name, ...TAKEN })]);
    }
    await log.append([of('snapshot.deleted', { snapshot_id: nodeId(1) })]);
    const reader = readerOf(log);
    const snapshots = async (query: object): Promise<string[]> =>
      (await reader.overview(PROJECT, { ...ALL, ...query })).snapshots.map(
        ({ at, position, id, name }) => `${(at - T) / 1000} ${position} ${id === nodeId(position - 1)} ${name}`,
      );
    assert.deepEqual(await snapshots({ kinds: ['move'] }), ['1 1 true first', '3 3 true last']);
    assert.deepEqual(await snapshots({ from: '2' }), ['3 3 true last']);
    assert.deepEqual(await snapshots({ to: '2' }), ['1 1 true first']);
    await log.close();
  });
});
