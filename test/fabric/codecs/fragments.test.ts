import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fragmentIpv4, reassemble } from '../../../src/fabric/codecs/fragments.ts';
import { encodeIpv4, type Ipv4Packet } from '../../../src/fabric/codecs/ipv4.ts';
import { bytes, ipv4Packet } from './arbitraries.ts';

const packets = fc.tuple(ipv4Packet, bytes(3000)).map(([packet, payload]): Ipv4Packet => ({
  ...packet,
  ...{ dontFragment: false, moreFragments: false, fragmentOffset: 0, payload },
}));
const mtus = fc.integer({ min: 68, max: 1600 });

const split = (packet: Ipv4Packet, mtu: number): Ipv4Packet[] => {
  const fragments = fragmentIpv4(packet, mtu);
  assert.ok(fragments);
  return fragments;
};

describe('IPv4 fragmentation', () => {
  it('makes pieces that fit, and the pieces in any order make the packet', () => {
    fc.assert(
      fc.property(packets, mtus, fc.nat(), (packet, mtu, turn) => {
        const fragments = split(packet, mtu);
        for (const fragment of fragments) assert.ok(encodeIpv4(fragment).length <= mtu);
        const middle = turn % fragments.length;
        const shuffled = [...fragments.slice(middle), ...fragments.slice(0, middle)].reverse();
        assert.deepEqual(reassemble([...shuffled, ...shuffled.slice(0, 1)]), packet);
      }),
    );
  });

  it('makes nothing of a packet with a hole', () => {
    fc.assert(
      fc.property(packets, mtus, fc.nat(), (packet, mtu, lost) => {
        const fragments = split(packet, mtu);
        assert.equal(reassemble(fragments.toSpliced(lost % fragments.length, 1)), null);
      }),
    );
  });

  it('refuses overlapping fragments', () => {
    const packet = { ...(fc.sample(packets, { numRuns: 1, seed: 1 })[0] as Ipv4Packet), payload: new Uint8Array(64) };
    const first = { ...packet, moreFragments: true, payload: packet.payload.subarray(0, 32) };
    const overlap = { ...packet, fragmentOffset: 24, payload: packet.payload.subarray(24) };
    const next = { ...packet, fragmentOffset: 32, payload: packet.payload.subarray(32) };
    assert.deepEqual(reassemble([first, next]), packet);
    assert.equal(reassemble([first, overlap]), null);
  });

  it('does not split what must not be split', () => {
    const packet = fc.sample(packets, { numRuns: 1, seed: 2 })[0] as Ipv4Packet;
    assert.equal(fragmentIpv4({ ...packet, dontFragment: true, payload: new Uint8Array(1500) }, 1500), null);
  });
});
