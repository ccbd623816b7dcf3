import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Properties } from '../../../src/emulators/kit/contract.ts';
import { type MachinePlan, qemuArguments } from '../../../src/emulators/machine_emulator/command-line.ts';
import { machineEmulator } from '../../../src/emulators/machine_emulator/kind.ts';
import { settingsOf } from '../../../src/emulators/machine_emulator/schema.ts';
import { NODE_ID, nodeOf } from '../sample.ts';

const SOCKETS = { monitor: '/run/q/monitor', serial: '/run/q/serial' };

const planOf = (properties: Properties = {}, changes: Partial<MachinePlan> = {}): MachinePlan => {
  const node = nodeOf(machineEmulator, { adapters: 0, ...properties });
  return {
    name: node.name,
    uuid: NODE_ID,
    settings: settingsOf(node.properties),
    accelerator: 'tcg',
    disks: [],
    cdrom: null,
    bios: null,
    kernel: null,
    initrd: null,
    nics: node.ports.map((port) => ({
      adapter: port.adapter_number,
      type: port.adapter_type ?? '',
      mac: port.mac_address ?? '',
      socket: `/run/q/n${port.adapter_number}`,
    })),
    console: { type: 'none' },
    sockets: SOCKETS,
    saved: null,
    ...changes,
  };
};

/** The arguments that the second plan has in place of some of the first. */
const added = (properties: Properties, changes: Partial<MachinePlan> = {}): string => {
  const without = qemuArguments(planOf());
  const args = qemuArguments(planOf(properties, changes));
  while (args[0] === without[0] && args.length > 0) {
    args.shift();
    without.shift();
  }
  while (args.at(-1) === without.at(-1) && args.length > 0) {
    args.pop();
    without.pop();
  }
  return args.join(' ');
};

const disk = (letter: 'a' | 'b' | 'c' | 'd', of: string): MachinePlan['disks'][number] => ({
  disk: `hd${letter}`,
  interface: of,
  path: `/i/${letter}.qcow2`,
  format: 'qcow2',
});

describe('the command line of a machine', () => {
  it('is halted at first and controlled by its monitor', () => {
    assert.equal(
      qemuArguments(planOf()).join(' '),
      `-name guest=N1 -uuid ${NODE_ID} -no-user-config -display none -monitor none -S -accel tcg -m 256M -smp cpus=1 ` +
        '-boot order=c -qmp unix:/run/q/monitor,server=on,wait=off -nic none',
    );
  });

  const cases: [string, Properties, Partial<MachinePlan>, string][] = [
    ['memory', { ram: 1024 }, {}, '1024M'],
    ['processors', { cpus: 4 }, {}, 'cpus=4'],
    ['boot order', { boot_priority: 'cd' }, {}, 'order=cd'],
    ['KVM', {}, { accelerator: 'kvm' }, 'kvm'],
    ['BIOS', {}, { bios: '/i/bios.bin' }, '-bios /i/bios.bin'],
    [
      'kernel with its command line',
      { kernel_command_line: 'console=ttyS0 root=/dev/sda' },
      { kernel: '/i/k', initrd: '/i/r' },
      '-kernel /i/k -initrd /i/r -append console=ttyS0 root=/dev/sda',
    ],
    ['command line without a kernel', { kernel_command_line: 'quiet' }, {}, ''],
    ['options', { options: '-vga none -smbios "type=1,serial=a b"' }, {}, '-vga none -smbios type=1,serial=a b'],
    ['saved state', {}, { saved: 'vm-state' }, '-incoming exec:cat <vm-state'],
    [
      'serial console',
      {},
      { console: { type: 'serial' } },
      '-chardev socket,id=serial0,path=/run/q/serial,server=on,wait=off -serial chardev:serial0',
    ],
    ['screen by VNC', {}, { console: { type: 'vnc', host: '127.0.0.1', port: 5907 } }, '-vnc 127.0.0.1:7'],
    ['screen by VNC over IPv6', {}, { console: { type: 'vnc', host: '::1', port: 5900 } }, '-vnc [::1]:0'],
    [
      'screen by SPICE',
      {},
      { console: { type: 'spice', host: '127.0.0.1', port: 6000, agent: false } },
      '-spice addr=127.0.0.1,port=6000,disable-ticketing=on -vga qxl',
    ],
    [
      'CD-ROM',
      {},
      { cdrom: { path: '/i/a,b.iso', format: 'raw' } },
      '-drive file=/i/a,,b.iso,format=raw,if=ide,index=2,media=cdrom,id=cdrom',
    ],
    [
      'CD-ROM beside three IDE disks',
      {},
      { cdrom: { path: '/i/c', format: 'raw' }, disks: [disk('a', 'ide'), disk('b', 'virtio'), disk('c', 'ide')] },
      '-drive file=/i/a.qcow2,format=qcow2,if=ide,index=0,media=disk,id=hda ' +
        '-drive file=/i/b.qcow2,format=qcow2,if=virtio,index=0,media=disk,id=hdb ' +
        '-drive file=/i/c.qcow2,format=qcow2,if=ide,index=2,media=disk,id=hdc ' +
        '-drive file=/i/c,format=raw,if=ide,index=3,media=cdrom,id=cdrom',
    ],
  ];
  for (const [what, properties, changes, expected] of cases)
    it(`has its ${what}`, () => assert.equal(added(properties, changes), expected));

  it('attaches a disk to every interface there is, and names them when it is another', () => {
    const of = (name: string): string => added({}, { disks: [disk('b', name)] });
    for (const bus of ['ide', 'sd', 'mtd', 'floppy', 'pflash', 'virtio'])
      assert.equal(
        of(bus),
        `-drive file=/i/b.qcow2,format=qcow2,if=${bus},index=${bus === 'ide' ? 1 : 0},media=disk,id=hdb`,
      );
    const drive = '-drive file=/i/b.qcow2,format=qcow2,if=none,media=disk,id=hdb';
    assert.equal(of('none'), drive);
    assert.equal(of('scsi'), `${drive} -device virtio-scsi-pci,id=scsi-hdb -device scsi-hd,bus=scsi-hdb.0,drive=hdb`);
    assert.equal(of('sata'), `${drive} -device ahci,id=ahci-hdb -device ide-hd,bus=ahci-hdb.0,drive=hdb`);
    assert.equal(of('nvme'), `${drive} -device nvme,drive=hdb,serial=hdb`);
    assert.equal(of('usb'), `${drive} -device qemu-xhci,id=usb-hdb -device usb-storage,bus=usb-hdb.0,drive=hdb`);
    assert.throws(() => of('mfm'), { status: 409, message: /hdb_disk_interface mfm is not known; possible: ide, / });
  });

  it('refuses a CD-ROM that finds no place', () => {
    const disks = (['a', 'b', 'c', 'd'] as const).map((letter) => disk(letter, 'ide'));
    assert.throws(() => added({}, { disks, cdrom: { path: '/c', format: 'raw' } }), { message: /cdrom_image has no/ });
  });

  it('has an adapter of its type and MAC address for each port', () => {
    const nic = (n: number, mac: string): string =>
      `-netdev stream,id=net${n},server=on,addr.type=unix,addr.path=/run/q/n${n} ` +
      `-device e1000,id=nic${n},netdev=net${n},mac=${mac},romfile=`;
    assert.equal(
      added({ adapters: 2, mac_address: '0c:00:00:00:00:ff' }),
      `${nic(0, '0c:00:00:00:00:ff')} ${nic(1, '0c:00:00:00:01:00')}`,
    );
  });

  it('leaves boot ROMs where the machine boots from the network, and to devices that have one', () => {
    assert.doesNotMatch(added({ adapters: 1, boot_priority: 'n' }), /romfile/);
    assert.match(added({ adapters: 1, boot_priority: 'd' }), /e1000.*romfile=$/);
    assert.doesNotMatch(added({ adapters: 1, adapter_type: 'usb-net' }), /romfile/);
  });

  it('speaks the legacy syntax of adapters where it is told to', () => {
    assert.match(
      added({ adapters: 1, legacy_networking: true, mac_address: '0c:00:00:00:00:01' }),
      /-net nic,netdev=net0,model=e1000,macaddr=0c:00:00:00:00:01$/,
    );
  });

  it('puts more adapters than the root bus has slots behind bridges, each slot once', () => {
    const args = qemuArguments(planOf({ adapters: 275 }));
    const places = args.filter((arg) => arg.startsWith('e1000')).map((arg) => /bus=(\w+),addr=(\w+)/.exec(arg)?.[0]);
    assert.equal(places.length, 275);
    const behind = places.filter((place) => place !== undefined);
    assert.equal(new Set(behind).size, behind.length);
    const bridges = args.filter((arg) => arg.startsWith('pci-bridge')).length;
    assert.ok(places.length - behind.length + bridges < 24);
    for (const place of behind) {
      const [, bridge = '', slot = ''] = /bridge(\d+),addr=0x(\w+)/.exec(place) ?? [];
      assert.ok(Number(bridge) < bridges && parseInt(slot, 16) > 0 && parseInt(slot, 16) < 32);
    }
  });

  it('has a machine where the platform has none of its own, unless the options name one', () => {
    assert.match(qemuArguments(planOf({ platform: 'aarch64' })).join(' '), /-machine virt/);
    const named = qemuArguments(planOf({ platform: 'arm', options: '-M raspi2b' })).join(' ');
    assert.doesNotMatch(named, /-machine/);
  });

  it('doubles commas, so that a name is no option', () => {
    assert.match(qemuArguments(planOf({}, { name: 'a,process=b' })).join(' '), /guest=a,,process=b /);
  });

  it('refuses options that would take the machine out of our hands', () => {
    assert.throws(() => qemuArguments(planOf({ options: '-daemonize' })), { status: 409, message: /-daemonize/ });
    assert.throws(() => qemuArguments(planOf({ options: '-name "x' })), { status: 409, message: /options has a "/ });
  });
});
