import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Terminal } from './host-shell-fixture.ts';

const ROUTER = { router: 'fe80::e00:ff:fe00:1', managed: false, other: false, duplicates: [] };
const AUTO = '2001:db8:1:0:250:79ff:fe66:6800';

describe('IPv6 at the console of the embedded PC', () => {
  it('sets an address beside the IPv4 address, with the gateway that is given', async () => {
    const terminal = new Terminal();
    await terminal.run('ip 10.0.0.1/24');
    assert.deepEqual(await terminal.run('ip 2001:DB8::1/56 fe80::1'), [
      'Checking for duplicate address...',
      'PC1 : 2001:db8::1/56 gateway fe80::1',
    ]);
    assert.deepEqual(await terminal.run('ip 2001:db8::2'), [
      'Checking for duplicate address...',
      'PC1 : 2001:db8::2/64',
    ]);
    assert.equal(terminal.host.settings?.address, '10.0.0.1');
    assert.deepEqual(await terminal.run('show ipv6'), [
      '',
      'NAME              : PC1[1]',
      'LINK-LOCAL SCOPE  : fe80::250:79ff:fe66:6800/64',
      'GLOBAL SCOPE      : 2001:db8::2/64',
      'DNS               :',
      'GATEWAY           :',
      'ROUTER LINK-LAYER :',
      'MAC               : 00:50:79:66:68:00',
      'LPORT             : 0',
      'RHOST:PORT        : 0.0.0.0:0',
      'MTU               : 1500',
    ]);
  });

  it('says what is wrong with an address', async () => {
    const terminal = new Terminal();
    terminal.host.ipv6.others.add('2001:db8::9');
    for (const [line, said] of [
      ['ip 2001:db8::1/129', 'Invalid address'],
      ['ip ff02::5', 'Invalid address'],
      ['ip fe80::5/64', 'Invalid address: the link-local address is made of the MAC'],
      ['ip 2001:db8::1/64 10.0.0.1', 'Invalid gateway address'],
      ['ip 2001:db8::1/64 2001:db8::1', 'Invalid gateway address'],
      ['ip dns6 10.0.0.1', 'Invalid address: 10.0.0.1'],
      ['ip dns6', 'Incomplete command.'],
    ] as const) {
      assert.deepEqual(await terminal.run(line), [said], line);
    }
    assert.deepEqual((await terminal.run('ip 2001:db8::9')).slice(1), [
      '2001:db8::9 is being used by another host',
      'Address not changed',
    ]);
  });

  it('takes addresses of what routers advertise', async () => {
    const terminal = new Terminal();
    assert.deepEqual(await terminal.run('ip auto'), ["Can't find a router: nobody advertises here"]);
    terminal.host.ipv6.advertised = { ...ROUTER, addresses: [] };
    assert.equal((await terminal.run('ip auto')).at(-1), 'The router advertises no prefix to make an address of.');
    terminal.host.ipv6.advertised = { ...ROUTER, addresses: [AUTO] };
    assert.deepEqual(await terminal.run('ip auto'), [
      `GLOBAL SCOPE      : ${AUTO}/64`,
      'ROUTER LINK-LAYER : 0c:00:00:00:00:01',
    ]);
    assert.deepEqual(await terminal.run('show ipv6 all'), [
      '',
      'NAME   IP/MASK                                      ROUTER LINK-LAYER  MTU',
      'PC1    fe80::250:79ff:fe66:6800/64',
      `       ${AUTO}/64           0c:00:00:00:00:01  1500`,
    ]);
    const shown = (await terminal.run('show ipv6')).find((line) => line.startsWith('GLOBAL'));
    assert.equal(shown, `GLOBAL SCOPE      : ${AUTO}/64 (auto, valid 86400 s, preferred 14400 s)`);
    assert.deepEqual(await terminal.run('clear ipv6'), ['IPv6 addresses, gateway, DNS, and routers cleared']);
    assert.equal(terminal.host.ipv6.addresses().length, 1);
  });

  it('pings and traces in the form of VPCS', async () => {
    const terminal = new Terminal();
    await terminal.run('ip 2001:db8::1/64');
    terminal.host.answer = (from) => ({ kind: 'reply', from, bytes: 104, ttl: 63, ms: 1.5 });
    assert.deepEqual(await terminal.run('ping 2001:0db8::2 -c 1'), [
      '',
      '2001:db8::2 icmp6_seq=1 ttl=63 time=1.500 ms',
    ]);
    assert.deepEqual(await terminal.run('ping ::1 -c 1'), ['', '::1 icmp6_seq=1 ttl=64 time=0.001 ms']);
    terminal.host.answer = () => ({
      ...{ kind: 'unreachable', from: '2001:db8::ff', bytes: 152, ttl: 64, ms: 1, type: 1, code: 0 },
    });
    assert.deepEqual(await terminal.run('ping 2001:db8:9::1 -c 1'), [
      '',
      '*2001:db8::ff icmp6_seq=1 ttl=64 time=1.000 ms (ICMPv6 type:1, code:0, No route to destination)',
    ]);
    terminal.host.answer = (from) => ({
      ...{ kind: 'unreachable', from, bytes: 152, ttl: 64, ms: 1, type: 1, code: 4 },
    });
    assert.deepEqual(await terminal.run('trace 2001:db8::2'), [
      'trace to 2001:db8::2, 8 hops max, press Ctrl+C to stop',
      ' 1   *2001:db8::2   1.000 ms (ICMPv6 type:1, code:4, Port unreachable)',
    ]);
    assert.deepEqual(await terminal.run('ping 2001:db8::zz'), ['Cannot resolve 2001:db8::zz']);
  });

  it('takes an address of DHCPv6, by itself where a router says so, and gives it back', async () => {
    const terminal = new Terminal();
    assert.deepEqual(await terminal.run('ip dhcp6'), ['S', "Can't find dhcpv6 server"]);
    terminal.host.ipv6.lease = { address: '2001:db8::99', dns: ['2001:db8::53'], valid_s: 600 };
    const said = 'SARA IP 2001:db8::99/128 for 600 s DNS 2001:db8::53';
    assert.deepEqual(await terminal.run('ip dhcp6'), [said]);
    assert.deepEqual(await terminal.run('ip dhcp6 -y'), ['Invalid options']);
    await terminal.run('ip dhcp6 -x');
    assert.equal(terminal.host.ipv6.released, 1);
    terminal.host.ipv6.advertised = { ...ROUTER, managed: true, addresses: [] };
    assert.deepEqual(await terminal.run('ip auto'), ['ROUTER LINK-LAYER : 0c:00:00:00:00:01', said]);
  });

  it('shows and clears neighbours', async () => {
    const terminal = new Terminal();
    terminal.host.ipv6.others.add('2001:db8::9');
    assert.deepEqual(await terminal.run('show neighbor'), ['', '0c:00:00:00:00:02  2001:db8::9 stale']);
    await terminal.run('clear neighbor');
    assert.deepEqual(await terminal.run('show neighbor'), ['', 'neighbor table is empty']);
  });

  it('says what has happened by itself below what is typed', async () => {
    const terminal = new Terminal();
    terminal.type('ech');
    terminal.shell.tell('2001:db8::1 is being used by MAC 0c:00:00:00:00:01');
    assert.match(terminal.screen, /ech\r\n2001:db8::1 is being used by MAC 0c:00:00:00:00:01\r\n.*PC1> ech/s);
    assert.deepEqual(await terminal.run('o x'), ['x']);
  });

  it('saves what brings it back', async () => {
    const projects = await mkdtemp(join(tmpdir(), 'topolog-ipv6-'));
    const directory = join(projects, 'p', 'project-files', 'vpcs', 'n');
    await mkdir(directory, { recursive: true });
    const saved = async (terminal: Terminal): Promise<string[]> => {
      await terminal.run('save');
      return (await readFile(join(directory, 'startup.vpc'), 'utf8')).trim().split('\n').slice(1);
    };
    try {
      const terminal = new Terminal({ directory });
      for (const line of ['ip 10.0.0.1/24', 'ip 2001:db8::1/64 2001:db8::ff', 'ip dns6 2001:db8::53']) {
        await terminal.run(line);
      }
      const lines = ['ip 10.0.0.1 24', 'ip 2001:db8::1/64 2001:db8::ff', 'ip dns6 2001:db8::53'];
      assert.deepEqual(await saved(terminal), lines);
      terminal.host.ipv6.advertised = { ...ROUTER, addresses: [AUTO] };
      await terminal.run('ip auto');
      await terminal.run('ip dns6 0');
      assert.deepEqual(await saved(terminal), ['ip 10.0.0.1 24', 'ip auto']);
    } finally {
      await rm(projects, { recursive: true });
    }
  });
});
