import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { networkLacks } from '../../src/emulators/shared/network/privileges.ts';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { makeTemp } from './temp.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);

/**
 * A machine outside the lab: a namespace with a way to this host and to nothing else. It does not know the networks of any lab,
 * so it answers only what comes under the host's own address.
 */
export interface Outside {
  address: string;
  /** It is that address, as its name server tells. */
  name: string;
  /** Echoes what comes, over UDP and over TCP. */
  port: number;
  /** Runs a program there. */
  there(program: string, ...args: string[]): Promise<string>;
  /** Programs that are started until `close` find the machine's name server as the one of the host. */
  resolving(programs: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** What is missing to make one, null when nothing is. */
export const outsideLacks = async (): Promise<string | null> =>
  (
    await networkLacks(
      { ip: 'iproute2', socat: 'socat', dnsmasq: 'dnsmasq-base', unshare: 'util-linux' },
      'a machine outside the lab',
      'leave it out',
    )
  )?.needs ?? null;

const IP = 'ip';
const PORT = 7;
const NAME = 'machine.outside.test';

/** `subnet`: a /30 that nobody else uses, `198.51.100.0`; `name`: of at most 11 characters. */
export const makeOutside = async (name: string, subnet: string): Promise<Outside> => {
  const [host, address] = [1, 2].map((last) => subnet.replace(/\d+$/, (of) => String(Number(of) + last))) as [
    string,
    string,
  ];
  const namespace = `test-${name}`;
  const ip = (...args: string[]) => run('ip', args);
  await ip('netns', 'add', namespace);
  await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'far0', 'netns', namespace);
  await ip('address', 'add', `${host}/30`, 'dev', name);
  await ip('link', 'set', 'dev', name, 'up');
  await ip('-n', namespace, 'link', 'set', 'dev', 'lo', 'up');
  await ip('-n', namespace, 'address', 'add', `${address}/30`, 'dev', 'far0');
  await ip('-n', namespace, 'link', 'set', 'dev', 'far0', 'up');
  const directory = await makeTemp('topolog-outside');
  const PATH = process.env['PATH'] ?? '';
  const services = [
    ['socat', `UDP4-RECVFROM:${PORT},fork`, 'EXEC:cat'],
    ['socat', `TCP4-LISTEN:${PORT},fork,reuseaddr`, 'EXEC:cat'],
    [
      'dnsmasq',
      '-k',
      '--conf-file=/dev/null',
      '--pid-file=',
      '--no-hosts',
      '--no-resolv',
      `--address=/${NAME}/${address}`,
    ],
  ].map((words) => spawn(IP, ['netns', 'exec', namespace, ...words], { stdio: 'ignore' }));
  const there = async (program: string, ...args: string[]): Promise<string> =>
    (await run('ip', ['netns', 'exec', namespace, program, ...args])).stdout;
  await serving(() => there('cat', '/proc/net/tcp', '/proc/net/udp'));
  return {
    address,
    name: NAME,
    port: PORT,
    there,
    async resolving(programs) {
      const resolvers = path.join(directory, 'resolv.conf');
      await writeFile(resolvers, `nameserver ${address}\n`);
      await chmod(directory, 0o755);
      for (const program of programs) {
        const real = (await which(program)) ?? program;
        const script = `exec unshare -m sh -c 'mount --bind ${resolvers} /etc/resolv.conf && exec ${real} "$@"' ${program} "$@"`;
        await writeFile(path.join(directory, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      }
      process.env['PATH'] = `${directory}:${PATH}`;
    },
    async close() {
      process.env['PATH'] = PATH;
      for (const service of services) {
        const ended = service.exitCode === null && service.signalCode === null ? once(service, 'exit') : null;
        service.kill();
        await ended;
      }
      await ip('link', 'delete', name);
      await ip('netns', 'delete', namespace);
      await rm(directory, { recursive: true });
    },
  };
};

/** Resolves once the ports of all services are bound: proc(5), addresses in hexadecimal. */
const serving = async (sockets: () => Promise<string>): Promise<void> => {
  const ports = [PORT, PORT, 53, 53].map((port) => `:${port.toString(16).padStart(4, '0').toUpperCase()} `);
  await waitFor('the services listen', async () => {
    const text = await sockets();
    return ports.every((port) => text.split(port).length > 2);
  });
};

/** Whether this machine forwards between its interfaces: a NAT of the kernel switches it on. */
export const forwards = async (): Promise<boolean> =>
  (await readFile('/proc/sys/net/ipv4/ip_forward', 'latin1')).trim() === '1';
