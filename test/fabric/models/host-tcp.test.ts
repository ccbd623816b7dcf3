import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeEthernet, encodeEthernet } from '../../../src/fabric/codecs/ethernet.ts';
import { decodeIpv4, encodeIpv4, PROTOCOL_TCP } from '../../../src/fabric/codecs/ipv4.ts';
import { decodeTcp, EMPTY_SEGMENT, encodeTcp, type TcpSegment } from '../../../src/fabric/codecs/tcp.ts';
import type { ProbeOptions, ProbeResult } from '../../../src/fabric/models/host/ip-host.ts';
import { TcpConnection, type TcpUser } from '../../../src/fabric/models/host/tcp.ts';
import { type Bench, createBench } from './bench.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { Terminal } from './host-shell-fixture.ts';

type BenchHost = ReturnType<Bench['host']>;

const TCP: ProbeOptions = { protocol: 'tcp', identifier: 1, sequence: 1, port: 80 };
const ADDRESSES = { 4: '10.0.0.2', 6: '2001:db8::2' } as const;
const never = new AbortController().signal;

async function twoHosts(): Promise<{ bench: Bench; a: BenchHost; b: BenchHost; frames: Uint8Array[] }> {
  const bench = createBench();
  const [a, b] = [bench.host(1), bench.host(2)];
  const frames = bench.join(a.plug, b.plug);
  for (const [host, last] of [
    [a, 1],
    [b, 2],
  ] as const) {
    await bench.address(host, `10.0.0.${last}/24`);
    const settings = { address: `2001:db8::${last}`, prefix: 64, gateway: null };
    await bench.clock.until(host.ipv6.setAddress(settings));
  }
  await bench.clock.until(a.probe(ADDRESSES[4], { ...TCP, protocol: 'icmp' }));
  frames.length = 0;
  return { bench, a, b, frames };
}

/** `S`, `SA`, `A`, `PA`, `FA`, `RA`: the flags of the segments over IPv4 that passed. */
const flagsOf = (frames: readonly Uint8Array[]): string[] =>
  frames.flatMap((frame) => {
    const segment = segmentIn(frame);
    if (segment === null) return [];
    const { syn, fin, rst, push, ack } = segment;
    return [
      Object.entries({ S: syn, F: fin, R: rst, P: push, A: ack })
        .flatMap(([name, on]) => (on ? [name] : []))
        .join(''),
    ];
  });

function segmentIn(frame: Uint8Array): TcpSegment | null {
  const packet = decodeIpv4(decodeEthernet(frame)?.payload ?? frame);
  return packet?.protocol === PROTOCOL_TCP ? decodeTcp(packet.payload, packet.source, packet.destination) : null;
}

describe('TCP of an embedded host', () => {
  it('opens and closes in order, over both families', async () => {
    const { bench, a, b, frames } = await twoHosts();
    b.http.serve(80, 'B');
    for (const family of [4, 6] as const) {
      const result = await bench.clock.until(a.probe(ADDRESSES[family], TCP));
      assert.ok(result.kind === 'reply' && result.refused === false && result.from === ADDRESSES[family]);
    }
    await bench.clock.run(2000);
    assert.deepEqual(flagsOf(frames), ['S', 'SA', 'A', 'FA', 'A', 'FA', 'A']);
    const waiting = bench.clock.waiting;
    await bench.clock.run(600_000);
    assert.ok(bench.clock.waiting <= waiting);
    assert.ok(!flagsOf(frames).includes('RA'));
  });

  it('says that nobody listens', async () => {
    const { bench, a, b, frames } = await twoHosts();
    const result = await bench.clock.until(a.probe(ADDRESSES[4], TCP));
    assert.ok(result.kind === 'reply' && result.refused === true);
    assert.deepEqual(flagsOf(frames), ['S', 'RA']);
    b.http.serve(80, 'B');
    b.http.unserve(80);
    const again = (await bench.clock.until(a.probe(ADDRESSES[6], TCP))) as ProbeResult & { refused?: boolean };
    assert.equal(again.refused, true);
  });

  it('answers HTTP over both families, whole texts as well', async () => {
    const { bench, a, b } = await twoHosts();
    const text = 'ä'.repeat(5000);
    b.http.serve(8080, text);
    for (const family of [4, 6] as const) {
      const url = { address: ADDRESSES[family], host: ADDRESSES[family], port: 8080, path: '/x' };
      const found = await bench.clock.until(a.http.get(url, never));
      assert.ok('answer' in found, JSON.stringify(found));
      const [head = '', body] = found.answer.split('\r\n\r\n');
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n.*Content-Length: 10001\r\nConnection: close$/s);
      assert.equal(body, `${text}\n`);
    }
    const refused = await bench.clock.until(
      a.http.get({ address: ADDRESSES[4], host: 'b', port: 81, path: '/' }, never),
    );
    assert.deepEqual(refused, { problem: 'refused: nobody listens at the port' });
  });

  it('says again what is lost, in either direction', async () => {
    const { bench, a, b } = await twoHosts();
    b.http.serve(80, 'x'.repeat(20_000));
    let count = 0;
    // Every third segment is lost, but for those of the handshake.
    const lossy = (receive: (frame: Uint8Array) => void) => (frame: Uint8Array) => {
      const segment = segmentIn(frame);
      if (segment === null || segment.syn) return receive(frame);
      count += 1;
      if (count % 3 !== 0) receive(frame);
    };
    a.plug.connect(lossy((frame) => b.plug.receive(frame)));
    b.plug.connect(lossy((frame) => a.plug.receive(frame)));
    const found = await bench.clock.until(a.http.get({ address: ADDRESSES[4], host: 'b', port: 80, path: '/' }, never));
    assert.ok(
      'answer' in found && found.answer.endsWith(`${'x'.repeat(20_000)}\n`),
      JSON.stringify(found).slice(0, 200),
    );
  });

  it('takes no more connections than it can hold, and lets go of those that are silent', async () => {
    const { bench, b, frames } = await twoHosts();
    b.http.serve(80, 'B');
    b.plug.connect((frame) => frames.push(frame));
    const knock = (port: number): void => {
      const syn = { ...EMPTY_SEGMENT, sourcePort: port, destinationPort: 80, sequence: 1, syn: true, window: 1000 };
      const payload = encodeTcp(syn, 0x0a000001, 0x0a000002);
      const packet = {
        ...{
          trafficClass: 0,
          identification: 1,
          dontFragment: false,
          moreFragments: false,
          fragmentOffset: 0,
          ttl: 64,
        },
        ...{ protocol: PROTOCOL_TCP, source: 0x0a000001, destination: 0x0a000002, options: new Uint8Array(0), payload },
      };
      const ends = { destination: 0x005079666802, source: 0x005079666801, tags: [], ethertype: 0x0800 };
      b.plug.receive(encodeEthernet({ ...ends, payload: encodeIpv4(packet) }));
    };
    await bench.clock.run(0);
    // It knows the neighbour, so that answers leave at once.
    for (let port = 1000; port < 1070; port += 1) knock(port);
    await bench.clock.run(0);
    const flags = flagsOf(frames);
    assert.deepEqual([flags.filter((one) => one === 'SA').length, flags.filter((one) => one === 'RA').length], [64, 6]);
    await bench.clock.run(60_000);
    frames.length = 0;
    knock(2000);
    await bench.clock.run(0);
    assert.deepEqual(flagsOf(frames), ['SA']);
  });

  it('answers what is no request with 400, what is no GET with 405', async () => {
    const { bench, a, b } = await twoHosts();
    b.http.serve(80, 'B');
    for (const [path, status] of [
      ['/ HTTP/9.9\r\nX: ', '400 Bad Request'],
      ['/', '200 OK'],
    ] as const) {
      const found = await bench.clock.until(a.http.get({ address: ADDRESSES[4], host: 'b', port: 80, path }, never));
      assert.ok('answer' in found && found.answer.startsWith(`HTTP/1.1 ${status}\r\n`), JSON.stringify(found));
    }
  });

  it('ends with the node without a word', async () => {
    const { bench, a, b, frames } = await twoHosts();
    b.http.serve(80, 'B');
    await bench.clock.until(a.probe(ADDRESSES[4], TCP));
    a.stop();
    b.stop();
    frames.length = 0;
    await bench.clock.run(100_000);
    assert.deepEqual(frames, []);
    assert.equal(bench.clock.waiting, 0);
  });
});

describe('a TCP connection', () => {
  function connection(): { tcp: TcpConnection; clock: ManualClock; sent: TcpSegment[]; told: string[]; user: TcpUser } {
    const clock = createManualClock();
    const sent: TcpSegment[] = [];
    const told: string[] = [];
    const tcp = new TcpConnection({
      ends: { local: 1, localPort: 80, remote: 2, remotePort: 1000 },
      ...{ sequence: 100, expected: 500, window: 1000, state: 'established', timer: clock.timer },
      send: ({ payload }) => sent.push(decodeTcp(payload, 1, 2) ?? EMPTY_SEGMENT),
      forget: () => told.push('forgotten'),
    });
    const user: TcpUser = {
      data: (bytes) => told.push(Buffer.from(bytes).toString()),
      ended: () => told.push('ended'),
      closed: (clean) => told.push(clean ? 'clean' : 'broken'),
    };
    tcp.user = user;
    return { tcp, clock, sent, told, user };
  }
  const segment = (part: Partial<TcpSegment>): TcpSegment => ({
    ...{ ...EMPTY_SEGMENT, sourcePort: 1000, destinationPort: 80, sequence: 500, acknowledgment: 100, window: 1000 },
    ...{ ack: true, ...part },
  });

  it('takes data in order only, and asks for what is missing', () => {
    const { tcp, sent, told } = connection();
    tcp.receive(segment({ sequence: 503, payload: Buffer.from('def') }));
    assert.deepEqual([told, sent.at(-1)?.acknowledgment], [[], 500]);
    tcp.receive(segment({ payload: Buffer.from('abc') }));
    assert.deepEqual([told, sent.at(-1)?.acknowledgment], [['abc'], 503]);
  });

  it('sends no more than the other side has room for', () => {
    const { tcp, sent } = connection();
    tcp.write(new Uint8Array(5000));
    assert.equal(
      sent.reduce((sum, { payload }) => sum + payload.length, 0),
      1000,
    );
    tcp.receive(segment({ acknowledgment: 1100, window: 2000 }));
    assert.equal(
      sent.reduce((sum, { payload }) => sum + payload.length, 0),
      3000,
    );
  });

  it('gives up when nothing is acknowledged, and tells the other side', async () => {
    const { tcp, clock, sent, told } = connection();
    tcp.write(Buffer.from('x'));
    await clock.run(100_000);
    assert.deepEqual([sent.length, sent.at(-1)?.rst, told], [6, true, ['forgotten', 'broken']]);
    assert.equal(clock.waiting, 0);
  });

  it('believes a reset of the right number only', () => {
    const { tcp, told } = connection();
    tcp.receive(segment({ rst: true, sequence: 600 }));
    assert.equal(tcp.state, 'established');
    tcp.receive(segment({ rst: true }));
    assert.deepEqual([tcp.state, told], ['closed', ['forgotten', 'broken']]);
  });

  it('goes through its states when both close at once', async () => {
    const { tcp, clock, told } = connection();
    tcp.close();
    assert.equal(tcp.state, 'fin-wait-1');
    tcp.receive(segment({ fin: true }));
    assert.equal(tcp.state, 'closing');
    tcp.receive(segment({ sequence: 501, acknowledgment: 101 }));
    assert.equal(tcp.state, 'time-wait');
    await clock.run(1000);
    assert.deepEqual([tcp.state, told], ['closed', ['ended', 'forgotten', 'clean']]);
  });

  it('goes through its states when the other side closes first', () => {
    const { tcp, told } = connection();
    tcp.receive(segment({ fin: true }));
    assert.equal(tcp.state, 'close-wait');
    tcp.close();
    assert.equal(tcp.state, 'last-ack');
    tcp.receive(segment({ sequence: 501, acknowledgment: 101 }));
    assert.deepEqual([tcp.state, told], ['closed', ['ended', 'forgotten', 'clean']]);
  });
});

describe('http at the console', () => {
  it('lists, begins, ends and asks', async () => {
    const terminal = new Terminal();
    assert.deepEqual(await terminal.run('http'), ['No port answers HTTP']);
    assert.deepEqual(await terminal.run('http on 8080 hello'), ['Answers HTTP at port 8080']);
    assert.deepEqual(await terminal.run('http on 99999'), ['Invalid port, should be 1 to 65535']);
    assert.deepEqual(await terminal.run('http off 81'), ['Port 81 does not answer HTTP']);
    assert.deepEqual(await terminal.run('http get 10.0.0.9'), ['10.0.0.9 port 80: no answer']);
    assert.equal((await terminal.run('http nonsense'))[1]?.startsWith('http '), true);
  });
});
