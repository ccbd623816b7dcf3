/**
 * An embedded host at a TAP device of this machine, in a network of its own: what both say to one another, as JSON. Run in a namespace
 * that has the device `tl6` behind socat at the two UDP ports.
 */
import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import type { ProbeOptions } from '../../src/fabric/models/host/ip-host.ts';
import { createIpHost } from '../../src/fabric/models/host/stack.ts';

const run = promisify(execFile);
const never = new AbortController().signal;
const [OWN, TAP] = [20_001, 20_002];
const PROBE: ProbeOptions = { protocol: 'icmp', identifier: 1, sequence: 1, timeout_ms: 5000 };

const socket = createSocket('udp4');
const host = createIpHost({
  mac: '00:50:79:66:68:01',
  now: () => performance.now(),
  timer(ms, then) {
    const timer = setTimeout(then, ms);
    return { cancel: () => clearTimeout(timer) };
  },
  send: (frame) => socket.send(frame, TAP, '127.0.0.1'),
  random: Math.random,
  report: (text) => console.error(text),
});
socket.on('message', (frame) => host.receive(frame));
await new Promise<void>((resolve) => socket.bind(OWN, '127.0.0.1', resolve));

const of = async (program: string, ...args: string[]): Promise<string> =>
  run(program, args).then(
    ({ stdout }) => stdout,
    (error: unknown) => `failed: ${String(error)}`,
  );
const fetched = async (url: string): Promise<string> => (await fetch(url)).text();

/** Static addresses: pings of both sides, sizes that need fragments, UDP, and TCP both ways. */
async function given(): Promise<unknown> {
  await host.setAddress({ address: '10.6.0.2', prefix: 24, gateway: null });
  const isOurs = await host.ipv6.setAddress({ address: '2001:db8:6::2', prefix: 64, gateway: null });
  const taken = await host.ipv6.setAddress({ address: '2001:db8:6::1', prefix: 64, gateway: null });
  host.http.serve(80, 'from the lab '.repeat(3000));
  const server = createServer((_, response) => response.end('from Linux '.repeat(3000)));
  await new Promise<void>((resolve) => server.listen(8080, '::', resolve));
  const get = (address: string) => host.http.get({ address, host: address, port: 8080, path: '/' }, never);
  const answers = [await get('2001:db8:6::1'), await get('10.6.0.1')];
  server.close();
  return {
    isOurs,
    taken,
    probes: await Promise.all([
      host.probe('2001:db8:6::1', PROBE),
      host.probe('2001:db8:6::1', { ...PROBE, sequence: 2, size: 4000 }),
      host.probe('2001:db8:6::1', { ...PROBE, protocol: 'udp', port: 33434 }),
      host.probe('2001:db8:6::1', { ...PROBE, protocol: 'tcp', port: 9 }),
    ]),
    ping: await of('busybox', 'ping', '-6', '-c', '2', '-W', '5', '2001:db8:6::2'),
    large: await of('busybox', 'ping', '-6', '-c', '1', '-s', '4000', '-W', '5', '2001:db8:6::2'),
    trace: await of('traceroute', '-6', '-n', '-q', '1', '-m', '3', '2001:db8:6::2'),
    lab: [await fetched('http://[2001:db8:6::2]/'), await fetched('http://10.6.0.2/')].map((text) => text.length),
    linux: answers.map((one) => ('answer' in one ? one.answer.split('\r\n\r\n')[1]?.length : one.problem)),
    neighbours: host.ipv6.neighbours(),
  };
}

const RADVD = `interface tl6 {
  AdvSendAdvert on; MinRtrAdvInterval 3; MaxRtrAdvInterval 4; AdvLinkMTU 1400;
  prefix 2001:db8:6::/64 { AdvOnLink on; AdvAutonomous on; AdvValidLifetime 7200; AdvPreferredLifetime 3600; };
  RDNSS 2001:db8:6::53 { };
};\n`;

/** What radvd of this machine advertises. */
async function automatic(): Promise<unknown> {
  await writeFile('/run/radvd.conf', RADVD);
  const radvd = spawn('radvd', ['-n', '-C', '/run/radvd.conf', '-p', '/run/radvd.pid', '-m', 'stderr'], {
    stdio: 'ignore',
  });
  try {
    host.ipv6.clearAddress();
    // It may take a while to begin.
    let found = await host.ipv6.auto();
    for (let tries = 0; found === null && tries < 10; tries += 1) found = await host.ipv6.auto();
    const probe = await host.probe('2001:db8:6::1', PROBE);
    const own = found?.addresses[0] ?? '::';
    const ping = await of('busybox', 'ping', '-6', '-c', '1', '-W', '5', own);
    return { found, probe, ping, addresses: host.ipv6.addresses(), dns: host.ipv6.dns };
  } finally {
    radvd.kill();
  }
}

/** An address of dnsmasq of this machine. */
async function leased(): Promise<unknown> {
  const range = [
    '--enable-ra',
    '--dhcp-range=2001:db8:6::100,2001:db8:6::100,64,600',
    '--dhcp-option=option6:dns-server,[2001:db8:6::53]',
  ];
  const files = ['--conf-file=/dev/null', '--dhcp-leasefile=/run/leases', '--pid-file=/run/dnsmasq.pid', '--user=root'];
  const dnsmasq = spawn('dnsmasq', ['--no-daemon', '--port=0', '--interface=tl6', ...files, ...range], {
    stdio: 'ignore',
  });
  try {
    host.ipv6.clearAddress();
    const letters: string[] = [];
    let lease = await host.ipv6.dhcp((letter) => letters.push(letter));
    for (let tries = 0; lease === null && tries < 3; tries += 1)
      lease = await host.ipv6.dhcp((letter) => letters.push(letter));
    return {
      lease,
      letters: letters.slice(-4).join(''),
      ping: await of('busybox', 'ping', '-6', '-c', '1', '-W', '5', '2001:db8:6::100'),
    };
  } finally {
    dnsmasq.kill();
  }
}

const results = { given: await given(), automatic: await automatic(), leased: await leased() };
console.log(JSON.stringify(results));
host.stop();
socket.close();
process.exit(0);
