import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Bag, type Gns3Lab, gns3Lab } from './gns3-lab.ts';

describe('a GNS3 server that goes away', () => {
  let lab: Gns3Lab;
  let pc: Bag;
  let sw: Bag;
  let local: Bag;
  beforeEach(async () => {
    lab = await gns3Lab({}, ['--compute-silence', '2']);
    pc = await lab.node('simple_pc');
    sw = await lab.node('ethernet_switch');
    local = await lab.node('simple_pc', { compute_id: 'local' });
    await link(pc, [sw, 0]);
    await link(local, [sw, 1]);
    await lab.ask(204, 'POST', `/projects/${lab.project}/nodes/start`);
  });
  afterEach(() => lab.close());

  const link = (a: Bag, [b, port_number]: [Bag, number]): Promise<Bag> =>
    lab.ask(201, 'POST', `/projects/${lab.project}/links`, {
      nodes: [
        { node_id: a['node_id'], adapter_number: 0, port_number: 0 },
        { node_id: b['node_id'], adapter_number: 0, port_number },
      ],
    });
  const there = ({ node_id }: Bag) => {
    const found = lab.fake.node(String(node_id));
    assert.ok(found, 'it is not there');
    return found;
  };
  const count = async (type: string, node: Bag): Promise<number> =>
    (await lab.events(type)).filter(({ node_id }) => node_id === node['node_id']).length;
  const is = (node: Bag) => (data: Bag) => data['node_id'] === node['node_id'];
  /** What was asked that changes something, since. */
  const changes = (from: number, fits: RegExp): string[] =>
    lab.fake.requests
      .slice(from)
      .filter(({ method, path }) => method !== 'GET' && fits.test(path))
      .map(({ method, path }) => `${method} ${path}`);

  it('leaves nothing undone when its feed is cut for a moment', async () => {
    const from = lab.fake.requests.length;
    const again = lab.fake.next('GET /notifications/ws');
    lab.fake.dropFeed();
    await again;
    await lab.event('node.adopted', is(pc));
    await lab.event('node.adopted', is(sw));
    await lab.act(200, pc, 'stop');
    assert.equal(there(pc).status, 'stopped');
    assert.deepEqual(changes(from, /\/(?:start|ports\/udp)$/), []);
    assert.deepEqual(
      changes(from, /\/nio$/).filter((call) => call.startsWith('DELETE')),
      [],
    );
    assert.equal(await count('node.unreachable', pc), 0);
  });

  it('keeps its nodes as they were while it is silent, and refuses what is asked of them', async () => {
    lab.fake.freeze();
    await lab.event('node.unreachable', is(pc));
    assert.deepEqual([(await lab.read(pc))['status'], (await lab.read(local))['status']], ['started', 'started']);
    for (const action of ['stop', 'reload', 'suspend'])
      assert.equal((await lab.act(409, pc, action))['code'], 'compute_unreachable');
    const path = `/projects/${lab.project}/nodes/${String(pc['node_id'])}`;
    assert.equal((await lab.ask(409, 'PUT', path, { name: 'other' }))['code'], 'compute_unreachable');
    await lab.act(200, local, 'stop');
    await lab.act(200, local, 'start');
    assert.match(String((await lab.ask(200, 'GET', '/computes/gns3'))['last_error']), /nothing was heard|not answer/);
    lab.fake.thaw();
    await lab.event('node.reachable', is(pc));
    await lab.event('node.adopted', is(pc));
    assert.equal((await lab.read(pc))['status'], 'started');
    assert.equal(await count('node.lost', pc), 0);
    await lab.act(200, pc, 'stop');
  });

  it('does not count as silent while it says anything', async () => {
    lab.fake.faults.silent = true;
    for (let n = 0; n < 3; n++) {
      lab.fake.emit('nobody.knows', {}, lab.project);
      await lab.act(200, pc, 'reload');
    }
    lab.fake.faults.silent = false;
    assert.equal(await count('node.unreachable', pc), 0);
  });

  it('has what it forgot made again when it was started again: nodes, links, and what ran', async () => {
    const stopped = await lab.node('simple_pc');
    await link(stopped, [sw, 2]);
    const before = new Set([...lab.fake.lab.nodes.values()]);
    lab.fake.restart();
    await lab.event('node.lost', is(pc));
    await lab.event('node.started', (data) => is(pc)(data) && there(pc).status === 'started' && !before.has(there(pc)));
    const settled = await lab.node('simple_pc');
    await link(settled, [sw, 3]);
    for (const node of [pc, sw, stopped]) assert.ok(!before.has(there(node)), String(node['name']));
    assert.deepEqual([there(pc).status, there(stopped).status], ['started', 'stopped']);
    const ports = lab.fake.lab.projects.get(lab.project)?.udpPorts ?? new Set();
    for (const [node, at] of [
      [pc, '0/0'],
      [sw, '0/0'],
      [sw, '0/1'],
    ] as const) {
      const nio = there(node).nios.get(at);
      assert.ok(nio !== undefined && ports.has(Number(nio['lport'])), `${String(node['name'])} ${at}`);
    }
    assert.equal(there(pc).nios.get('0/0')?.['rport'], there(sw).nios.get('0/0')?.['lport']);
    assert.equal((await lab.read(local))['status'], 'started');
  });

  it('has no link any more that was deleted while it was silent, and the next one takes its port', async () => {
    const ports = () => [...there(sw).nios.keys()];
    const [first] = (await lab.ask(200, 'GET', `/projects/${lab.project}/links`)) as unknown as Bag[];
    lab.fake.freeze();
    await lab.event('node.unreachable', is(pc));
    await lab.ask(204, 'DELETE', `/projects/${lab.project}/links/${String(first?.['link_id'])}`);
    assert.deepEqual([ports(), [...there(pc).nios.keys()]], [['0/0', '0/1'], ['0/0']]);
    const looked = lab.fake.next('GET /projects');
    lab.fake.thaw();
    await looked;
    assert.deepEqual([ports(), [...there(pc).nios.keys()]], [['0/1'], []]);
    await link(pc, [sw, 0]);
  });

  it('is asked again for what was under way, and nothing is done twice', async () => {
    await lab.act(200, pc, 'stop');
    const held = lab.fake.stall('POST /start');
    const starting = lab.act(409, pc, 'start');
    await held.arrived;
    lab.fake.dropFeed();
    assert.equal((await starting)['code'], 'compute_unreachable');
    held.release();
    await lab.event('node.adopted', is(pc));
    assert.equal((await lab.read(pc))['status'], 'started');
    assert.equal(lab.fake.asked((request) => request.path.endsWith(`${String(pc['node_id'])}/start`)).length, 2);
    assert.equal(there(pc).status, 'started');
  });

  it('ends what should not run when it is back', async () => {
    const held = lab.fake.stall('POST /stop', { before: true });
    const stopping = lab.act(409, pc, 'stop');
    await held.arrived;
    lab.fake.dropFeed();
    await stopping;
    held.release();
    await lab.event('node.stopped,node.lost', is(pc));
    assert.equal((await lab.read(pc))['status'], 'stopped');
    assert.equal(there(pc).status, 'stopped');
  });

  it('is seen to have stopped what ended meanwhile, which is started again', async () => {
    const again = lab.fake.next('GET /notifications/ws');
    lab.fake.dropFeed();
    there(pc).status = 'stopped';
    await again;
    await lab.event('node.lost', is(pc));
    await lab.event('node.started', (data) => is(pc)(data) && there(pc).status === 'started');
  });
});
