import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  boundCards,
  cards,
  creation,
  type Nio,
  nios,
  niosOf,
  vmName,
} from '../../../src/emulators/router_emulator/hypervisor/commands.ts';
import {
  commandLine,
  consoleHost,
  hypervisorPort,
} from '../../../src/emulators/router_emulator/hypervisor/hypervisor.ts';
import { routerEmulator } from '../../../src/emulators/router_emulator/kind.ts';
import { type Settings, settingsOf } from '../../../src/emulators/router_emulator/schema.ts';
import type { Properties } from '../../../src/emulators/kit/contract.ts';
import { nodeOf } from '../sample.ts';

const settings = (given: Properties): Settings => settingsOf(nodeOf(routerEmulator, given).properties);
const lines = (commands: readonly (readonly unknown[])[]): string[] => commands.map((words) => words.join(' '));
const cardsOf = (given: Properties, bound: Record<number, string> = {}): string[] =>
  lines(cards('R1', settings(given), new Map(Object.entries(bound).map(([slot, card]) => [Number(slot), card]))));

describe('the making of a router', () => {
  it('tells all that a 3725 has', () => {
    const given = {
      ...{ platform: 'c3725', ram: 192, nvram: 300, iomem: 10, clock_divisor: 6, mmap: false, sparsemem: false },
      ...{ disk0: 16, disk1: 32, exec_area: 128, idlepc: '0x60c08728', system_id: 'FTX0', mac_addr: 'c201.0abc.0000' },
      dynamips_id: 7,
    };
    assert.deepEqual(lines(creation('R1', settings(given), '/images/IOS/a.image')), [
      'vm create R1 7 c3725',
      'c3725 set_mac_addr R1 c201.0abc.0000',
      'c3725 set_system_id R1 FTX0',
      'c3725 set_iomem R1 10',
      'vm set_ios R1 /images/IOS/a.image',
      'vm set_ram R1 192',
      'vm set_nvram R1 300',
      'vm set_ram_mmap R1 0',
      'vm set_sparse_mem R1 0',
      'vm set_clock_divisor R1 6',
      'vm set_disk0 R1 16',
      'vm set_disk1 R1 32',
      'vm set_exec_area R1 128',
      'vm set_idle_pc R1 0x60c08728',
    ]);
  });

  it('tells what only a 7200 has', () => {
    const given = {
      platform: 'c7200',
      npe: 'npe-300',
      midplane: 'std',
      sensors: [20, 21, 22, 90],
      power_supplies: [1, 0],
    };
    const told = lines(creation('R1', settings(given), '/i'));
    assert.deepEqual(
      told.filter((line) => /npe|midplane|sensor|supply/.test(line)),
      [
        'c7200 set_npe R1 npe-300',
        'c7200 set_midplane R1 std',
        ...['20', '21', '22', '90'].map((degrees, n) => `c7200 set_temp_sensor R1 ${n} ${degrees}`),
        'c7200 set_power_supply R1 0 1',
        'c7200 set_power_supply R1 1 0',
      ],
    );
    assert.ok(!told.some((line) => line.includes('iomem')));
  });

  it('sets the chassis, which brings the board, before anything that needs it', () => {
    const told = lines(creation('R1', settings({ platform: 'c3600', chassis: '3660' }), '/i'));
    assert.equal(told[1], 'c3600 set_chassis R1 3660');
    assert.ok(!lines(creation('R1', settings({ platform: 'c2691' }), '/i')).some((line) => /system_id/.test(line)));
  });
});

describe('the cards of a router', () => {
  it('are bound but for those that the chassis has brought', () => {
    assert.deepEqual(cardsOf({ platform: 'c3725', slot1: 'NM-4T' }, { 0: 'GT96100-FE' }), [
      'vm slot_add_binding R1 1 0 NM-4T',
    ]);
    assert.deepEqual(cardsOf({ platform: 'c7200', slot1: 'PA-4T+' }), [
      'vm slot_add_binding R1 0 0 C7200-IO-FE',
      'vm slot_add_binding R1 1 0 PA-4T+',
    ]);
  });

  it('replace a board that the router is not to have', () => {
    const given = { platform: 'c2600', chassis: '2610' };
    assert.deepEqual(cardsOf(given, { 0: 'CISCO2600-MB-1E' }), []);
    assert.deepEqual(cardsOf({ ...given, slot0: 'C2600-MB-2FE' }, { 0: 'CISCO2600-MB-1E' }), [
      'vm slot_remove_binding R1 0 0',
      'vm slot_add_binding R1 0 0 CISCO2600-MB-2FE',
    ]);
  });

  it('of the main board have the places 16, 32 and 48', () => {
    assert.deepEqual(cardsOf({ platform: 'c2691', wic0: 'WIC-1T', wic2: 'WIC-2T' }, { 0: 'GT96100-FE' }), [
      'vm slot_add_binding R1 0 16 WIC-1T',
      'vm slot_add_binding R1 0 48 WIC-2T',
    ]);
    assert.deepEqual(cardsOf({ platform: 'c1700', chassis: '1751', wic1: 'WIC-1ENET' }), [
      'vm slot_add_binding R1 0 32 WIC-1ENET',
    ]);
  });

  it('that are there are read off the list of bindings', () => {
    const found = boundCards(['0/0: GT96100-FE', '1/0: PA-4T+', 'something else']);
    assert.deepEqual(
      [...found],
      [
        [0, 'GT96100-FE'],
        [1, 'PA-4T+'],
      ],
    );
  });
});

describe('names in the hypervisor', () => {
  it('of NIOs tell a later server their ports', () => {
    const port = fc.integer({ min: 1, max: 65535 });
    const nio = fc.record(
      { adapter_number: fc.nat(6), port_number: fc.nat(63), port, fabricPort: port },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(nio), (all: Nio[]) => {
        const names = nios('R1', all)
          .filter(([module]) => module === 'nio')
          .map(([, , name]) => String(name));
        assert.deepEqual(niosOf([...names, 'somebody-elses']), all);
      }),
    );
  });

  it('of routers are words that need no quotes', () => {
    assert.equal(vmName('R1'), 'R1');
    assert.equal(vmName('core "west" #1'), 'core_west_1');
    assert.match(vmName('ü'), /^[\w.-]+$/);
  });
});

describe('the arguments of a hypervisor', () => {
  it('tell its control port and where its consoles are', () => {
    const argv = ['/bin/node', '/fake.js', '-N1', '-H', '127.0.0.1:30007'];
    assert.equal(hypervisorPort(argv), 30_007);
    assert.equal(hypervisorPort(['/bin/dynamips', '-P', '7200']), null);
    assert.equal(commandLine(argv), 'dynamips -N1 -H 127.0.0.1:30007');
    assert.equal(consoleHost(argv), '127.0.0.1');
    assert.equal(consoleHost([...argv, '--console-binding-addr', '0.0.0.0']), '127.0.0.1');
    assert.equal(consoleHost([...argv, '--console-binding-addr', '192.0.2.1']), '192.0.2.1');
  });
});
