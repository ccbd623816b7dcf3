import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { openConsole } from '../support/console.ts';
import { type Answer, testServer, type TestServer } from '../support/server.ts';

interface Step {
  action: 'create' | 'update' | 'delete';
  type: 'node' | 'link' | 'drawing';
  id?: string;
  record?: object;
}
type Row = Record<string, unknown>;

let server: TestServer;
before(async () => {
  server = await testServer();
});
after(() => server.close());

const project = async (): Promise<string> => {
  const made = await server.request('POST', '/v2/projects', { name: randomUUID() });
  return `/v2/projects/${(made.body as { project_id: string }).project_id}`;
};
const send = (path: string, steps: Step[]): Promise<Answer> => server.request('POST', `${path}/batch`, { steps });
const rows = async (path: string): Promise<Row[]> => (await server.request('GET', path)).body as Row[];
const everything = async (path: string): Promise<Row[][]> =>
  Promise.all(['nodes', 'links', 'drawings'].map((noun) => rows(`${path}/${noun}`)));

const pc = (node_id: string, more: object = {}): Step => ({
  ...{ action: 'create', type: 'node' },
  record: { name: 'PC1', node_type: 'simple_pc', compute_id: 'local', node_id, ...more },
});
const join = (a: string, b: string, more: object = {}): Step => ({
  ...{ action: 'create', type: 'link' },
  record: { nodes: [a, b].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 })), ...more },
});

describe('a batch', () => {
  it('makes a lab that runs, in one batch of events and one answer', async () => {
    const path = await project();
    const [a, b] = [randomUUID(), randomUUID()];
    const script = (n: number) => ({ properties: { startup_script: `ip 10.0.0.${n}/24` } });
    const answer = await send(path, [
      pc(a, script(1)),
      pc(b, script(2)),
      join(a, b),
      { action: 'create', type: 'drawing', record: { x: 7 } },
      { action: 'update', type: 'node', id: b, record: { name: 'Other', x: 5 } },
    ]);
    assert.equal(answer.status, 200, answer.text);
    const { results } = answer.body as { results: Row[] };
    const [nodes, links, drawings] = await everything(path);
    assert.deepEqual(results, [nodes?.[0], nodes?.[1], links?.[0], drawings?.[0], nodes?.[1]]);
    assert.deepEqual(
      nodes?.map(({ name, x }) => [name, x]),
      [
        ['PC1', 0],
        ['Other', 5],
      ],
    );
    const { events } = (await server.request('GET', `${path}/events?limit=100`)).body as { events: Row[] };
    const ours = events.filter(({ request_id }) => request_id === answer.headers.get('x-request-id'));
    assert.deepEqual(
      ours.map(({ type }) => type),
      ['node.created', 'node.created', 'link.created', 'drawing.created', 'node.updated'],
    );
    assert.equal((await server.request('POST', `${path}/nodes/start`)).status, 204);
    const console = await openConsole(Number(nodes?.[0]?.['console']));
    assert.match(await console.type('ping 10.0.0.2 -c 1', /icmp_seq=1.*\r\n/), /bytes from 10\.0\.0\.2/);
    console.close();
  });

  it('changes nothing when one of its steps is refused, and says which and why', async () => {
    const path = await project();
    const [a, b, unknown] = [randomUUID(), randomUUID(), randomUUID()];
    assert.equal((await send(path, [pc(a), pc(b), { action: 'create', type: 'drawing', record: {} }])).status, 200);
    const before = await everything(path);
    const drawing = String(before[2]?.[0]?.['drawing_id']);
    const good: Step[] = [
      { action: 'update', type: 'node', id: a, record: { x: 99 } },
      { action: 'delete', type: 'drawing', id: drawing },
      join(a, b),
    ];
    const wrong: [Step, number, RegExp][] = [
      [{ action: 'delete', type: 'drawing', id: drawing }, 404, /steps\.3.*Drawing/],
      [join(a, b), 409, /steps\.3.*already used/],
      [pc(a), 409, /steps\.3.*in use/],
      [join(a, unknown), 404, /steps\.3.*Node/],
      [{ action: 'update', type: 'node', id: a, record: { colour: 'red' } }, 400, /steps\[3\]\.record\.colour/],
      [pc(unknown, { properties: { ram: 5 } }), 400, /steps\[3\]\.record\.properties\.ram/],
      [{ action: 'update', type: 'link', id: unknown, record: { suspend: true } }, 404, /steps\.3.*Link/],
    ];
    for (const [step, status, message] of wrong) {
      const answer = await send(path, [...good, step]);
      assert.equal(answer.status, status, answer.text);
      assert.match((answer.body as { message: string }).message, message);
      assert.deepEqual(await everything(path), before);
    }
    assert.equal((await send(path, good)).status, 200);
  });

  it('is answered with the records as they are when nothing in it changes anything', async () => {
    const path = await project();
    const [a, b] = [randomUUID(), randomUUID()];
    await send(path, [pc(a), pc(b, { x: 5 })]);
    const same = [a, b].map((id, i): Step => ({ action: 'update', type: 'node', id, record: { x: 5 * i } }));
    const answer = await send(path, same);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual((answer.body as { results: Row[] }).results, await rows(`${path}/nodes`));
    const { events } = (await server.request('GET', `${path}/events?type=node.updated`)).body as { events: Row[] };
    assert.deepEqual(events, []);
  });

  it('deletes: nodes with their links, always-on ones as they run, but no PC that somebody has started', async () => {
    const path = await project();
    const [a, b, sw] = [randomUUID(), randomUUID(), randomUUID()];
    const made = await send(path, [
      pc(a),
      pc(b),
      { action: 'create', type: 'node', record: { name: 'SW', node_type: 'ethernet_switch', node_id: sw } },
      join(a, sw),
    ]);
    assert.equal(made.status, 200, made.text);
    assert.equal((await server.request('POST', `${path}/nodes/${b}/start`)).status, 200);
    const gone = (id: string): Step => ({ action: 'delete', type: 'node', id });
    const refused = await send(path, [gone(a), gone(sw), gone(b)]);
    assert.equal(refused.status, 409);
    assert.match((refused.body as { message: string }).message, /steps\.2.*runs; stop it first/);
    const [nodes = []] = await everything(path);
    assert.deepEqual(
      nodes.map(({ status }) => status),
      ['stopped', 'started', 'started'],
    );
    const done = await send(path, [gone(a), gone(sw)]);
    assert.deepEqual(done.body, { results: [null, null] });
    const [left, links] = await everything(path);
    assert.deepEqual([left?.map(({ node_id }) => node_id), links], [[b], []]);
  });

  it('builds a lab of 1,000 nodes in one request, which is there after a restart', async () => {
    const path = await project();
    const ids = Array.from({ length: 1000 }, () => randomUUID());
    const links = ids.flatMap((a, n) => (n % 2 === 0 ? [join(a, ids[n + 1] ?? '')] : []));
    const answer = await send(path, [...ids.map((id) => pc(id)), ...links]);
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    const before = await everything(path);
    assert.deepEqual(
      before.map(({ length }) => length),
      [1000, 500, 0],
    );
    assert.equal(new Set(before[0]?.map(({ name }) => name)).size, 1000);
    await server.restart();
    assert.deepEqual(await everything(path), before);
  });

  it('is refused in a closed project, for a body that is none, and above its limits', async () => {
    const path = await project();
    assert.equal((await server.request('POST', `${path}/batch`, {})).status, 400);
    assert.equal((await server.request('POST', `${path}/batch`, { steps: [{ action: 'move' }] })).status, 400);
    const many = Array.from({ length: 20_001 }, (): Step => ({ action: 'create', type: 'drawing', record: {} }));
    assert.equal((await send(path, many)).status, 400);
    const large = { ...pc(randomUUID()), padding: 'x'.repeat(17 << 20) };
    assert.equal((await send(path, [large])).status, 413);
    assert.equal((await server.request('POST', `${path}/close`)).status, 204);
    assert.equal((await send(path, [pc(randomUUID())])).status, 403);
  });
});
