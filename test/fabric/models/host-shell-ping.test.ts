import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { onLink, Terminal } from './host-shell-fixture.ts';

let terminal: Terminal;
beforeEach(() => {
  terminal = new Terminal();
  terminal.host.settings = { address: '10.0.0.1', prefix: 24, gateway: '10.0.0.254' };
});

describe('ping of the embedded PC', () => {
  it('sends five probes a second apart', async () => {
    const lines = await terminal.run('ping 10.0.0.2');
    assert.deepEqual(lines, [
      '',
      ...[1, 2, 3, 4, 5].map((seq) => `84 bytes from 10.0.0.2 icmp_seq=${seq} ttl=64 time=0.123 ms`),
    ]);
    assert.equal(terminal.clock.ms, 4000);
    const [first] = terminal.host.probes;
    assert.equal(new Set(terminal.host.probes.map((p) => p.identifier)).size, 1);
    assert.deepEqual(
      { ...first, identifier: 0 },
      {
        ...{
          destination: '10.0.0.2',
          protocol: 'icmp',
          size: 56,
          ttl: 64,
          timeout_ms: 1000,
          sequence: 1,
          identifier: 0,
        },
      },
    );
  });

  it('passes its options on', async () => {
    await terminal.run('ping 10.0.0.2 -c 2 -i 10 -l 100 -w 20 -D -T 3 -P 17 -p 53 -s 4000');
    assert.equal(terminal.clock.ms, 10);
    assert.deepEqual(
      { ...terminal.host.probes[1], identifier: 0 },
      {
        ...{ destination: '10.0.0.2', protocol: 'udp', size: 100, ttl: 3, timeout_ms: 20, sequence: 2, identifier: 0 },
        ...{ dont_fragment: true, port: 53, source_port: 4000 },
      },
    );
  });

  for (const options of ['-c 0', '-c', '-c x', '-T 256', '-P 2', '-z', '-p 70000', 'foo', '-f S']) {
    it(`refuses "ping 10.0.0.2 ${options}"`, async () => {
      assert.deepEqual(await terminal.run(`ping 10.0.0.2 ${options}`), ['Invalid options']);
      assert.deepEqual(terminal.host.probes, []);
    });
  }

  it('goes on after a timeout', async () => {
    terminal.host.answer = (from, { sequence }) =>
      sequence === 1 ? { kind: 'timeout' } : { kind: 'reply', from, bytes: 84, ttl: 63, ms: 12.5 };
    assert.deepEqual(await terminal.run('ping 10.0.0.2 -c 2'), [
      ...['', '10.0.0.2 icmp_seq=1 timeout', '84 bytes from 10.0.0.2 icmp_seq=2 ttl=63 time=12.500 ms'],
    ]);
  });

  it('ends when the next hop does not answer ARP', async () => {
    terminal.host.answer = (to) => ({ kind: 'no_arp', next_hop: onLink(terminal.host, to) ? to : '10.0.0.254' });
    assert.deepEqual(await terminal.run('ping 10.0.0.9'), ['', 'host (10.0.0.9) not reachable']);
    assert.deepEqual(await terminal.run('ping 10.2.0.9'), ['', 'host (10.0.0.254) not reachable']);
  });

  it('ends when there is no gateway, and without an address', async () => {
    terminal.host.answer = () => ({ kind: 'no_route' });
    assert.deepEqual(await terminal.run('ping 10.2.0.9'), ['', 'No gateway found']);
    terminal.host.settings = null;
    assert.deepEqual(await terminal.run('ping 10.2.0.9'), ['', 'host (10.2.0.9) not reachable']);
  });

  it('shows who says that the destination is unreachable or the TTL exceeded', async () => {
    const said = { from: '10.0.0.254', bytes: 56, ttl: 255, ms: 1.5 };
    terminal.host.answer = (_, { sequence }) =>
      sequence === 1 ? { kind: 'unreachable', type: 3, code: 1, ...said } : { kind: 'exceeded', ...said };
    assert.deepEqual(await terminal.run('ping 10.2.0.9 -c 2'), [
      '',
      '*10.0.0.254 icmp_seq=1 ttl=255 time=1.500 ms (ICMP type:3, code:1, Destination host unreachable)',
      '*10.0.0.254 icmp_seq=2 ttl=255 time=1.500 ms (ICMP type:11, code:0, TTL expired in transit)',
    ]);
  });

  it('has the forms of UDP and TCP', async () => {
    terminal.host.answer = (from, { sequence }) =>
      sequence === 2 ? { kind: 'timeout' } : { kind: 'reply', from, bytes: 84, ttl: 64, ms: 0.5 };
    assert.deepEqual(await terminal.run('ping 10.0.0.2 -2 -c 2'), [
      ...['', '84 bytes from 10.0.0.2 udp_seq=1 ttl=64 time=0.500 ms', '10.0.0.2 udp_seq=2 timeout'],
    ]);
    assert.deepEqual(await terminal.run('ping 10.0.0.2 -P 6 -p 80 -c 2'), [
      ...['', 'Connect   80@10.0.0.2 seq=1 ttl=64 time=0.500 ms', 'Connect   80@10.0.0.2 timeout'],
    ]);
  });

  it('tells a refused TCP connection from one that was made', async () => {
    terminal.host.answer = (from) => ({ kind: 'reply', from, bytes: 40, ttl: 64, ms: 0.5, refused: true });
    assert.deepEqual(await terminal.run('ping 10.0.0.2 -3 -c 1'), ['', 'Connect   7@10.0.0.2 RST returned']);
  });

  it('answers for its own address without the cable', async () => {
    assert.deepEqual(await terminal.run('ping 10.0.0.1 -c 2'), [
      ...['', '10.0.0.1 icmp_seq=1 ttl=64 time=0.001 ms', '10.0.0.1 icmp_seq=2 ttl=64 time=0.001 ms'],
    ]);
    assert.deepEqual(terminal.host.probes, []);
  });

  it('resolves names', async () => {
    terminal.host.names.set('web.lab', '10.0.0.80');
    const lines = await terminal.run('ping web.lab -c 1');
    assert.deepEqual(lines, [
      ...['web.lab resolved to 10.0.0.80', '', '84 bytes from 10.0.0.80 icmp_seq=1 ttl=64 time=0.123 ms'],
    ]);
    assert.deepEqual(await terminal.run('ping nobody'), ['Cannot resolve nobody']);
  });

  it('-t goes on until Ctrl-C', async () => {
    terminal.type('ping 10.0.0.2 -t\r');
    await terminal.until('icmp_seq=7');
    terminal.type('\x03');
    await terminal.until('^C\r\n\r\nPC1> ');
    const sent = terminal.host.probes.length;
    assert.deepEqual(await terminal.run('echo x'), ['x']);
    assert.equal(terminal.host.probes.length, sent);
    assert.equal(terminal.clock.pending, 0);
  });
});

describe('trace of the embedded PC', () => {
  const hop = (from: string, ms: number): { from: string; bytes: number; ttl: number; ms: number } => ({
    ...{ from, bytes: 56, ttl: 64, ms },
  });

  it('prints a line a hop and ends at "port unreachable"', async () => {
    terminal.host.answer = (from, { ttl, sequence }) =>
      ttl === 1
        ? { kind: 'exceeded', ...hop('10.0.0.254', sequence / 10) }
        : { kind: 'unreachable', type: 3, code: 3, ...hop(from, 0.2) };
    assert.deepEqual(await terminal.run('trace 10.2.0.2'), [
      'trace to 10.2.0.2, 8 hops max, press Ctrl+C to stop',
      ' 1   10.0.0.254   0.100 ms  0.200 ms  0.300 ms',
      ' 2   *10.2.0.2   0.200 ms (ICMP type:3, code:3, Destination port unreachable)',
    ]);
    assert.deepEqual(
      terminal.host.probes.map((p) => [p.protocol, p.ttl, p.port]),
      [...[33434, 33435, 33436].map((port) => ['udp', 1, port]), ['udp', 2, 33437]],
    );
  });

  it('measures replies to ICMP three times, then ends', async () => {
    assert.deepEqual(await terminal.run('trace 10.0.0.2 -P 1'), [
      'trace to 10.0.0.2, 8 hops max (ICMP), press Ctrl+C to stop',
      ' 1   10.0.0.2   0.123 ms  0.123 ms  0.123 ms',
    ]);
  });

  it('marks silence with stars and stops at the last hop', async () => {
    terminal.host.answer = () => ({ kind: 'timeout' });
    assert.deepEqual(await terminal.run('trace 10.2.0.2 -P 6 -m 2'), [
      ...['trace to 10.2.0.2, 2 hops max (TCP), press Ctrl+C to stop', ' 1     *  *  *', ' 2     *  *  *'],
    ]);
    assert.equal((await terminal.run('trace 10.2.0.2 1')).length, 2);
  });

  it('says that the gateway is not reachable', async () => {
    terminal.host.answer = () => ({ kind: 'no_arp', next_hop: '10.0.0.254' });
    assert.deepEqual((await terminal.run('trace 10.2.0.2')).slice(1), ['host (10.0.0.254) not reachable']);
  });

  it('answers for its own address at once', async () => {
    assert.deepEqual(await terminal.run('trace 10.0.0.1'), [
      ...['traceroute to 10.0.0.1, 8 hops max', ' 1 10.0.0.1     0.001 ms'],
    ]);
  });

  it('refuses options it does not know', async () => {
    assert.deepEqual(await terminal.run('trace 10.0.0.2 -m 65'), ['Invalid TTL']);
    assert.deepEqual(await terminal.run('trace 10.0.0.2 -m'), ['Missing TTL']);
    assert.deepEqual(await terminal.run('trace 10.0.0.2 -P 99'), ['Invalid protocol']);
    assert.equal((await terminal.run('trace 10.0.0.2 -x'))[1], 'trace <host> [-options]');
    assert.deepEqual(terminal.host.probes, []);
  });
});
