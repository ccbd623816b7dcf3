import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeEthernet, encodeEthernet, type VlanTag } from '../../../src/fabric/codecs/ethernet.ts';
import { ethernetHub } from '../../../src/fabric/models/switches/ethernet-hub.ts';
import { ethernetSwitch } from '../../../src/fabric/models/switches/ethernet-switch.ts';
import { createMacTable } from '../../../src/fabric/models/switches/mac-table.ts';
import { type Bench, type BenchNode, createBench, openConsole } from './bench.ts';

interface PortSettings {
  type: 'access' | 'dot1q' | 'qinq';
  vlan: number;
  ethertype?: string;
}
const access = (vlan: number): PortSettings => ({ type: 'access', vlan });
const dot1q = (vlan = 1): PortSettings => ({ type: 'dot1q', vlan });
const qinq = (vlan: number, ethertype = ''): PortSettings => ({ type: 'qinq', vlan, ethertype });
const mapping = (...ports: PortSettings[]): Record<string, unknown> => ({
  ports_mapping: ports.map((port, port_number) => ({ name: `Ethernet${port_number}`, port_number, ...port })),
});

type Output = [port: number, tags: string[]];

/** A switch whose ports are all watched: what leaves where, with which tags. */
function watched(...ports: PortSettings[]): { bench: Bench; node: BenchNode; input: Input } {
  const bench = createBench();
  const node = bench.node(ethernetSwitch, mapping(...ports), ports.length);
  const seen: Output[] = [];
  ports.forEach((_, number) => node.port(number).connect((frame) => seen.push([number, tagsOf(frame)])));
  const input: Input = (port, { from, to, tags = [] }) => {
    seen.length = 0;
    const frame = { destination: to, source: from, ethertype: 0x0800, payload: new Uint8Array(46) };
    node.port(port).receive(encodeEthernet({ ...frame, tags: tags.map(tagOf) }));
    return [...seen];
  };
  return { bench, node, input };
}
type Input = (port: number, frame: { from: number; to: number; tags?: string[] }) => Output[];

/** Tags are written `8100:10`. */
const tagOf = (text: string): VlanTag => {
  const [ethertype = '', vid] = text.split(':');
  return { ethertype: Number.parseInt(ethertype, 16), vid: Number(vid), priority: 0, dropEligible: false };
};
const tagsOf = (frame: Uint8Array): string[] =>
  decodeEthernet(frame)?.tags.map((tag) => `${tag.ethertype.toString(16)}:${tag.vid}`) ?? [];

const [A, B, C, ALL] = [0x02000000000a, 0x02000000000b, 0x02000000000c, 0xffffffffffff];

describe('Ethernet switch: learning', () => {
  it('floods what it does not know and sends the rest where it was seen', () => {
    const { input } = watched(access(1), access(1), access(1));
    assert.deepEqual(input(0, { from: A, to: B }), [
      [1, []],
      [2, []],
    ]);
    assert.deepEqual(input(1, { from: B, to: A }), [[0, []]]);
    assert.deepEqual(input(0, { from: A, to: B }), [[1, []]]);
    assert.equal(input(0, { from: A, to: ALL }).length, 2);
    assert.equal(input(0, { from: A, to: 0x01005e000001 }).length, 2);
  });

  it('follows a host to another port', () => {
    const { input } = watched(access(1), access(1), access(1));
    input(0, { from: A, to: ALL });
    input(2, { from: A, to: ALL });
    assert.deepEqual(input(1, { from: B, to: A }), [[2, []]]);
  });

  it('sends nothing back to the port a frame came from', () => {
    const { input } = watched(access(1), access(1));
    input(0, { from: A, to: ALL });
    assert.deepEqual(input(0, { from: B, to: A }), []);
  });

  it('forgets a host after 300 s', async () => {
    const { bench, input } = watched(access(1), access(1), access(1));
    input(0, { from: A, to: ALL });
    await bench.clock.run(299_000);
    assert.equal(input(1, { from: B, to: A }).length, 1);
    await bench.clock.run(2000);
    assert.equal(input(1, { from: B, to: A }).length, 2);
  });

  it('does not learn group addresses as senders', () => {
    const { input } = watched(access(1), access(1), access(1));
    input(0, { from: ALL, to: B });
    assert.equal(input(1, { from: B, to: ALL }).length, 2);
  });

  it('agrees with a plain map on any order of frames', () => {
    const steps = fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 3 }), fc.nat(7), fc.nat(50_000)));
    fc.assert(
      fc.property(steps, (frames) => {
        const table = createMacTable();
        const model = new Map<string, { port: number; at: number }>();
        let now = 0;
        for (const [mac, vlan, port, passed] of frames) {
          now += passed;
          const frame = encodeEthernet({
            destination: mac,
            source: mac,
            tags: [],
            ethertype: 0,
            payload: new Uint8Array(0),
          });
          const known = model.get(`${vlan}/${mac}`);
          const fresh = known !== undefined && Math.floor(now / 1000) - Math.floor(known.at / 1000) <= 300;
          assert.equal(table.find(frame, vlan, now), fresh ? known.port : -1);
          table.learn(frame, vlan, port, now);
          model.set(`${vlan}/${mac}`, { port, at: now });
        }
      }),
    );
  });
});

describe('Ethernet switch: VLANs', () => {
  it('keeps the access ports of different VLANs apart, even for the same MAC', () => {
    const { input } = watched(access(10), access(20), access(10), access(20));
    assert.deepEqual(input(0, { from: A, to: ALL }), [[2, []]]);
    assert.deepEqual(input(1, { from: A, to: ALL }), [[3, []]]);
    assert.deepEqual(input(2, { from: B, to: A }), [[0, []]]);
    assert.deepEqual(input(3, { from: B, to: A }), [[1, []]]);
  });

  it('carries a tag from access port to access port as content, as a cable does', () => {
    const { input } = watched(access(10), access(10), access(20), dot1q(10));
    assert.deepEqual(input(0, { from: A, to: ALL, tags: ['8100:0'] }), [
      [1, []],
      [3, []],
    ]);
    assert.deepEqual(input(0, { from: A, to: ALL, tags: ['8100:20'] }), [
      [1, ['8100:20']],
      [3, ['8100:10', '8100:20']],
    ]);
  });

  it('tags on a trunk, but not the native VLAN', () => {
    const { input } = watched(access(10), access(1), dot1q(1));
    assert.deepEqual(input(0, { from: A, to: ALL }), [[2, ['8100:10']]]);
    assert.deepEqual(input(1, { from: B, to: ALL }), [[2, []]]);
    assert.deepEqual(input(2, { from: C, to: A, tags: ['8100:10'] }), [[0, []]]);
    assert.deepEqual(input(2, { from: C, to: B }), [[1, []]]);
  });

  it('passes tags from trunk to trunk, converting at a native VLAN', () => {
    const { input } = watched(dot1q(1), dot1q(10));
    assert.deepEqual(input(0, { from: A, to: ALL, tags: ['8100:30'] }), [[1, ['8100:30']]]);
    assert.deepEqual(input(0, { from: A, to: ALL, tags: ['8100:10'] }), [[1, []]]);
    assert.deepEqual(input(1, { from: B, to: ALL }), [[0, ['8100:10']]]);
    assert.deepEqual(input(0, { from: A, to: ALL }), [[1, ['8100:1']]]);
  });

  it('drops the reserved VLAN 4095 and cut tags', () => {
    const { input, node } = watched(dot1q(1), access(1));
    assert.deepEqual(input(0, { from: A, to: ALL, tags: ['8100:4095'] }), []);
    const cut = encodeEthernet({
      destination: ALL,
      source: A,
      tags: [],
      ethertype: 0x8100,
      payload: new Uint8Array(2),
    });
    node.port(0).receive(cut);
    assert.deepEqual(input(1, { from: B, to: A }), [[0, []]]);
  });
});

describe('Ethernet switch: QinQ', () => {
  it('puts the outer tag on trunks and takes it off at the tunnel', () => {
    const { input } = watched(qinq(200, '0x88A8'), dot1q(1), qinq(300));
    assert.deepEqual(input(0, { from: A, to: ALL, tags: ['8100:10'] }), [[1, ['88a8:200', '8100:10']]]);
    assert.deepEqual(input(0, { from: A, to: ALL }), [[1, ['88a8:200']]]);
    assert.deepEqual(input(1, { from: B, to: A, tags: ['88a8:200', '8100:10'] }), [[0, ['8100:10']]]);
    assert.deepEqual(input(2, { from: C, to: ALL, tags: ['8100:10'] }), [[1, ['8100:300', '8100:10']]]);
  });

  it('tags tunnelled frames even in the native VLAN of a trunk', () => {
    const { input } = watched(qinq(1), dot1q(1));
    assert.deepEqual(input(0, { from: A, to: ALL, tags: ['8100:10'] }), [[1, ['8100:1', '8100:10']]]);
  });

  it('joins two tunnels of one VLAN, and an access port of it gets the customer’s frames as they are', () => {
    const { input } = watched(qinq(200), qinq(200), access(200));
    assert.deepEqual(input(0, { from: A, to: ALL, tags: ['8100:10'] }), [
      [1, ['8100:10']],
      [2, ['8100:10']],
    ]);
    assert.deepEqual(input(0, { from: A, to: ALL }), [
      [1, []],
      [2, []],
    ]);
  });
});

describe('Ethernet switch: settings', () => {
  it('takes new ones while running', () => {
    const { node, input } = watched(access(1), access(1), access(2));
    input(0, { from: A, to: ALL });
    node.model.configure({ ...node.spec, config: mapping(access(2), access(1), access(2)) });
    assert.deepEqual(input(1, { from: B, to: A }), []);
    assert.deepEqual(input(0, { from: A, to: ALL }), [[2, []]]);
  });

  it('keeps what it learned when nothing changes', () => {
    const { node, input } = watched(access(1), access(1), access(1));
    input(0, { from: A, to: ALL });
    node.model.configure({ ...node.spec, name: 'other' });
    assert.deepEqual(input(1, { from: B, to: A }), [[0, []]]);
  });

  it('names the entry that is wrong', () => {
    const bench = createBench();
    const start = (entry: unknown) => () => bench.node(ethernetSwitch, { ports_mapping: [entry] }, 1);
    assert.throws(start({ port_number: -1 }), /ports_mapping\[0\]\.port_number/);
    assert.throws(start({ port_number: 0, vlan: 4095 }), /ports_mapping\[0\]\.vlan/);
    assert.throws(start({ port_number: 0, type: 'isl' }), /ports_mapping\[0\]\.type/);
    assert.throws(start({ port_number: 0, type: 'qinq', ethertype: '0x0800' }), /ports_mapping\[0\]\.ethertype/);
    assert.throws(start(null), /ports_mapping\[0\]/);
  });
});

describe('Ethernet switch: console', () => {
  it('shows and clears what was learned', async () => {
    const bench = createBench();
    const console = { host: '127.0.0.1', port: 0, range: [5000, 5001] as [number, number] };
    const node = bench.node(ethernetSwitch, mapping(access(10), dot1q(1)), 2, { name: 'SW1', console });
    const terminal = openConsole(node.model.console);
    const frame = { destination: ALL, source: A, ethertype: 0x0800, payload: new Uint8Array(46) };
    node.port(0).receive(encodeEthernet({ ...frame, tags: [] }));
    await bench.clock.run(7000);
    terminal.type('show mac\r\n');
    assert.match(terminal.text(), /10 {4}02:00:00:00:00:0a {2}Ethernet0 {2}7 s\r\nSW1> $/);
    terminal.type('clear mac\rshow mac\r');
    assert.match(terminal.text(), /VLAN {2}MAC {2}Port {2}Age\r\nSW1> $/);
    terminal.type('show ports\r');
    assert.match(terminal.text(), /Ethernet1 {2}dot1q {3}1\r\n/);
    terminal.type('hlep\x7f\x7f\x7felp\r');
    assert.match(terminal.text(), /Forgets every learned address/);
    terminal.type('nonsense\r');
    assert.match(terminal.text(), /"nonsense" is no command/);
  });

  it('is absent when the node has none', () => {
    assert.equal(createBench().node(ethernetSwitch, mapping(access(1)), 1).model.console, null);
  });
});

describe('networks of switches', () => {
  const ping = { protocol: 'icmp' as const, identifier: 1, sequence: 1, timeout_ms: 10 };

  it('two VLANs over one trunk: hosts reach their own VLAN only', async () => {
    const bench = createBench();
    const [left, right] = [
      bench.node(ethernetSwitch, mapping(access(10), access(20), dot1q(1)), 3),
      bench.node(ethernetSwitch, mapping(access(10), access(20), dot1q(1)), 3),
    ];
    bench.join(left.port(2), right.port(2));
    const hosts = [1, 2, 3, 4].map((last) => bench.host(last));
    const ports = [left.port(0), left.port(1), right.port(0), right.port(1)];
    for (const [n, host] of hosts.entries()) {
      const port = ports[n];
      assert.ok(port);
      bench.join(host.plug, port);
      assert.equal(await bench.address(host, `10.0.0.${n + 1}/24`), true);
    }
    const kind = async (from: number, to: number): Promise<string | undefined> =>
      (await bench.clock.until(hosts[from]?.probe(`10.0.0.${to + 1}`, ping) ?? Promise.reject(new Error())))?.kind;
    assert.equal(await kind(0, 2), 'reply');
    assert.equal(await kind(1, 3), 'reply');
    assert.equal(await kind(0, 3), 'no_arp');
    assert.equal(await kind(1, 0), 'no_arp');
  });

  it('a hub gives every frame to everybody else', async () => {
    const bench = createBench();
    const hub = bench.node(ethernetHub, {}, 3);
    const hosts = [1, 2, 3].map((last) => bench.host(last));
    const cables = hosts.map((host, n) => bench.join(host.plug, hub.port(n)));
    for (const [n, host] of hosts.entries()) await bench.address(host, `10.0.0.${n + 1}/24`);
    for (const cable of cables) cable.length = 0;
    const result = await bench.clock.until(hosts[0]?.probe('10.0.0.2', ping) ?? Promise.reject(new Error()));
    assert.equal(result.kind, 'reply');
    assert.deepEqual(
      cables.map((cable) => cable.length),
      [4, 4, 4],
    );
  });
});
