import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { checkFilters, createPlumbing, type LinkCable, type Plumbing } from '../../src/fabric/client/plumbing.ts';
import { seedOf } from '../../src/common/forms/seed.ts';
import type { FabricClient } from '../../src/fabric/client/client.ts';
import { type FabricFixture, fabricFixture } from '../contract/fabric-fixture.ts';
import { frameWith, peer, type Peer } from './datagrams.ts';
import { PROJECT_ID } from './sample.ts';
import { freePorts } from '../support/free-port.ts';

const at = (node_id: string, port_number = 0) => ({ node_id, adapter_number: 0, port_number });
const linkOf = (changes: Partial<LinkCable> = {}): LinkCable => ({
  link_id: randomUUID(),
  project_id: PROJECT_ID,
  ends: [at(randomUUID()), at(randomUUID())],
  suspend: false,
  filters: {},
  ...changes,
});

describe('plumbing', () => {
  let fixture: FabricFixture;
  let client: FabricClient;
  let plumbing: Plumbing;
  const peers: Peer[] = [];
  const newPeer = async (): Promise<Peer> => {
    const made = await peer();
    peers.push(made);
    return made;
  };
  const cables = async () => (await client.inventory()).cables;

  before(async () => {
    fixture = await fabricFixture();
    client = await fixture.connect();
    plumbing = createPlumbing(() => client);
  });
  after(async () => {
    await fixture.close();
    await Promise.all(peers.map((one) => one.close()));
  });

  it('makes a cable of a link, changes it in place and takes it away, also twice', async () => {
    const link = linkOf({ filters: { delay: [50, 5] } });
    // Records have labels at their ends; a cable has not.
    const labelled = { ...link.ends[0], label: { text: 'e0' } };
    await plumbing.putLink({ ...link, ends: [labelled, link.ends[1]] });
    const [cable] = await cables();
    assert.deepEqual(cable, {
      cable_id: link.link_id,
      project_id: PROJECT_ID,
      ends: link.ends.map((end) => ({ type: 'port', ...end })),
      suspend: false,
      filters: { delay: { latency_ms: 50, jitter_ms: 5 } },
      seed: seedOf(link.link_id),
    });
    await plumbing.putLink({ ...link, suspend: true, filters: {} });
    assert.deepEqual(
      (await cables()).map((one) => [one.suspend, one.filters]),
      [[true, {}]],
    );
    await plumbing.removeCable(link.link_id);
    await plumbing.removeCable(link.link_id);
    assert.deepEqual(await cables(), []);
  });

  it('refuses a second cable at a port', async () => {
    const link = linkOf();
    await plumbing.putLink(link);
    await assert.rejects(plumbing.putLink(linkOf({ ends: link.ends })), {
      code: 'conflict',
      message: /takes one cable/,
    });
    await plumbing.removeCable(link.link_id);
  });

  it('refuses filters that there are not, naming them, before anything is changed', async () => {
    await assert.rejects(plumbing.putLink(linkOf({ filters: { magic: [1] } })), {
      code: 'invalid_request',
      message: /magic/,
    });
    await assert.rejects(checkFilters({ packet_loss: [101] }), { message: /packet_loss/ });
    assert.deepEqual(await checkFilters({ packet_loss: [0], delay: [10.7, 2] }), { delay: [10.7, 2] });
    assert.deepEqual(await cables(), []);
  });

  it('carries the frames of a NIO, as far as its filters let them', async () => {
    const [hub, lab, other] = [randomUUID(), await newPeer(), await newPeer()];
    const node = { node_id: hub, project_id: PROJECT_ID, name: 'Hub', directory: null, console: null, config: {} };
    const ports = [0, 1].map((port_number) => ({ adapter_number: 0, port_number }));
    await client.one({ op: 'node.start', node: { ...node, model: 'ethernet_hub', ports } });
    const lports = await freePorts(2);
    const nioOf = (n: number, to: Peer) => ({ type: 'nio_udp', lport: lports[n], rhost: '127.0.0.1', rport: to.port });
    await plumbing.putNio({ ...at(hub, 0), project_id: PROJECT_ID, nio: nioOf(0, lab) });
    await plumbing.putNio({ ...at(hub, 1), project_id: PROJECT_ID, nio: nioOf(1, other) });
    lab.send(frameWith('through'), lports[0] ?? 0);
    assert.deepEqual(await other.next(), frameWith('through'));
    await plumbing.putNio({
      ...at(hub, 1),
      project_id: PROJECT_ID,
      nio: { ...nioOf(1, other), filters: { frequency_drop: [2] } },
    });
    for (const text of ['one', 'two', 'three']) lab.send(frameWith(text), lports[0] ?? 0);
    assert.deepEqual([await other.next(), await other.next()], [frameWith('one'), frameWith('three')]);
    await plumbing.removeNio(at(hub, 0));
    await plumbing.removeProject(PROJECT_ID);
    const { nodes } = await client.inventory();
    assert.deepEqual([nodes, await cables()], [[], []]);
  });

  it('names the UDP port that is taken', async () => {
    const { port } = await newPeer();
    const nio = { type: 'nio_udp', lport: port, rhost: '127.0.0.1', rport: 9 };
    await assert.rejects(plumbing.putNio({ ...at(randomUUID()), project_id: PROJECT_ID, nio }), {
      code: 'conflict',
      message: new RegExp(`UDP port ${port} is in use`),
    });
  });

  it('refuses NIOs that it cannot make', async () => {
    const put = (nio: Record<string, unknown>) => plumbing.putNio({ ...at(randomUUID()), project_id: PROJECT_ID, nio });
    await assert.rejects(put({ type: 'nio_tap', tap_device: 'tap0' }), { code: 'conflict', message: /nio_tap/ });
    await assert.rejects(put({ type: 'nio_udp', lport: 0, rhost: 'x', rport: 1 }), {
      code: 'invalid_request',
      message: /lport/,
    });
  });

  it('captures at a port, and stops, also what does not run', async () => {
    const port = { ...at(randomUUID()), project_id: PROJECT_ID };
    const path = join(fixture.directory, 'captures', 'a.pcap');
    await plumbing.startCapture(port, { path, data_link_type: 'DLT_EN10MB' }, false);
    await plumbing.flushCapture(port);
    assert.equal((await readFile(path)).length, 24);
    await plumbing.stopCapture(port);
    await plumbing.stopCapture(port);
  });

  it('says that the fabric is gone when it is', async () => {
    const gone = createPlumbing(() => client);
    client.close();
    await assert.rejects(gone.putLink(linkOf()), { code: 'fabric_lost', status: 503 });
    client = await fixture.connect();
    await gone.removeCable('none');
  });
});

describe('the seed of a cable', () => {
  it('is a 32-bit number that stays the same', () => {
    assert.equal(seedOf('a'), 0xe40c292c);
    fc.assert(
      fc.property(fc.string(), (id) => {
        const seed = seedOf(id);
        assert.ok(Number.isInteger(seed) && seed >= 0 && seed <= 0xffffffff);
        assert.equal(seedOf(id), seed);
      }),
    );
  });
});
