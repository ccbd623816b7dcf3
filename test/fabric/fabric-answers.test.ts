import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeEthernet } from '../../src/fabric/codecs/ethernet.ts';
import { createReplyDetector } from '../../src/fabric/frames/watches.ts';

const [HERE, THERE, OTHER, ALL] = [0x02_00_00_00_00_01, 0x02_00_00_00_00_02, 0x02_00_00_00_00_03, 0xff_ff_ff_ff_ff_ff];

const at = (length: number, octets: Record<number, number>): Uint8Array =>
  Object.assign(new Uint8Array(length), octets);
const arp = (operation: number) => ({ ethertype: 0x0806, payload: at(28, { 7: operation }) });
const ipv4 = (protocol: number, octets: Record<number, number>) => ({
  ethertype: 0x0800,
  payload: at(40, { 0: 0x45, 9: protocol, ...octets }),
});
const ipv6 = (type: number) => ({ ethertype: 0x86dd, payload: at(64, { 0: 0x60, 6: 58, 40: type }) });
const frame = (source: number, destination: number, of: { ethertype: number; payload: Uint8Array }, vid?: number) =>
  encodeEthernet({
    ...{ source, destination, ...of },
    tags: vid === undefined ? [] : [{ ethertype: 0x8100, vid, priority: 0, dropEligible: false }],
  });

/** Question and answer of each sort. */
const SORTS = {
  ARP: [arp(1), arp(2)],
  ICMP: [ipv4(1, { 20: 8 }), ipv4(1, { 20: 0 })],
  TCP: [ipv4(6, { 33: 0x02 }), ipv4(6, { 33: 0x12 })],
  ICMPv6: [ipv6(128), ipv6(129)],
  'neighbour discovery': [ipv6(135), ipv6(136)],
} as const;

describe('an answer that comes over a cable', () => {
  for (const [sort, [question, answer]] of Object.entries(SORTS))
    it(`is known in ${sort}, tagged or not, to who has asked from the other side`, () => {
      for (const vid of [undefined, 7]) {
        const proves = createReplyDetector(1);
        assert.equal(proves(1, frame(THERE, HERE, answer, vid)), false);
        assert.equal(proves(0, frame(HERE, ALL, question, vid)), false);
        assert.equal(proves(1, frame(THERE, OTHER, answer, vid)), false);
        assert.equal(proves(1, frame(THERE, ALL, answer, vid)), false);
        assert.equal(proves(1, frame(THERE, HERE, question, vid)), false);
        assert.equal(proves(0, frame(THERE, HERE, answer, vid)), false);
        assert.equal(proves(1, frame(THERE, HERE, answer, vid)), true);
      }
    });

  it('is what comes from who looked for an address and was told it', () => {
    const data = ipv4(17, {});
    const proves = createReplyDetector(1);
    proves(0, frame(HERE, THERE, arp(2)));
    assert.equal(proves(1, frame(THERE, HERE, data)), false);
    // It knows the address, and asks whether that is still so.
    proves(1, frame(THERE, HERE, arp(1)));
    proves(0, frame(HERE, THERE, arp(2)));
    assert.equal(proves(1, frame(THERE, HERE, data)), false);
    proves(1, frame(THERE, ALL, arp(1)));
    assert.equal(proves(1, frame(THERE, HERE, data)), false);
    proves(0, frame(HERE, THERE, arp(2)));
    assert.equal(proves(1, frame(OTHER, HERE, data)), false);
    assert.equal(proves(1, frame(THERE, ALL, arp(1))), false);
    assert.equal(proves(1, frame(THERE, HERE, data)), true);
  });

  it('is none in what is too short, or no Ethernet', () => {
    const proves = createReplyDetector(1);
    for (const length of [0, 5, 13, 14, 18, 30])
      for (const direction of [0, 1] as const) assert.equal(proves(direction, new Uint8Array(length)), false);
  });

  it('is not known any more once too many others have asked', () => {
    const proves = createReplyDetector(1);
    proves(0, frame(HERE, ALL, arp(1)));
    for (let n = 0; n < 64; n++) proves(0, frame(OTHER + n, ALL, arp(1)));
    assert.equal(proves(1, frame(THERE, HERE, arp(2))), false);
    assert.equal(proves(1, frame(THERE, OTHER + 63, arp(2))), true);
  });
});
