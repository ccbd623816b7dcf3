import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Ipv6Address, Ipv6Auto, Ipv6Lease, ProbeResult } from '../../../src/fabric/models/host/ip-host.ts';
import { which } from '../../../src/emulators/shared/process/find-program.ts';

const run = promisify(execFile);
const LAB = path.resolve(import.meta.dirname, '../../support/ipv6-beside-linux.js');

/** A TAP device with addresses of both families, whose frames are datagrams; all of it goes with the process. */
const NETWORK = `
set -e
mount -t tmpfs none /run
ip link set lo up
socat -b 65535 UDP4-DATAGRAM:127.0.0.1:20001,bind=127.0.0.1:20002 TUN,tun-type=tap,iff-no-pi,tun-name=tl6 < /dev/null > /dev/null 2>&1 &
trap "kill $!" EXIT
for try in $(seq 200); do ip link set tl6 up 2> /dev/null && break; sleep 0.05; done
ip addr add 10.6.0.1/24 dev tl6
ip addr add 2001:db8:6::1/64 dev tl6 nodad
echo 1 | tee /proc/sys/net/ipv6/conf/all/forwarding > /dev/null
`;
const inNetwork = (script: string) => run('unshare', ['-rnm', 'sh', '-c', `${NETWORK}${script}`], { timeout: 120_000 });

async function lacks(): Promise<string | null> {
  for (const program of ['unshare', 'ip', 'socat', 'busybox', 'traceroute', 'radvd', 'dnsmasq']) {
    if ((await which(program)) === null) return `${program} is not installed`;
  }
  return inNetwork('').then(
    () => null,
    (error: unknown) => `no networks can be made here: ${String(error).split('\n').slice(0, 2).join(' ')}`,
  );
}

interface Results {
  given: {
    isOurs: boolean;
    taken: boolean;
    probes: ProbeResult[];
    ping: string;
    large: string;
    trace: string;
    lab: number[];
    linux: unknown[];
    neighbours: { address: string; router: boolean }[];
  };
  automatic: { found: Ipv6Auto | null; probe: ProbeResult; ping: string; addresses: Ipv6Address[]; dns: string[] };
  leased: { lease: Ipv6Lease | null; letters: string; ping: string };
}

const missing = await lacks();

describe('IPv6 of the embedded host beside Linux', { skip: missing ?? false }, () => {
  let results: Results;
  before(async () => {
    const { stdout } = await inNetwork(`${process.execPath} ${LAB}`);
    results = JSON.parse(stdout) as Results;
  });

  it('is pinged and pings, in fragments as well', () => {
    const { isOurs, probes, ping, large, neighbours } = results.given;
    assert.equal(isOurs, true);
    assert.deepEqual(
      probes.map((one) => [one.kind, 'bytes' in one ? one.bytes > 0 : null]),
      [
        ['reply', true],
        ['reply', true],
        ['unreachable', true],
        ['reply', true],
      ],
    );
    const [echo, fragments, udp, tcp] = probes;
    assert.ok(echo?.kind === 'reply' && echo.bytes === 104 && echo.ttl === 64);
    assert.ok(fragments?.kind === 'reply' && fragments.bytes === 4048);
    assert.ok(udp?.kind === 'unreachable' && udp.type === 1 && udp.code === 4);
    assert.ok(tcp?.kind === 'reply' && tcp.refused === true);
    assert.match(ping, /2 packets received, 0% packet loss/);
    assert.match(large, /1 packets received, 0% packet loss/);
    assert.ok(neighbours.some(({ address, router }) => address === '2001:db8:6::1' && router));
  });

  it('does not take the address that Linux has', () => assert.equal(results.given.taken, false));

  it('is found by traceroute', () => assert.match(results.given.trace, /^ 1 {2}2001:db8:6::2 /m));

  it('serves HTTP and asks for it, over both families', () => {
    assert.deepEqual(results.given.lab, [39_001, 39_001]);
    assert.deepEqual(results.given.linux, [33_000, 33_000]);
  });

  it('takes its address, MTU and name server from radvd', () => {
    const { found, probe, ping, addresses, dns } = results.automatic;
    assert.deepEqual(found?.addresses, ['2001:db8:6:0:250:79ff:fe66:6801']);
    assert.deepEqual([found.managed, found.duplicates], [false, []]);
    const own = addresses.find(({ origin }) => origin === 'auto');
    assert.ok(own !== undefined && own.valid_s !== null && own.valid_s <= 7200 && own.valid_s > 7000);
    assert.deepEqual(dns, ['2001:db8:6::53']);
    assert.equal(probe.kind, 'reply');
    assert.match(ping, /1 packets received, 0% packet loss/);
  });

  it('takes its address from dnsmasq by DHCPv6', () => {
    const { lease, letters, ping } = results.leased;
    assert.deepEqual([lease?.address, lease?.dns, letters], ['2001:db8:6::100', ['2001:db8:6::53'], 'SARA']);
    assert.match(ping, /1 packets received, 0% packet loss/);
  });
});
