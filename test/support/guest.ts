import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { PACKAGE } from '../../src/common/package.ts';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { cpio, type CpioEntry } from './cpio.ts';
import { UDHCPC_CONTENT, UDHCPC_SCRIPT } from './udhcpc-script.ts';

/**
 * A small Linux guest made of Debian's packages: the kernel for clouds and a file system of busybox, with a root shell at the serial
 * line. Each `topolog.eth<n>=address/prefix` of the kernel's command line configures an adapter (virtio-net-pci); `udhcpc` takes a lease.
 */
export interface Guest {
  kernel: string;
  initrd: string;
}

export const GUEST_COMMAND_LINE = 'console=ttyS0 quiet';
/** The shell's prompt, behind which it may ask the terminal for the cursor's place (ESC [6n). */
export const GUEST_PROMPT = /\/root # (.\[6n)?$/;
/** Everything from the boot to the first prompt. */
export const GUEST_UP = /the guest is up[^]*\/root # (.\[6n)?$/;
/** Megabytes with which it boots for certain. */
export const GUEST_RAM = 96;

const run = promisify(execFile);

/** Builds the guest or finds it built before, with what else is built; a text says why there is none. */
export const findGuest = async (): Promise<Guest | string> => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'the guest is for Linux on x86_64';
  for (const program of ['qemu-system-x86_64', 'busybox', 'apt-get', 'dpkg'])
    if ((await which(program)) === null) return `${program} is not installed`;
  const directory = path.join(PACKAGE, 'dist', 'guest-2');
  const guest = { kernel: path.join(directory, 'vmlinuz'), initrd: path.join(directory, 'initrd.gz') };
  if (await exists(guest.initrd)) return guest;
  try {
    await build(directory);
  } catch (error) {
    return `the guest cannot be built: ${error instanceof Error ? error.message : String(error)}`;
  }
  return guest;
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const build = async (directory: string): Promise<void> => {
  const work = await mkdtemp(path.join(PACKAGE, 'dist', 'guest-build-'));
  try {
    const root = await fetchKernel(work);
    const out = path.join(work, 'out');
    await mkdir(out);
    const [kernel] = (await readdir(path.join(root, 'boot'))).filter((name) => name.startsWith('vmlinuz'));
    if (kernel === undefined) throw new Error('the package has no kernel');
    await rename(path.join(root, 'boot', kernel), path.join(out, 'vmlinuz'));
    await writeFile(path.join(out, 'initrd.gz'), gzipSync(cpio(await files(root))));
    // Another test may have come first.
    await rename(out, directory).catch(async (error: unknown) => {
      if (!(await exists(path.join(directory, 'initrd.gz')))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

/** Unpacks Debian's kernel package and answers where. */
const fetchKernel = async (work: string): Promise<string> => {
  const { stdout } = await run('apt-cache', ['depends', 'linux-image-cloud-amd64']);
  const name = /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
  if (name === undefined) throw new Error('apt knows no linux-image-cloud-amd64');
  await run('apt-get', ['download', name], { cwd: work });
  const [deb] = (await readdir(work)).filter((file) => file.endsWith('.deb'));
  const root = path.join(work, 'root');
  await run('dpkg', ['-x', path.join(work, deb ?? ''), root]);
  return root;
};

/** In the order in which they must be loaded. */
const MODULES = [
  ...['failover', 'net_failover', 'virtio_ring', 'virtio', 'virtio_pci_modern_dev', 'virtio_pci_legacy_dev'],
  ...['virtio_pci', 'virtio_net', 'virtio_blk', 'evdev', 'button'],
];

const INIT = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
for module in /modules/*.ko; do insmod $module; done
ip link set lo up
for word in $(cat /proc/cmdline); do
  case $word in topolog.eth*=*)
    device=\${word%%=*}; device=\${device#topolog.}
    ip addr add \${word#*=} dev $device; ip link set $device up ;;
  esac
done
acpid
cd /root
echo the guest is up
while true; do setsid cttyhack sh; done
`;

const files = async (root: string): Promise<CpioEntry[]> => {
  const program = (await which('busybox')) ?? '';
  const modules = await Promise.all(MODULES.map((name, index) => moduleFile(root, name, index)));
  return [
    ...[
      'bin',
      'dev',
      'etc',
      'etc/acpi',
      'etc/acpi/PWRF',
      'etc/udhcpc',
      'modules',
      'proc',
      'root',
      'sys',
      'tmp',
      'var',
      'var/log',
      'var/run',
    ].map((name): CpioEntry => ({ name, content: null })),
    { name: 'bin/busybox', content: await readFile(program), executable: true },
    { name: 'init', content: INIT, executable: true },
    { name: 'etc/acpi/PWRF/00000080', content: '#!/bin/sh\npoweroff -f\n', executable: true },
    { name: UDHCPC_SCRIPT, content: UDHCPC_CONTENT, executable: true },
    ...modules.flat(),
  ];
};

/** A module built into the kernel has no file. */
const moduleFile = async (root: string, name: string, index: number): Promise<CpioEntry[]> => {
  const { stdout } = await run('find', [root, '-name', `${name}.ko*`]);
  const file = stdout.split('\n')[0] ?? '';
  if (file === '') return [];
  const content = file.endsWith('.xz')
    ? (await run('xz', ['-dc', file], { encoding: 'buffer', maxBuffer: 64 * 1024 * 1024 })).stdout
    : await readFile(file);
  return [{ name: `modules/${String(index).padStart(2, '0')}-${name}.ko`, content }];
};
