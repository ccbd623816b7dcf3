import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atmSwitch } from '../../src/emulators/atm_switch/kind.ts';
import { cloud } from '../../src/emulators/cloud/kind.ts';
import { container } from '../../src/emulators/container/kind.ts';
import type { Kind, Properties } from '../../src/emulators/kit/contract.ts';
import { desktopVmB } from '../../src/emulators/desktop_vm_b/kind.ts';
import { refuseHostUses } from '../../src/emulators/kit/host-uses.ts';
import { machineEmulator } from '../../src/emulators/machine_emulator/kind.ts';
import { routerEmulator } from '../../src/emulators/router_emulator/kind.ts';
import { simplePc } from '../../src/emulators/simple_pc/kind.ts';
import { switchRouterEmulator } from '../../src/emulators/switch_router_emulator/kind.ts';
import { traceTool } from '../../src/emulators/trace_tool/kind.ts';
import { IDENTITY, LEAST } from './sample.ts';

const usesOf = (kind: Kind, given: Properties = {}): string[] =>
  kind.hostUses(kind.complete({ ...LEAST[kind.name], ...given }, IDENTITY)).map(({ field }) => field);

describe('uses of the server’s machine', () => {
  it('are none by what a kind has by itself', () => {
    for (const kind of [simplePc, atmSwitch, machineEmulator, container, cloud, traceTool, routerEmulator])
      assert.deepEqual(usesOf(kind), [], kind.name);
  });

  it('are options of a machine that are not known to stay inside it', () => {
    for (const options of [
      '-drive file=/etc/shadow,format=raw',
      '-hda /etc/shadow',
      '--hdb /etc/shadow',
      '/etc/shadow',
      'disk.img',
      '-netdev user,id=n,hostfwd=tcp::2222-:22',
      '-net tap',
      '-nic tap',
      '-chardev file,id=c,path=/tmp/x',
      '-serial file:/tmp/x',
      '-serial tcp::4444,server',
      '-monitor stdio',
      '-monitor tcp::4444,server,nowait',
      '-qmp tcp::4444,server',
      '-object memory-backend-file,id=m,mem-path=/dev/shm/x,size=1M',
      '-fsdev local,id=f,path=/,security_model=none',
      '-virtfs local,path=/,mount_tag=x,security_model=none',
      '-readconfig /tmp/x',
      '-writeconfig /tmp/x',
      '-D /tmp/log',
      '-pidfile /tmp/x',
      '-L /tmp',
      '-bios /etc/shadow',
      '-kernel /etc/shadow',
      '-fw_cfg name=opt/x,file=/etc/shadow',
      '-smbios file=/etc/shadow',
      '-smbios type=11,path=/etc/shadow',
      '-acpitable file=/etc/shadow',
      '-machine q35,dumpdtb=/tmp/x',
      '-machine dtb=/etc/shadow',
      '-M pc,kernel=/etc/shadow',
      '-boot order=c,splash=/etc/shadow',
      '-cpu host -drive file=/etc/shadow',
      '-cpu "host -drive"',
      '-k ../../../etc/shadow',
      '-device e1000,romfile=/etc/shadow',
      '-device loader,file=/etc/shadow',
      '-device usb-tablet,id=x,,romfile=/etc/shadow',
      '-device vfio-pci,host=00:02.0',
      '-usbdevice disk:/dev/sda',
      '-device usb-host,hostbus=1',
      '-global e1000.romfile=/etc/shadow',
      '-icount shift=1,rr=record,rrfile=/tmp/x',
      '-accel tcg,plugin=/tmp/x.so',
      '-plugin /tmp/x.so',
      '-vnc :0',
      '-spice port=1,disable-ticketing=on',
      '-display vnc=:1',
      '-daemonize',
      '-runas root',
      '-chroot /',
      '-run-with chroot=/',
      '-sandbox off',
      '-incoming exec:id',
      '-trace file=/tmp/x',
      '-fw_cfg name=opt/a,file=/etc/passwd',
      '-fw_cfg name=opt/a,string=x,file=/etc/passwd',
      '-serial ${X}',
      '${X} -nographic',
      '-cpu',
      '-',
      '--',
      "-name 'unclosed",
      '-constructor',
      '-toString',
    ])
      assert.deepEqual(usesOf(machineEmulator, { options }), ['options'], options);
  });

  it('are not the options of a machine that only shape it', () => {
    for (const options of [
      '',
      '-nographic',
      '-cpu host,+vmx,-sse4.2,hv-time=on -smp 4,sockets=1,cores=4 -machine q35,accel=kvm:tcg,usb=off',
      '--machine type=pc-i440fx-2.12,kernel_irqchip=on --no-reboot -enable-kvm',
      '-accel tcg,thread=multi -rtc base=utc,clock=host,driftfix=slew -boot order=dc,menu=on,splash-time=5000',
      '-vga std -usb -device usb-tablet -device virtio-rng-pci,bus=pci.0,addr=0x7 -usbdevice tablet',
      '-smbios type=1,product=vEOS,serial=123 -uuid 4c4c4544-0031-4a10-8052-b4c04f4b5931 -m 2048M',
      '-serial none -monitor none -parallel none -display none -nodefaults -no-acpi -no-hpet',
      '-smbios type=1,serial=%vm-name% -fw_cfg name=opt/host,string=${NAME} -fw_cfg name=opt/a.b/c,string=x,,y',
      '-watchdog i6300esb -watchdog-action reset -icount shift=7,sleep=off -k en-us -g 1024x768',
    ])
      assert.deepEqual(usesOf(machineEmulator, { options }), [], options);
  });

  it('are programs, images and adapters of a machine that are more than a name', () => {
    for (const [field, value] of [
      ['qemu_path', '/bin/sh'],
      ['qemu_path', '/tmp/qemu-system-x86_64'],
      ['qemu_path', '/usr/bin/../../tmp/qemu-system-x86_64'],
      ['qemu_path', './qemu-system-x86_64'],
      ['hda_disk_image', '/etc/shadow'],
      ['cdrom_image', '../../../etc/shadow'],
      ['bios_image', 'a/../../b'],
      ['initrd', 'C:\\Windows\\x'],
      ['adapter_type', 'e1000,romfile=/etc/shadow'],
    ] as const)
      assert.deepEqual(usesOf(machineEmulator, { [field]: value }), [field], value);
    const named = {
      ...{ qemu_path: '/usr/bin/qemu-system-x86_64', hda_disk_image: 'vendor/a.qcow2', adapter_type: 'virtio-net-pci' },
      ...{ cdrom_image: 'a..b.iso' },
    };
    assert.deepEqual(usesOf(machineEmulator, named), []);
  });

  it('are ports of a cloud at interfaces, paths of images of other kinds, and traces from the server itself', () => {
    const port = { name: 'eth0', port_number: 0, interface: 'eth0' };
    const udp = { name: 'udp', port_number: 1, type: 'udp', lport: 20000, rhost: '127.0.0.1', rport: 20001 };
    for (const type of ['ethernet', 'tap'])
      assert.deepEqual(usesOf(cloud, { ports_mapping: [udp, { ...port, type }] }), ['ports_mapping'], type);
    assert.deepEqual(usesOf(cloud, { ports_mapping: [udp] }), []);
    assert.deepEqual(usesOf(desktopVmB, { vmx_path: '/home/x/a.vmx' }), ['vmx_path']);
    assert.deepEqual(usesOf(desktopVmB, { vmx_path: 'a.vmx' }), []);
    assert.deepEqual(usesOf(routerEmulator, { image: '/etc/shadow' }), ['image']);
    assert.deepEqual(usesOf(switchRouterEmulator, { path: '/bin/sh' }), ['path']);
    assert.deepEqual(usesOf(switchRouterEmulator, { path: '../../bin/sh' }), ['path']);
    assert.deepEqual(usesOf(switchRouterEmulator), []);
    assert.deepEqual(usesOf(traceTool, { engine: 'system' }), ['engine']);
    assert.deepEqual(usesOf(traceTool, { engine: 'embedded' }), []);
  });

  it('are refused with the field and what permits them, unless the node had them before', () => {
    const had = { options: '-drive file=/etc/shadow' };
    assert.throws(() => refuseHostUses(machineEmulator, had), {
      code: 'forbidden',
      status: 403,
      message: /^options: -drive is not among those that stay in the machine; only a server started with --local/,
    });
    refuseHostUses(machineEmulator, { ...had, ram: 512 }, had);
    assert.throws(() => refuseHostUses(machineEmulator, { options: '-hda /etc/passwd' }, had), { status: 403 });
    assert.throws(() => refuseHostUses(machineEmulator, { ...had, qemu_path: '/bin/sh' }, had), /qemu_path/);
  });
});
