import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createKinds } from '../../src/emulators/registry.ts';
import { entries, KEYS, type Store } from '../../src/events/store/store.ts';
import type { LogEvent } from '../../src/events/event.ts';
import { createJson } from '../../src/http/v2/json.ts';
import { CHECKPOINTS } from '../../src/projections/past/checkpoints.ts';
import { dropCheckpoints, Moments } from '../../src/projections/past/moments.ts';
import { createPast, type Past } from '../../src/projections/past/past.ts';
import type { RecordView } from '../../src/projections/records.ts';
import { type TestLab, testLab } from '../actors/test-lab.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { checkFailure } from './checks.ts';
import { BEFORE, perform, rounds, type Step } from './steps.ts';

const COMMANDS = 400;
/** Few enough that the moments lie in and between many checkpoints. */
const INTERVAL = 16;
const SEED = 20_240_601;

interface Kept {
  /** Last position on disk when the answer was given. */
  position: number;
  answer: string;
}

const cable = createJson({
  kinds: createKinds(),
  console_host: '127.0.0.1',
  compute_id: 'local',
  computes: () => [],
  isHere: () => true,
  emit: (kind) => kind,
  gns3Compat: false,
});

/** What the reads of a project answer: its nodes, links and drawings. */
const projectAnswer = (view: RecordView, id: string): string =>
  [
    ...view.ofProject('node', id).map((node) => cable.node(node)),
    ...view.ofProject('link', id).map((link) => cable.link(link)),
    ...view.ofProject('drawing', id).map((drawing) => cable.drawing(drawing)),
  ].join('\n');

/** What all reads answer. */
const answer = (view: RecordView): string =>
  view
    .projects()
    .map((project) => `${cable.project(project)}\n${projectAnswer(view, project.project_id)}`)
    .join('\n\n');

/** Made to be refused less often: most projects live on, and names and consoles rarely collide. */
const randomSteps = (): Step[] =>
  fc
    .sample(rounds, { numRuns: COMMANDS, seed: SEED })
    .flat(2)
    .filter((step, index) => step.do !== 'delete project' || index % 6 === 0)
    .map((step, index): Step => {
      if (index % 6 === 0 || (step.do !== 'create node' && step.do !== 'update node')) return step;
      const { console: _, ...rest } = step;
      return rest.do === 'create node' ? { ...rest, unique: true } : rest;
    });

/** Most random commands on a closed project are refused; a lab without any is made again, and one long closed is opened. */
const revive = ({ records }: TestLab): Step[] => {
  const projects = records.committed.projects();
  if (projects.length === 0) return BEFORE;
  const open = projects.findIndex((project) => project.state === 'opened');
  return open === 0 ? [] : [{ do: 'open', project: 0 }];
};

const performAll = async (lab: TestLab): Promise<Kept[]> => {
  const kept: Kept[] = [];
  for (const [index, step] of randomSteps().entries())
    for (const command of [...(index % 3 === 0 ? revive(lab) : []), step]) {
      if (kept.length === COMMANDS) return kept;
      await perform(lab, command).catch(checkFailure);
      // In one go, so that what else happens meanwhile is in both or in neither.
      kept.push({ position: lab.log.status().position, answer: answer(lab.records.committed) });
    }
  return kept;
};

const eventAt = async (store: Store, position: number): Promise<LogEvent | null> => {
  const text = await store.get(KEYS.event(position));
  return text === undefined ? null : (JSON.parse(text) as LogEvent);
};

const checkpoints = async (store: Store): Promise<number> => {
  let count = 0;
  for await (const _ of entries(store, { gte: CHECKPOINTS.start, lte: CHECKPOINTS.end })) count++;
  return count;
};

const compare = async (past: Past, kept: readonly Kept[]): Promise<void> => {
  for (const { position, answer: expected } of kept)
    assert.equal(answer(await past.at(null, String(position))), expected, `at ${position}`);
};

describe('the read answers of any moment', () => {
  it('are what they were after each of hundreds of random commands, with and without checkpoints', async (t) => {
    const dir = await tempDir();
    const lab = await testLab({ dir: dir.path });
    t.after(async () => {
      await lab.close();
      await dir.remove();
    });
    const { store } = lab.log;
    const kept = await performAll(lab);
    assert.equal(kept.length, COMMANDS);
    const distinct = new Set(kept.map((k) => k.answer)).size;
    assert.ok(distinct > COMMANDS / 3, `only ${distinct} answers differ, so little is shown`);
    const fresh = (): Past =>
      createPast(lab.log, new Moments(() => lab.log.store, { interval: INTERVAL }), () => Promise.resolve());

    // From the last to the first: each is folded from its own checkpoint, not from the one before.
    const past = fresh();
    await compare(past, kept.toReversed());
    assert.ok((await checkpoints(store)) > 10, 'there were no checkpoints between the moments');

    assert.ok((await dropCheckpoints(store)) > 0);
    await compare(
      fresh(),
      kept.filter((_, index) => index % 10 === 0),
    );

    let times = 0;
    for (const { position, answer: expected } of kept) {
      const [last, next] = await Promise.all([eventAt(store, position), eventAt(store, position + 1)]);
      // Where the next event is of the same millisecond, its time names a later moment.
      if (last === null || last.at === next?.at) continue;
      times++;
      assert.equal(answer(await past.at(null, last.at)), expected, `at ${last.at}`);
    }
    assert.ok(times > 0, 'no moment has a time of its own');

    for (const { position } of kept.filter((_, index) => index % 50 === 0)) {
      const all = await past.at(null, String(position));
      for (const { project_id } of all.projects())
        assert.equal(
          projectAnswer(await past.at(project_id, String(position)), project_id),
          projectAnswer(all, project_id),
        );
    }
  });

  it('are the same texts over HTTP with ?at=, also after a restart', async (t) => {
    const server = await testServer();
    t.after(() => server.close());
    const { project, kept } = await driveOverHttp(server);
    for (const round of ['same server', 'restarted']) {
      for (const { position, answers } of kept)
        for (const [path, expected] of answers) {
          const { status, text } = await server.request('GET', `${path}?at=${position}`);
          // What came later did not exist then.
          if (expected === null) assert.equal(status, 404, `${round}: ${path} at ${position}`);
          else assert.equal(text, expected, `${round}: ${path} at ${position}`);
        }
      if (round === 'same server') await server.restart();
    }
    assert.equal((await server.request('GET', `${project}/nodes?at=1999-01-01T00:00:00Z`)).status, 404);
  });

  it('are refused after the last position, which the refusal names', async (t) => {
    const server = await testServer();
    t.after(() => server.close());
    const { project_id } = (await server.request('POST', '/v2/projects', { name: 'short' })).body as LabIds;
    const project = `/v2/projects/${project_id}`;
    const last = server.running.position();
    const reads = [project, `${project}/nodes`, '/v2/projects', `${project}/picture.svg`];
    for (const path of reads) {
      assert.equal((await server.request('GET', `${path}?at=${last}`)).status, 200, path);
      const { status, body } = await server.request('GET', `${path}?at=${last + 1}`);
      const { message, ...details } = body as Record<string, unknown>;
      assert.equal(status, 400, path);
      assert.equal(
        message,
        `The request is not valid: at must be a position up to ${last}, the last one of the log, not ${last + 1}`,
        path,
      );
      assert.deepEqual([details['field'], details['last']], ['at', last]);
    }
    const refused = async (method: string, path: string, body?: object): Promise<unknown> =>
      ((await server.request(method, `${project}${path}`, body)).body as { field?: string }).field;
    assert.equal(await refused('GET', `/diff?from=1&to=${last + 1}`), 'to');
    assert.equal(await refused('GET', `/why?from=PC1&to=PC2&at=${last + 1}`), 'at');
    assert.equal(await refused('POST', '/restore', { at: last + 1 }), 'at');
    assert.equal(await refused('POST', '/fork', { at: 10 * last, name: 'later' }), 'at');
    const ahead = await server.request('GET', `${project}/nodes?at=2999-01-01T00:00:00Z`);
    assert.deepEqual(ahead.body, []);
  });
});

interface LabIds {
  project_id: string;
}

interface KeptOverHttp {
  position: number;
  /** Path to the text of its answer; null: 404. */
  answers: Map<string, string | null>;
}

const driveOverHttp = async (server: TestServer): Promise<{ project: string; kept: KeptOverHttp[] }> => {
  const kept: KeptOverHttp[] = [];
  const paths = new Set<string>(['/v2/projects']);
  const ask = async (method: string, path: string, body: object = {}): Promise<Record<string, unknown>> => {
    const { status, body: answered, text } = await server.request(method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${text}`);
    await keep();
    return answered as Record<string, unknown>;
  };
  const keep = async (): Promise<void> => {
    const { body } = await server.request('GET', '/v2/health');
    const answers = new Map<string, string | null>();
    for (const path of paths) {
      const { status, text } = await server.request('GET', path);
      answers.set(path, status === 200 ? text : null);
    }
    kept.push({ position: (body as { log: { position: number } }).log.position, answers });
  };

  const project = `/v2/projects/${String((await ask('POST', '/v2/projects', { name: 'lab' }))['project_id'])}`;
  for (const what of ['', '/nodes', '/links', '/drawings']) paths.add(`${project}${what}`);
  const node = (name: string, node_type: string) =>
    ask('POST', `${project}/nodes`, { name, node_type, compute_id: 'local' });
  const [pc, sw] = [await node('PC1', 'simple_pc'), await node('SW', 'ethernet_switch')];
  const one = `${project}/nodes/${String(pc['node_id'])}`;
  paths.add(one);
  const end = (of: Record<string, unknown>) => ({ node_id: of['node_id'], adapter_number: 0, port_number: 0 });
  const link = await ask('POST', `${project}/links`, { nodes: [end(pc), end(sw)] });
  paths.add(`${project}/links/${String(link['link_id'])}`);
  await ask('PUT', `${project}/links/${String(link['link_id'])}`, { filters: { packet_loss: [10] } });
  const drawing = await ask('POST', `${project}/drawings`, { svg: '<svg></svg>', x: 1, y: 2 });
  paths.add(`${project}/drawings/${String(drawing['drawing_id'])}`);
  await ask('PUT', `${project}/drawings/${String(drawing['drawing_id'])}`, { x: 10, svg: '<svg><text>é</text></svg>' });
  await ask('POST', `${one}/start`);
  await ask('PUT', one, { name: 'PC one', x: -5 });
  await ask('POST', `${one}/suspend`);
  await ask('POST', `${one}/stop`);
  await ask('DELETE', `${project}/drawings/${String(drawing['drawing_id'])}`);
  await ask('DELETE', `${project}/links/${String(link['link_id'])}`);
  await ask('DELETE', one);
  await ask('POST', `${project}/close`);
  await ask('POST', `${project}/open`);
  return { project, kept };
};
