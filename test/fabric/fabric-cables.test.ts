import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Statistics } from '../../src/fabric/process/fabric.ts';
import type { Inventory, CableFilters } from '../../src/fabric/protocol.ts';
import { createLab, udpPeer, cableSpec } from './lab.ts';
import { freePort } from '../support/free-port.ts';

const text = (frames: Uint8Array[]): string[] => frames.map((frame) => Buffer.from(frame).toString());

describe('cables between ports', () => {
  it('carry frames both ways without copying them', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    const frame = Buffer.from('there');
    a.send(frame);
    assert.equal((await b.received(1))[0], frame);
    b.send('back');
    assert.deepEqual(text(await a.received(1)), ['back']);
  });

  it('are there before and after their nodes run', async (t) => {
    const lab = createLab(t);
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    const a = await lab.probe('a');
    a.send('nobody there');
    const b = await lab.probe('b');
    a.send('somebody there');
    assert.deepEqual(text(await b.received(1)), ['somebody there']);
    await lab.ok(lab.fabric.perform({ op: 'node.stop', node_id: 'b' }));
    const again = await lab.probe('b');
    a.send('again');
    assert.deepEqual(text(await again.received(1)), ['again']);
  });

  it('have filters of one direction alone, in the place of those of both', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    const lost: CableFilters = { packet_loss: 100 };
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0'], { filters: {}, one_way: [lost, {}] }));
    a.send('lost');
    b.send('back');
    assert.deepEqual(text(await a.received(1)), ['back']);
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0'], { filters: lost, one_way: [{ packet_loss: 0 }, {}] }));
    b.send('lost');
    a.send('there');
    assert.deepEqual(text(await b.received(1)), ['there']);
    const { cables } = (await lab.ok(lab.fabric.perform({ op: 'statistics' }))) as Statistics;
    assert.deepEqual(
      cables[0]?.directions.map(({ frames, dropped }) => ({ frames, dropped })),
      [
        { frames: 1, dropped: 1 },
        { frames: 1, dropped: 1 },
      ],
    );
  });

  it('keep the order of what one port sends', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    const sent = Array.from({ length: 1000 }, (_, n) => String(n));
    for (const frame of sent) a.send(frame);
    assert.deepEqual(text(await b.received(1000)), sent);
  });

  it('drop both directions while suspended and carry again afterwards', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0'], { suspend: true }));
    a.send('lost');
    b.send('lost');
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    a.send('there');
    b.send('back');
    assert.deepEqual(text(await b.received(1)), ['there']);
    assert.deepEqual(text(await a.received(1)), ['back']);
    const { cables } = (await lab.ok(lab.fabric.perform({ op: 'statistics' }))) as Statistics;
    assert.deepEqual(
      cables[0]?.directions.map(({ frames, bytes, dropped }) => ({ frames, bytes, dropped })),
      [
        { frames: 1, bytes: 5, dropped: 1 },
        { frames: 1, bytes: 4, dropped: 1 },
      ],
    );
  });

  it('count all that passed, also on those that are gone', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a', 2), await lab.probe('b', 2)];
    const totals = () => lab.ok(lab.fabric.perform({ op: 'totals' }));
    assert.deepEqual(await totals(), { frames: 0, bytes: 0, dropped: 0, delayed: 0, cables: 0 });
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    await lab.ok(lab.cable('v', ['a/0/1', 'b/0/1'], { filters: { delay: { latency_ms: 1_000_000, jitter_ms: 0 } } }));
    a.send('there');
    b.send('back');
    a.send('on its way', 1);
    await Promise.all([a.received(1), b.received(1)]);
    assert.deepEqual(await totals(), { frames: 2, bytes: 9, dropped: 0, delayed: 1, cables: 2 });
    for (const cable_id of ['w', 'v']) await lab.ok(lab.fabric.perform({ op: 'cable.remove', cable_id }));
    assert.deepEqual(await totals(), { frames: 2, bytes: 9, dropped: 0, delayed: 0, cables: 0 });
    await lab.ok(lab.cable('u', ['a/0/0', 'b/0/0'], { suspend: true }));
    a.send('lost');
    await turn();
    assert.deepEqual(await totals(), { frames: 2, bytes: 9, dropped: 1, delayed: 0, cables: 1 });
  });

  it('refuse a port that has another cable, and both ends at one port', async (t) => {
    const lab = createLab(t);
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    const second = await lab.cable('v', ['c/0/0', 'b/0/0']);
    assert.ok(!second.ok && second.code === 'exists' && second.message.includes('b/0/0'));
    const loop = await lab.cable('u', ['c/0/0', 'c/0/0']);
    assert.ok(!loop.ok && loop.code === 'invalid');
    await lab.ok(lab.fabric.perform({ op: 'cable.remove', cable_id: 'w' }));
    await lab.ok(lab.cable('v', ['c/0/0', 'b/0/0']));
  });

  it('move to other ports in place', async (t) => {
    const lab = createLab(t);
    const [a, b, c] = [await lab.probe('a'), await lab.probe('b'), await lab.probe('c')];
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    await lab.ok(lab.cable('w', ['c/0/0', 'a/0/0']));
    b.send('cut off');
    a.send('to c');
    assert.deepEqual(text(await c.received(1)), ['to c']);
    c.send('to a');
    assert.deepEqual(text(await a.received(1)), ['to a']);
    assert.deepEqual(b.frames, []);
  });

  it('give their specification back exactly', async (t) => {
    const lab = createLab(t);
    const filters: CableFilters = { packet_loss: 3, delay: { latency_ms: 5, jitter_ms: 1 }, bpf: [[[6, 0, 0, 0]]] };
    const spec = cableSpec('w', ['a/0/0', 'b/0/0'], { filters });
    await lab.ok(lab.fabric.perform({ op: 'cable.put', cable: spec }));
    const inventory = (await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory;
    assert.deepEqual(inventory.cables, [spec]);
  });

  it('refuse a BPF program that could run astray', async (t) => {
    const lab = createLab(t);
    const answer = await lab.cable('w', ['a/0/0', 'b/0/0'], { filters: { bpf: [[[5, 0, 0, 7]]] } });
    assert.ok(!answer.ok && answer.code === 'invalid');
  });
});

describe('delayed frames', () => {
  it('arrive in order and not before their time', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0'], { filters: { delay: { latency_ms: 30, jitter_ms: 0 } } }));
    const before = a.context.now();
    const sent = Array.from({ length: 500 }, (_, n) => String(n));
    for (const frame of sent) a.send(frame);
    assert.deepEqual(text(await b.received(500)), sent);
    assert.ok(b.times.every((time) => time >= before + 30));
  });

  it('stay in flight when the filters change, and are gone with the cable', async (t) => {
    const lab = createLab(t);
    const [a, b] = [await lab.probe('a'), await lab.probe('b')];
    const slow = { filters: { delay: { latency_ms: 60, jitter_ms: 0 } } };
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0'], slow));
    a.send('slow');
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0']));
    a.send('fast');
    assert.deepEqual(text(await b.received(2)), ['fast', 'slow']);
    await lab.ok(lab.cable('w', ['a/0/0', 'b/0/0'], slow));
    a.send('never');
    await lab.ok(lab.fabric.perform({ op: 'cable.remove', cable_id: 'w' }));
    const statistics = (await lab.ok(lab.fabric.perform({ op: 'statistics' }))) as Statistics;
    assert.deepEqual([statistics.delayed_bytes, statistics.timers], [0, 0]);
  });
});

describe('cables to UDP', () => {
  it('carry one frame a datagram both ways', async (t) => {
    const lab = createLab(t);
    const [a, peer, lport] = [await lab.probe('a'), await udpPeer(t), await freePort()];
    const far = { type: 'udp' as const, lport, rhost: '127.0.0.1', rport: peer.port };
    await lab.ok(lab.cable('w', ['a/0/0', far]));
    const arrived = peer.next();
    a.send('out');
    assert.equal(await arrived, 'out');
    peer.socket.send('in', lport, '127.0.0.1');
    assert.deepEqual(text(await a.received(1)), ['in']);
  });

  it('relay between two sockets, and turn to another peer in place', async (t) => {
    const lab = createLab(t);
    const [left, right, other] = [await udpPeer(t), await udpPeer(t), await udpPeer(t)];
    const [l, r] = [await freePort(), await freePort()];
    const ends = (rport: number): Parameters<typeof lab.cable>[1] => [
      { type: 'udp', lport: l, rhost: '127.0.0.1', rport: left.port },
      { type: 'udp', lport: r, rhost: '127.0.0.1', rport },
    ];
    await lab.ok(lab.cable('w', ends(right.port)));
    const first = right.next();
    left.socket.send('one', l, '127.0.0.1');
    assert.equal(await first, 'one');
    await lab.ok(lab.cable('w', ends(other.port)));
    const second = other.next();
    left.socket.send('two', l, '127.0.0.1');
    assert.equal(await second, 'two');
  });

  it('say that a port is taken, and leave nothing behind', async (t) => {
    const lab = createLab(t);
    const [peer, free] = [await udpPeer(t), await freePort()];
    const ends: Parameters<typeof lab.cable>[1] = [
      { type: 'udp', lport: free, rhost: '127.0.0.1', rport: 9 },
      { type: 'udp', lport: peer.port, rhost: '127.0.0.1', rport: 9 },
    ];
    const taken = await lab.cable('w', ends);
    assert.ok(!taken.ok && taken.code === 'port_taken' && taken.message.includes(String(peer.port)));
    await lab.ok(lab.cable('v', ['a/0/0', { type: 'udp', lport: free, rhost: '127.0.0.1', rport: 9 }]));
  });

  it('outlive a peer that is not there', async (t) => {
    const lab = createLab(t);
    const [a, lport, rport] = [await lab.probe('a'), await freePort(), await freePort()];
    await lab.ok(lab.cable('w', ['a/0/0', { type: 'udp', lport, rhost: '127.0.0.1', rport }]));
    for (let n = 0; n < 20; n++) {
      a.send('to nobody');
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { createSocket } = await import('node:dgram');
    const late = createSocket('udp4');
    t.after(() => late.close());
    await new Promise<void>((resolve) => late.bind(rport, '127.0.0.1', () => resolve()));
    late.send('I am late', lport, '127.0.0.1');
    assert.deepEqual(text(await a.received(1)), ['I am late']);
  });
});

describe('a broadcast storm', () => {
  it('leaves the fabric answering, and ends with the cable', async (t) => {
    const lab = createLab(t);
    const a = await lab.probe('a');
    await lab.hub('h', 4);
    await lab.hub('i', 3);
    await lab.ok(lab.cable('in', ['a/0/0', 'h/0/0']));
    for (const n of [1, 2, 3]) await lab.ok(lab.cable(`loop${n}`, [`h/0/${n}`, `i/0/${n - 1}`]));
    a.send('storm');
    // Only a full queue shows that the storm really blows.
    let statistics: Statistics;
    do {
      await new Promise((resolve) => setImmediate(resolve));
      statistics = (await lab.ok(lab.fabric.perform({ op: 'statistics' }))) as Statistics;
    } while (statistics.queue.dropped === 0);
    await lab.ok(lab.fabric.perform({ op: 'project.remove', project_id: cableSpec('w', ['a', 'b']).project_id }));
    do {
      await new Promise((resolve) => setImmediate(resolve));
      statistics = (await lab.ok(lab.fabric.perform({ op: 'statistics' }))) as Statistics;
    } while (statistics.queue.length > 0);
  });

  it('of two nodes that answer each other forever does not stop a third', async (t) => {
    const lab = createLab(t);
    await lab.hub('h', 3);
    await lab.hub('i', 3);
    const [a, x, y] = [await lab.probe('a'), await lab.probe('x'), await lab.probe('y')];
    await lab.ok(lab.cable('l1', ['h/0/0', 'i/0/0']));
    await lab.ok(lab.cable('l2', ['h/0/1', 'i/0/1']));
    await lab.ok(lab.cable('in', ['a/0/0', 'h/0/2']));
    await lab.ok(lab.cable('other', ['x/0/0', 'y/0/0']));
    a.send('round and round');
    x.send('still here');
    assert.deepEqual(text(await y.received(1)), ['still here']);
  });
});
