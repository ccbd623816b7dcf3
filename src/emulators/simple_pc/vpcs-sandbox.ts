import { execFile } from 'node:child_process';
import { chown, constants, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Missing } from '../kit/contract.ts';
import { LARGEST, type Relay, relayAddress, relaysIn } from '../shared/network/relay.ts';
import { programsLacking } from '../shared/network/privileges.ts';
import type { Launch } from '../shared/process/processes.ts';

/**
 * VPCS gives everyone who types at it the shell of its machine, files of its machine and its network, and listens on every address.
 * Therefore it runs in a sandbox with network, mount, IPC and UTS namespaces of its own (namespaces(7)), and a root in which there is VPCS,
 * its libraries, a terminal and the directory of its node, and nothing else: no shell, no programs, no network. Its user has no privileges,
 * and none outside. Two pairs of ends lead out: unix sockets in a directory that only the server's user can enter.
 */
interface Sandbox {
  /** Absolute path of VPCS. */
  program: string;
  /** Its arguments; its ports are those of PORTS. */
  args: readonly string[];
  /** Working directory of VPCS, and the only one that it can write to. */
  nodeDirectory: string;
  /** Empty: gets the sockets. */
  folder: string;
  /** The fabric's end of the link and ours, in the network of the host. */
  relay: Relay;
}

/** In a sandbox's own network every VPCS has the same ones. */
export const PORTS = { console: 5000, own: 20_000, other: 30_000 } as const;

export const consoleSocket = (folder: string): string => path.join(folder, 'console');

const LINK = ['in', 'out'] as const;
const linkTo = (there: string, here: string): string => `UNIX-SENDTO:${there},bind=${here}`;

/** `$1`: the folder, `$2`: the address that serves the link in the network of the host; then the command that makes the sandbox. */
const OUTSIDE = `
cd "$1"
socat -b ${LARGEST} "$2" ${linkTo(...LINK)} &
shift 2
exec unshare "$@"`;

/**
 * `$1`: directory of the node, `$2`: options by which privileges are given up, `$3`: VPCS; then its arguments. Mounts go with the last
 * process of the sandbox. VPCS has a terminal of its own below its console, so there are pseudo-terminals.
 */
const INSIDE = `
set -eu
node=$1 user=$2 program=$3
shift 3
umask 022
ip link set lo up
mkdir root
mount -t tmpfs -o mode=755,size=1m none root
mkdir -p root/node root/dev/pts
mount --bind "$node" root/node
mount -o remount,bind,nosuid,nodev,noexec root/node
mount -t devpts -o newinstance,ptmxmode=0666 none root/dev/pts
ln -s pts/ptmx root/dev/ptmx
for file in /dev/null "$program" $(ldd "$program" | sed -n 's/.*[[:space:]]\\(\\/[^ ]*\\) (0x.*/\\1/p'); do
  mkdir -p "root\${file%/*}"
  : >"root$file"
  mount --bind "$file" "root$file"
done
mount -o remount,bind,ro,nosuid,nodev root
socat -b ${LARGEST} ${linkTo('out', 'in')} UDP4-DATAGRAM:127.0.0.1:${PORTS.own},bind=127.0.0.1:${PORTS.other} &
socat UNIX-LISTEN:console,fork TCP4:127.0.0.1:${PORTS.console} &
until [ -S in ] && [ -S out ] && [ -S console ]; do sleep 0.02; done
umask 077
exec unshare --root root --wd /node $user "$program" "$@"`;

/** User id that no system assigns (systemd keeps 1879048192 and up free), so that no file outside and no other process is its own. */
const USER = 1_900_000_000;

const isRoot = (): boolean => process.getuid?.() === 0;

/** Without root the sandbox has a user namespace as well, in which VPCS is the server's user again, without privileges. */
const namespaces = (): string[] => [
  ...(isRoot() ? [] : ['--user', '--map-root-user']),
  ...['--mount', '--net', '--ipc', '--uts'],
];
const unprivileged = (): string =>
  isRoot()
    ? `--setuid ${USER} --setgid ${USER}`
    : `--user --map-user=${process.getuid?.() ?? USER} --map-group=${process.getgid?.() ?? USER}`;

export const sandboxLaunch = ({ program, args, nodeDirectory, folder, relay }: Sandbox): Omit<Launch, 'forks'> => ({
  program: 'sh',
  args: [
    ...['-c', OUTSIDE, 'sh', folder, relayAddress(relay), ...namespaces()],
    'sh',
    '-c',
    INSIDE,
    'sh',
    nodeDirectory,
    unprivileged(),
    program,
    ...args,
  ],
});

/** The relay of a sandbox, by the arguments of its processes; null: none of them has one. */
export const relayOf = (commands: readonly (readonly string[])[]): Relay | null => {
  const outside = commands.find((argv) => argv[0] === 'socat' && argv.includes(linkTo(...LINK)));
  return relaysIn(outside?.join(' ') ?? '')[0] ?? null;
};

/** Finds what sandboxes need that this machine has not. `isProved`: one could be made here before. */
export const sandboxLacks = async (isProved = false): Promise<Missing | null> => {
  const programs = { socat: 'socat', unshare: 'util-linux', ip: 'iproute2' };
  const absent = await programsLacking(programs, 'the namespaces in which VPCS runs');
  if (absent !== null || isProved) return absent;
  try {
    await promisify(execFile)('unshare', [...namespaces(), 'true'], { timeout: 5_000 });
    return null;
  } catch {
    return {
      needs: 'namespaces for VPCS, which could run programs of this machine without them',
      install:
        'start the server as root (sudo topolog serve), permit unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0), or use the engine embedded',
    };
  }
};

/** Gives the files of a node's directory to the user who VPCS runs as; files with several hard links stay the server's. */
export const giveToSandboxUser = async (directory: string): Promise<void> => {
  if (!isRoot()) return;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = await open(path.join(directory, entry.name), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      if ((await file.stat()).nlink === 1) await file.chown(USER, USER);
    } finally {
      await file.close();
    }
  }
  await chown(directory, USER, USER);
};
