import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import type { Podman } from './podman.ts';
import { tempDir } from './temp.ts';

/**
 * An image for labs of routers and hosts, made of what this machine has installed: FRR, iproute2, ping and a shell. Its daemons are those that
 * `/etc/frr/daemons` says yes to, as in the images of FRR.
 */

const run = promisify(execFile);
const DAEMONS = ['zebra', 'mgmtd', 'staticd', 'ospfd', 'ospf6d', 'bgpd', 'ripd', 'isisd', 'vrrpd'];
const FRR = '/usr/lib/frr';
const PROGRAMS = ['ip', 'bridge', 'ping', 'vtysh', 'keepalived'];
const APPLETS = [
  ...['cat', 'chmod', 'chown', 'cp', 'cut', 'date', 'echo', 'env', 'false', 'grep', 'head', 'hostname', 'httpd'],
  ...['kill', 'ls', 'mkdir', 'mv', 'nc', 'ps', 'rm', 'sed', 'seq', 'sh', 'sleep', 'sysctl', 'tail', 'test'],
  ...['touch', 'true', 'udhcpc', 'udhcpd', 'uname', 'usleep', 'wc', 'wget'],
];

/** Why it cannot be made here; null when it can. */
export const routerImageLacks = async (): Promise<string | null> => {
  for (const name of ['busybox', 'ldd', 'ip', 'ping'])
    if ((await which(name)) === null) return `${name} is not installed`;
  return (await which(`${FRR}/zebra`)) === null && (await which('vtysh')) === null ? 'frr is not installed' : null;
};

/** Reads its settings, starts what they say, has the configuration read, and stays. */
const START = `#!/bin/sh
mkdir -p /run/frr /var/tmp/frr && chown frr:frr /run/frr /etc/frr
for d in zebra mgmtd staticd ospfd ospf6d bgpd ripd isisd vrrpd; do
  case $d in zebra|staticd|mgmtd) ;; *) grep -q "^$d=yes" /etc/frr/daemons || continue ;; esac
  [ -x ${FRR}/$d ] && ${FRR}/$d -d -A 127.0.0.1
done
[ -e /etc/frr/frr.conf ] && vtysh -b
exec sleep 2147483647
`;

const FILES: Readonly<Record<string, string>> = {
  'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nfrr:x:92:92::/nonexistent:/bin/false\n',
  'etc/group': 'root:x:0:\nfrr:x:92:\nfrrvty:x:93:frr\n',
  'etc/frr/daemons': DAEMONS.map((name) => `${name}=no\n`).join(''),
  'etc/frr/vtysh.conf': 'service integrated-vtysh-config\nusername root nopassword\n',
};

export const importRouterImage = async (podman: Podman, names: readonly string[]): Promise<void> => {
  const { path: files, remove } = await tempDir();
  for (const name of ['bin', 'etc/frr', 'proc', 'sys', 'tmp', 'root', 'run', 'var', 'usr/lib', 'usr/bin', 'sbin'])
    await mkdir(path.join(files, name), { recursive: true });
  await symlink('../run', path.join(files, 'var/run'));
  await copyFile((await which('busybox')) ?? '', path.join(files, 'bin/busybox'));
  for (const name of APPLETS) await symlink('busybox', path.join(files, 'bin', name));
  for (const [name, content] of Object.entries(FILES)) await writeFile(path.join(files, name), content);
  await cp(FRR, path.join(files, FRR), { recursive: true });
  await writeFile(path.join(files, FRR, 'docker-start'), START, { mode: 0o755 });
  const found = await Promise.all(PROGRAMS.map((name) => which(name)));
  const programs = found.filter((program) => program !== null);
  for (const program of programs) await copyFile(program, path.join(files, 'usr/bin', path.basename(program)));
  await copyLibraries([...programs, ...DAEMONS.map((name) => `${FRR}/${name}`)], files);
  const [first = '', ...others] = names;
  const PATH = 'ENV=PATH=/usr/bin:/bin:/usr/sbin:/sbin';
  for (const name of [first, ...others])
    await podman.importTree(files, name, [
      PATH,
      ...(name.includes('frr') ? [`ENTRYPOINT=["${FRR}/docker-start"]`] : ['CMD=["/bin/sh"]']),
    ]);
  await remove();
};

/** What ldd(1) finds for them, at the same places. */
const copyLibraries = async (programs: readonly string[], to: string): Promise<void> => {
  const found = new Set<string>();
  for (const program of programs) {
    if ((await readFile(program).catch(() => null)) === null) continue;
    const { stdout } = await run('ldd', [program]);
    for (const [, place = ''] of stdout.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)) found.add(place);
  }
  for (const place of found) {
    await mkdir(path.join(to, path.dirname(place)), { recursive: true });
    await copyFile(place, path.join(to, place));
  }
};
