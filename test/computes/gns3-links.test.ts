import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { FakeCompute } from '../support/fake-compute.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { addressOf, type Bag, fakeCompute, type Gns3Lab, gns3Lab } from './gns3-lab.ts';

interface Nio extends Bag {
  lport: number;
  rhost: string;
  rport: number;
  suspend: boolean;
  filters: Bag;
}

describe('links of nodes at GNS3 servers', () => {
  let lab: Gns3Lab;
  let other: FakeCompute;
  let far: TestServer;
  before(async () => {
    lab = await gns3Lab();
    [other, far] = await Promise.all([fakeCompute({ firstUdpPort: 25_000 }), testServer()]);
    await lab.ask(201, 'POST', '/computes', addressOf(other, 'second'));
    const at = { compute_id: 'far', name: 'far', protocol: 'http', host: '127.0.0.1' };
    await lab.ask(201, 'POST', '/computes', { ...at, port: Number(new URL(far.url).port) });
  });
  after(async () => {
    await lab.close();
    await other.close();
    await far.close();
    assert.deepEqual(other.lab.doubled, []);
  });

  const link = async (code: number, nodes: Bag[], more: Bag = {}): Promise<Bag> => {
    const ends = nodes.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    return lab.ask(code, 'POST', `/projects/${lab.project}/links`, { nodes: ends, ...more });
  };
  const pathOf = ({ link_id }: Bag): string => `/projects/${lab.project}/links/${String(link_id)}`;
  const nioAt = (fake: FakeCompute, { node_id }: Bag): Nio => {
    const nio = fake.node(String(node_id))?.nios.get('0/0');
    assert.ok(nio, 'it has no NIO');
    return nio as Nio;
  };
  /** What was asked of NIOs since, as `METHOD`. */
  const nioCalls = (fake: FakeCompute, from: number): string[] =>
    fake.requests
      .slice(from)
      .filter(({ path }) => path.endsWith('/nio'))
      .map(({ method }) => method);
  const tunnelOf = async ({ link_id }: Bag): Promise<{ compute_id: string; host: string; lport: number }[]> => {
    const made = (await lab.events('link.tunnel_made')).filter((data) => data['link_id'] === link_id);
    return made.at(-1)?.['ends'] as Awaited<ReturnType<typeof tunnelOf>>;
  };

  it('lead to this server, with a NIO for either end', async () => {
    const [there, here] = [await lab.node('simple_pc'), await lab.node('simple_pc', { compute_id: 'local' })];
    const made = await link(201, [there, here]);
    const [a, b] = await tunnelOf(made);
    assert.deepEqual([a?.compute_id, b?.compute_id], ['gns3', 'local']);
    const { type, lport, rhost, rport, filters, suspend } = nioAt(lab.fake, there);
    assert.deepEqual(
      { type, lport, rhost, rport, filters, suspend },
      { type: 'nio_udp', lport: a?.lport, rhost: b?.host, rport: b?.lport, filters: {}, suspend: false },
    );
    assert.ok(lab.fake.lab.projects.get(lab.project)?.udpPorts.has(lport));
  });

  it('lead from one to the other, each NIO to where the other one is', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('simple_pc', { compute_id: 'second' })];
    await link(201, [a, b]);
    const [one, two] = [nioAt(lab.fake, a), nioAt(other, b)];
    assert.deepEqual([one.rport, two.rport], [two.lport, one.lport]);
    assert.deepEqual([one.rhost, two.rhost], ['127.0.0.1', '127.0.0.1']);
  });

  it('lead to a Topolog, whose end has the filters', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('simple_pc', { compute_id: 'far' })];
    const made = await link(201, [a, b], { filters: { delay: [5, 0] } });
    assert.deepEqual(nioAt(lab.fake, a).filters, {});
    await lab.ask(201, 'PUT', pathOf(made), { suspend: true });
    assert.deepEqual([nioAt(lab.fake, a).filters, nioAt(lab.fake, a).suspend], [{}, true]);
    const query = 'type=node.nio_added,node.nio_updated&limit=1000';
    const events = await far.request('GET', `/v2/projects/${lab.project}/events?${query}`);
    const told = (events.body as { events: { data: { nio: Nio } }[] }).events.map(({ data }) => data.nio);
    assert.deepEqual(
      told.map((nio) => [nio.filters, nio.suspend, nio.rport]),
      [false, true].map((suspend) => [{ delay: [5, 0] }, suspend, nioAt(lab.fake, a).lport]),
    );
  });

  it('have filters of one direction at the end of a Topolog alone', async () => {
    const [a, b, c] = [
      await lab.node('simple_pc'),
      await lab.node('simple_pc', { compute_id: 'far' }),
      await lab.node('simple_pc', { compute_id: 'second' }),
    ];
    await link(201, [a, b], { filters: { 'packet_loss>': [20], 'delay<': [5, 0], corrupt: [1] } });
    const events = await far.request('GET', `/v2/projects/${lab.project}/events?type=node.nio_added&limit=1000`);
    const { data } = (events.body as { events: { data: { nio: Nio } }[] }).events.at(-1) ?? {};
    // Seen from the node there, which is the link's second end.
    assert.deepEqual(data?.nio.filters, { 'packet_loss<': [20], 'delay>': [5, 0], corrupt: [1] });
    const refused = await link(409, [await lab.node('simple_pc'), c], { filters: { 'delay>': [5, 0] } });
    assert.match(String(refused['message']), /neither gns3 nor second knows the filter delay>/);
  });

  it('join two nodes of one server as well', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('ethernet_switch')];
    const made = await link(201, [a, b]);
    const [one, two] = [nioAt(lab.fake, a), nioAt(lab.fake, b)];
    assert.deepEqual([one.rport, two.rport], [two.lport, one.lport]);
    await lab.ask(204, 'DELETE', pathOf(made));
    for (const { node_id } of [a, b]) assert.equal(lab.fake.node(String(node_id))?.nios.size, 0);
    await link(201, [a, b]);
  });

  it('have their filters once, at an end that can, and change them in place', async () => {
    const [a, b] = [await lab.node('ethernet_switch'), await lab.node('simple_pc', { compute_id: 'second' })];
    await lab.act(200, b, 'start');
    const made = await link(201, [a, b]);
    const [first, second] = [lab.fake.requests.length, other.requests.length];
    await lab.ask(201, 'PUT', pathOf(made), { filters: { packet_loss: [50] } });
    assert.deepEqual([nioAt(lab.fake, a).filters, nioAt(other, b).filters], [{}, { packet_loss: [50] }]);
    assert.deepEqual([nioCalls(lab.fake, first), nioCalls(other, second)], [[], ['PUT']]);
    await lab.ask(201, 'PUT', pathOf(made), { suspend: true });
    assert.deepEqual(
      [nioAt(other, b).filters, nioAt(other, b).suspend],
      [{ frequency_drop: [-1] }, true],
      'a GNS3 server suspends by dropping all',
    );
    await lab.ask(201, 'PUT', pathOf(made), { suspend: false });
    assert.deepEqual([nioAt(other, b).filters, nioAt(other, b).suspend], [{ packet_loss: [50] }, false]);
    assert.deepEqual(nioCalls(other, second), ['PUT', 'PUT', 'PUT']);
    assert.deepEqual(nioCalls(lab.fake, first), []);
  });

  it('say so where neither end can filter, and stay as they are', async () => {
    const [a, b] = [await lab.node('ethernet_switch'), await lab.node('ethernet_hub', { compute_id: 'second' })];
    const refused = await link(409, [a, b], { filters: { packet_loss: [50] } });
    assert.match(String(refused['message']), /neither N\d+ on gns3 nor N\d+ on second can filter frames/);
    const made = await link(201, [a, b]);
    for (const changes of [{ filters: { delay: [5, 0] } }, { suspend: true }])
      assert.match(String((await lab.ask(409, 'PUT', pathOf(made), changes))['message']), /can filter frames/);
    const now = await lab.ask(200, 'GET', pathOf(made));
    assert.deepEqual([now['filters'], now['suspend']], [{}, false]);
  });

  it('begin where another one of before was left', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('ethernet_switch')];
    await lab.act(200, a, 'start');
    const left = { type: 'nio_udp', lport: 29_000, rhost: '127.0.0.1', rport: 29_001, filters: {}, suspend: false };
    for (const { node_id } of [a, b]) {
      const node = lab.fake.node(String(node_id));
      assert.ok(node);
      lab.fake.lab.addNio(node, '0/0', left);
    }
    await link(201, [a, b]);
    assert.deepEqual(
      [nioAt(lab.fake, a).rport, nioAt(lab.fake, b).rport],
      [nioAt(lab.fake, b).lport, nioAt(lab.fake, a).lport],
    );
    // Nobody here could know of it before it was refused.
    for (const { node_id } of [a, b]) lab.fake.node(String(node_id))?.doubled.splice(0);
  });

  it('leave nothing where one end is refused', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('simple_pc', { compute_id: 'second' })];
    const busy = { message: 'the bridge could not be made', exception: 'UbridgeError', status: 409 };
    for (let n = 0; n < 2; n++) other.answerNext('POST /nio', 409, busy);
    const refused = await link(409, [a, b]);
    assert.match(String(refused['message']), /the bridge could not be made/);
    assert.equal(lab.fake.node(String(a['node_id']))?.nios.size, 0);
    await link(201, [a, b]);
  });

  it('that are late, and gone by then, take nothing from the next ones at their ports', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('simple_pc', { compute_id: 'second' })];
    const next = await lab.node('simple_pc', { compute_id: 'local' });
    const held = other.stall('POST /ports/udp');
    const link_id = randomUUID();
    const late = link(404, [a, b], { link_id });
    await held.arrived;
    await lab.ask(204, 'DELETE', pathOf({ link_id }));
    await link(201, [a, next]);
    const nio = nioAt(lab.fake, a);
    held.release();
    await late;
    assert.deepEqual(nioAt(lab.fake, a), nio);
    assert.equal(other.node(String(b['node_id']))?.nios.size, 0);
    assert.equal(
      (await lab.events('link.tunnel_made')).some((made) => made['link_id'] === link_id),
      false,
    );
  });

  it('wait for a fabric there that is just being started again', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('simple_pc', { compute_id: 'second' })];
    const lost = { message: 'The fabric process is not answering; it is being started again', code: 'fabric_lost' };
    other.answerNext('POST /nio', 503, lost);
    const made = await link(201, [a, b]);
    assert.equal(nioAt(other, b).rport, nioAt(lab.fake, a).lport);
    other.answerNext('DELETE /nio', 503, lost);
    await lab.ask(204, 'DELETE', pathOf(made));
    assert.equal(other.node(String(b['node_id']))?.nios.size, 0);
  });

  it('lead on from where their node was moved, also where it left something behind', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('simple_pc', { compute_id: 'second' })];
    await link(201, [a, b]);
    const before = nioAt(lab.fake, a);
    other.answerNext('DELETE /nio', 500, 'it is broken');
    const moved = await lab.ask(200, 'PUT', `/projects/${lab.project}/nodes/${String(b['node_id'])}`, {
      compute_id: 'local',
    });
    assert.equal(moved['compute_id'], 'local');
    assert.notEqual(nioAt(lab.fake, a).rport, before.rport);
    assert.equal(other.node(String(b['node_id'])), undefined);
  });

  it('go with their nodes', async () => {
    const [a, b] = [await lab.node('simple_pc'), await lab.node('simple_pc', { compute_id: 'second' })];
    const made = await link(201, [a, b]);
    await lab.ask(204, 'DELETE', `/projects/${lab.project}/nodes/${String(a['node_id'])}`);
    assert.equal(other.node(String(b['node_id']))?.nios.size, 0);
    await lab.ask(404, 'GET', pathOf(made));
  });

  it('of frame relay and ATM switches lead to their mapped ports', async () => {
    const frames = await lab.node('frame_relay_switch', { properties: { mappings: { '1:101': '2:202' } } });
    const router = await lab.node('ethernet_hub');
    assert.ok(router);
    const second = await lab.node('frame_relay_switch', { properties: { mappings: { '1:101': '2:202' } } });
    const ends = [frames, second].map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 1 }));
    await lab.ask(201, 'POST', `/projects/${lab.project}/links`, { nodes: ends });
    assert.ok(lab.fake.node(String(frames['node_id']))?.nios.has('0/1'));
  });
});
