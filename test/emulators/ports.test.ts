import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Kind, Port, PortNaming, Properties } from '../../src/emulators/kit/contract.ts';
import { fillFormat } from '../../src/emulators/ports/port-format.ts';
import { macPlus, shortName } from '../../src/emulators/ports/ports.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { PLATFORMS } from '../../src/emulators/router_emulator/platforms.ts';
import { IDENTITY, LEAST, naming } from './sample.ts';

const kinds = createKinds();
const kindOf = (name: string): Kind => {
  const kind = kinds.get(name);
  assert.ok(kind);
  return kind;
};
const portsOf = (name: string, given: Properties = {}, changes: Partial<PortNaming> = {}): Port[] => {
  const kind = kindOf(name);
  return kind.ports(kind.complete({ ...LEAST[name], ...given }, IDENTITY), naming(kind, changes));
};
/** `name (short) adapter/port` */
const shown = (ports: Port[]): string[] =>
  ports.map((port) => `${port.name} (${port.short_name}) ${port.adapter_number}/${port.port_number}`);
const names = (ports: Port[]): string[] => ports.map((port) => port.name);

describe('names of adapters', () => {
  const vm = (format: string, size = 0, more: Partial<PortNaming> = {}) =>
    names(portsOf('machine_emulator', { adapters: 6 }, { port_name_format: format, port_segment_size: size, ...more }));

  it('count from zero, or from the number of the placeholder', () => {
    assert.deepEqual(vm('Ethernet{0}').slice(0, 3), ['Ethernet0', 'Ethernet1', 'Ethernet2']);
    assert.deepEqual(vm('Gi{port1}').slice(0, 3), ['Gi1', 'Gi2', 'Gi3']);
    assert.deepEqual(vm('eth{adapter}').slice(4), ['eth4', 'eth5']);
  });

  it('begin a new segment after as many ports as it has', () => {
    const expected = ['Gi0/0', 'Gi0/1', 'Gi0/2', 'Gi0/3', 'Gi1/0', 'Gi1/1'];
    assert.deepEqual(vm('Gi{1}/{0}', 4), expected);
    assert.deepEqual(vm('Gi{segment0}/{port0}', 4), expected);
    assert.deepEqual(vm('ge-{segment1}/0/{port2}', 4).slice(3, 5), ['ge-1/0/5', 'ge-2/0/2']);
  });

  it('give the first port a name of its own, which uses up no number', () => {
    assert.deepEqual(vm('Gi0/{0}', 0, { first_port_name: 'MgmtEth0' }).slice(0, 3), ['MgmtEth0', 'Gi0/0', 'Gi0/1']);
    assert.deepEqual(vm('Gi0/{0}', 0, { first_port_name: '' })[0], 'Gi0/0');
  });

  it('refuse placeholders that nothing fills, and say which', () => {
    assert.throws(() => fillFormat('Gi{slot}', 0, 0, 0), {
      code: 'invalid_request',
      message: /\{slot\}.*\{segment0\.\.8\}/,
    });
    assert.throws(() => fillFormat('Gi{port9}', 0, 0, 0), /\{port9\}/);
  });

  it('take the format specifications of Python for integers', () => {
    assert.deepEqual(vm('Gi{0:02d}').slice(0, 2), ['Gi00', 'Gi01']);
    assert.deepEqual(vm('Gi{segment1:02d}/{port0:02d}', 4).slice(3, 5), ['Gi01/03', 'Gi02/00']);
    const made = (spec: string): string => fillFormat(`{0:${spec}}|{adapter:${spec}}`, 5, 0, 43);
    // By Python 3.11.
    const expected = {
      '': '5|43',
      d: '5|43',
      n: '5|43',
      '02': '05|43',
      '3d': '  5| 43',
      '<3': '5  |43 ',
      '^4': ' 5  | 43 ',
      '>3': '  5| 43',
      '*>4d': '***5|**43',
      'x^5': 'xx5xx|x43xx',
      '=+4': '+  5|+ 43',
      '0=+4': '+005|+043',
      '+': '+5|+43',
      '-': '5|43',
      ' d': ' 5| 43',
      '<04': '5000|4300',
      '*<04': '5***|43**',
      b: '101|101011',
      o: '5|53',
      x: '5|2b',
      X: '5|2B',
      '#x': '0x5|0x2b',
      '#X': '0X5|0X2B',
      '#o': '0o5|0o53',
      '#b': '0b101|0b101011',
      '#06x': '0x0005|0x002b',
      '+#8x': '    +0x5|   +0x2b',
      '08b': '00000101|00101011',
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((spec) => [spec, made(spec)])), expected);
  });

  it('count {} and mean a brace by two, as Python does', () => {
    assert.equal(fillFormat('{}/{}', 5, 2, 0), '5/2');
    assert.equal(fillFormat('{{{0}}}', 5, 2, 0), '{5}');
    assert.equal(fillFormat('{{0}}', 5, 2, 0), '{0}');
  });

  it('refuse specifications that no integer has, and those wider than a name', () => {
    for (const spec of ['.2', 's', 'e', 'c', '02 d', '{1}', 'd0', '__', '033', '9'.repeat(40)])
      assert.throws(
        () => fillFormat(`Gi{0:${spec}}`, 0, 0, 0),
        {
          code: 'invalid_request',
          message: /port_name_format: .* is no format of Python for an integer of at most 32 characters, such as 02d/,
        },
        spec,
      );
    assert.equal(fillFormat('{0:32}', 5, 0, 0).length, 32);
    for (const format of ['{0!r}', '{0.real}', '{0[0]}', '{:02d:}']) assert.throws(() => fillFormat(format, 0, 0, 0));
  });

  it('are those of the usual format where that is empty', () => {
    assert.deepEqual(vm('').slice(0, 2), ['Ethernet0', 'Ethernet1']);
  });

  it('shorten by the type of interface only', () => {
    const long = [
      'Ethernet0',
      'FastEthernet0/1',
      'GigabitEthernet1/0',
      'Serial2/3',
      'ATM1/0',
      'POS2/0',
      'Gi0/1',
      'Ethernet',
    ];
    assert.deepEqual(long.map(shortName), ['e0', 'f0/1', 'g1/0', 's2/3', 'a1/0', 'p2/0', 'Gi0/1', 'Ethernet']);
  });
});

describe('MAC addresses', () => {
  it('count up from that of the node, with carry and around the end', () => {
    assert.equal(macPlus('0c:24:b1:54:00:fe', 3), '0c:24:b1:54:01:01');
    assert.equal(macPlus('FF-FF-FF-FF-FF-FF', 1), '00:00:00:00:00:00');
    const ports = portsOf('machine_emulator', { adapters: 3, mac_address: '0c:24:b1:54:00:ff' });
    assert.deepEqual(
      ports.map((port) => port.mac_address),
      ['0c:24:b1:54:00:ff', '0c:24:b1:54:01:00', '0c:24:b1:54:01:01'],
    );
    assert.deepEqual(
      ports.map((port) => port.adapter_type),
      ['e1000', 'e1000', 'e1000'],
    );
  });

  it('and names are as for all adapters where one has an empty text', () => {
    const blank = { adapter_number: 0, port_name: '', adapter_type: '', mac_address: '' };
    const changes = { custom_adapters: [blank], port_name_format: 'Gi{0}' };
    const [port] = portsOf('machine_emulator', { mac_address: '0c:24:b1:54:00:ff' }, changes);
    assert.deepEqual([port?.name, port?.adapter_type, port?.mac_address], ['Gi0', 'e1000', '0c:24:b1:54:00:ff']);
  });

  it("and types and names can be an adapter's own", () => {
    const own = {
      adapter_number: 1,
      port_name: 'mgmt',
      adapter_type: 'virtio-net-pci',
      mac_address: '00:00:00:00:00:01',
    };
    const [first, second] = portsOf('machine_emulator', { adapters: 2 }, { custom_adapters: [own] });
    assert.equal(first?.name, 'Ethernet0');
    assert.deepEqual(
      [second?.name, second?.adapter_type, second?.mac_address],
      ['mgmt', 'virtio-net-pci', '00:00:00:00:00:01'],
    );
  });
});

describe('ports of the simpler kinds', () => {
  it('are one Ethernet port of a simple PC and of a trace tool', () => {
    for (const name of ['simple_pc', 'trace_tool']) assert.deepEqual(shown(portsOf(name)), ['Ethernet0 (e0) 0/0']);
  });

  it('are named eth and on an adapter each of a container', () => {
    assert.deepEqual(shown(portsOf('container', { adapters: 2 })), ['eth0 (eth0) 0/0', 'eth1 (eth1) 1/0']);
  });

  it('are on adapter 0 and numbered by their place, whatever a list of a switch or hub numbers them', () => {
    const ports_mapping = [
      { name: 'uplink', port_number: 4, type: 'dot1q', vlan: 1 },
      { name: 'Ethernet9', port_number: 9, type: 'access', vlan: 1 },
    ];
    assert.deepEqual(shown(portsOf('ethernet_switch', { ports_mapping })), ['uplink (e0) 0/0', 'Ethernet9 (e1) 0/1']);
    assert.equal(portsOf('ethernet_switch').length, 8);
    assert.deepEqual(shown(portsOf('ethernet_hub')).at(-1), 'Ethernet7 (e7) 0/7');
  });

  it('are refused when a list has a number twice', () => {
    const twice = { name: 'e', port_number: 1 };
    assert.throws(() => portsOf('ethernet_hub', { ports_mapping: [twice, twice] }), /port_number 1 is there twice/);
  });

  it('are those that the circuits of a frame relay or ATM switch need, in order', () => {
    const ports = portsOf('frame_relay_switch', { mappings: { '10:101': '2:201', '1:102': '10:103' } });
    assert.deepEqual(shown(ports), ['1 (1) 0/1', '2 (2) 0/2', '10 (10) 0/10']);
    assert.ok(ports.every((port) => port.link_type === 'serial'));
    assert.deepEqual(ports[0]?.data_link_types, { 'Frame Relay': 'DLT_FRELAY' });
    const atm = portsOf('atm_switch', { mappings: { '1:10:100': '2:20:200' } });
    assert.deepEqual(atm[0]?.data_link_types, { ATM: 'DLT_ATM_RFC1483' });
    assert.deepEqual(portsOf('atm_switch'), []);
  });

  it('are refused with the circuit that cannot be', () => {
    const bad: [string, Record<string, string>, RegExp][] = [
      ['frame_relay_switch', { '1:101': '2' }, /"2" must be like/],
      ['frame_relay_switch', { '1:1024': '2:1' }, /1:1024/],
      ['frame_relay_switch', { '1:101': '1:101' }, /leads to itself/],
      ['frame_relay_switch', { '1:101': '2:201', '3:301': '2:201' }, /2:201 leads to 1:101 and to 3:301/],
      ['atm_switch', { '1:10': '2:20:200' }, /both/],
    ];
    for (const [name, mappings, message] of bad)
      assert.throws(() => portsOf(name, { mappings }), { code: 'invalid_request', message });
  });

  it('are four an adapter of a switch-router, the serial ones last', () => {
    const ports = portsOf('switch_router_emulator', { ethernet_adapters: 2, serial_adapters: 1 });
    assert.deepEqual(shown(ports).slice(3, 5), ['Ethernet0/3 (e0/3) 0/3', 'Ethernet1/0 (e1/0) 1/0']);
    assert.deepEqual(shown(ports).slice(8), [
      'Serial2/0 (s2/0) 2/0',
      'Serial2/1 (s2/1) 2/1',
      'Serial2/2 (s2/2) 2/2',
      'Serial2/3 (s2/3) 2/3',
    ]);
    assert.deepEqual(Object.values(ports[8]?.data_link_types ?? {}), ['DLT_FRELAY', 'DLT_C_HDLC', 'DLT_PPP_SERIAL']);
    assert.throws(() => portsOf('switch_router_emulator', { ethernet_adapters: 10, serial_adapters: 7 }), /16 at most/);
    assert.equal(portsOf('switch_router_emulator', { ethernet_adapters: 16 }).length, 64);
  });
});

describe('ports of routers', () => {
  const router = (given: Properties) => portsOf('router_emulator', given);

  it('are those of the board and of the cards in the slots', () => {
    const ports = router({ platform: 'c3600', chassis: '3660', slot0: 'Leopard-2FE', slot1: 'NM-4E', slot2: null });
    assert.deepEqual(shown(ports), [
      'FastEthernet0/0 (f0/0) 0/0',
      'FastEthernet0/1 (f0/1) 0/1',
      'Ethernet1/0 (e1/0) 1/0',
      'Ethernet1/1 (e1/1) 1/1',
      'Ethernet1/2 (e1/2) 1/2',
      'Ethernet1/3 (e1/3) 1/3',
    ]);
  });

  it('of interface cards are on adapter 0 from port 16 on, sixteen a card', () => {
    const ports = router({ platform: 'c3725', wic0: 'WIC-2T', wic2: 'WIC-1T' });
    assert.deepEqual(shown(ports).slice(2), [
      'Serial0/0 (s0/0) 0/16',
      'Serial0/1 (s0/1) 0/17',
      'Serial0/2 (s0/2) 0/48',
    ]);
    assert.equal(ports[2]?.link_type, 'serial');
  });

  it('have no slot in their names on the small chassis', () => {
    const ports = router({ platform: 'c1700', chassis: '1721', wic0: 'WIC-1ENET' });
    assert.deepEqual(shown(ports), ['FastEthernet0 (f0) 0/0', 'Ethernet0 (e0) 0/16']);
    assert.equal(router({ platform: 'c1700', chassis: '1760' })[0]?.name, 'FastEthernet0/0');
  });

  it('are Gigabit Ethernet, ATM and POS where the cards are', () => {
    const ports = router({ platform: 'c7200', slot0: 'C7200-IO-GE-E', slot1: 'PA-A1', slot2: 'PA-POS-OC3' });
    assert.deepEqual(shown(ports), ['GigabitEthernet0/0 (g0/0) 0/0', 'ATM1/0 (a1/0) 1/0', 'POS2/0 (p2/0) 2/0']);
    assert.deepEqual(
      ports.map((port) => port.link_type),
      ['ethernet', 'serial', 'serial'],
    );
    assert.deepEqual(ports[1]?.data_link_types, { ATM: 'DLT_ATM_RFC1483' });
  });

  it('exist for every card of every platform and chassis', () => {
    for (const [platform, of] of Object.entries(PLATFORMS))
      for (const chassis of of.chassis.length === 0 ? [''] : of.chassis)
        for (const [slot, { cards }] of of.slots(chassis).entries())
          for (const card of cards) {
            const kind = kindOf('router_emulator');
            const given = { platform, chassis, image: 'i', ram: 128, [`slot${slot}`]: card };
            const properties = kind.complete(given, IDENTITY);
            assert.ok(kind.create.safeParse({ name: 'R1', ...given }).success);
            const ports = kind.ports(properties, naming(kind));
            // The carrier of interface cards has none of its own.
            assert.equal(
              ports.some((port) => port.adapter_number === slot),
              card !== 'C1700-MB-WIC1',
              `${platform} ${chassis} ${card}`,
            );
            assert.deepEqual(kind.complete(properties, IDENTITY), properties);
          }
  });

  it('refuse cards that do not fit, and say which do', () => {
    assert.throws(
      () => router({ platform: 'c3725', slot1: 'PA-4E' }),
      /slot1 of this c3725 takes NM-1FE-TX, NM-4T, NM-16ESW, not PA-4E/,
    );
    assert.throws(() => router({ platform: 'c3725', slot3: 'NM-4T' }), /slot3 of this c3725 does not exist/);
    assert.throws(() => router({ platform: 'c3600', wic0: 'WIC-1T' }), /wic0 of this c3600 does not exist/);
    assert.throws(() => router({ platform: 'c1700', wic2: 'WIC-1T' }), /wic2 of this c1700 does not exist/);
    assert.throws(
      () => router({ platform: 'c3600', chassis: '3725' }),
      /chassis of a c3600 must be one of 3640, 3620, 3660/,
    );
    assert.throws(() => router({ platform: 'c9999' }), /platform/);
  });
});
