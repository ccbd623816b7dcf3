import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { describe, it, type TestContext } from 'node:test';
import { FabricError } from '../../src/fabric/client/client.ts';
import type { DatagramSocket } from '../../src/fabric/io/datagrams.ts';
import { FrameBatch } from '../../src/fabric/frames/frame-batch.ts';
import { findSockets, nodeSockets, type Sockets, type SocketsKind } from '../../src/fabric/io/sockets.ts';
import { Timers } from '../../src/fabric/frames/timers.ts';
import { createLab, udpPeer, type cableSpec } from '../fabric/lab.ts';
import { freePort } from '../support/free-port.ts';

const HOST = '127.0.0.1';

/** A socket under test, opened towards a peer, and what came to it. */
interface Bench {
  socket: DatagramSocket;
  frames: Uint8Array[];
  received: (count: number) => Promise<string[]>;
}

async function openSocket(t: TestContext, sockets: Sockets, rport: number, host = HOST): Promise<Bench> {
  const frames: Uint8Array[] = [];
  let look: () => void = () => undefined;
  const take = (...more: Uint8Array[]): void => {
    frames.push(...more);
    look();
  };
  const socket = await sockets.datagrams.open(
    // A port that the system chose is gone when Node turns to another peer.
    { host, port: await freePort() },
    { host, port: rport },
    { take, takeBatch: (batch) => take(...batch.frames()) },
  );
  t.after(() => socket.close());
  return {
    socket,
    frames,
    received: (count) =>
      new Promise((resolve) => {
        look = () => {
          if (frames.length >= count) resolve(frames.map((frame) => Buffer.from(frame).toString('latin1')));
        };
        look();
      }),
  };
}

/** The next `count` datagrams of a peer. */
const arrivals = (peer: Socket, count: number): Promise<string[]> =>
  new Promise((resolve) => {
    const texts: string[] = [];
    const take = (message: Buffer): void => {
      texts.push(message.toString('latin1'));
      if (texts.length < count) return;
      peer.off('message', take);
      resolve(texts);
    };
    peer.on('message', take);
  });

const batchOf = (texts: string[]): FrameBatch => {
  const memory = Buffer.from(texts.join(''), 'latin1');
  const lengths = Uint32Array.from(texts, ({ length }) => length);
  let at = 0;
  const offsets = lengths.map((length) => (at += length) - length);
  return new FrameBatch(memory, offsets, lengths, false);
};

const rejection = async (promise: Promise<unknown>): Promise<FabricError> => {
  const error: unknown = await promise.then(
    () => assert.fail('it was opened'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof FabricError);
  return error;
};

const open = (t: TestContext, kind: SocketsKind): Sockets => {
  const sockets = kind.open(() => 0);
  t.after(() => sockets.close());
  return sockets;
};

const found = await findSockets();
const kinds: [string, SocketsKind | null][] = [
  ["Node's own", nodeSockets],
  ["the system's, by koffi", found.name === 'native' ? found : null],
];

for (const [name, found] of kinds) {
  const kind = found ?? nodeSockets;
  describe(`UDP sockets: ${name}`, { skip: found === null ? 'koffi cannot be used here' : false }, () => {
    it('carry one frame a datagram both ways: empty, the longest, and each octet of it', async (t) => {
      const peer = await udpPeer(t);
      const { socket, received } = await openSocket(t, open(t, kind), peer.port);
      const long = Buffer.alloc(65_507, 'every octet counts').toString('latin1');
      const out = arrivals(peer.socket, 3);
      for (const text of ['', 'short', long]) socket.take(Buffer.from(text, 'latin1'));
      assert.deepEqual(await out, ['', 'short', long]);
      for (const text of ['', 'short', long]) peer.socket.send(Buffer.from(text, 'latin1'), socket.port, HOST);
      assert.deepEqual(await received(3), ['', 'short', long]);
    });

    it('keep the order, whether frames are sent alone or together', async (t) => {
      const peer = await udpPeer(t);
      const { socket } = await openSocket(t, open(t, kind), peer.port);
      const texts = Array.from({ length: 120 }, (_, n) => `frame ${n}`);
      const out = arrivals(peer.socket, 120);
      for (const text of texts.slice(0, 5)) socket.take(Buffer.from(text));
      socket.takeBatch(batchOf(texts.slice(5, 90)));
      for (const text of texts.slice(90)) socket.take(Buffer.from(text));
      assert.deepEqual(await out, texts);
    });

    it('send what a frame was when it was sent, and give frames that stay as they are', async (t) => {
      const peer = await udpPeer(t);
      const { socket, received, frames } = await openSocket(t, open(t, kind), peer.port);
      for (let n = 0; n < 5; n++) {
        const out = arrivals(peer.socket, 1);
        socket.takeBatch(batchOf([`out ${n}`]));
        assert.deepEqual(await out, [`out ${n}`]);
        peer.socket.send(`in ${n}`, socket.port, HOST);
        await received(n + 1);
      }
      assert.deepEqual(
        frames.map((frame) => Buffer.from(frame).toString()),
        ['in 0', 'in 1', 'in 2', 'in 3', 'in 4'],
      );
    });

    it('hear their peer only, and another one once they are turned to it', async (t) => {
      const [first, second] = [await udpPeer(t), await udpPeer(t)];
      const { socket, received } = await openSocket(t, open(t, kind), first.port);
      second.socket.send('a stranger', socket.port, HOST);
      first.socket.send('the peer', socket.port, HOST);
      assert.deepEqual(await received(1), ['the peer']);
      await socket.connect({ host: HOST, port: second.port });
      const out = arrivals(second.socket, 1);
      socket.take(Buffer.from('to the second'));
      assert.deepEqual(await out, ['to the second']);
      second.socket.send('no stranger now', socket.port, HOST);
      assert.deepEqual(await received(2), ['the peer', 'no stranger now']);
    });

    it('outlive a peer that is not there, and what they cannot send is counted', async (t) => {
      const rport = await freePort();
      const { socket, received } = await openSocket(t, open(t, kind), rport);
      for (let n = 0; n < 20; n++) {
        socket.take(Buffer.from('to nobody'));
        await new Promise((resolve) => setImmediate(resolve));
      }
      const late = createSocket('udp4');
      t.after(() => late.close());
      await new Promise<void>((resolve) => late.bind(rport, HOST, () => resolve()));
      late.send('I am late', socket.port, HOST);
      assert.deepEqual(await received(1), ['I am late']);
      const before = socket.failed;
      const out = arrivals(late, 1);
      socket.take(Buffer.alloc(65_508));
      socket.take(Buffer.from('behind one too long'));
      assert.deepEqual(await out, ['behind one too long']);
      assert.equal(socket.failed, before + 1);
    });

    it('say whose fault it is when they cannot be opened, and leave nothing behind', async (t) => {
      const { datagrams } = open(t, kind);
      const peer = await udpPeer(t);
      const sink = { take: () => undefined, takeBatch: () => undefined };
      const to = { host: HOST, port: 9 };
      const taken = await rejection(datagrams.open({ host: HOST, port: peer.port }, to, sink));
      assert.ok(taken.code === 'port_taken' && taken.message.includes(String(peer.port)));
      const foreign = await rejection(datagrams.open({ host: '192.0.2.7', port: 0 }, to, sink));
      assert.ok(foreign.code === 'invalid' && foreign.message.includes('lhost 192.0.2.7'));
      const port = await freePort();
      const unknown = await rejection(datagrams.open({ host: HOST, port }, { host: 'nobody.invalid', port: 9 }, sink));
      assert.ok(unknown.code === 'invalid' && unknown.message.includes('rhost nobody.invalid'));
      for (let round = 0; round < 2; round++) {
        const socket = await datagrams.open({ host: HOST, port }, to, sink);
        assert.equal(socket.port, port);
        await socket.close();
        await socket.close();
        socket.take(Buffer.from('too late'));
      }
    });

    it('speak IPv6', async (t) => {
      const six = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
      if (!six) return t.skip('there is no IPv6 here');
      const peer = createSocket('udp6');
      t.after(() => peer.close());
      peer.bind(0, '::1');
      await once(peer, 'listening');
      const { socket, received } = await openSocket(t, open(t, kind), peer.address().port, '::1');
      const out = arrivals(peer, 1);
      socket.take(Buffer.from('by six'));
      assert.deepEqual(await out, ['by six']);
      peer.send('and back', socket.port, '::1');
      assert.deepEqual(await received(1), ['and back']);
    });

    it('stand side by side by the hundred', async (t) => {
      const sockets = open(t, kind);
      const peer = await udpPeer(t);
      const benches = await Promise.all(Array.from({ length: 100 }, () => openSocket(t, sockets, peer.port)));
      const out = arrivals(peer.socket, 100);
      benches.forEach(({ socket }, n) => socket.take(Buffer.from(`from ${n}`)));
      assert.deepEqual(new Set(await out), new Set(benches.map((_, n) => `from ${n}`)));
      benches.forEach(({ socket }, n) => peer.socket.send(`to ${n}`, socket.port, HOST));
      assert.deepEqual(
        await Promise.all(benches.map(async ({ received }) => (await received(1))[0])),
        benches.map((_, n) => `to ${n}`),
      );
    });

    // Node reads one datagram at a time, and delivers it before the next.
    const readsAhead = kind.name === 'native';
    it(
      'read no more while the fabric has enough to deliver',
      { skip: readsAhead ? false : 'it reads no more than it delivers' },
      async (t) => {
        let waiting = 100_000;
        const sockets = kind.open(() => waiting);
        t.after(() => sockets.close());
        const peer = await udpPeer(t);
        const { socket, received, frames } = await openSocket(t, sockets, peer.port);
        peer.socket.send('in time', socket.port, HOST);
        for (let n = 0; n < 10; n++) await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(frames, []);
        waiting = 0;
        assert.deepEqual(await received(1), ['in time']);
      },
    );

    it('wake timers in order and never early', async (t) => {
      const { createAlarm } = open(t, kind);
      const timers = new Timers(undefined, undefined, createAlarm);
      t.after(() => timers.close());
      const fired: [number, boolean][] = [];
      await new Promise<void>((resolve) => {
        const start = timers.now();
        const cancelled = timers.at(start + 0.5, () => assert.fail('it was cancelled'));
        for (const ms of [7, 0.25, 3, 3, 1.5])
          timers.at(start + ms, () => {
            fired.push([ms, timers.now() >= start + ms]);
            if (fired.length === 5) resolve();
          });
        cancelled.cancel();
      });
      assert.deepEqual(fired, [
        [0.25, true],
        [1.5, true],
        [3, true],
        [3, true],
        [7, true],
      ]);
    });
  });

  describe(
    `a cable between two sockets: ${name}`,
    { skip: found === null ? 'koffi cannot be used here' : false },
    () => {
      const relay = async (
        t: TestContext,
      ): Promise<{ lab: ReturnType<typeof createLab>; put: Put; a: Peer; b: Peer; l: number }> => {
        const lab = createLab(t, { sockets: kind });
        const [a, b] = [await udpPeer(t), await udpPeer(t)];
        const [l, r] = [await freePort(), await freePort()];
        const ends: Parameters<typeof cableSpec>[1] = [
          { type: 'udp', lport: l, rhost: HOST, rport: a.port },
          { type: 'udp', lport: r, rhost: HOST, rport: b.port },
        ];
        return { lab, put: (more) => lab.ok(lab.cable('w', ends, more)), a, b, l };
      };
      type Peer = Awaited<ReturnType<typeof udpPeer>>;
      type Put = (more?: Parameters<typeof cableSpec>[2]) => Promise<unknown>;

      it('keeps order and count through filters that come and go', async (t) => {
        const { put, a, b, l } = await relay(t);
        const all = Array.from({ length: 100 }, (_, n) => `frame ${n}`);
        const sendAll = (): void => all.forEach((text) => a.socket.send(text, l, HOST));
        for (const [filters, expected] of [
          [{}, all],
          [{ frequency_drop: 2 }, all.filter((_, n) => n % 2 === 0)],
          [{ delay: { latency_ms: 20, jitter_ms: 0 } }, all],
          [{ delay: { latency_ms: 20, jitter_ms: 0 }, frequency_drop: -1 }, []],
          [{}, all],
        ] as const) {
          await put({ filters });
          const out = arrivals(b.socket, expected.length);
          sendAll();
          if (expected.length > 0) assert.deepEqual(await out, expected);
        }
      });

      it('delays no frame too little, and spreads those with jitter', async (t) => {
        const { put, a, b, l } = await relay(t);
        await put({ filters: { delay: { latency_ms: 25, jitter_ms: 5 } } });
        const out = arrivals(b.socket, 50);
        const begin = performance.now();
        for (let n = 0; n < 50; n++) a.socket.send(String(n), l, HOST);
        const texts = await out;
        assert.ok(performance.now() - begin >= 20);
        assert.deepEqual(new Set(texts), new Set(Array.from({ length: 50 }, (_, n) => String(n))));
        assert.notDeepEqual(
          texts,
          [...texts].sort((x, y) => Number(x) - Number(y)),
        );
      });

      it('changes one bit of a copy where it corrupts', async (t) => {
        const { put, a, b, l } = await relay(t);
        await put({ filters: { corrupt: 100 } });
        const out = arrivals(b.socket, 1);
        const sent = Buffer.alloc(64);
        a.socket.send(sent, l, HOST);
        const [text = ''] = await out;
        const bits = [...Buffer.from(text, 'latin1')].reduce(
          (sum, octet) => sum + octet.toString(2).replaceAll('0', '').length,
          0,
        );
        assert.deepEqual([text.length, bits], [64, 1]);
      });
    },
  );
}

describe('sockets without koffi', () => {
  it("are Node's own, and say why", async () => {
    const kind = await findSockets(() => Promise.reject(new Error('Cannot find package koffi\nRequire stack')));
    assert.equal(kind.name, 'node');
    assert.equal(
      kind.description,
      "UDP by Node's own sockets, as koffi cannot be used here: Cannot find package koffi",
    );
  });
});
