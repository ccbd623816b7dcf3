import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Properties } from '../../../src/emulators/kit/contract.ts';
import { createApplicationIds } from '../../../src/emulators/switch_router_emulator/application-ids.ts';
import { faultOf } from '../../../src/emulators/switch_router_emulator/license.ts';
import {
  decodeHeader,
  encodeHeader,
  holderIn,
  interfaceByte,
  netmapOf,
} from '../../../src/emulators/switch_router_emulator/files/netio.ts';
import { iouArguments, readElf, readHelp } from '../../../src/emulators/switch_router_emulator/image.ts';
import { switchRouterEmulator } from '../../../src/emulators/switch_router_emulator/kind.ts';
import { readRelayArguments, relayArguments } from '../../../src/emulators/switch_router_emulator/relay-arguments.ts';
import { settingsOf } from '../../../src/emulators/switch_router_emulator/schema.ts';
import { launcher } from '../../fakes/iou-image.ts';
import { nodeOf } from '../sample.ts';

describe('arguments of an image', () => {
  const args = (given: Properties): string =>
    iouArguments(settingsOf(nodeOf(switchRouterEmulator, given).properties), 9).join(' ');

  it('tell its adapters, and end with the application id', () => {
    assert.equal(args({}), '-e 2 -s 2 9');
    assert.equal(args({ ethernet_adapters: 0, serial_adapters: 16 }), '-e 0 -s 16 9');
  });

  it('tell amounts of memory only where the image is not to take its own', () => {
    assert.equal(args({ ram: 512, nvram: 256 }), '-e 2 -s 2 9');
    assert.equal(args({ ram: 512, nvram: 256, use_default_iou_values: false }), '-e 2 -s 2 -n 256 -m 512 9');
    assert.equal(args({ ram: 0, nvram: null, use_default_iou_values: false }), '-e 2 -s 2 -n 128 9');
  });

  it('ask for layer 1 keepalives', () => assert.equal(args({ l1_keepalives: true }), '-e 2 -s 2 -l 9'));
});

describe('the help of an image', () => {
  it('tells its NVRAM, and whether it has keepalives', () => {
    const text = '-n <n>\t\tSize of nvram in Kb (default 64KB)\n-l\t\tEnable Layer 1 keepalive messages\n';
    assert.deepEqual(readHelp(text), { nvram: 64, keepalives: true });
    assert.deepEqual(readHelp('Usage: <image>\n-u <n> UDP port base'), { nvram: null, keepalives: false });
  });
});

describe('frames between instances', () => {
  it('have eight octets before them: ids, interfaces, type and channel', () => {
    const header = { to: 5, from: 517, toInterface: 0x21, fromInterface: 0x10, type: 1, channel: 0 };
    assert.equal(encodeHeader(header).toString('hex'), '0005020521100100');
    assert.deepEqual(decodeHeader(Buffer.from('0005020521100100ffff', 'hex')), header);
    assert.equal(decodeHeader(Buffer.from('00050205211001', 'hex')), null);
  });

  it('keep their headers on the way', () => {
    const [id, octet] = [fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0xff })];
    const header = fc.record(
      { to: id, from: id, toInterface: octet, fromInterface: octet, type: octet, channel: octet },
      { noNullPrototype: true },
    );
    fc.assert(fc.property(header, (given) => assert.deepEqual(decodeHeader(encodeHeader(given)), given)));
  });

  it('name an interface by its port in the upper bits and its adapter in the lower ones', () => {
    assert.equal(interfaceByte({ adapter_number: 2, port_number: 3 }), 0x32);
    const { ports } = nodeOf(switchRouterEmulator, { ethernet_adapters: 16 });
    assert.equal(new Set(ports.map(interfaceByte)).size, 64);
  });

  it('go where NETMAP says: every interface has its other end at the relay', () => {
    const ports = [
      { adapter_number: 0, port_number: 0 },
      { adapter_number: 1, port_number: 3 },
    ];
    assert.equal(netmapOf(5, ports), '517:0/0 5:0/0\n517:1/3 5:1/3\n');
  });
});

describe('the lock of a socket', () => {
  const LOCKS = `1: POSIX  ADVISORY  WRITE 1041 fe:00:2343659 0 EOF
2: FLOCK  ADVISORY  WRITE 77 00:19:99 0 EOF
3: POSIX  ADVISORY  READ -1 fe:00:12 1073741826 1073742335
3: -> POSIX  ADVISORY  WRITE 55 fe:00:13 0 EOF
`;

  it('is held by the process that the system names', () => {
    assert.equal(holderIn(LOCKS, 2343659), 1041);
    assert.equal(holderIn(LOCKS, 12), -1);
  });

  it('is not held by one that waits, or of another kind, or not there', () => {
    for (const inode of [13, 99, 1, 234]) assert.equal(holderIn(LOCKS, inode), null);
    assert.equal(holderIn('', 12), null);
  });
});

describe('application ids', () => {
  const [one, two] = [
    { node_id: 'a', name: 'SR1' },
    { node_id: 'b', name: 'SR2' },
  ];
  const must = (id: number) => ({ id, orAnother: false, last: null });
  const may = (id: number, last: number | null = null) => ({ id, orAnother: true, last });

  it('that were given are had by one node only, and the other hears by whom', async () => {
    const ids = createApplicationIds(async () => null);
    assert.equal(await ids.take(one, must(7)), 7);
    await assert.rejects(ids.take(two, must(7)), {
      code: 'conflict',
      message: /SR2: application_id 7 is in use by SR1/,
    });
    ids.release('a');
    assert.equal(await ids.take(two, must(7)), 7);
  });

  it('that others on this machine use are not taken', async () => {
    const ids = createApplicationIds(async (id) => (id < 9 ? 4711 : null));
    await assert.rejects(ids.take(one, must(7)), { code: 'conflict', message: /process 4711/ });
    assert.equal(await ids.take(one, may(7)), 9);
  });

  it('that nobody gave give way: to the one of the last run, then to the next', async () => {
    const ids = createApplicationIds(async () => null);
    ids.keep(one, 512);
    assert.equal(await ids.take(two, may(512)), 1);
    ids.release('b');
    assert.equal(await ids.take(two, may(512, 44)), 44);
    ids.release('b');
    assert.equal(await ids.take(two, may(512, 512)), 1);
  });

  it('are never given twice, also to those who ask at the same time', async () => {
    const ids = createApplicationIds(async () => null);
    const nodes = Array.from({ length: 40 }, (_, n) => ({ node_id: `${n}`, name: `SR${n}` }));
    const got = await Promise.all(nodes.map((node) => ids.take(node, may(3))));
    assert.equal(new Set(got).size, 40);
  });

  it('come to an end', async () => {
    const ids = createApplicationIds(async () => 1);
    await assert.rejects(ids.take(one, may(3)), { code: 'conflict', message: /all application ids from 1 to 512/ });
  });
});

describe('a licence file', () => {
  const of = (text: string) => faultOf(text, 'lab-7');

  it('has a key for this host', () => {
    assert.equal(of('[license]\nlab-7 = 0123456789abcdef;\n'), null);
    assert.equal(of('[other]\nx = y\n[LICENSE]\r\n# mine\r\nLAB-7=0123456789ABCDEF;\r\n[end]\r\n'), null);
  });

  it('is refused with what is wrong', () => {
    const bad: [string, RegExp][] = [
      ['', /no section \[license\]/],
      ['lab-7 = 0123456789abcdef;', /no section/],
      ['[license]\nlab-8 = 0123456789abcdef;', /no line for this host: lab-7/],
      ['[license]\n[x]\nlab-7 = 0123456789abcdef;', /no line for this host/],
      ['[license]\nlab-7 = 0123456789abcdef', /does not end with ;/],
      ['[license]\nlab-7 = 0123456789abcde;', /not 16 hexadecimal digits/],
      ['[license]\nlab-7 = 0123456789abcdeg;', /not 16 hexadecimal digits/],
    ];
    for (const [text, message] of bad) assert.match(of(text) ?? '', message);
  });
});

describe('the header of a program', () => {
  it('tells its processor and the loader that it needs', () => {
    assert.deepEqual(readElf(launcher('/bin/true', '/x')), { bits: 64, interpreter: null });
  });

  it('is none of ours for other processors, byte orders and files', () => {
    const change = (at: number, value: number): Buffer => {
      const bytes = launcher('/bin/true', '/x');
      bytes[at] = value;
      return bytes;
    };
    // The machine, the class, the byte order, the version, the magic number.
    for (const bytes of [change(18, 183), change(4, 1), change(4, 3), change(5, 2), change(6, 0), change(1, 0)])
      assert.equal(readElf(bytes), null);
    assert.equal(readElf(Buffer.from('#!/bin/sh\n'.repeat(20))), null);
    assert.equal(readElf(Buffer.alloc(3)), null);
  });
});

describe('arguments of a relay', () => {
  it('say all of its plan, whatever the image is called with', () => {
    const plan = {
      directory: '/run/x',
      applicationId: 12,
      ports: [
        { adapter_number: 0, port_number: 0 },
        { adapter_number: 15, port_number: 3 },
      ],
      keepalives: true,
      command: ['/images/l3 image.bin', '-e', '1', '--', '--id', '12'],
    };
    assert.deepEqual(readRelayArguments(relayArguments(plan)), plan);
    const none = { ...plan, ports: [], keepalives: false };
    assert.deepEqual(readRelayArguments(relayArguments(none)), none);
  });

  it('are not read into those of other programs', () => {
    for (const args of [
      [],
      ['--id', '3'],
      ['-i', '1', '-m', '5'],
      ['--directory', '/x', '--id', 'a', '--ports', '', 'b'],
    ])
      assert.equal(readRelayArguments(args), null);
  });
});
