import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LINK_TYPES } from '../../../src/fabric/capture/pcap.ts';
import { dissect } from '../../../src/fabric/packets/fields/dissect.ts';
import type { Field } from '../../../src/fabric/packets/fields/field.ts';
import { DESCRIBED } from '../../../src/fabric/packets/fields/names.ts';
import { textOf, treeOf } from '../../../src/fabric/packets/fields/tree.ts';
import { FRAMES } from './frames.ts';

const taken = (bytes: Uint8Array) => ({ number: 1, time: 1.5, length: bytes.length, bytes });
const every = (fields: readonly Field[]): Field[] => fields.flatMap((field) => [field, ...every(field.fields)]);
const fieldsOf = (bytes: Uint8Array, linkType: number = LINK_TYPES.DLT_EN10MB): Field[] =>
  every(dissect(linkType, taken(bytes)));
/** What a frame says under each of these names. */
const say = (name: string, ...wanted: string[]): (string | undefined)[] => {
  const bytes = FRAMES[name] ?? new Uint8Array(0);
  const fields = fieldsOf(bytes);
  return wanted.map((one) => {
    const field = fields.find((found) => found.name === one);
    return field && textOf(field, bytes);
  });
};
const layersOf = (name: string): string[] =>
  dissect(1, taken(FRAMES[name] ?? new Uint8Array(0))).map((layer) => layer.name);

/** Every field is described, and lies within what was captured and within what it is a part of. */
const check = (fields: readonly Field[], from: number, to: number): void => {
  for (const { name, at, length, fields: inner } of fields) {
    assert.ok(DESCRIBED.has(name), `${name} is not described`);
    assert.ok(
      length >= 0 && (length === 0 || (at >= from && at + length <= to)),
      `${name} ${at}+${length} of ${from}..${to}`,
    );
    if (inner.length > 0 && name !== 'frame') check(inner, at, Math.max(at, to));
  }
};

describe('the fields of a frame', () => {
  it('of any octets are had without an error, and lie within it', () => {
    const links = fc.constantFrom(...Object.values(LINK_TYPES), 12_345);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), links, (bytes, linkType) => {
        const fields = dissect(linkType, taken(bytes));
        check(fields, 0, bytes.length);
        treeOf(fields, bytes);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of real frames that were damaged or cut short are had as well', () => {
    const frames = fc.constantFrom(...Object.values(FRAMES));
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 5 });
    fc.assert(
      fc.property(frames, damage, fc.nat(), (frame, changes, cut) => {
        const bytes = Uint8Array.from(frame.subarray(0, frame.length - (cut % (frame.length + 1)) * (cut % 2)));
        for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value;
        const fields = dissect(1, taken(bytes));
        check(fields, 0, bytes.length);
        treeOf(fields, bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  it('say what the codecs wrote: ARP, tags in tags', () => {
    assert.deepEqual(say('arp', 'arp.opcode', 'arp.src.proto_ipv4', 'eth.dst'), [
      'request (1)',
      '10.0.0.1',
      '00:50:79:66:68:01',
    ]);
    assert.deepEqual(layersOf('qinq'), ['frame', 'eth', 'ieee8021ad', 'vlan', 'arp']);
    assert.deepEqual(say('qinq', 'ieee8021ad.id', 'vlan.id'), ['100', '20']);
    assert.deepEqual(say('tagged', 'vlan.priority'), ['3']);
  });

  it('say what the codecs wrote: IPv4, ICMP, and what an error quotes', () => {
    assert.deepEqual(say('icmp', 'ip.src', 'ip.ttl', 'ip.flags.df', 'icmp.type', 'icmp.seq'), [
      '10.0.0.1',
      '64',
      'Set',
      'Echo request (8)',
      '6',
    ]);
    assert.deepEqual(layersOf('unreachable'), ['frame', 'eth', 'ip', 'icmp', 'ip', 'udp', 'data']);
  });

  it('say what the codecs wrote: UDP, DNS, DHCP', () => {
    assert.deepEqual(say('udp', 'udp.srcport', 'udp.length', 'data.data'), ['40002', '13', '68:65:6c:6c:6f']);
    assert.deepEqual(say('dns', 'dns.qry.name', 'dns.qry.type', 'dns.a', 'dns.resp.ttl'), [
      'host.example',
      'A (0x0001)',
      '10.0.0.9',
      '300',
    ]);
    assert.deepEqual(say('dhcp', 'dhcp.option.dhcp', 'dhcp.option.requested_ip_address', 'dhcp.hw.mac_addr'), [
      'Request (3)',
      '10.0.0.2',
      '00:50:79:66:68:00',
    ]);
  });

  it('say what the codecs wrote: TCP, and the first line of HTTP', () => {
    assert.deepEqual(say('tcp', 'tcp.flags.syn', 'tcp.flags.ack', 'tcp.seq_raw', 'tcp.len'), [
      'Set',
      'Not set',
      '1000',
      '0',
    ]);
    assert.deepEqual(say('http', 'http.request.method', 'http.request.uri'), ['GET', '/index.html']);
    assert.deepEqual(say('answer', 'http.response.code', 'http.response.phrase'), ['404', 'Not Found']);
  });

  it('of neighbours and switches are known as well', () => {
    assert.deepEqual(say('solicitation', 'icmpv6.type', 'icmpv6.nd.ns.target_address', 'icmpv6.opt.linkaddr'), [
      'Neighbour solicitation (135)',
      'fe80::2',
      '00:50:79:66:68:00',
    ]);
    assert.deepEqual(say('stp', 'stp.root.hw', 'stp.root.cost', 'stp.flags.tc', 'stp.hello'), [
      '00:50:79:66:68:01',
      '4',
      'Set',
      '2',
    ]);
    assert.deepEqual(say('lldp', 'lldp.chassis.id.mac', 'lldp.port.id', 'lldp.tlv.system.name', 'lldp.time_to_live'), [
      '00:50:79:66:68:01',
      'eth0',
      'SW1',
      '120',
    ]);
    assert.deepEqual(say('cdp', 'cdp.deviceid', 'cdp.portid', 'cdp.ttl'), ['R1w', 'E0/0', '180']);
  });
});
