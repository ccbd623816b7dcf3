import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { decodeEthernet } from '../../../src/fabric/codecs/ethernet.ts';
import type { ProbeOptions, ProbeResult } from '../../../src/fabric/models/host/ip-host.ts';
import { host } from '../../../src/fabric/models/host.ts';
import { simpleRouter } from '../../../src/fabric/models/simple-router.ts';
import { type Bench, type BenchNode, createBench, openConsole } from './bench.ts';

type BenchHost = ReturnType<Bench['host']>;

const probe = (options: Partial<ProbeOptions> = {}): ProbeOptions => ({
  ...{ protocol: 'icmp', identifier: 1, sequence: 1 },
  ...options,
});

/** A node at whose console lines are typed. */
interface Typed {
  node: BenchNode;
  /** What the lines print. */
  type(...lines: string[]): Promise<string>;
}

async function router(bench: Bench, id: string, more: Partial<BenchNode['spec']> = {}): Promise<Typed> {
  return typedAt(bench, bench.node(simpleRouter, {}, 3, { node_id: id, name: id, ...more }));
}

async function typedAt(bench: Bench, node: BenchNode): Promise<Typed> {
  const console = openConsole(node.model.console);
  await bench.clock.run(0);
  return {
    node,
    async type(...lines) {
      const before = console.text().length;
      for (const line of lines) {
        console.type(`${line}\r`);
        // Files are written in their own time.
        do await bench.clock.run(100);
        while (!console.text().endsWith('> '));
      }
      return console.text().slice(before).replaceAll('\r\n', '\n');
    },
  };
}

interface Lab {
  bench: Bench;
  a: BenchHost;
  b: BenchHost;
  r1: Typed;
  r2: Typed;
  /** Between the routers, and at b. */
  middle: Uint8Array[];
  far: Uint8Array[];
}

/** a - r1 - r2 - b, both families, static routes. */
async function chain(): Promise<Lab> {
  const bench = createBench();
  const [a, b] = [bench.host(1), bench.host(2)];
  const [r1, r2] = [await router(bench, 'r1'), await router(bench, 'r2')];
  bench.join(a.plug, r1.node.port(0));
  const middle = bench.join(r1.node.port(1), r2.node.port(1));
  const far = bench.join(b.plug, r2.node.port(0));
  await r1.type('interface 0 ip 10.1.0.1/24', 'interface 1 ip 10.0.0.1/30', 'route 10.2.0.0/16 10.0.0.2');
  await r2.type('interface 0 ip 10.2.0.1/24', 'interface 1 ip 10.0.0.2/30', 'route default 10.0.0.1');
  await r1.type(
    'interface 0 ip 2001:db8:1::1/64',
    'interface 1 ip 2001:db8::1/64',
    'route 2001:db8:2::/48 2001:db8::2',
  );
  await r2.type('interface 0 ip 2001:db8:2::1/64', 'interface 1 ip 2001:db8::2/64', 'route default6 2001:db8::1');
  await bench.address(a, '10.1.0.10/24', '10.1.0.1');
  await bench.address(b, '10.2.0.10/24', '10.2.0.1');
  const set = (host: BenchHost, address: string, gateway: string): Promise<boolean> =>
    bench.clock.until(host.ipv6.setAddress({ address, prefix: 64, gateway }));
  assert.equal(await set(a, '2001:db8:1::10', '2001:db8:1::1'), true);
  assert.equal(await set(b, '2001:db8:2::10', '2001:db8:2::1'), true);
  return { bench, a, b, r1, r2, middle, far };
}

const brief = (result: ProbeResult): string =>
  'from' in result
    ? `${result.kind} ${result.from}${'code' in result ? ` ${result.type}/${result.code}` : ''}`
    : result.kind;

describe('embedded router: forwarding', () => {
  it('carries both families through two routers and counts hops', async () => {
    const { bench, a } = await chain();
    const ask = (to: string, options = {}): Promise<ProbeResult> => bench.clock.until(a.probe(to, probe(options)));
    for (const to of ['10.2.0.10', '2001:db8:2::10']) {
      const result = await ask(to);
      assert.ok(result.kind === 'reply' && result.from === to && result.ttl === 62, JSON.stringify(result));
    }
    assert.equal(brief(await ask('10.2.0.10', { ttl: 1 })), 'exceeded 10.1.0.1');
    assert.equal(brief(await ask('10.2.0.10', { ttl: 2 })), 'exceeded 10.0.0.2');
    assert.equal(brief(await ask('2001:db8:2::10', { ttl: 1 })), 'exceeded 2001:db8:1::1');
    assert.equal(brief(await ask('2001:db8:2::10', { ttl: 2 })), 'exceeded 2001:db8::2');
  });

  it('answers at the addresses of all its interfaces', async () => {
    const { bench, a } = await chain();
    for (const to of ['10.1.0.1', '10.0.0.1', '10.0.0.2', '10.2.0.1', '2001:db8::1', '2001:db8:2::1']) {
      assert.equal(brief(await bench.clock.until(a.probe(to, probe()))), `reply ${to}`);
    }
  });

  it('says that there is no route, and that nobody has the address', async () => {
    const { bench, a } = await chain();
    const ask = (to: string): Promise<ProbeResult> => bench.clock.until(a.probe(to, probe({ timeout_ms: 8000 })));
    assert.equal(brief(await ask('192.0.2.1')), 'unreachable 10.1.0.1 3/0');
    assert.equal(brief(await ask('10.2.0.99')), 'unreachable 10.0.0.2 3/1');
    assert.equal(brief(await ask('2001:db8:ff::1')), 'unreachable 2001:db8:1::1 1/0');
    assert.equal(brief(await ask('2001:db8:2::99')), 'unreachable 2001:db8::2 1/3');
  });

  it('says what fits the next link, and cuts packets of IPv4 that may be cut', async () => {
    const { bench, a, r1, r2 } = await chain();
    for (const one of [r1, r2]) await one.type('interface 1 mtu 1300');
    const ask = (to: string, options = {}): Promise<ProbeResult> =>
      bench.clock.until(a.probe(to, probe({ size: 1400, ...options })));
    assert.equal(brief(await ask('10.2.0.10', { dont_fragment: true })), 'unreachable 10.1.0.1 3/4');
    assert.equal(brief(await ask('10.2.0.10')), 'reply 10.2.0.10');
    // The first one learns the path, the second one fits it.
    assert.equal(brief(await ask('2001:db8:2::10')), 'unreachable 2001:db8:1::1 2/0');
    // The answer's path is learned as well.
    await ask('2001:db8:2::10');
    assert.equal(brief(await ask('2001:db8:2::10')), 'reply 2001:db8:2::10');
  });

  it('takes the longest prefix, and forgets routes and addresses', async () => {
    const { bench, a, r1, middle } = await chain();
    await r1.type('route 10.2.0.0/24 10.1.0.99');
    middle.length = 0;
    const lost = await bench.clock.until(a.probe('10.2.0.10', probe({ timeout_ms: 8000 })));
    assert.equal(brief(lost), 'unreachable 10.1.0.1 3/1');
    assert.equal(middle.length, 0);
    await r1.type('no route 10.2.0.0/24');
    assert.equal(brief(await bench.clock.until(a.probe('10.2.0.10', probe()))), 'reply 10.2.0.10');
    assert.match(await r1.type('no route 10.2.0.0/24'), /There is no such route to 10\.2\.0\.0\/24/);
    await r1.type('interface 1 down');
    assert.equal(brief(await bench.clock.until(a.probe('10.2.0.10', probe()))), 'unreachable 10.1.0.1 3/0');
    await r1.type('interface 1 up', 'interface 1 no ip 10.0.0.1');
    assert.equal(brief(await bench.clock.until(a.probe('10.2.0.10', probe()))), 'unreachable 10.1.0.1 3/0');
    assert.equal(brief(await bench.clock.until(a.probe('2001:db8:2::10', probe()))), 'reply 2001:db8:2::10');
  });

  it('forwards nothing of a link, and no broadcast of a subnet', async () => {
    const { bench, a, b, middle, far } = await chain();
    middle.length = 0;
    const local = await bench.clock.until(a.probe(b.ipv6.linkLocal, probe({ timeout_ms: 8000 })));
    assert.equal(local.kind, 'no_arp');
    assert.equal(middle.length, 0);
    far.length = 0;
    await bench.clock.until(a.probe('10.2.0.255', probe()));
    // It reaches the far router and ends there.
    assert.ok(middle.some((frame) => decodeEthernet(frame)?.ethertype === 0x0800));
    assert.equal(far.length, 0);
  });

  it('tells at most so many errors', async () => {
    const { bench, a } = await chain();
    const asked = Array.from({ length: 80 }, (_, sequence) => a.probe('192.0.2.1', probe({ sequence })));
    const results = await bench.clock.until(Promise.all(asked));
    const told = results.filter(({ kind }) => kind === 'unreachable').length;
    assert.ok(told >= 50 && told < 80, String(told));
  });
});

describe('embedded router: advertisements', () => {
  it('give a PC its address, router, MTU and name server', async () => {
    const { bench, a, r1 } = await chain();
    await r1.type('interface 0 mtu 1400', 'interface 0 ra dns 2001:db8::53 lifetime 600');
    const found = await bench.clock.until(a.ipv6.auto());
    assert.deepEqual(found?.addresses, ['2001:db8:1:0:250:79ff:fe66:6801']);
    assert.deepEqual(a.ipv6.dns, ['2001:db8::53']);
    const result = await bench.clock.until(a.probe('2001:db8:2::10', probe()));
    assert.equal(brief(result), 'reply 2001:db8:2::10');
  });

  it('go on, and end when they are turned off', async () => {
    const { bench, a, r1 } = await chain();
    await bench.clock.until(a.ipv6.auto());
    await bench.clock.run(3_600_000);
    assert.equal(a.ipv6.routers().length, 1);
    await r1.type('interface 0 ra off');
    assert.deepEqual(a.ipv6.routers(), []);
    assert.equal(await bench.clock.until(a.ipv6.auto()), null);
  });
});

describe('embedded router: a PC that was started after it', () => {
  /** A PC whose router has long said what it has to say by itself. */
  async function started(...lines: string[]): Promise<{ pc: Typed; vias: string[] }> {
    const bench = createBench();
    const r1 = await router(bench, 'r1');
    await r1.type('interface 0 ip 2001:db8:1::1/64');
    await bench.clock.run(100_000);
    const pc = await typedAt(bench, bench.node(host, {}, 1, { node_id: 'pc' }));
    bench.join(pc.node.port(0), r1.node.port(0));
    await pc.type(...lines);
    return { pc, vias: (pc.node.model.tables?.().routes ?? []).map(({ via }) => via) };
  }

  it('asks for a router with an address of its own, and makes none of what it hears', async () => {
    const { pc, vias } = await started('ip 2001:db8:1::10/64');
    const shown = await pc.type('show ipv6');
    const [linkLocal] = vias;
    assert.match(shown, new RegExp(`^GATEWAY +: ${linkLocal}$`, 'm'));
    assert.match(linkLocal ?? '', /^fe80::/);
    assert.deepEqual(shown.match(/^GLOBAL SCOPE.*$/gm), ['GLOBAL SCOPE      : 2001:db8:1::10/64']);
  });

  it('goes by the gateway that it was given', async () => {
    const { pc, vias } = await started('ip 2001:db8:1::10/64 2001:db8:1::1');
    assert.match(await pc.type('show ipv6'), /^GATEWAY +: 2001:db8:1::1$/m);
    assert.deepEqual(vias, ['2001:db8:1::1']);
  });
});

describe('embedded router: console', () => {
  it('shows interfaces, routes and neighbours', async () => {
    const { bench, a, r1 } = await chain();
    await bench.clock.until(a.probe('10.2.0.10', probe()));
    await bench.clock.until(a.probe('2001:db8:2::10', probe()));
    assert.match(await r1.type('show'), /^0 +up +1500 +02:00:[0-9a-f:]+ +ra 1800 s +10\.1\.0\.1\/24$/m);
    const routes = await r1.type('show route');
    assert.match(routes, /^10\.1\.0\.0\/24 +connected +0$/m);
    assert.match(routes, /^2001:db8:2::\/48 +2001:db8::2 +1$/m);
    assert.match(await r1.type('show arp'), /^10\.0\.0\.2 +02:00:[0-9a-f:]+ +1 +reachable$/m);
    assert.match(await r1.type('show neighbor'), /^2001:db8:1::10 +00:50:79:66:68:01 +0 +\w+$/m);
    assert.match(await r1.type('ping 10.2.0.10 -c 1'), /84 bytes from 10\.2\.0\.10 icmp_seq=1 ttl=63/);
    assert.match(await r1.type('ping 2001:db8:2::10 -c 1'), /2001:db8:2::10 icmp6_seq=1 ttl=63/);
    assert.match(await r1.type('trace 10.2.0.10'), /\n 1 {3}10\.0\.0\.2 .*\n 2 {3}\*10\.2\.0\.10 /);
  });

  it('says what is wrong', async () => {
    const { r1 } = await chain();
    for (const [line, said] of [
      ['interface 9 up', 'There is no interface 9; there are 0 to 2'],
      ['interface 0 ip 10.1.0.0/24', 'Invalid host address: 10.1.0.0/24'],
      ['interface 0 ip 10.1.0.10/24', '10.1.0.10 is being used'],
      ['interface 2 ip 10.0.0.1/24', '10.0.0.1 is the address of another interface of this router'],
      ['interface 2 ip fe80::1/64', 'Invalid address: the link-local address is made of the MAC'],
      ['interface 0 ip 2001:db8:1::10/64', '2001:db8:1::10 is being used, or there are too many addresses'],
      ['interface 0 no ip 10.9.9.9', 'Interface 0 has no address 10.9.9.9'],
      ['interface 0 mtu 100', 'Invalid MTU, should be 1280 to 65535'],
      ['interface 0 ra lifetime 99999', 'Invalid value: lifetime 99999'],
      ['route 10.9.0.0 10.0.0.2', 'Write the destination like 10.1.0.0/16, 2001:db8:1::/48, default or default6'],
      ['route 10.9.0.0/16 2001:db8::2', 'Name the router by its IPv4 address'],
      ['route 10.9.0.0/16 10.0.0.1', '10.0.0.1 is this router itself'],
      ['route default6 fe80::1', 'A link-local router needs the number of its interface'],
      ['no route default 10.0.0.2', 'There is no such route to default'],
      ['show foo', 'Invalid arguments'],
    ] as const) {
      assert.ok((await r1.type(line)).includes(`\n${said}\n`), `${line}: ${await r1.type(line)}`);
    }
  });

  it('saves what makes it the same again', async () => {
    const projects = await mkdtemp(join(tmpdir(), 'topolog-router-'));
    const directory = join(projects, 'p', 'project-files', 'simple_router', 'n');
    await mkdir(directory, { recursive: true });
    try {
      const bench = createBench();
      const lines = [
        ...['interface 0 mtu 1400', 'interface 0 ra lifetime 0 managed dns 2001:db8::53', 'interface 0 ip 10.1.0.1/24'],
        ...['interface 0 ip 2001:db8:1::1/64', 'interface 1 ip 10.0.0.1/30', 'interface 2 down'],
        ...['route 10.2.0.0/16 10.0.0.2', 'route ::/0 fe80::1 1'],
      ];
      const first = await router(bench, 'r1', { directory });
      assert.match(await first.type(...lines, 'save'), /Saving startup configuration to startup\.cfg/);
      assert.deepEqual((await readFile(join(directory, 'startup.cfg'), 'utf8')).trim().split('\n'), lines);
      first.node.model.stop();
      const second = await router(bench, 'r1', { directory });
      await bench.clock.run(10_000);
      const config = (await second.type('show config')).split('\n');
      assert.deepEqual(
        config.slice(config.indexOf(lines[0] ?? ''), -2).filter((line) => line !== ''),
        lines,
      );
    } finally {
      await rm(projects, { recursive: true });
    }
  });

  it('ends its timers with the node', async () => {
    const { bench, a, b, r1, r2 } = await chain();
    assert.ok(bench.clock.waiting > 0);
    for (const { node } of [r1, r2]) node.model.stop();
    for (const host of [a, b]) host.stop();
    assert.equal(bench.clock.waiting, 0);
  });
});
