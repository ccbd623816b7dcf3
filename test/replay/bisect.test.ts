import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bisect, type BisectReport, candidatesOf, type Tried } from '../../src/replay/bisect.ts';
import { makeLab, type MadeLab } from '../faults/labs/made-lab.ts';
import { LABS } from '../faults/labs/specs.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { hostOf, sessionOf } from './lab.ts';

let server: TestServer;
let lab: MadeLab;
before(async () => {
  server = await testServer();
  const [spec] = LABS;
  assert.ok(spec);
  lab = await makeLab(server, spec, 'bisected');
});
after(() => server.close());

const search = async (
  from: string,
  to: string,
  { id } = lab,
  told: Tried[] = [],
): Promise<BisectReport & { told: Tried[] }> => {
  const options = { expect: { reach: { from, to } }, patienceMs: 4000 };
  const tried = (one: Tried): void => void told.push(one);
  const report = await bisect(hostOf(server), await sessionOf(server, id), options, {
    signal: new AbortController().signal,
    tried,
  });
  return { ...report, told };
};

/** A check says that PC1 reaches PC2, and is put away. */
const isMet = async (own: MadeLab): Promise<void> => {
  const { check_id } = await own.ask('ada', 'POST', '/checks', { reach: { from: 'PC1', to: 'PC2' }, every: '200ms' });
  const path = `/checks/${String(check_id)}`;
  for (let verdict = ''; verdict !== 'met';) {
    const { body } = await server.request('GET', `/v2/projects/${own.id}${path}`);
    ({ verdict } = (body as { result: { verdict: string } }).result);
  }
  await own.ask('ada', 'DELETE', path);
};

describe('bisect', () => {
  it('refuses a session in which nothing fails', async () => {
    await assert.rejects(search('PC1', '10.0.0.2'), /holds at the end/);
  });

  it('finds the first event after which it fails, and leaves no project behind', async () => {
    const path = `/nodes/${lab.nodes.get('PC2') ?? ''}`;
    const link = `/links/${lab.links[0]?.link_id ?? ''}`;
    await lab.ask('ben', 'PUT', link, { filters: { delay: [1] } });
    for (let x = 1; x <= 5; x++) await lab.ask('ben', 'PUT', path, { x });
    await lab.ask('mallory', 'PUT', path, { properties: { startup_script: 'ip 10.9.0.2/24\n' } });
    const [guilty] = await lab.rootsOf('mallory', 0);
    await lab.ask('mallory', 'POST', `${path}/reload`);
    await lab.ask('ben', 'PUT', link, { filters: { delay: [2] } });
    await lab.ask('ben', 'PUT', link, { filters: {} });
    const before_ = (await server.request('GET', '/v2/projects')).body;
    const { event, told, tried, good } = await search('PC1', '10.0.0.2');
    assert.equal(event.position, guilty);
    assert.ok(good < event.position);
    assert.deepEqual(told, tried);
    assert.ok(tried.length <= 8, `${tried.length} looks`);
    assert.deepEqual((await server.request('GET', '/v2/projects')).body, before_);
  });

  it('finds a moment at which it held between those at which it did not, where a check says so', async () => {
    const [spec] = LABS;
    assert.ok(spec);
    const own = await makeLab(server, spec, 'bisected again');
    const link = `/links/${own.links[0]?.link_id ?? ''}`;
    const broken = async (): Promise<number> => {
      await own.ask('mallory', 'PUT', link, { suspend: true });
      // Whatever is looked at from the end in steps that double, it fails.
      for (let ms = 1; ms <= 5; ms++) await own.ask('ben', 'PUT', link, { filters: { delay: [ms] } });
      return (await own.rootsOf('mallory', 0)).at(-1) ?? 0;
    };
    const first = await broken();
    const unaided = await search('PC1', 'PC2', own);
    assert.equal(unaided.event.position, first);
    await own.ask('ben', 'PUT', link, { suspend: false });
    await isMet(own);
    const second = await broken();
    const { told, event } = await search('PC1', 'PC2', own);
    assert.equal(event.position, second);
    // Steps that double, from the end, then the check.
    assert.ok(told.findIndex(({ holds }) => holds) <= 5, JSON.stringify(told));
    await own.ask('ada', 'POST', '/close');
  });

  it('takes the last of several faults, also where a check held before the first', async () => {
    const [spec] = LABS;
    assert.ok(spec);
    const own = await makeLab(server, spec, 'broken twice');
    await isMet(own);
    const link = `/links/${own.links[0]?.link_id ?? ''}`;
    await own.ask('mallory', 'PUT', link, { suspend: true });
    for (let ms = 1; ms <= 5; ms++) await own.ask('ben', 'PUT', link, { filters: { delay: [ms] } });
    for (const suspend of [false, true]) await own.ask('mallory', 'PUT', link, { suspend });
    const { event } = await search('PC1', 'PC2', own);
    assert.equal(event.position, (await own.rootsOf('mallory', 0)).at(-1));
    await own.ask('ada', 'POST', '/close');
  });

  it('says that a node is not there yet, and that it never held', async () => {
    const told: Tried[] = [];
    await assert.rejects(search('PC1', 'PC9', lab, told), /does not hold at any moment/);
    assert.deepEqual([...new Set(told.map(({ text }) => text))], ['PC9 is not there yet']);
  });

  it('leaves out what cannot matter, and takes a request with its outcomes as one', async () => {
    const { events } = await sessionOf(server, lab.id);
    const candidates = candidatesOf(events);
    const types = candidates.map(({ event }) => event.type);
    assert.ok(!types.includes('node.started') && !types.includes('drawing.created'), types.join(' '));
    const moves = events.filter(({ type, by }) => type === 'node.updated' && by.principal === 'ben');
    assert.ok(moves.length > 0);
    for (const { position } of moves) assert.ok(candidates.every(({ event }) => event.position !== position));
    const start = candidates.find(({ event }) => event.type === 'project.nodes_requested');
    assert.ok(start !== undefined && start.end > start.event.position);
  });
});
