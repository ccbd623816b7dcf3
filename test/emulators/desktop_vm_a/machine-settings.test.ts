import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nicType, serialOptions, tunnelOptions } from '../../../src/emulators/desktop_vm_a/machine-settings.ts';
import { ethernetPort } from '../../../src/emulators/ports/ports.ts';

describe('settings of a VirtualBox machine', () => {
  const tunnel = { adapter: 1, fabric: 30_002, peer: 30_001 };

  it('make an adapter a UDP tunnel, counted from 1', () => {
    const options = tunnelOptions([tunnel], [ethernetPort('e1', 1, 0)], '82545EM', new Map([[1, true]]));
    assert.equal(
      options.join(' '),
      '--nic2 generic --nicgenericdrv2 UDPTunnel --nicproperty2 dest=127.0.0.1 --nicproperty2 sport=30001 ' +
        '--nicproperty2 dport=30002 --cableconnected2 on --nictype2 82545EM --nicpromisc2 allow-all',
    );
  });

  it('pull the cable of one without a link, or with a suspended one', () => {
    for (const wired of [new Map<number, boolean>(), new Map([[1, false]])])
      assert.match(tunnelOptions([tunnel], [], '82545EM', wired).join(' '), /--cableconnected2 off/);
  });

  it('give an adapter the type and the address of its own', () => {
    const port = { ...ethernetPort('e1', 1, 0), adapter_type: 'virtio', mac_address: '0c:11:aa:bb:00:01' };
    assert.match(
      tunnelOptions([tunnel], [port], '82545EM', new Map()).join(' '),
      /--nictype2 virtio --nicpromisc2 allow-all --macaddress2 0C11AABB0001$/,
    );
  });

  it('take the names of records and those of VirtualBox, in any case', () => {
    assert.equal(nicType('Intel PRO/1000 MT Desktop (82540EM)'), '82540EM');
    assert.equal(nicType('PCNet-PCI II (Am79C970A)'), 'Am79C970A');
    assert.equal(nicType('VirtIO'), 'virtio');
    assert.throws(() => nicType('e1000'), { status: 409, message: /adapter_type e1000 .* possible: .*82540EM/ });
  });

  it('serve the first serial line at a socket', () => {
    assert.equal(serialOptions('/run/a b').join(' '), '--uart1 0x3F8 4 --uartmode1 server /run/a b');
  });
});
