import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FakeCompute } from '../support/fake-compute.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { addressOf, type Bag, fakeCompute } from './gns3-lab.ts';
import { waitFor } from '../support/wait-for.ts';

describe('a controller that is killed, with nodes at a GNS3 server', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let fake: FakeCompute;
  let server: ServerProcess;
  let project: string;
  before(async () => {
    dir = await tempDir();
    fake = await fakeCompute();
    server = await spawnServer(path.join(dir.path, 'data'));
  });
  after(async () => {
    await server.kill('SIGKILL');
    // What it left running is ended by a server that is closed.
    const last = await spawnServer(path.join(dir.path, 'data'));
    await last.kill('SIGTERM');
    await fake.close();
    await dir.remove();
  });

  const ask = async (code: number, method: string, where: string, body?: unknown): Promise<Bag> => {
    const answer = await request(server.url, method, `/v2${where}`, body);
    assert.equal(answer.status, code, `${method} ${where}: ${answer.text}`);
    return (answer.body ?? {}) as Bag;
  };
  const make = (name: string, node_type: string, compute_id = 'gns3'): Promise<Bag> =>
    ask(201, 'POST', `${project}/nodes`, { name, node_type, compute_id });
  const link = (a: Bag, b: Bag, port_number: number): Promise<Bag> =>
    ask(201, 'POST', `${project}/links`, {
      nodes: [
        { node_id: a['node_id'], adapter_number: 0, port_number: 0 },
        { node_id: b['node_id'], adapter_number: 0, port_number },
      ],
    });
  const eventsOf = async (type: string): Promise<Bag[]> => {
    const { events } = await ask(200, 'GET', `${project}/events?type=${type}&limit=1000`);
    return (events as { data: Bag }[]).map(({ data }) => data);
  };
  const niosOf = ({ node_id }: Bag): Map<string, Bag> => new Map(fake.node(String(node_id))?.nios);

  it('finds them running, and leaves their NIOs where they are', async () => {
    await ask(201, 'POST', '/computes', addressOf(fake));
    const { project_id } = await ask(201, 'POST', '/projects', { name: 'lab' });
    project = `/projects/${String(project_id)}`;
    const [pc, sw, near] = [
      await make('PC1', 'simple_pc'),
      await make('SW1', 'ethernet_switch'),
      await make('PC2', 'simple_pc', 'local'),
    ];
    await link(pc, sw, 0);
    await link(near, sw, 1);
    await ask(204, 'POST', `${project}/nodes/start`);
    const before = [pc, sw].map(niosOf);
    const nodes = [pc, sw].map(({ node_id }) => fake.node(String(node_id)));

    await server.kill('SIGKILL');
    const from = fake.requests.length;
    const tunnels = before
      .flatMap((nios) => [...nios.values()])
      .map(({ lport, rhost, rport }) => [lport, rhost, rport]);
    server = await spawnServer(path.join(dir.path, 'data'));
    await waitFor('all are adopted', async () => (await eventsOf('node.adopted')).length >= 3);
    // Links come after nodes.
    await ask(200, 'PUT', `${project}/nodes/${String(pc['node_id'])}`, { name: 'PC one' });
    const third = await make('PC3', 'simple_pc');
    await link(third, sw, 2);

    for (const { node_id } of [pc, near]) {
      const record = await ask(200, 'GET', `${project}/nodes/${String(node_id)}`);
      assert.equal(record['status'], 'started');
    }
    assert.deepEqual(
      [pc, sw].map(({ node_id }) => fake.node(String(node_id))),
      nodes,
    );
    const asked = fake.requests.slice(from).map(({ method, path: where }) => `${method} ${where}`);
    assert.deepEqual(
      asked.filter((call) => /^DELETE|\/(?:start|stop|reload)$/.test(call)),
      [],
    );
    const after_ = [pc, sw]
      .map(niosOf)
      .flatMap((nios) => [...nios].filter(([at]) => at !== '0/2'))
      .map(([, { lport, rhost, rport }]) => [lport, rhost, rport]);
    assert.deepEqual(after_, tunnels);
    for (const [at, nio] of before[1] ?? []) assert.equal(niosOf(sw).get(at), nio, 'a NIO of the switch was put again');
    assert.deepEqual(await eventsOf('node.lost'), []);
    assert.deepEqual(fake.lab.doubled, []);
  });

  it('makes a link again whose ends nobody has seen made', async () => {
    const [pc, sw] = [await make('PC4', 'simple_pc'), await make('SW2', 'ethernet_switch')];
    const held = fake.stall('POST /nio');
    const lost = link(pc, sw, 5).catch(() => undefined);
    await held.arrived;
    await waitFor('both ends are made', () => niosOf(sw).size + niosOf(pc).size >= 2);
    const [before] = niosOf(sw).values();
    await server.kill('SIGKILL');
    held.release();
    await lost;
    server = await spawnServer(path.join(dir.path, 'data'));
    await waitFor('it is made again', () => niosOf(sw).size > 0 && niosOf(sw).get('0/5') !== before);
    await waitFor('all tunnels are joined', async () => (await eventsOf('link.tunnel_joined')).length >= 4);
    assert.deepEqual(fake.lab.doubled, []);
    const [one, two] = [niosOf(pc).get('0/0'), niosOf(sw).get('0/5')];
    assert.deepEqual([one?.['rport'], two?.['rport']], [two?.['lport'], one?.['lport']]);
    // What was taken away has given its port back.
    const ports = fake.lab.projects.get(project.replace('/projects/', ''))?.udpPorts;
    for (const nio of [one, two]) assert.ok(ports?.has(Number(nio?.['lport'])));
  });
});
