import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Terminal } from './host-shell-fixture.ts';

const LEASE = {
  ...{ address: '10.0.0.10', prefix: 24, gateway: '10.0.0.1', server: '10.0.0.254', dns: ['10.0.0.53', '10.0.0.54'] },
  ...{ domain: 'lab.example', seconds: 7200, obtained: 0 },
};

describe('ip of the embedded PC', () => {
  const forms: [string, string][] = [
    ['ip 10.1.1.70', 'PC1 : 10.1.1.70 255.255.255.0'],
    ['ip 10.1.1.70/26', 'PC1 : 10.1.1.70 255.255.255.192'],
    ['ip 10.1.1.70 /26', 'PC1 : 10.1.1.70 255.255.255.192'],
    ['ip 10.1.1.70/26 10.1.1.65', 'PC1 : 10.1.1.70 255.255.255.192 gateway 10.1.1.65'],
    ['ip 10.1.1.70 10.1.1.65 26', 'PC1 : 10.1.1.70 255.255.255.192 gateway 10.1.1.65'],
    ['ip 10.1.1.70 10.1.1.65/26', 'PC1 : 10.1.1.70 255.255.255.192 gateway 10.1.1.65'],
    ['ip 10.1.1.70 255.255.255.192 10.1.1.65', 'PC1 : 10.1.1.70 255.255.255.192 gateway 10.1.1.65'],
    ['ip 10.1.1.70 255.255.255.192', 'PC1 : 10.1.1.70 255.255.255.192'],
    ['ip 10.1.1.70/31 10.1.1.71', 'PC1 : 10.1.1.70 255.255.255.254 gateway 10.1.1.71'],
    ['ip 10.1.1.70 0.0.0.0 24', 'PC1 : 10.1.1.70 255.255.255.0'],
  ];
  for (const [line, printed] of forms) {
    it(`takes "${line}"`, async () => {
      const terminal = new Terminal();
      assert.deepEqual(await terminal.run(line), ['Checking for duplicate address...', printed]);
    });
  }

  const mistakes: [string, string][] = [
    ['ip foo', 'Invalid address'],
    ['ip 10.1.1', 'Invalid address'],
    ['ip 10.1.1.300', 'Invalid address'],
    ['ip 224.0.0.1', 'Invalid address'],
    ['ip 10.1.1.0', 'Invalid host address'],
    ['ip 10.1.1.255/24', 'Invalid host address'],
    ['ip 10.1.1.1 10.1.1.1', 'Invalid address'],
    ['ip 10.1.1.1 10.1.1.255', 'Invalid gateway address'],
    ['ip 10.1.1.1 10.2.1.1', 'not same subnet'],
    ['ip 10.1.1.1 foo', 'Invalid options'],
    ['ip 10.1.1.1/33', 'Invalid mask'],
    ['ip 10.1.1.1 255.0.255.0', 'Invalid mask'],
  ];
  for (const [line, printed] of mistakes) {
    it(`refuses "${line}" and changes nothing`, async () => {
      const terminal = new Terminal();
      assert.deepEqual(await terminal.run(line), [printed]);
      assert.equal(terminal.host.settings, null);
    });
  }

  it('names who uses the address already', async () => {
    const terminal = new Terminal();
    terminal.host.others.set('10.0.0.2', '00:50:79:66:68:02');
    assert.deepEqual(await terminal.run('ip 10.0.0.2/24'), [
      'Checking for duplicate address...',
      '10.0.0.2 is being used by MAC 00:50:79:66:68:02',
      'Address not changed',
    ]);
  });

  it('shows the letters of DHCP as they happen, then the address', async () => {
    const terminal = new Terminal();
    terminal.host.offer = LEASE;
    assert.deepEqual(await terminal.run('ip dhcp'), ['DDORA IP 10.0.0.10/24 GW 10.0.0.1']);
    assert.deepEqual(await terminal.run('dhcp -r'), ['RA IP 10.0.0.10/24 GW 10.0.0.1']);
    assert.deepEqual((await terminal.run('dhcp -d')).slice(1), [
      '  Server 10.0.0.254',
      '  Lease time 7200 s',
      '  DNS 10.0.0.53 10.0.0.54',
      '  Domain lab.example',
    ]);
    assert.deepEqual(await terminal.run('dhcp -x'), []);
    assert.equal(terminal.host.released, 1);
    assert.equal((await terminal.run('dhcp -y'))[1], 'dhcp [-options], ip dhcp [-options]');
  });

  it('says when no DHCP server answers', async () => {
    const terminal = new Terminal();
    assert.deepEqual(await terminal.run('dhcp'), ['DD', "Can't find dhcp server"]);
    terminal.host.lease = LEASE;
    assert.deepEqual(await terminal.run('ip dhcp -r'), ['R', "Can't get ip address from dhcp server"]);
  });

  it('sets and removes DNS servers and domain', async () => {
    const terminal = new Terminal();
    await terminal.run('ip dns 10.0.0.53 10.0.0.54');
    assert.deepEqual(terminal.host.dns, ['10.0.0.53', '10.0.0.54']);
    assert.deepEqual(await terminal.run('ip dns foo'), ['Invalid address: foo']);
    assert.deepEqual(await terminal.run('ip dns'), ['Incomplete command.']);
    await terminal.run('ip dns 0');
    assert.deepEqual(terminal.host.dns, []);
    await terminal.run('ip domain lab.example.');
    assert.equal(terminal.host.domain, 'lab.example');
    assert.deepEqual(await terminal.run('ip domain a..b'), ['Invalid domain name.']);
  });

  it('clear ip forgets address, DNS and domain', async () => {
    const terminal = new Terminal();
    await terminal.run('ip 10.0.0.1/24');
    await terminal.run('ip dns 10.0.0.53');
    assert.deepEqual(await terminal.run('clear ip'), ['IPv4 address/mask, gateway, DNS, and DHCP cleared']);
    assert.equal(terminal.host.settings, null);
    assert.deepEqual(terminal.host.dns, []);
    terminal.host.others.set('10.0.0.2', '00:50:79:66:68:02');
    assert.deepEqual(await terminal.run('clear arp'), []);
    assert.deepEqual(await terminal.run('clear foo'), ['Invalid options']);
    assert.deepEqual(await terminal.run('arp'), ['', 'arp table is empty']);
  });

  it('takes an MTU of 576 to 65535 by set and by ip', async () => {
    const terminal = new Terminal();
    await terminal.run('set mtu 1400');
    assert.equal(terminal.host.mtu, 1400);
    await terminal.run('ip mtu 9000');
    assert.equal(terminal.host.mtu, 9000);
    for (const value of ['575', '65536']) {
      assert.deepEqual(await terminal.run(`set mtu ${value}`), ['Invalid MTU, should be 576 to 65535']);
    }
    assert.equal(terminal.host.mtu, 9000);
  });
});

describe('show of the embedded PC', () => {
  it('begins the columns of its tables where VPCS does', async () => {
    const terminal = new Terminal();
    await terminal.run('ip 10.1.1.1/24 10.1.1.2');
    await terminal.run('ip dns 10.1.1.53');
    assert.deepEqual(await terminal.run('show'), [
      '',
      'NAME   IP/MASK              GATEWAY           MAC                LPORT  RHOST:PORT',
      'PC1    10.1.1.1/24          10.1.1.2          00:50:79:66:68:00  0      0.0.0.0:0',
      '       fe80::250:79ff:fe66:6800/64',
    ]);
    assert.deepEqual(await terminal.run('show ip all'), [
      '',
      'NAME   IP/MASK              GATEWAY           MAC                DNS',
      'PC1    10.1.1.1/24          10.1.1.2          00:50:79:66:68:00  10.1.1.53',
    ]);
  });

  it('shows an unset address as zeros', async () => {
    const terminal = new Terminal();
    assert.deepEqual(await terminal.run('show ip'), [
      '',
      'NAME        : PC1[1]',
      'IP/MASK     : 0.0.0.0/0',
      'GATEWAY     : 0.0.0.0',
      'DNS         : ',
      'MAC         : 00:50:79:66:68:00',
      'LPORT       : 0',
      'RHOST:PORT  : 0.0.0.0:0',
      'MTU         : 1500',
    ]);
  });

  it('shows the lease with the seconds that are left', async () => {
    const terminal = new Terminal();
    terminal.host.offer = LEASE;
    await terminal.run('dhcp');
    await terminal.run('sleep 200');
    assert.deepEqual((await terminal.run('show ip')).slice(2, 8), [
      'IP/MASK     : 10.0.0.10/24',
      'GATEWAY     : 10.0.0.1',
      'DNS         : 10.0.0.53  10.0.0.54  ',
      'DHCP SERVER : 10.0.0.254',
      'DHCP LEASE  : 7000, 7200/3600/6300',
      'DOMAIN NAME : lab.example',
    ]);
  });

  it('shows the ARP table, the history, the echo flag and the version', async () => {
    const terminal = new Terminal();
    terminal.host.others.set('10.0.0.2', '00:50:79:66:68:02');
    assert.deepEqual(await terminal.run('show arp'), ['', '00:50:79:66:68:02  10.0.0.2 expires in 114 seconds ']);
    assert.deepEqual(await terminal.run('show echo'), ['', 'Echo Off']);
    assert.deepEqual(await terminal.run('show dump'), [
      ...['', 'dump flags: (none)', 'To see packets, start a capture on the link of this PC.'],
    ]);
    const version = ['', 'Topolog 1.2.3, embedded PC', 'Its commands are compatible with those of VPCS.'];
    assert.deepEqual(await terminal.run('show version'), version);
    assert.deepEqual(await terminal.run('ver'), version);
    assert.deepEqual(await terminal.run('show bar'), ['Invalid arguments']);
    assert.deepEqual(await terminal.run('history'), [
      ...['show arp', 'show echo', 'show dump', 'show version', 'ver', 'show bar', 'history'],
    ]);
    await terminal.run('clear hist');
    assert.deepEqual(await terminal.run('show history'), ['show history']);
  });
});
