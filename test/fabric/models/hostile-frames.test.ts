import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeArp } from '../../../src/fabric/codecs/arp.ts';
import { encodeEthernet } from '../../../src/fabric/codecs/ethernet.ts';
import { encodeIpv4 } from '../../../src/fabric/codecs/ipv4.ts';
import { encodeUdp } from '../../../src/fabric/codecs/udp.ts';
import { atmSwitch } from '../../../src/fabric/models/switches/atm-switch.ts';
import { ethernetHub } from '../../../src/fabric/models/switches/ethernet-hub.ts';
import { ethernetSwitch } from '../../../src/fabric/models/switches/ethernet-switch.ts';
import { frameRelaySwitch } from '../../../src/fabric/models/switches/frame-relay-switch.ts';
import { createReassemblyBuffer } from '../../../src/fabric/codecs/fragments.ts';
import { createMacTable } from '../../../src/fabric/models/switches/mac-table.ts';
import { createBench } from './bench.ts';

const FRAMES = 20_000;
const MAC = 0x005079666801;
const OWN = 0x0a000001;

function createRandom(): { integer(below: number): number; bytes(length: number): Uint8Array } {
  let state = 42;
  const integer = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x100000000) * below);
  };
  return { integer, bytes: (length) => Uint8Array.from({ length }, () => integer(256)) };
}

/** Plain noise, noise behind good headers up to the transport, and floods of invented neighbours. */
function hostileFrame(random: ReturnType<typeof createRandom>): Uint8Array {
  const payload = random.bytes(random.integer(120));
  const ethernet = (ethertype: number, data: Uint8Array): Uint8Array =>
    encodeEthernet({ destination: MAC, source: random.integer(2 ** 40), tags: [], ethertype, payload: data });
  const source = 0x0a000000 + random.integer(256);
  const ip = (protocol: number, data: Uint8Array, fragment: boolean): Uint8Array =>
    encodeIpv4({
      ...{ trafficClass: 0, identification: random.integer(65536), dontFragment: false, moreFragments: fragment },
      ...{ fragmentOffset: fragment ? random.integer(100) * 8 : 0, ttl: 64, protocol, source, destination: OWN },
      ...{ options: new Uint8Array(0), payload: data },
    });
  switch (random.integer(7)) {
    case 0:
      return payload;
    case 1:
      return ethernet(0x0800, payload);
    case 2:
      return ethernet(0x0806, payload);
    case 3:
      return ethernet(0x0800, ip([1, 6, 17][random.integer(3)] ?? 1, payload, random.integer(2) === 1));
    case 4: {
      const ports = { sourcePort: random.integer(65536), destinationPort: [7, 53, 67, 68, 9][random.integer(5)] ?? 9 };
      return ethernet(0x0800, ip(17, encodeUdp({ ...ports, payload }, source, OWN), false));
    }
    case 5: {
      const target = { targetMac: MAC, targetAddress: OWN };
      const sender = { senderMac: random.integer(2 ** 40), senderAddress: 0x0b000000 + random.integer(2 ** 24) };
      return ethernet(0x0806, encodeArp({ operation: 'request', ...sender, ...target }));
    }
    default:
      return random.bytes(random.integer(1600));
  }
}

describe('a flood of hostile frames', () => {
  it('neither stops a host nor fills its memory', async () => {
    const bench = createBench();
    const [victim, friend] = [bench.host(1), bench.host(2)];
    await bench.address(victim, '10.0.0.1/24');
    await bench.address(friend, '10.0.0.200/24');
    const random = createRandom();
    const dhcp = victim.dhcp(() => undefined);
    for (let n = 0; n < FRAMES; n++) victim.receive(hostileFrame(random));
    assert.ok(victim.arpTable().length <= 1024);
    // One timer a question to ARP, one a caller that waits for it, and the DHCP client's.
    assert.ok(bench.clock.waiting <= 200, `${bench.clock.waiting} timers`);
    assert.equal(await bench.clock.until(dhcp), null);
    bench.join(victim.plug, friend.plug);
    const ping = victim.probe('10.0.0.200', { protocol: 'icmp', identifier: 1, sequence: 1 });
    assert.equal((await bench.clock.until(ping)).kind, 'reply');
  });

  it('does not stop a switch, a hub, a frame relay switch or an ATM switch', () => {
    const bench = createBench();
    const ports_mapping = [
      { name: 'a', port_number: 0, type: 'access', vlan: 1 },
      { name: 't', port_number: 1, type: 'dot1q', vlan: 1 },
      { name: 'q', port_number: 2, type: 'qinq', vlan: 5, ethertype: '0x88A8' },
    ];
    const nodes = [
      bench.node(ethernetSwitch, { ports_mapping }, 3),
      bench.node(ethernetHub, {}, 3),
      bench.node(frameRelaySwitch, { mappings: { '0:100': '1:200' } }, 3),
      bench.node(atmSwitch, { mappings: { '0:1': '1:2', '0:3:4': '2:5:6' } }, 3),
    ];
    const random = createRandom();
    for (let n = 0; n < FRAMES; n++) {
      const frame = random.integer(3) === 0 ? random.bytes(53) : hostileFrame(random);
      const kept = frame.slice();
      for (const { model } of nodes) model.receive(0, random.integer(4), frame);
      assert.deepEqual(frame, kept);
    }
  });

  it('leaves a bounded number of fragments, which go after 30 s', () => {
    let time = 0;
    const buffer = createReassemblyBuffer(() => time);
    const fragment = (identification: number, fragmentOffset: number, moreFragments: boolean) => ({
      ...{ trafficClass: 0, identification, dontFragment: false, moreFragments, fragmentOffset, ttl: 64, protocol: 17 },
      ...{ source: 1, destination: 2, options: new Uint8Array(0), payload: new Uint8Array(8) },
    });
    for (let n = 0; n < 1000; n++) assert.equal(buffer.add(fragment(n, 0, true)), null);
    assert.equal(buffer.add(fragment(0, 8, false)), null, 'the oldest made room for the newest');
    assert.equal(buffer.add(fragment(999, 8, false))?.payload.length, 16);
    buffer.add(fragment(5000, 0, true));
    time = 30_001;
    assert.equal(buffer.add(fragment(5000, 8, false)), null);
  });

  it('leaves a MAC table of bounded size that knows its neighbours again once the flood has aged', () => {
    const table = createMacTable();
    const frame = new Uint8Array(14);
    const from = (mac: number): Uint8Array => {
      new DataView(frame.buffer).setUint32(8, mac);
      new DataView(frame.buffer).setUint32(2, mac);
      return frame;
    };
    for (let mac = 0; mac < 100_000; mac++) table.learn(from(mac), 1, 3, 0);
    const learned = table.entries(0).length;
    assert.ok(learned > 16_000 && learned <= 24_576, `${learned} entries`);
    assert.equal(table.find(from(5), 1, 0), 3);
    assert.equal(table.find(from(99_999), 1, 0), -1);
    table.learn(from(99_999), 1, 4, 400_000);
    assert.equal(table.find(from(99_999), 1, 400_000), 4);
    assert.equal(table.find(from(5), 1, 400_000), -1);
  });
});
