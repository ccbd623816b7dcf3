import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { AttachmentSpec, Inventory, OpResult } from '../../src/fabric/protocol.ts';
import { createFrameParser } from '../../src/fabric/io/stream.ts';
import { createLab, nodeSpec, PROJECT, temporaryDirectory, udpPeer, type Lab } from './lab.ts';
import { freePort } from '../support/free-port.ts';

const port = { node_id: 'vm', adapter_number: 0, port_number: 0 };
const attach = (lab: Lab, to: AttachmentSpec['to']): Promise<OpResult> =>
  lab.fabric.perform({ op: 'port.attach', attachment: { port, project_id: PROJECT, to } });

const framed = (text: string): Buffer => {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(text.length);
  return Buffer.concat([prefix, Buffer.from(text)]);
};

/** The next frame a peer gets. */
const nextFrame = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    const parse = createFrameParser((batch) =>
      batch.frames().forEach((frame) => resolve(Buffer.from(frame).toString())),
    );
    socket.on('data', parse);
  });

describe('a port whose node is a process outside', () => {
  it('exchanges frames by UDP, through cables and captures as any port', async (t) => {
    const lab = createLab(t);
    const [a, peer, lport] = [await lab.probe('a'), await udpPeer(t), await freePort()];
    await lab.ok(lab.cable('w', ['a/0/0', 'vm/0/0']));
    await lab.ok(attach(lab, { type: 'udp', lport, rhost: '127.0.0.1', rport: peer.port }));
    const path = join(await temporaryDirectory(t), 'vm.pcap');
    const capture = { port, project_id: PROJECT, path, data_link_type: 'DLT_EN10MB', append: false };
    await lab.ok(lab.fabric.perform({ op: 'capture.start', capture }));
    const arrived = peer.next();
    a.send('to the VM');
    assert.equal(await arrived, 'to the VM');
    peer.socket.send('from the VM', lport, '127.0.0.1');
    assert.equal(Buffer.from((await a.received(1))[0] ?? []).toString(), 'from the VM');
    await lab.ok(lab.fabric.perform({ op: 'capture.flush', port }));
    assert.equal((await readFile(path)).length, 24 + 16 + 9 + 16 + 11);
  });

  it('exchanges frames by a unix stream it listens at, with the peer that came last', async (t) => {
    const lab = createLab(t);
    const a = await lab.probe('a');
    await lab.ok(lab.cable('w', ['a/0/0', 'vm/0/0']));
    const path = join(await temporaryDirectory(t), 'vm.sock');
    await lab.ok(attach(lab, { type: 'stream', path, listen: true }));
    const first = connect(path);
    first.write(framed('one'));
    await a.received(1);
    const second = connect(path);
    t.after(() => second.destroy());
    second.write(framed('two'));
    const frames = await a.received(2);
    assert.deepEqual(
      frames.map((frame) => Buffer.from(frame).toString()),
      ['one', 'two'],
    );
    const answer = nextFrame(second);
    a.send('back');
    assert.equal(await answer, 'back');
    first.resume();
    if (!first.closed) await once(first, 'close');
    const again = { ...port, node_id: 'vm2' };
    const to = { type: 'stream', path, listen: true } as const;
    const taken = await lab.fabric.perform({ op: 'port.attach', attachment: { port: again, project_id: PROJECT, to } });
    assert.ok(!taken.ok && taken.code === 'port_taken');
  });

  it('sends what comes in one piece of a stream out by UDP, and back, at once or after a delay', async (t) => {
    const lab = createLab(t);
    const [peer, lport] = [await udpPeer(t), await freePort()];
    const path = join(await temporaryDirectory(t), 'vm.sock');
    await lab.ok(attach(lab, { type: 'stream', path, listen: true }));
    const outside = { type: 'udp' as const, lport, rhost: '127.0.0.1', rport: peer.port };
    const stream = connect(path);
    t.after(() => stream.destroy());
    const texts = Array.from({ length: 50 }, (_, n) => `frame ${n}`);
    for (const latency_ms of [0, 5]) {
      await lab.ok(lab.cable('w', ['vm/0/0', outside], { filters: { delay: { latency_ms, jitter_ms: 0 } } }));
      const [out, back]: [string[], string[]] = [[], []];
      const arrived = new Promise<void>((resolve) => {
        peer.socket.on('message', (message) => {
          if (out.push(String(message)) === 50) resolve();
        });
      });
      stream.write(Buffer.concat(texts.map(framed)));
      await arrived;
      assert.deepEqual(out, texts);
      const answered = new Promise<void>((resolve) => {
        const parse = createFrameParser((batch) => {
          if (back.push(...batch.frames().map((frame) => Buffer.from(frame).toString())) === 50) resolve();
        });
        stream.on('data', parse);
      });
      for (const text of texts) peer.socket.send(text, lport, '127.0.0.1');
      await answered;
      assert.deepEqual(back, texts);
      peer.socket.removeAllListeners('message');
      stream.removeAllListeners('data');
    }
  });

  it('connects to a peer that comes later, and again when it was gone', async (t) => {
    const lab = createLab(t);
    const a = await lab.probe('a');
    await lab.ok(lab.cable('w', ['a/0/0', 'vm/0/0']));
    const path = join(await temporaryDirectory(t), 'peer.sock');
    await lab.ok(attach(lab, { type: 'stream', path, listen: false }));
    const server = createServer();
    t.after(() => server.close());
    server.listen(path);
    for (const round of [1, 2]) {
      const [peer] = (await once(server, 'connection')) as [Socket];
      peer.write(framed(`round ${round}`));
      await a.received(round);
      peer.destroy();
    }
    await lab.ok(lab.fabric.perform({ op: 'port.detach', port }));
  });

  it('is attached to one process: the same again is fine, another is refused, a model too', async (t) => {
    const lab = createLab(t);
    const lport = await freePort();
    const to = { type: 'udp' as const, lport, rhost: '127.0.0.1', rport: 9 };
    for (let n = 0; n < 2; n++) await lab.ok(attach(lab, to));
    const other = await attach(lab, { ...to, rport: 10 });
    assert.ok(!other.ok && other.code === 'exists');
    const model = await lab.fabric.perform({ op: 'node.start', node: nodeSpec('vm') });
    assert.ok(!model.ok && model.code === 'exists');
    const attachments = async (): Promise<Inventory['attachments']> =>
      ((await lab.ok(lab.fabric.perform({ op: 'inventory' }))) as Inventory).attachments;
    assert.deepEqual(await attachments(), [{ port, project_id: PROJECT, to }]);
    assert.ok(lab.fabric.busy);
    for (let n = 0; n < 2; n++) await lab.ok(lab.fabric.perform({ op: 'port.detach', port }));
    assert.deepEqual([await attachments(), lab.fabric.busy], [[], false]);
    await lab.ok(lab.fabric.perform({ op: 'node.start', node: nodeSpec('vm') }));
  });
});

describe('the cable of an attached port', () => {
  it('is told of: when the port is attached, and whenever it comes, is suspended or goes', async (t) => {
    const lab = createLab(t);
    await lab.probe('a');
    const to = { type: 'stream', path: join(await temporaryDirectory(t), 'peer.sock'), listen: false } as const;
    const told = (): boolean[] =>
      lab.events.splice(0).map((event) => {
        assert.ok(event.type === 'port.carrier');
        assert.deepEqual([event.port, event.project_id], [port, PROJECT]);
        return event.up;
      });
    await lab.ok(attach(lab, to));
    assert.deepEqual(told(), [false]);
    const ends: [string, string] = ['a/0/0', 'vm/0/0'];
    await lab.ok(lab.cable('w', ends));
    await lab.ok(lab.cable('w', ends, { filters: { packet_loss: 10 } }));
    assert.deepEqual(told(), [true]);
    // As a server does that was restarted.
    await lab.ok(attach(lab, to));
    assert.deepEqual(told(), [true]);
    await lab.ok(lab.cable('w', ends, { suspend: true }));
    await lab.ok(lab.cable('w', ends));
    await lab.ok(lab.fabric.perform({ op: 'cable.remove', cable_id: 'w' }));
    assert.deepEqual(told(), [false, true, false]);
    await lab.ok(lab.cable('w', ends));
    await lab.ok(lab.cable('w', ['a/0/0', 'other/0/0']));
    assert.deepEqual(told(), [true, false]);
    await lab.ok(lab.fabric.perform({ op: 'port.detach', port }));
    await lab.ok(lab.cable('w', ends));
    assert.deepEqual(told(), []);
  });
});

describe('frames in a stream', () => {
  it('come out as they went in, however the stream is cut', () => {
    const frames = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(frames, fc.array(fc.nat(30), { minLength: 1 }), (sent, cuts) => {
        const stream = Buffer.concat(
          sent
            .map((frame) => framed(Buffer.from(frame).toString('latin1')).subarray(0, 4))
            .flatMap((prefix, n) => [prefix, sent[n] ?? new Uint8Array()]),
        );
        const got: Uint8Array[] = [];
        const parse = createFrameParser((batch) => got.push(...batch.frames().map((frame) => Uint8Array.from(frame))));
        for (let at = 0, n = 0; at < stream.length; n++) {
          const next = at + 1 + (cuts[n % cuts.length] ?? 0);
          assert.ok(parse(stream.subarray(at, next)));
          at = next;
        }
        assert.deepEqual(got, sent);
      }),
    );
  });

  it('longer than any frame end the connection', () => {
    const parse = createFrameParser(() => assert.fail('no frame'));
    assert.equal(parse(Buffer.from([0, 1, 0, 0])), false);
  });
});
