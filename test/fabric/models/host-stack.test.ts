import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeEthernet, encodeEthernet } from '../../../src/fabric/codecs/ethernet.ts';
import { decodeIpv4 } from '../../../src/fabric/codecs/ipv4.ts';
import type { IpHost, ProbeOptions } from '../../../src/fabric/models/host/ip-host.ts';
import { type Bench, createBench } from './bench.ts';
import { createTestRouter } from './test-router.ts';

type BenchHost = ReturnType<Bench['host']>;

async function twoHosts(): Promise<{ bench: Bench; a: BenchHost; b: BenchHost; frames: Uint8Array[] }> {
  const bench = createBench();
  const [a, b] = [bench.host(1), bench.host(2)];
  const frames = bench.join(a.plug, b.plug);
  assert.equal(await bench.address(a, '10.0.0.1/24'), true);
  assert.equal(await bench.address(b, '10.0.0.2/24'), true);
  frames.length = 0;
  return { bench, a, b, frames };
}

const ping = (options: Partial<ProbeOptions> = {}): ProbeOptions => ({
  ...{ protocol: 'icmp', identifier: 1, sequence: 1 },
  ...options,
});
const ethertypes = (frames: Uint8Array[]): (number | undefined)[] =>
  frames.map((frame) => decodeEthernet(frame)?.ethertype);

describe('IPv4 host: ping', () => {
  it('asks ARP once, then gets its replies', async () => {
    const { bench, a, frames } = await twoHosts();
    for (const sequence of [1, 2]) {
      const result = await bench.clock.until(a.probe('10.0.0.2', ping({ sequence })));
      assert.deepEqual(result, { kind: 'reply', from: '10.0.0.2', bytes: 84, ttl: 64, ms: 0 });
    }
    assert.deepEqual(ethertypes(frames), [0x0806, 0x0806, 0x0800, 0x0800, 0x0800, 0x0800]);
    assert.deepEqual(
      a.arpTable().map(({ address, mac }) => [address, mac]),
      [['10.0.0.2', '00:50:79:66:68:02']],
    );
  });

  it('does not wait for time to pass before the first reply', async () => {
    const { bench, a } = await twoHosts();
    const before = bench.clock.now();
    await bench.clock.until(a.probe('10.0.0.2', ping()));
    assert.equal(bench.clock.now(), before);
  });

  it('answers at its own address', async () => {
    const { bench, a, frames } = await twoHosts();
    const result = await bench.clock.until(a.probe('10.0.0.1', ping()));
    assert.equal(result.kind, 'reply');
    assert.deepEqual(frames, []);
  });

  it('says when nobody answers ARP, after three requests', async () => {
    const { bench, a, frames } = await twoHosts();
    const result = await bench.clock.until(a.probe('10.0.0.9', ping()));
    assert.deepEqual(result, { kind: 'no_arp', next_hop: '10.0.0.9' });
    assert.deepEqual(ethertypes(frames), [0x0806, 0x0806, 0x0806]);
  });

  it('names the gateway when that does not answer ARP', async () => {
    const bench = createBench();
    const a = bench.host(1);
    await bench.address(a, '10.0.0.1/24', '10.0.0.254');
    const result = await bench.clock.until(a.probe('192.0.2.1', ping()));
    assert.deepEqual(result, { kind: 'no_arp', next_hop: '10.0.0.254' });
  });

  it('has no route without an address, and without a gateway to other subnets', async () => {
    const { bench, a } = await twoHosts();
    assert.deepEqual(await bench.clock.until(a.probe('192.0.2.1', ping())), { kind: 'no_route' });
    a.clearAddress();
    assert.deepEqual(await bench.clock.until(a.probe('10.0.0.2', ping())), { kind: 'no_route' });
  });

  it('times out when the frames are lost, and at once when aborted', async () => {
    const { bench, a } = await twoHosts();
    await bench.clock.until(a.probe('10.0.0.2', ping()));
    bench.join(a.plug, bench.host(3).plug);
    const start = bench.clock.now();
    assert.deepEqual(await bench.clock.until(a.probe('10.0.0.2', ping({ timeout_ms: 700 }))), { kind: 'timeout' });
    assert.equal(bench.clock.now() - start, 700);
    const abort = new AbortController();
    const probe = a.probe('10.0.0.2', ping(), abort.signal);
    abort.abort();
    assert.deepEqual(await probe, { kind: 'timeout' });
  });

  it('forgets a neighbour after 120 s', async () => {
    const { bench, a } = await twoHosts();
    await bench.clock.until(a.probe('10.0.0.2', ping()));
    await bench.clock.run(119_000);
    assert.equal(a.arpTable()[0]?.expires_s, 1);
    await bench.clock.run(2000);
    assert.deepEqual(a.arpTable(), []);
  });

  it('takes frames padded to the shortest of Ethernet', async () => {
    const { bench, a, b } = await twoHosts();
    a.plug.connect((frame) => {
      const padded = new Uint8Array(Math.max(60, frame.length));
      padded.set(frame);
      b.receive(padded);
    });
    const result = await bench.clock.until(a.probe('10.0.0.2', ping({ size: 1 })));
    assert.deepEqual(result, { kind: 'reply', from: '10.0.0.2', bytes: 29, ttl: 64, ms: 0 });
  });
});

describe('IPv4 host: large packets', () => {
  it('fragments by its MTU and joins what comes', async () => {
    const { bench, a, b, frames } = await twoHosts();
    b.mtu = 576;
    const result = await bench.clock.until(a.probe('10.0.0.2', ping({ size: 4000 })));
    assert.deepEqual(result, { kind: 'reply', from: '10.0.0.2', bytes: 4028, ttl: 64, ms: 0 });
    const sizes = frames.map((frame) => decodeIpv4(decodeEthernet(frame)?.payload ?? frame)?.payload.length);
    assert.deepEqual(sizes.slice(2, 5), [1480, 1480, 1048]);
    assert.equal(sizes.length, 2 + 3 + 8);
  });

  it('sends the largest packet there is', async () => {
    const { bench, a } = await twoHosts();
    const result = await bench.clock.until(a.probe('10.0.0.2', ping({ size: 65507 })));
    assert.deepEqual(result, { kind: 'reply', from: '10.0.0.2', bytes: 65535, ttl: 64, ms: 0 });
  });

  it('says itself that a packet which must not be fragmented is too large', async () => {
    const { bench, a } = await twoHosts();
    const result = await bench.clock.until(a.probe('10.0.0.2', ping({ size: 1473, dont_fragment: true })));
    assert.deepEqual(result, { kind: 'unreachable', from: '10.0.0.1', bytes: 0, ttl: 64, ms: 0, type: 3, code: 4 });
    const fits = await bench.clock.until(a.probe('10.0.0.2', ping({ size: 1472, dont_fragment: true })));
    assert.equal(fits.kind, 'reply');
  });
});

describe('IPv4 host: UDP and TCP', () => {
  it('echoes UDP at port 7', async () => {
    const { bench, a } = await twoHosts();
    const result = await bench.clock.until(a.probe('10.0.0.2', ping({ protocol: 'udp', port: 7 })));
    assert.deepEqual(result, { kind: 'reply', from: '10.0.0.2', bytes: 84, ttl: 64, ms: 0 });
  });

  it('refuses UDP at closed ports, which ends a trace', async () => {
    const { bench, a } = await twoHosts();
    const result = await bench.clock.until(a.probe('10.0.0.2', ping({ protocol: 'udp', port: 33434 })));
    assert.deepEqual(result, { kind: 'unreachable', from: '10.0.0.2', bytes: 56, ttl: 64, ms: 0, type: 3, code: 3 });
  });

  it('resets TCP at closed ports, which shows that the host is there', async () => {
    const { bench, a } = await twoHosts();
    const result = await bench.clock.until(a.probe('10.0.0.2', ping({ protocol: 'tcp', port: 80 })));
    assert.deepEqual(result, { kind: 'reply', from: '10.0.0.2', bytes: 40, ttl: 64, ms: 0, refused: true });
  });
});

describe('IPv4 host: addresses', () => {
  it('refuses an address that is in use, and keeps what it had', async () => {
    const { bench, a, b } = await twoHosts();
    assert.equal(await bench.address(b, '10.0.0.1/24'), false);
    assert.equal(b.settings?.address, '10.0.0.2');
    assert.equal(a.settings?.address, '10.0.0.1');
  });

  it('lets at most one of two hosts have an address that both want at once', async () => {
    const bench = createBench();
    const [a, b] = [bench.host(1), bench.host(2)];
    bench.join(a.plug, b.plug);
    const settings = { address: '10.0.0.5', prefix: 24, gateway: null };
    const both = Promise.all([a.setAddress(settings), b.setAddress(settings)]);
    assert.deepEqual(await bench.clock.until(both), [false, true]);
    assert.equal(a.settings, null);
  });

  it('takes an address within a second', async () => {
    const bench = createBench();
    const start = bench.clock.now();
    assert.equal(await bench.address(bench.host(1), '10.0.0.1/24'), true);
    assert.equal(bench.clock.now() - start, 400);
  });

  it('changes nothing when aborted', async () => {
    const bench = createBench();
    const a = bench.host(1);
    const abort = new AbortController();
    const change = a.setAddress({ address: '10.0.0.1', prefix: 24, gateway: null }, abort.signal);
    abort.abort();
    assert.equal(await change, false);
    assert.equal(a.settings, null);
  });

  it('refuses what no host can have, by a sentence', async () => {
    const a = createBench().host(1);
    await assert.rejects(a.setAddress({ address: '224.0.0.1', prefix: 24, gateway: null }), /address is "224.0.0.1"/);
    await assert.rejects(a.setAddress({ address: '10.0.0.1', prefix: 33, gateway: null }), /prefix is 33/);
    await assert.rejects(a.setAddress({ address: '10.0.0.1', prefix: 24, gateway: 'x' }), /gateway is "x"/);
  });

  it('tells a new address to neighbours that knew another MAC for it', async () => {
    const { bench, a, b } = await twoHosts();
    await bench.clock.until(a.probe('10.0.0.2', ping()));
    b.stop();
    const c = bench.host(9);
    bench.join(a.plug, c.plug);
    await bench.address(c, '10.0.0.2/24');
    assert.equal(a.arpTable()[0]?.mac, '00:50:79:66:68:09');
  });
});

describe('IPv4 host: the end', () => {
  it('settles every wait and leaves no timer', async () => {
    const { bench, a } = await twoHosts();
    bench.join(a.plug, bench.host(3).plug);
    a.dns = ['10.0.0.53'];
    const waits = Promise.all([
      a.probe('10.0.0.7', ping()),
      a.dhcp(() => undefined),
      a.resolve('www.lab'),
      a.setAddress({ address: '10.0.0.8', prefix: 24, gateway: null }),
    ]);
    a.stop();
    const [probe, ...others] = await waits;
    assert.equal(probe.kind, 'no_arp');
    assert.deepEqual(others, [null, null, false]);
    assert.equal(bench.clock.waiting, 0);
  });
});

describe('IPv4 host: trace', () => {
  it('names the router that dropped a probe, then the destination', async () => {
    const { bench, a, router } = await routed();
    const first = await bench.clock.until(a.probe('10.0.1.2', ping({ protocol: 'udp', port: 33434, ttl: 1 })));
    assert.deepEqual([first.kind, 'from' in first && first.from], ['exceeded', router]);
    const second = await bench.clock.until(a.probe('10.0.1.2', ping({ protocol: 'udp', port: 33435, ttl: 2 })));
    assert.deepEqual([second.kind, 'from' in second && second.from], ['unreachable', '10.0.1.2']);
    const icmp = await bench.clock.until(a.probe('10.0.1.2', ping({ ttl: 1 })));
    assert.equal(icmp.kind, 'exceeded');
  });
});

async function routed(): Promise<{ bench: Bench; a: IpHost; router: string }> {
  const bench = createBench();
  const [a, b] = [bench.host(1), bench.host(2)];
  const router = createTestRouter(['10.0.0.254', '10.0.1.254']);
  bench.join(a.plug, router.plug(0));
  bench.join(b.plug, router.plug(1));
  await bench.address(a, '10.0.0.1/24', '10.0.0.254');
  await bench.address(b, '10.0.1.2/24', '10.0.1.254');
  return { bench, a, router: '10.0.0.254' };
}

describe('IPv4 host: frames that are not for it', () => {
  it('ignores other MACs and tagged frames', async () => {
    const { bench, a, b, frames } = await twoHosts();
    await bench.clock.until(a.probe('10.0.0.2', ping()));
    const request = decodeEthernet(frames[2] ?? new Uint8Array(0));
    assert.ok(request);
    frames.length = 0;
    b.receive(encodeEthernet({ ...request, destination: 0x005079666899 }));
    b.receive(encodeEthernet({ ...request, tags: [{ ethertype: 0x8100, vid: 1, priority: 0, dropEligible: false }] }));
    assert.deepEqual(frames, []);
    b.receive(encodeEthernet(request));
    assert.equal(frames.length, 1);
  });
});
