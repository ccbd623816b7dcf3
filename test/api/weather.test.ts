import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openConsole } from '../support/console.ts';
import { testServer } from '../support/server.ts';
import { type Api, apiOf, type Bag, startApi } from './api.ts';

const P = '/v2/projects/{project_id}';
const W = `${P}/weather`;
const api = await startApi();
after(() => api.close());

interface Lab {
  at: { project_id: string };
  nodes: Bag[];
  link_id: string;
}

const labOf = async (on: Api, settings: Bag = {}): Promise<Lab> => {
  const name = `lab ${randomUUID()}`;
  const { project_id } = await on.get(201, 'POST /v2/projects', {}, { name, ...settings });
  const at = { project_id: String(project_id) };
  const nodes: Bag[] = [];
  for (const node of ['PC1', 'PC2'])
    nodes.push(await on.get(201, `POST ${P}/nodes`, at, { name: node, node_type: 'simple_pc', compute_id: 'local' }));
  const ends = nodes.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const { link_id } = await on.get(201, `POST ${P}/links`, at, { nodes: ends });
  return { at, nodes, link_id: String(link_id) };
};

const stateOf = (at: Lab['at']): Promise<Bag> => api.get(200, `GET ${W}`, at);
const RAIN = { name: 'rain', at: '1s', for: '10m', links: [['PC1:0', 'PC2:0']], filters: { packet_loss: [50] } };

describe('the weather over the interface', () => {
  it('is off at first; entries are added, read, changed, put back as they were read, and deleted', async () => {
    const { at, link_id, nodes } = await labOf(api);
    assert.deepEqual(await stateOf(at), {
      ...{ ...at, state: 'off', seed: null, time: null, since: null, next: null },
      ...{ storms: [], links: [], down: [], entries: [] },
    });
    const made = await api.get(201, `POST ${W}`, at, RAIN);
    assert.deepEqual(made, { ...RAIN, weather_id: made['weather_id'], links: [link_id] });
    const one = { ...at, weather_id: String(made['weather_id']) };
    assert.deepEqual(await api.get(200, `GET ${W}/{weather_id}`, one), made);
    const changed = { ...made, at: 90, repeat: { every: '20m', times: 3 } };
    const put = await api.get(200, `PUT ${W}/{weather_id}`, one, changed);
    assert.deepEqual([put['at'], put['repeat']], ['90s', { every: '20m', times: 3 }]);
    await api.get(201, `POST ${W}`, at, { at: '1m', for: '5s', crash: ['PC2'] });
    const all = await stateOf(at);
    const [, crash] = all['entries'] as Bag[];
    assert.deepEqual(crash?.['crash'], [nodes[1]?.['node_id']]);
    const { status, text } = await api.ask(`PUT ${W}`, at, all);
    assert.deepEqual([status, JSON.parse(text)], [200, all]);
    assert.equal((await api.ask(`DELETE ${W}/{weather_id}`, one)).status, 204);
    assert.equal((await api.ask(`GET ${W}/{weather_id}`, one)).status, 404);
    assert.equal((await api.ask(`DELETE ${W}/{weather_id}`, one)).status, 404);
  });

  it('is what it was at an earlier moment, and stays after a restart', async () => {
    const { at } = await labOf(api);
    await api.get(200, `PUT ${W}`, at, { entries: [RAIN] });
    const { position } = (await api.get(200, 'GET /v2/health'))['log'] as Bag;
    await api.get(200, `PUT ${W}`, at, { entries: [] });
    const earlier = await api.server.request('GET', `/v2/projects/${at.project_id}/weather?at=${String(position)}`);
    assert.equal(((earlier.body as Bag)['entries'] as Bag[])[0]?.['name'], 'rain');
    await api.get(200, `POST ${P}/undo`, at);
    await api.server.restart();
    assert.equal(((await stateOf(at))['entries'] as Bag[])[0]?.['name'], 'rain');
  });

  it('starts, is paused, resumed and skipped, and ends; links keep their records', async () => {
    const { at, link_id } = await labOf(api);
    const link = { ...at, link_id };
    const before = await api.get(200, `GET ${P}/links/{link_id}`, link);
    await api.get(200, `PUT ${W}`, at, {
      entries: [RAIN, { ...RAIN, name: 'hail', at: '20m', filters: { delay: [9] } }],
    });
    const started = await api.get(200, `POST ${W}/start`, at, { seed: 5, paused: true });
    assert.deepEqual([started['state'], started['seed'], started['time'], started['next']], ['paused', 5, 0, 1]);
    const rain = await api.get(200, `POST ${W}/skip`, at, {});
    assert.deepEqual([rain['storms'], rain['time'], rain['next']], [['rain'], 1, 601]);
    const [its] = rain['links'] as Bag[];
    assert.deepEqual((its?.['filters'] as Bag)['packet_loss'], [50]);
    assert.deepEqual(await api.get(200, `GET ${P}/links/{link_id}`, link), before);
    const on = await api.get(200, `POST ${W}/resume`, at);
    assert.deepEqual([on['state'], typeof on['since']], ['on', 'string']);
    assert.equal((await api.get(200, `POST ${W}/pause`, at))['state'], 'paused');
    assert.deepEqual((await api.get(200, `POST ${W}/skip`, at, { storm: 'hail' }))['storms'], ['hail']);
    assert.equal((await api.get(200, `POST ${W}/end`, at))['state'], 'off');
    assert.equal((await api.ask(`POST ${W}/end`, at)).status, 409);
  });

  it('names the field that is wrong', async () => {
    const { at } = await labOf(api);
    const wrong: [Bag, RegExp][] = [
      [{ at: 'soon', suspend: true }, /at must be a duration/],
      [{}, /filters is missing: it must be there, or one of ramp, suspend/],
      [{ suspend: true, filters: {} }, /suspend must not stand beside filters/],
      [{ flap: { down: '1s', up: '1s' } }, /for is missing: it must say how long the flap lasts/],
      [{ flap: { down: '1ms', up: '1s' }, for: '9s' }, /flap\.down must be at least 50ms/],
      [{ suspend: true, rain: 1 }, /rain/],
      [{ links: [['PC1:0', 'PC9:0']], suspend: true }, /there is no node PC9/],
    ];
    for (const [body, message] of wrong) {
      const reply = await api.ask(`POST ${W}`, at, body);
      assert.equal(reply.status, 400, reply.text);
      assert.match(reply.body['message'] as string, message);
    }
  });

  it('goes along with copies, forks, archives and snapshots, with the links and nodes of the copy', async () => {
    const { at } = await labOf(api);
    const entries = [RAIN, { at: '2m', for: '5s', crash: ['PC1'] }];
    await api.get(200, `PUT ${W}`, at, { entries });
    await api.get(200, `PUT ${P}`, at, { seed: 77 });
    const snapshot = await api.get(201, `POST ${P}/snapshots`, at, { name: 'before' });
    const checkCopy = async (project_id: string): Promise<void> => {
      const there = { project_id };
      const state = await stateOf(there);
      assert.equal(state['state'], 'off');
      const [rain, crash] = state['entries'] as Bag[];
      const links = await api.list(project_id, 'links');
      const nodes = await api.list(project_id, 'nodes');
      assert.deepEqual(rain?.['links'], [links[0]?.['link_id']]);
      assert.deepEqual(crash?.['crash'], [nodes.find(({ name }) => name === 'PC1')?.['node_id']]);
      assert.equal((await api.get(200, `GET ${P}`, there))['seed'], 77);
    };
    await api.get(200, `POST ${W}/start`, at, { paused: true });
    await api.get(200, `POST ${W}/skip`, at, {});
    const copy = await api.get(201, `POST ${P}/duplicate`, at, { name: `copy ${randomUUID()}` });
    await checkCopy(String(copy['project_id']));
    const fork = await api.get(201, `POST ${P}/fork`, at, { name: `fork ${randomUUID()}` });
    await checkCopy(String(fork['project_id']));
    const archive = await fetch(`${api.url}/v2/projects/${at.project_id}/export`);
    const imported = randomUUID();
    const name = `imported ${randomUUID()}`;
    const answer = await fetch(`${api.url}/v2/projects/${imported}/import?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      body: await archive.arrayBuffer(),
    });
    assert.equal(answer.status, 201, await answer.text());
    await api.get(201, `POST ${P}/open`, { project_id: imported });
    await checkCopy(imported);
    await api.get(200, `PUT ${W}`, at, { entries: [] });
    const restore = { ...at, snapshot_id: String(snapshot['snapshot_id']) };
    await api.get(201, `POST ${P}/snapshots/{snapshot_id}/restore`, restore, {});
    await checkCopy(at.project_id);
  });
});

/** Which of so many echoes were answered, by their sequence numbers, while it rains. */
const answered = async (on: Api, { at, nodes }: Lab, count: number): Promise<number[]> => {
  const consoles = await Promise.all(nodes.map((node) => openConsole(Number(node['console']))));
  const [one, two] = consoles;
  assert.ok(one !== undefined && two !== undefined);
  await one.type('ip 10.0.0.1/24', /PC1> $/);
  await two.type('ip 10.0.0.2/24', /PC2> $/);
  await one.type('ping 10.0.0.2 -c 1', /ms[\s\S]*PC1> $/);
  await two.type('ping 10.0.0.1 -c 1', /ms[\s\S]*PC2> $/);
  await on.get(200, `POST ${W}/start`, at, { seed: 11, paused: true });
  await on.get(200, `POST ${W}/skip`, at, { storm: 'rain' });
  const printed = await one.type(
    `ping 10.0.0.2 -c ${count} -i 10 -w 100`,
    new RegExp(`icmp_seq=${count}\\b[\\s\\S]*PC1> $`),
  );
  await on.get(200, `POST ${W}/end`, at);
  for (const console of consoles) console.close();
  return [...printed.matchAll(/icmp_seq=(\d+) ttl/g)].map(([, n]) => Number(n));
};

describe('a storm with a seed', () => {
  it('loses the same frames twice, and on another server with the same lab', { timeout: 120_000 }, async () => {
    const other = apiOf(await testServer([]));
    try {
      const lists: number[][] = [];
      for (const on of [api, other]) {
        const lab = await labOf(on);
        await on.get(200, `PUT ${W}`, lab.at, { entries: [{ ...RAIN, filters: { packet_loss: [30] } }] });
        await on.get(204, `POST ${P}/nodes/start`, lab.at, {});
        lab.nodes = (await on.list(lab.at.project_id, 'nodes')).toSorted((a, b) =>
          String(a['name']) < String(b['name']) ? -1 : 1,
        );
        lists.push(await answered(on, lab, 40), await answered(on, lab, 40));
      }
      const [first, ...others] = lists;
      assert.ok(first !== undefined && first.length > 5 && first.length < 35, `answered: ${String(first)}`);
      for (const list of others) assert.deepEqual(list, first);
    } finally {
      await other.close();
    }
  });
});
