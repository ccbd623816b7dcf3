import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { verifySignature } from '../../src/session/keys.ts';
import { missing } from '../support/programs.ts';
import { type Bag, id, startApi } from './api.ts';
import { waitFor } from '../support/wait-for.ts';

const P = '/v2/projects/{project_id}';
const C = `${P}/checks`;
const api = await startApi();
after(() => api.close());

interface Lab {
  at: { project_id: string };
  link_id: string;
  pcs: [string, string];
}

/** Two PCs on one link, with addresses, not started. */
const lab = async (): Promise<Lab> => {
  const project_id = await api.project();
  const at = { project_id };
  const pc = async (name: string, host: number): Promise<string> => {
    const body = { name, startup_script: `ip 10.0.0.${host}/24\n` };
    return id(await api.node(project_id, 'simple_pc', body));
  };
  const pcs: [string, string] = [await pc('PC1', 1), await pc('PC2', 2)];
  const nodes = pcs.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const { link_id } = await api.get(201, `POST ${P}/links`, at, { nodes });
  return { at, link_id: String(link_id), pcs };
};

/** Three PCs at a hub, and the link of each. */
const threeAtHub = async (): Promise<{ at: Lab['at']; links: string[] }> => {
  const at = { project_id: await api.project() };
  const hub = id(await api.node(at.project_id, 'ethernet_hub', { name: 'HUB1' }));
  const links: string[] = [];
  for (const n of [1, 2, 3]) {
    const body = { name: `PC${n}`, startup_script: `ip 10.0.0.${n}/24\n` };
    const pc = id(await api.node(at.project_id, 'simple_pc', body));
    const ends = [
      { node_id: pc, adapter_number: 0, port_number: 0 },
      { node_id: hub, adapter_number: 0, port_number: n },
    ];
    links.push(String((await api.get(201, `POST ${P}/links`, at, { nodes: ends }))['link_id']));
  }
  return { at, links };
};

const start = (at: Lab['at']) => api.get(204, `POST ${P}/nodes/start`, at, {});
const make = async (at: Lab['at'], check: Bag): Promise<{ project_id: string; check_id: string }> => {
  const { check_id } = await api.get(201, `POST ${C}`, at, check);
  return { ...at, check_id: String(check_id) };
};

const resultOf = async (check: { project_id: string; check_id: string }): Promise<Bag> =>
  (await api.get(200, `GET ${C}/{check_id}`, check))['result'] as Bag;

/** What a check says, once it says this. */
const until = (check: { project_id: string; check_id: string }, verdict: string): Promise<Bag> =>
  waitFor(`the check is ${verdict}`, async () => {
    const result = await resultOf(check);
    return result['verdict'] === verdict && result;
  });

interface Told extends Bag {
  type: string;
  position: number;
  cause: number | null;
  data: Bag;
}
const eventsOf = async ({ project_id }: { project_id: string }): Promise<Told[]> =>
  (await api.get(200, `GET ${P}/events`, { project_id }))['events'] as Told[];
const ofChecks = (events: Told[]): Told[] => events.filter(({ type }) => /^(run|check)\./.test(type));

const noTcpdump = await missing('tcpdump');

const REACH = { reach: { from: 'PC1', to: 'PC2' }, within: '20s', every: '100ms' };

describe('checks of a lab', { timeout: 60_000 }, () => {
  it('say that one node reaches another, that it no longer does, which event broke it, and that it does again', async () => {
    const { at, link_id, pcs } = await lab();
    const check = await make(at, REACH);
    assert.equal((await resultOf(check))['verdict'], 'unknown');
    await start(at);
    const met = await until(check, 'met');
    assert.match(String(met['text']), /^PC1 reaches PC2 \(10\.0\.0\.2\)$/);
    const before = await api.get(201, `PUT ${P}/links/{link_id}`, { ...at, link_id }, { suspend: true });
    assert.equal(before['suspend'], true);
    await api.get(200, `PUT ${P}/nodes/{node_id}`, { ...at, node_id: pcs[0] }, { x: 7 });
    const broken = await until(check, 'broken');
    assert.match(String(broken['text']), /^PC1 does not reach PC2/);
    await api.get(201, `PUT ${P}/links/{link_id}`, { ...at, link_id }, { suspend: false });
    await until(check, 'met');
    await api.get(204, `POST ${P}/nodes/stop`, at, {});

    const all = await eventsOf(at);
    const events = ofChecks(all);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['run.begun', 'check.met', 'check.broken', 'check.met', 'run.ended'],
    );
    const cut = all.find(({ type }) => type === 'link.updated');
    const [begun, first, fault] = events;
    assert.equal(all.find(({ position }) => position === begun?.cause)?.type, 'project.nodes_finished');
    assert.equal(fault?.cause, cut?.position);
    const { probes } = first?.data['evidence'] as { probes: Bag };
    assert.equal(probes['to'], '10.0.0.2');
    const { probes: lost, at: time } = fault?.data['evidence'] as { probes: Bag; at: string };
    assert.equal(lost['lost'], lost['sent']);
    assert.ok(time > String(cut?.['at']), `the probe of ${time} was sent after the cut of ${String(cut?.['at'])}`);
  });

  it(
    'of one node take no answers of each other, and ask with as many octets as they say',
    { skip: noTcpdump },
    async () => {
      const { at, links } = await threeAtHub();
      const small = { reach: { from: 'PC1', to: 'PC3' }, first: '1h' };
      const loss = (to: string) => make(at, { loss: { from: 'PC1', to, under: 100 }, first: '1h' });
      const [gone, there] = [await loss('PC2'), await loss('PC3')];
      const reach = await make(at, { ...REACH, reach: { ...small.reach, size: 1400 } });
      assert.equal((await api.get(200, `GET ${C}/{check_id}`, reach))['title'], 'PC1 reaches PC3 with 1400 octets');
      const look = async (check: { project_id: string; check_id: string }): Promise<number | undefined> => {
        const { evidence } = await api.get(200, `POST ${C}/{check_id}/look`, check, {});
        return (evidence as { probes?: { lost: number } }).probes?.lost;
      };
      await start(at);
      await until(reach, 'met');
      while ((await look(gone)) !== 0);
      const [, second = '', third = ''] = links;
      const change = (link_id: string, body: Bag) => api.get(201, `PUT ${P}/links/{link_id}`, { ...at, link_id }, body);
      await change(second, { suspend: true });
      await change(third, { filters: { bpf: ['greater 900'] } });
      assert.deepEqual(await Promise.all([look(gone), look(there)]), [100, 0]);
      await until(reach, 'broken');
      assert.equal(await look(await make(at, small)), 0);
    },
  );

  it('look at states, counters and consoles', async () => {
    const { at, link_id, pcs } = await lab();
    const state = await make(at, { state: { node: 'PC2', is: 'started' }, every: '50ms' });
    const console = { node: 'PC1', type: 'show ip', shows: '10.0.0.1/24' };
    const shown = await make(at, { console, within: '20s', every: '200ms' });
    const hidden = await make(at, { console: { ...console, shows: '10.9.9.9' }, every: '200ms' });
    const reach = await make(at, REACH);
    const counter = { link: ['PC1', 'PC2:0'], of: 'frames', over: 1 };
    const counted = await make(at, { counter, before: '20s', every: '100ms' });
    assert.equal((await api.get(200, `GET ${C}/{check_id}`, counted))['title'], 'frames at PC1 – PC2');
    const kept = (await api.get(200, `GET ${C}/{check_id}`, counted))['counter'] as Bag;
    assert.equal(kept['link'], link_id);
    await start(at);
    await until(reach, 'met');
    await until(state, 'met');
    await until(shown, 'met');
    await until(hidden, 'broken');
    await until(counted, 'met');
    await api.get(200, `POST ${P}/nodes/{node_id}/stop`, { ...at, node_id: pcs[1] }, {});
    const broken = await until(state, 'broken');
    assert.equal(broken['text'], 'PC2 is stopped');
    // It may be looked at while the node is on its way.
    assert.match(String((await until(reach, 'broken'))['text']), /^PC1 does not reach PC2: PC2 is stopp(?:ing|ed)$/);
    // Met once before its time, and done.
    assert.equal((await resultOf(counted))['verdict'], 'met');
  });

  it('go on after the server was started again, and tell nothing twice', async () => {
    const { at } = await lab();
    const check = await make(at, REACH);
    const state = await make(at, { state: { node: 'PC1', is: 'started' } });
    await start(at);
    await until(check, 'met');
    await until(state, 'met');
    await api.server.restart();
    assert.equal((await resultOf(check))['running'], true);
    const second = await make(at, REACH);
    await until(second, 'met');
    const told = ofChecks(await eventsOf(at)).map(
      ({ type, data }) => `${type} ${(data['check_id'] as string | undefined) ?? ''}`,
    );
    assert.deepEqual(
      told.sort(),
      ['run.begun ', ...[check, state, second].map(({ check_id }) => `check.met ${check_id}`)].sort(),
    );
  });

  it('look from the first moment of the weather that they ask for, and not before', async () => {
    const { at } = await lab();
    const loss = { loss: { from: 'PC1', to: 'PC2', under: 1, probes: 5 }, during: 'storm', every: '1h' };
    const check = await make(at, loss);
    await start(at);
    await until(await make(at, REACH), 'met');
    assert.equal((await resultOf(check))['verdict'], 'unknown');
    const entries = [
      { name: 'storm', at: '100ms', for: '1h', links: [['PC1', 'PC2']], filters: { packet_loss: [100] } },
    ];
    await api.get(200, `PUT ${P}/weather`, at, { entries });
    await api.get(200, `POST ${P}/weather/start`, at, {});
    // The first ones may be on their way before the fabric has the filter.
    assert.match(String((await until(check, 'broken'))['text']), /^[1-5] of 5 probes were lost/);
  });

  it('look at once when that is asked, which is no verdict', async () => {
    const { at } = await lab();
    const check = await make(at, { ...REACH, first: '1h' });
    await start(at);
    const look = (): Promise<Bag> => api.get(200, `POST ${C}/{check_id}/look`, check, {});
    await waitFor('it holds', async () => (await look())['holds'] === true);
    assert.equal((await resultOf(check))['verdict'], 'unknown');
  });

  it('do not take nodes that still start, or do not run, for ones that are not reached', async () => {
    const { at, pcs } = await lab();
    await api.node(at.project_id, 'simple_pc', { name: 'PC3' });
    const not = (from: string, to: string) => make(at, { reach: { from, to, not: true }, every: '100ms' });
    const [pair, back, bare] = [await not('PC1', 'PC2'), await not('PC2', '10.0.0.1'), await not('PC1', 'PC3')];
    await start(at);
    for (const check of [pair, back]) assert.match(String((await until(check, 'broken'))['text']), /^PC\d reaches/);
    // It has no text that would give it an address.
    assert.equal(
      (await until(bare, 'met'))['text'],
      'PC1 does not reach PC3: the node that is to answer has no address',
    );
    const told = ofChecks(await eventsOf(at)).filter(({ type }) => type === 'check.met');
    assert.deepEqual([...new Set(told.map(({ data }) => data['check_id']))], [bare.check_id]);
    await api.get(200, `POST ${P}/nodes/{node_id}/stop`, { ...at, node_id: pcs[1] }, {});
    const { holds, text } = await api.get(200, `POST ${C}/{check_id}/look`, pair, {});
    assert.deepEqual([holds, text], [null, 'nobody can say whether PC1 reaches PC2: PC2 is stopped']);
  });

  it('say what is found now beside what decided, and why nothing is decided', async () => {
    const { at, link_id, pcs } = await lab();
    await api.node(at.project_id, 'ethernet_switch', { name: 'SW' });
    const check = await make(at, REACH);
    const blind = await make(at, { reach: { from: 'SW', to: '10.0.0.1' }, every: '100ms' });
    const untilFound = (of: typeof check, what: RegExp): Promise<Bag> =>
      waitFor(`${what.source} is found`, async () => {
        const result = await resultOf(of);
        return what.test(String((result['last'] as Bag | null)?.['text'])) && result;
      });
    assert.equal((await resultOf(check))['last'], null);
    await start(at);
    const { verdict, text } = await untilFound(blind, /SW sends no probes by itself/);
    assert.deepEqual([verdict, /SW sends no probes by itself/.test(String(text))], ['unknown', true]);
    await until(check, 'met');
    await api.get(201, `PUT ${P}/links/{link_id}`, { ...at, link_id }, { suspend: true });
    const broken = await until(check, 'broken');
    await api.get(200, `POST ${P}/nodes/{node_id}/stop`, { ...at, node_id: pcs[1] }, {});
    const later = await untilFound(check, /PC2 is stopped$/);
    assert.deepEqual([later['verdict'], later['text']], ['broken', broken['text']]);
    assert.doesNotMatch(String(later['text']), /PC2 is stopped/);
    await api.get(204, `POST ${P}/nodes/stop`, at, {});
    assert.equal((await resultOf(check))['last'], null);
  });

  it('run a command of a node at the prompt of its console', async () => {
    const { at } = await threeAtHub();
    await start(at);
    const exec = { node: 'PC2', run: 'show ip' };
    await until(await make(at, { exec: { ...exec, shows: '10.0.0.2/24' } }), 'met');
    await until(await make(at, { exec: { ...exec, shows: '10.0.0.2/24', not: true } }), 'broken');
  });

  it('say nothing of what a node does not reach that sends no probes', async () => {
    const { at } = await lab();
    await api.node(at.project_id, 'ethernet_switch', { name: 'SW' });
    await start(at);
    const check = await make(at, { reach: { from: 'SW', to: '10.0.0.1', not: true }, first: '1h' });
    const { holds, text } = await api.get(200, `POST ${C}/{check_id}/look`, check, {});
    assert.equal(holds, null);
    assert.match(String(text), /SW sends no probes by itself; a check of its console can type ping/);
  });

  it('say at once that nobody can say what a simulated node reaches, and that it answers nobody', async () => {
    const { at } = await lab();
    await api.node(at.project_id, 'router_emulator', {
      name: 'R1',
      engine: 'simulated',
      image: 'r.bin',
      platform: 'c7200',
    });
    await start(at);
    const said = async (body: object): Promise<string> => {
      const check = await make(at, { ...body, first: '1h' });
      const { holds, text } = await api.get(200, `POST ${C}/{check_id}/look`, check, {});
      return `${JSON.stringify(holds)} ${String(text)}`;
    };
    const why = 'R1 is simulated, and moves no frames';
    const pair = { from: 'R1', to: '10.0.0.1' };
    assert.equal(await said({ reach: pair }), `null nobody can say whether R1 reaches 10.0.0.1: ${why}`);
    const lost = `null nobody can say what is lost between R1 and 10.0.0.1: ${why}`;
    assert.equal(await said({ loss: { ...pair, under: 1 } }), lost);
    assert.equal(await said({ reach: { from: 'PC1', to: 'R1' } }), `false PC1 does not reach R1: ${why}`);
  });

  it('run commands only where the server may', async () => {
    const { at } = await lab();
    const check = await make(at, { exec: { run: 'true' } });
    await start(at);
    assert.match(String((await until(check, 'broken'))['text']), /start it with --allow-scripts/);
  });

  it('are made, changed, deleted and taken back like settings, and put back as they were read', async () => {
    const { at } = await lab();
    const check = await make(at, { ...REACH, name: 'both' });
    const read = await api.get(200, `GET ${C}/{check_id}`, check);
    assert.deepEqual(await api.get(200, `PUT ${C}/{check_id}`, check, read), read);
    const changed = await api.get(200, `PUT ${C}/{check_id}`, check, { ...read, every: '2s' });
    assert.equal(changed['every'], '2s');
    await api.get(200, `POST ${P}/undo`, at, {});
    assert.equal((await api.get(200, `GET ${C}/{check_id}`, check))['every'], '100ms');
    await api.get(204, `DELETE ${C}/{check_id}`, check);
    await api.get(404, `GET ${C}/{check_id}`, check);
    await api.get(404, `DELETE ${C}/{check_id}`, check);
    await api.get(200, `POST ${P}/undo`, at, {});
    assert.equal((await api.get(200, `GET ${C}/{check_id}`, check))['title'], 'both');
  });

  it('are refused with the field that is wrong', async () => {
    const { at } = await lab();
    const wrong = async (check: Bag): Promise<string> =>
      JSON.stringify((await api.get(400, `POST ${C}`, at, check))['errors']);
    assert.match(
      await wrong({ reach: { from: 'PC1', to: 'PC9' } }),
      /must be a node of this project, which PC9 is not/,
    );
    assert.match(await wrong({ counter: { link: ['PC1:3', 'PC2'], of: 'frames', over: 1 } }), /must be a link/);
    assert.match(await wrong({ ...REACH, within: 'soon' }), /within.*must be a duration/);
    assert.match(await wrong({ name: 'nothing' }), /must have one of reach/);
  });

  it('travel with a copy, a fork and a snapshot, of the nodes and links of the copy', async () => {
    const { at, pcs, link_id } = await lab();
    await make(at, REACH);
    await make(at, { counter: { link: link_id, of: 'octets', under: 5 } });
    const { snapshot_id } = await api.get(201, `POST ${P}/snapshots`, at, { name: 'one' });
    const stages = [{ name: 'first', checks: ['PC1 reaches PC2'] }];
    await api.get(200, `PUT ${P}`, at, { checks: [], stages });
    await api.get(201, `POST ${P}/snapshots/{snapshot_id}/restore`, { ...at, snapshot_id: String(snapshot_id) }, {});
    const copy = await api.get(201, `POST ${P}/duplicate`, at, { name: `copy of ${at.project_id}` });
    const fork = await api.get(201, `POST ${P}/fork`, at, { name: `fork of ${at.project_id}` });
    for (const other of [copy, fork]) {
      const [reach, counter] = other['checks'] as { reach?: Bag; counter?: Bag; check_id: string }[];
      assert.ok(!pcs.includes(String(reach?.reach?.['from'])));
      assert.notEqual(counter?.counter?.['link'], link_id);
      const of = { project_id: String(other['project_id']), check_id: String(reach?.check_id) };
      assert.equal((await api.get(200, `GET ${C}/{check_id}`, of))['title'], 'PC1 reaches PC2');
      const second = { ...of, check_id: String(counter?.check_id) };
      assert.equal((await api.get(200, `GET ${C}/{check_id}`, second))['title'], 'octets at PC1 – PC2');
    }
  });
});

describe('stages of a lab', { timeout: 60_000 }, () => {
  it('count what was met in time and is unlocked, on a sheet that is signed', async () => {
    const { at, pcs } = await lab();
    const reach = await make(at, { ...REACH, name: 'reach', points: 3 });
    const stopped = await make(at, { state: { node: 'PC2', is: 'stopped' }, name: 'stopped', every: '50ms' });
    const stages = [
      { name: 'cabling', checks: ['reach'], unlocks: ['faults'] },
      { name: 'faults', checks: ['stopped', 'nothing'] },
      { name: 'late', checks: ['reach'], deadline: '0s' },
    ];
    await api.get(200, `PUT ${P}`, at, { stages });
    const states = async (): Promise<Bag[]> => (await api.ask(`GET ${P}/stages`, at)).body as unknown as Bag[];
    const short = (list: Bag[]) => list.map((s) => [s['name'], s['is_unlocked'], s['is_passed'], s['points'], s['of']]);
    assert.deepEqual(short(await states()), [
      ['cabling', true, false, 0, 3],
      ['faults', false, false, 0, 1],
      ['late', true, false, 0, 3],
    ]);
    await start(at);
    await until(reach, 'met');
    await api.get(200, `POST ${P}/nodes/{node_id}/stop`, { ...at, node_id: pcs[1] }, {});
    await until(stopped, 'met');
    assert.deepEqual(short(await states()), [
      ['cabling', true, true, 3, 3],
      ['faults', true, false, 1, 1],
      ['late', true, false, 0, 3],
    ]);
    await api.get(201, `POST ${P}/fork`, at, { name: `=fork of ${at.project_id}` });
    const { sheet, public_key, signature } = await api.get(200, `GET ${P}/results`, at);
    const rows = String(sheet).trim().split('\r\n');
    assert.equal(rows.length, 7);
    assert.match(rows[1] ?? '', /^lab \d+,[0-9a-f-]{36},cabling,yes,yes,3,3,,\d+,[0-9a-f]{64},$/);
    assert.match(rows[4] ?? '', /^'=fork of .*,cabling,yes,no,0,3,/);
    assert.match(rows[4] ?? '', /,[0-9a-f]{64},$/);
    assert.ok(verifySignature(String(public_key), String(sheet), String(signature)));
    assert.ok(!verifySignature(String(public_key), String(sheet).replace(',no,0,3', ',yes,3,3'), String(signature)));
  });

  it('say of a copy which of its checks and stages are others than those of the lab', async () => {
    const { at } = await lab();
    await make(at, { ...REACH, name: 'reach' });
    await make(at, { state: { node: 'PC1', is: 'stopped' }, name: 'off' });
    const stages = [
      { name: 'first', checks: ['reach'] },
      { name: 'second', checks: ['off'], deadline: '5m' },
    ];
    await api.get(200, `PUT ${P}`, at, { stages });
    const fork = await api.get(201, `POST ${P}/fork`, at, { name: `fork of ${at.project_id}` });
    const copy = { project_id: String(fork['project_id']) };
    const changed = async (): Promise<unknown[]> => {
      const { sheet } = await api.get(200, `GET ${P}/results`, at);
      const [, , , ...rows] = String(sheet).trim().split('\r\n');
      return rows.map((row) => /,[0-9a-f]{64},(.*)$/.exec(row)?.[1]);
    };
    // One that no stage names decides nothing.
    await make(copy, { state: { node: 'PC1', is: 'started' }, name: 'mine' });
    assert.deepEqual(await changed(), ['', '']);
    const checks = fork['checks'] as Bag[];
    const own = checks.map((check) =>
      check['name'] === 'reach' ? { ...check, reach: { ...(check['reach'] as Bag), not: true } } : check,
    );
    await api.get(200, `PUT ${P}`, copy, { checks: own });
    assert.deepEqual(await changed(), ['changed checks: reach', 'changed checks: reach']);
    const easier = stages.map(({ name, checks: names }) => ({ name, checks: names }));
    await api.get(200, `PUT ${P}`, copy, { checks, stages: easier });
    assert.deepEqual(await changed(), ['changed stages: second', 'changed stages: second']);
  });
});
