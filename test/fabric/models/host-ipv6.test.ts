import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeEthernet, encodeEthernet } from '../../../src/fabric/codecs/ethernet.ts';
import { decodeIcmpv6, encodeIcmpv6, type Icmpv6Message } from '../../../src/fabric/codecs/ipv6/icmpv6.ts';
import { ALL_NODES, linkLocalOf, multicastMac, parseIpv6 } from '../../../src/fabric/codecs/ip-address.ts';
import { decodeIpv6, encodeIpv6, PROTOCOL_ICMPV6 } from '../../../src/fabric/codecs/ipv6/ipv6.ts';
import type { RouterAdvertisement } from '../../../src/fabric/codecs/ipv6/neighbour-discovery.ts';
import type { IpHost, ProbeOptions } from '../../../src/fabric/models/host/ip-host.ts';
import { type Bench, createBench } from './bench.ts';

type BenchHost = ReturnType<Bench['host']>;

const ROUTER_MAC = 0x0c0000000001;
const ROUTER = linkLocalOf(ROUTER_MAC);
const PREFIX = parseIpv6('2001:db8:1::') ?? 0n;
const AUTO = '2001:db8:1:0:250:79ff:fe66:6801';

const ping = (options: Partial<ProbeOptions> = {}): ProbeOptions => ({
  ...{ protocol: 'icmp', identifier: 1, sequence: 1 },
  ...options,
});
const take = (bench: Bench, host: IpHost, address: string, gateway: string | null = null): Promise<boolean> =>
  bench.clock.until(host.ipv6.setAddress({ address, prefix: 64, gateway }));

async function twoHosts(): Promise<{ bench: Bench; a: BenchHost; b: BenchHost; frames: Uint8Array[] }> {
  const bench = createBench();
  const [a, b] = [bench.host(1), bench.host(2)];
  const frames = bench.join(a.plug, b.plug);
  assert.equal(await take(bench, a, '2001:db8::1'), true);
  assert.equal(await take(bench, b, '2001:db8::2'), true);
  frames.length = 0;
  return { bench, a, b, frames };
}

/** The messages of ICMPv6 that passed. */
function messages(frames: readonly Uint8Array[]): string[] {
  return frames.map((frame) => {
    const packet = decodeIpv6(decodeEthernet(frame)?.payload ?? frame);
    return packet === null ? '?' : (decodeIcmpv6(packet.payload, packet.source, packet.destination)?.kind ?? '?');
  });
}

const ADVERTISEMENT: RouterAdvertisement = {
  ...{ kind: 'router_advertisement', hopLimit: 61, managed: false, other: false, lifetime: 1800 },
  ...{ reachable: 0, retransmit: 0, mac: ROUTER_MAC, mtu: 1400 },
  prefixes: [{ prefix: PREFIX, length: 64, onLink: true, autonomous: true, valid: 7200, preferred: 3600 }],
  dns: [{ lifetime: 600, servers: [parseIpv6('2001:db8::53') ?? 0n] }],
};

const told = (message: Icmpv6Message, ttl = 255, destination = ALL_NODES): Uint8Array =>
  encodeEthernet({
    ...{ destination: multicastMac(destination), source: ROUTER_MAC, tags: [], ethertype: 0x86dd },
    payload: encodeIpv6({
      ...{ trafficClass: 0, flowLabel: 0, identification: 0, moreFragments: false, fragmentOffset: 0, ttl },
      ...{
        protocol: PROTOCOL_ICMPV6,
        source: ROUTER,
        destination,
        payload: encodeIcmpv6(message, ROUTER, destination),
      },
    }),
  });

/** A host whose router answers each solicitation so. */
function withRouter(bench: Bench, advertisement: RouterAdvertisement): { host: BenchHost; frames: Uint8Array[] } {
  const host = bench.host(1);
  const frames: Uint8Array[] = [];
  host.plug.connect((frame) => {
    frames.push(frame);
    if (messages([frame])[0] === 'router_solicitation') host.plug.receive(told(advertisement));
  });
  return { host, frames };
}

describe('IPv6 host: ping', () => {
  it('asks its neighbour once, then gets its replies', async () => {
    const { bench, a, frames } = await twoHosts();
    const before = bench.clock.now();
    for (const sequence of [1, 2]) {
      const result = await bench.clock.until(a.probe('2001:db8::2', ping({ sequence })));
      assert.deepEqual(result, { kind: 'reply', from: '2001:db8::2', bytes: 104, ttl: 64, ms: 0 });
    }
    assert.equal(bench.clock.now(), before);
    const [echo, reply] = ['echo_request', 'echo_reply'];
    assert.deepEqual(messages(frames), ['neighbour_solicitation', 'neighbour_advertisement', echo, reply, echo, reply]);
    assert.deepEqual(a.ipv6.neighbours(), [
      { address: '2001:db8::2', mac: '00:50:79:66:68:02', state: 'reachable', router: false },
    ]);
  });

  it('reaches link-local addresses without any other, and every node by its group', async () => {
    const bench = createBench();
    const [a, b] = [bench.host(1), bench.host(2)];
    bench.join(a.plug, b.plug);
    const result = await bench.clock.until(a.probe(b.ipv6.linkLocal, ping()));
    assert.equal(result.kind, 'reply');
    assert.equal(b.ipv6.linkLocal, 'fe80::250:79ff:fe66:6802');
    assert.deepEqual(await bench.clock.until(a.probe('ff02::1', ping())), { ...result, from: b.ipv6.linkLocal });
  });

  it('carries both families at once', async () => {
    const { bench, a, b } = await twoHosts();
    await bench.address(a, '10.0.0.1/24');
    await bench.address(b, '10.0.0.2/24');
    assert.equal((await bench.clock.until(a.probe('10.0.0.2', ping()))).kind, 'reply');
    assert.equal((await bench.clock.until(a.probe('2001:db8::2', ping()))).kind, 'reply');
  });

  it('goes in fragments when it is larger than the link, and says so when it must not', async () => {
    const { bench, a, b, frames } = await twoHosts();
    a.mtu = 1280;
    b.mtu = 1280;
    const result = await bench.clock.until(a.probe('2001:db8::2', ping({ size: 3000 })));
    assert.deepEqual(result, { kind: 'reply', from: '2001:db8::2', bytes: 3048, ttl: 64, ms: 0 });
    assert.ok(frames.every((frame) => frame.length <= 1294));
    const refused = await bench.clock.until(a.probe('2001:db8::2', ping({ size: 3000, dont_fragment: true })));
    assert.deepEqual(refused, { kind: 'unreachable', from: '2001:db8::1', bytes: 0, ttl: 64, ms: 0, type: 2, code: 0 });
  });

  it('is answered at UDP ports by the echo service, and refused at others', async () => {
    const { bench, a } = await twoHosts();
    const echo = await bench.clock.until(a.probe('2001:db8::2', ping({ protocol: 'udp' })));
    assert.equal(echo.kind, 'reply');
    const refused = await bench.clock.until(a.probe('2001:db8::2', ping({ protocol: 'udp', port: 33434 })));
    assert.ok(refused.kind === 'unreachable' && refused.type === 1 && refused.code === 4);
  });

  it('says when nobody has the address, when there is no router, and when there is no address', async () => {
    const { bench, a, b, frames } = await twoHosts();
    const nobody = await bench.clock.until(a.probe('2001:db8::9', ping()));
    assert.deepEqual(nobody, { kind: 'no_arp', next_hop: '2001:db8::9' });
    assert.deepEqual(messages(frames), Array(3).fill('neighbour_solicitation'));
    assert.deepEqual(await bench.clock.until(a.probe('2001:db8:9::1', ping())), { kind: 'no_route' });
    b.ipv6.clearAddress();
    assert.deepEqual(await bench.clock.until(b.probe('2001:db8::1', ping())), { kind: 'no_route' });
  });

  it('sends by the gateway that it was given', async () => {
    const bench = createBench();
    const a = bench.host(1);
    assert.equal(await take(bench, a, '2001:db8::1', '2001:db8::ff'), true);
    const result = await bench.clock.until(a.probe('2001:db8:9::1', ping()));
    assert.deepEqual(result, { kind: 'no_arp', next_hop: '2001:db8::ff' });
  });

  it('remembers what a path carries', async () => {
    const { bench, a, frames } = await twoHosts();
    await bench.clock.until(a.probe('2001:db8::2', ping()));
    const sent = decodeEthernet(frames.at(-2) ?? new Uint8Array())?.payload ?? new Uint8Array();
    const own = parseIpv6('2001:db8::1') ?? 0n;
    const payload = encodeIcmpv6({ kind: 'too_big', mtu: 1300, original: sent }, ROUTER, own);
    const packet = { ...decodeIpv6(sent), source: ROUTER, destination: own, payload, protocol: PROTOCOL_ICMPV6 };
    const error = encodeIpv6(packet as Parameters<typeof encodeIpv6>[0]);
    a.plug.receive(
      encodeEthernet({ destination: 0x005079666801, source: ROUTER_MAC, tags: [], ethertype: 0x86dd, payload: error }),
    );
    const result = await bench.clock.until(a.probe('2001:db8::2', ping({ size: 1400, dont_fragment: true })));
    assert.equal(result.kind, 'unreachable');
    assert.equal((await bench.clock.until(a.probe('2001:db8::2', ping({ size: 1400 })))).kind, 'reply');
  });
});

describe('IPv6 host: duplicates', () => {
  it('does not take an address that another host has', async () => {
    const { bench, b } = await twoHosts();
    assert.equal(await take(bench, b, '2001:db8::1'), false);
    assert.deepEqual(
      b.ipv6.addresses().map(({ address }) => address),
      [b.ipv6.linkLocal, '2001:db8::2'],
    );
  });

  it('leaves an address to one of two that look for it at the same time', async () => {
    const bench = createBench();
    const [a, b] = [bench.host(1), bench.host(2)];
    bench.join(a.plug, b.plug);
    const settings = { address: '2001:db8::7', prefix: 64, gateway: null };
    const both = Promise.all([a.ipv6.setAddress(settings), b.ipv6.setAddress(settings)]);
    assert.deepEqual((await bench.clock.until(both)).toSorted(), [false, true]);
  });

  it('tells when another host says that it has the address', async () => {
    const bench = createBench();
    const a = bench.host(1);
    await take(bench, a, '2001:db8::1');
    const target = parseIpv6('2001:db8::1') ?? 0n;
    const flags = { router: false, solicited: false, override: true };
    a.plug.receive(told({ kind: 'neighbour_advertisement', target, ...flags, mac: ROUTER_MAC }));
    assert.deepEqual(a.told, ['2001:db8::1 is being used by MAC 0c:00:00:00:00:01']);
  });
});

describe('IPv6 host: what routers advertise', () => {
  it('makes an address of the prefix, takes the router, MTU, hop limit and name servers', async () => {
    const bench = createBench();
    const { host, frames } = withRouter(bench, ADVERTISEMENT);
    const found = await bench.clock.until(host.ipv6.auto());
    assert.deepEqual(found?.addresses, [AUTO]);
    assert.deepEqual(messages(frames), ['router_solicitation', ...Array<string>(2).fill('neighbour_solicitation')]);
    assert.deepEqual(host.ipv6.routers(), [{ address: 'fe80::e00:ff:fe00:1', mac: '0c:00:00:00:00:01' }]);
    assert.deepEqual(host.ipv6.dns, ['2001:db8::53']);
    const own = host.ipv6.addresses().find(({ origin }) => origin === 'auto');
    assert.deepEqual([own?.address, own?.valid_s, own?.deprecated], [AUTO, 7200, false]);
    // By the router's MAC, which the advertisement said: nobody is asked.
    void host.probe('2001:db8:9::1', ping({ size: 1400 }));
    await bench.clock.run(0);
    const parts = frames.slice(3).map((frame) => decodeEthernet(frame));
    assert.deepEqual([parts.length, parts[0]?.destination], [2, ROUTER_MAC]);
    assert.equal(decodeIpv6(parts[0]?.payload ?? new Uint8Array())?.ttl, 61);
  });

  it('asks three times, then says that nobody advertises', async () => {
    const bench = createBench();
    const host = bench.host(1);
    const frames: Uint8Array[] = [];
    host.plug.connect((frame) => frames.push(frame));
    assert.equal(await bench.clock.until(host.ipv6.auto()), null);
    assert.deepEqual(messages(frames), Array(3).fill('router_solicitation'));
    // A router that comes later is taken then.
    host.plug.receive(told(ADVERTISEMENT));
    await bench.clock.run(1000);
    assert.equal(host.ipv6.addresses().at(-1)?.address, AUTO);
  });

  it('asks three times, 4 s apart, with an address that it was given, and no more', async () => {
    const bench = createBench();
    const host = bench.host(1);
    const asked: number[] = [];
    host.plug.connect((frame) => {
      if (messages([frame])[0] === 'router_solicitation') asked.push(bench.clock.now());
    });
    await take(bench, host, '2001:db8::1');
    await bench.clock.run(100_000);
    const [first = 0] = asked;
    assert.deepEqual(
      asked.map((at) => at - first),
      [0, 4000, 8000],
    );
  });

  it('prefers an address no longer when its time is over, and then has it no more', async () => {
    const bench = createBench();
    const { host } = withRouter(bench, ADVERTISEMENT);
    await bench.clock.until(host.ipv6.auto());
    await bench.clock.run(3_601_000);
    assert.equal(host.ipv6.addresses().at(-1)?.deprecated, true);
    assert.deepEqual(host.ipv6.routers(), []);
    await bench.clock.run(3_601_000);
    assert.deepEqual(
      host.ipv6.addresses().map(({ origin }) => origin),
      ['link-local'],
    );
  });

  it('goes on as long as routers say so, and at least two hours when they say less', async () => {
    const bench = createBench();
    const { host } = withRouter(bench, { ...ADVERTISEMENT, prefixes: [prefixOf(86_400)] });
    await bench.clock.until(host.ipv6.auto());
    host.plug.receive(told({ ...ADVERTISEMENT, prefixes: [prefixOf(1)] }));
    await bench.clock.run(0);
    assert.equal(host.ipv6.addresses().at(-1)?.valid_s, 7200);
    host.plug.receive(told({ ...ADVERTISEMENT, prefixes: [prefixOf(90_000)] }));
    await bench.clock.run(0);
    assert.equal(host.ipv6.addresses().at(-1)?.valid_s, 90_000);
  });

  it('tells when the address that it made is had by another host, and does not take it', async () => {
    const bench = createBench();
    const host = bench.host(1);
    const target = parseIpv6(AUTO) ?? 0n;
    const flags = { router: false, solicited: false, override: true };
    host.plug.connect((frame) => {
      const [kind] = messages([frame]);
      if (kind === 'router_solicitation') host.plug.receive(told(ADVERTISEMENT));
      if (kind === 'neighbour_solicitation') {
        host.plug.receive(told({ kind: 'neighbour_advertisement', target, ...flags, mac: ROUTER_MAC }));
      }
    });
    assert.deepEqual((await bench.clock.until(host.ipv6.auto()))?.duplicates, [AUTO]);
    assert.deepEqual(host.told, [`${AUTO} is being used by another host`]);
    assert.equal(host.ipv6.addresses().length, 1);
  });

  it('believes no advertisement that has crossed a router, and makes no address that nobody asked for', async () => {
    const bench = createBench();
    const host = bench.host(1);
    host.plug.receive(told(ADVERTISEMENT, 254));
    await bench.clock.run(1000);
    assert.deepEqual([host.ipv6.routers(), host.ipv6.addresses().length], [[], 1]);
    host.plug.receive(told(ADVERTISEMENT));
    await bench.clock.run(1000);
    assert.deepEqual([host.ipv6.routers().length, host.ipv6.addresses().length], [1, 1]);
  });
});

describe('IPv6 host: neighbours', () => {
  it('asks one that was silent for long again, and forgets it when it is gone', async () => {
    const { bench, a, frames } = await twoHosts();
    await bench.clock.until(a.probe('2001:db8::2', ping()));
    await bench.clock.run(31_000);
    assert.equal(a.ipv6.neighbours()[0]?.state, 'stale');
    await bench.clock.until(a.probe('2001:db8::2', ping()));
    assert.equal(a.ipv6.neighbours()[0]?.state, 'delay');
    frames.length = 0;
    await bench.clock.run(5000);
    assert.deepEqual(messages(frames), ['neighbour_solicitation', 'neighbour_advertisement']);
    assert.equal(a.ipv6.neighbours()[0]?.state, 'reachable');
    await bench.clock.run(31_000);
    a.plug.connect(() => undefined);
    await bench.clock.until(a.probe('2001:db8::2', ping()));
    await bench.clock.run(10_000);
    assert.deepEqual(a.ipv6.neighbours(), []);
  });

  it('ends its timers with the node', async () => {
    const { bench, a, b } = await twoHosts();
    await bench.clock.until(a.probe('2001:db8::2', ping()));
    await bench.clock.run(31_000);
    await bench.clock.until(a.probe('2001:db8::2', ping()));
    assert.ok(bench.clock.waiting > 0);
    a.stop();
    b.stop();
    assert.equal(bench.clock.waiting, 0);
  });
});

const prefixOf = (seconds: number): RouterAdvertisement['prefixes'][number] => ({
  ...{ prefix: PREFIX, length: 64, onLink: true, autonomous: true, valid: seconds, preferred: seconds },
});
