import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  INTERFACES_FILE,
  sampleFile,
  saysNothing,
  type Step,
  stepsOf,
} from '../../../src/emulators/container/inside/interfaces-file.ts';

const shown = (step: Step): string =>
  step.do === 'ip' || step.do === 'tell'
    ? `${step.do} ${step.line}`
    : step.do === 'dhcp'
      ? `dhcp ${step.name}`
      : `${step.phase} ${step.line}`;
const steps = (text: string, more: Readonly<Record<string, string>> = {}): string[] =>
  stepsOf(new Map([[INTERFACES_FILE, text], ...Object.entries(more)])).map(shown);

describe('interfaces(5) of a container', () => {
  it('say nothing until somebody writes in them', () => {
    const { name, content } = sampleFile(['eth0', 'to-r2']);
    assert.equal(name, 'etc/network/interfaces');
    assert.equal(saysNothing(content), true);
    assert.deepEqual(steps(content), []);
    const taken = content
      .replace(/^#(?=auto to-r2\n#iface to-r2 inet static)/m, '')
      .replaceAll(/^#(?=iface to-r2 inet static|\t(?:address|netmask|gateway) [\d.]*\b1\.\d$|\tnetmask)/gm, '');
    assert.equal(saysNothing(taken), false);
    assert.ok(steps(taken).includes('ip address replace 192.168.1.2/24 dev to-r2'), steps(taken).join('\n'));
  });

  it('bring up what is to come up by itself, in that order', () => {
    const text = `# comment
allow-hotplug eth1
auto lo eth0
iface lo inet loopback
iface eth0 inet static
\taddress 192.0.2.10
\tnetmask 255.255.255.128
\tbroadcast 192.0.2.127
\tgateway 192.0.2.1
\tmetric 5
\tmtu 1400
\thwaddress ether 02:00:00:00:00:01
\tpre-up echo before
\tup echo one \\
two
\tpost-up echo three
\tdown echo never
iface eth0 inet6 static
  address 2001:db8::1/64
  gateway 2001:db8::ff
iface eth1 inet dhcp
iface eth2 inet static
  address 10.0.0.1/24
`;
    assert.deepEqual(steps(text), [
      'ip link set dev eth1 up',
      'dhcp eth1',
      'ip link set dev lo up',
      'pre-up echo before',
      'ip link set dev eth0 address 02:00:00:00:00:01',
      'ip link set dev eth0 mtu 1400',
      'ip link set dev eth0 up',
      'ip address replace 192.0.2.10/25 broadcast 192.0.2.127 dev eth0',
      'ip route add default via 192.0.2.1 dev eth0 metric 5',
      'up echo one  two',
      'post-up echo three',
      'ip link set dev eth0 up',
      'ip address replace 2001:db8::1/64 dev eth0',
      'ip route add default via 2001:db8::ff dev eth0',
    ]);
  });

  it('make VLANs, bridges and further addresses, and name servers', () => {
    const text = `auto eth0.20 br0 eth0:1
iface eth0.20 inet static
  address 10.0.20.1/24
  dns-nameservers 10.0.20.53 10.0.20.54
iface br0 inet manual
  bridge_ports eth1 eth2
iface eth0:1 inet static
  address 10.9.0.1/32
`;
    assert.deepEqual(steps(text), [
      'ip link set dev eth0 up',
      'ip link add link eth0 name eth0.20 type vlan id 20',
      'ip link set dev eth0.20 up',
      'ip address replace 10.0.20.1/24 dev eth0.20',
      "up echo 'nameserver 10.0.20.53' >> /etc/resolv.conf",
      "up echo 'nameserver 10.0.20.54' >> /etc/resolv.conf",
      'ip link add name br0 type bridge',
      'ip link set dev eth1 master br0',
      'ip link set dev eth1 up',
      'ip link set dev eth2 master br0',
      'ip link set dev eth2 up',
      'ip link set dev br0 up',
      'ip link set dev eth0 up',
      'ip address replace 10.9.0.1/32 dev eth0 label eth0:1',
    ]);
  });

  it('read further files of their directory, each once, and run its scripts', () => {
    const more = {
      '/etc/network/interfaces.d/b': 'auto eth1\niface eth1 inet manual\n',
      '/etc/network/interfaces.d/a': 'source /etc/network/interfaces\n',
      '/etc/network/if-up.d/x': '#!/bin/sh\n',
    };
    const script = 'up for f in /etc/network/if-up.d/*; do [ ! -x "$f" ] || "$f" || exit; done';
    for (const line of ['source /etc/network/interfaces.d/*', 'source-directory interfaces.d'])
      assert.deepEqual(steps(line, more), ['ip link set dev eth1 up', script], line);
    assert.deepEqual(steps('source /etc/shadow', { '/etc/network/x': '' }), []);
  });

  it('never give ip(8) more words than they should, and tell what is left out', () => {
    const text = `auto eth0 -batch eth2
iface -batch inet manual
iface eth2 inet ppp
iface eth0 inet static
  address 10.0.0.1/24 dev lo
  address 10.0.0.2
  hwaddress 02:00:00:00:00:01 netns 1
  gateway 10.0.0.9 netns 1
  mtu 1400 netns 1
`;
    assert.deepEqual(steps(text), [
      'tell iface eth0: hwaddress 02:00:00:00:00:01 netns 1 is left out',
      'tell iface eth0: mtu 1400 netns 1 is left out',
      'ip link set dev eth0 up',
      'tell iface eth0: address 10.0.0.1/24 dev lo has no prefix length or netmask, or is no address of inet',
      'tell iface eth0: address 10.0.0.2 has no prefix length or netmask, or is no address of inet',
      'tell iface eth0: gateway 10.0.0.9 netns 1 is left out',
      'tell iface -batch: it is no name',
      'tell iface eth2 inet ppp: this method is not known',
    ]);
  });
});
