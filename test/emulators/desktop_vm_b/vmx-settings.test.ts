import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  adapterValues,
  CLAIM,
  isSaved,
  loosen,
  parseVmx,
  serialValues,
  usesOf,
  vmnetOf,
} from '../../../src/emulators/desktop_vm_b/vmx-file.ts';
import { ethernetPort } from '../../../src/emulators/ports/ports.ts';

const vmxOf = (...lines: string[]) => parseVmx(Buffer.from(`${lines.join('\n')}\n`));
const port = ethernetPort('e2', 2, 0);

describe('settings of a VMware machine', () => {
  it('tell what its adapters lead to', () => {
    const vmx = vmxOf(
      ...['ethernet0.present = "TRUE"', 'ethernet0.connectionType = "nat"', 'ethernet1.present = "TRUE"'],
      ...['ethernet2.present = "FALSE"', 'ethernet2.connectionType = "nat"', 'ethernet3.present = "TRUE"'],
      ...['ethernet3.connectionType = "custom"', 'ethernet3.vnet = "/dev/vmnet12"'],
    );
    assert.deepEqual(usesOf(vmx, 5), ['nat', 'bridged', null, null, null]);
    assert.deepEqual([vmnetOf(vmx, 3), vmnetOf(vmx, 0), vmnetOf(vmx, 9)], ['vmnet12', null, null]);
  });

  it('put an adapter on a network, with its type', () => {
    const vmx = vmxOf('a = "b"');
    vmx.set(adapterValues(port, 'vmnet12', 'vmxnet3'));
    assert.equal(vmnetOf(vmx, 2), 'vmnet12');
    assert.equal(vmx.get('ethernet2.virtualDev'), 'vmxnet3');
    assert.equal(vmx.get('ethernet2.addressType'), null);
    assert.equal(adapterValues(port, 'vmnet12', 'default')['ethernet2.virtualDev'], undefined);
    assert.throws(() => adapterValues(port, 'vmnet12', 'ne2k'), { status: 409, message: /adapter_type ne2k.*vmxnet3/ });
  });

  it('give it a MAC address of its own only when the node has one, also outside VMware’s range', () => {
    const own = adapterValues({ ...port, mac_address: '0c:11:aa:bb:00:02' }, 'vmnet12', 'e1000');
    assert.equal(own['ethernet2.address'], '0c:11:aa:bb:00:02');
    assert.equal(own['ethernet2.addressType'], 'static');
    assert.equal(own['ethernet2.checkMACAddress'], 'FALSE');
  });

  it('are undone: adapters of the lab are loose, its serial line and its mark gone, all else is as it was', () => {
    const lines = ['ethernet0.present = "TRUE"', 'ethernet0.connectionType = "nat"', 'serial0.present = "TRUE"'];
    const vmx = vmxOf(...lines, 'serial0.fileName = "/dev/ttyS0"');
    const before = vmx.bytes().toString();
    loosen(vmx, '/run/serial');
    assert.equal(vmx.bytes().toString(), before);
    vmx.set({ ...adapterValues(port, 'vmnet12', 'e1000'), ...serialValues('/run/serial'), [CLAIM]: 'mine' });
    loosen(vmx, '/run/serial');
    assert.deepEqual(
      ['ethernet2.startConnected', 'serial0.present', CLAIM, 'ethernet0.startConnected'].map((key) => vmx.get(key)),
      ['FALSE', 'FALSE', null, null],
    );
  });

  it('tell a machine with its memory in a file', () => {
    assert.equal(isSaved(vmxOf('checkpoint.vmState = "one-1234.vmss"')), true);
    assert.equal(isSaved(vmxOf('checkpoint.vmState = ""')), false);
    assert.equal(isSaved(vmxOf('a = "b"')), false);
  });
});
