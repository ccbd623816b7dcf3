import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { namespaceOf, tapOf } from '../../src/emulators/container/adapters.ts';
import { serviceAnswers } from '../../src/emulators/container/service.ts';
import type { KindNode } from '../../src/emulators/kit/contract.ts';
import { which } from '../../src/emulators/shared/process/find-program.ts';
import { makeTemp } from './temp.ts';
import { UDHCPC_CONTENT, UDHCPC_SCRIPT } from './udhcpc-script.ts';
import { waitFor } from './wait-for.ts';

/** A container service of a test's own, with one image, made of busybox. */
export interface Podman {
  socket: string;
  image: string;
  /** Gives its image a further name. */
  tag(name: string): Promise<void>;
  /** Makes an image of a directory. `changes`: instructions of a Containerfile. */
  importTree(directory: string, name: string, changes: readonly string[]): Promise<void>;
  /** Ends the service with everything it has. */
  close(): Promise<void>;
}

const run = promisify(execFile);
const IMAGE = 'localhost/topolog-busybox:latest';
const PROGRAMS = ['podman', 'runc', 'conmon', 'socat', 'ip', 'busybox', 'tar', 'umount'];

/** Why there can be none here; null when there can. */
export const podmanLacks = async (): Promise<string | null> => {
  if (process.platform !== 'linux') return 'containers need Linux';
  if (userInfo().uid !== 0) return 'containers with adapters need root';
  for (const program of PROGRAMS) if ((await which(program)) === null) return `${program} is not installed`;
  return null;
};

export const startPodman = async (): Promise<Podman> => {
  const root = await makeTemp('topolog-podman');
  const socket = path.join(root, 's');
  const environment = await configure(root);
  const child = spawn('podman', ['--runtime', 'runc', 'system', 'service', '--time=0', `unix://${socket}`], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    await removeContainers(root);
    child.kill();
    await ended;
    await removeStorage(root);
  };
  try {
    await waitFor('podman answers', () => {
      if (child.exitCode !== null) throw new Error(`podman ended with code ${child.exitCode}`);
      return serviceAnswers(socket);
    });
    const command = async (...words: string[]): Promise<void> => {
      await run('podman', ['--runtime', 'runc', ...words], { env: { ...process.env, ...environment } });
    };
    const importTree: Podman['importTree'] = async (directory, name, changes) => {
      const archive = path.join(root, 'image.tar');
      await run('tar', ['-C', directory, '-cf', archive, '.']);
      await command('import', ...changes.flatMap((change) => ['--change', change]), archive, name);
      await rm(archive);
    };
    await importImage(root, importTree);
    return { socket, image: IMAGE, close, importTree, tag: (name) => command('tag', IMAGE, name) };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Ends the containers that a service has left in its directory. Does nothing for any other directory. */
export const endContainers = async (root: string): Promise<void> => {
  if (existsSync(placesOf(root).CONTAINERS_CONF)) await removeContainers(root);
};

const removeStorage = async (root: string): Promise<void> => {
  // Where it has mounted its own storage.
  await run('umount', [path.join(root, 'storage', 'overlay')]).catch(() => undefined);
  await rm(root, { recursive: true, force: true });
};

const removeContainers = async (root: string): Promise<void> => {
  await run('podman', ['--runtime', 'runc', 'rm', '--all', '--force', '--time', '0'], {
    env: { ...process.env, ...placesOf(root) },
  }).catch(() => undefined);
};

const placesOf = (root: string) => ({
  CONTAINERS_CONF: path.join(root, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: path.join(root, 'storage.conf'),
  TMPDIR: root,
});

/** What makes it run in narrow surroundings: runc takes older control groups, and limits stay below those of this process. */
const configure = async (root: string): Promise<NodeJS.ProcessEnv> => {
  const places = placesOf(root);
  await writeFile(
    places.CONTAINERS_CONF,
    '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n' +
      '[engine]\nruntime = "runc"\nevents_logger = "file"\ncgroup_manager = "cgroupfs"\n' +
      `tmp_dir = "${root}/tmp"\n`,
  );
  await writeFile(
    places.CONTAINERS_STORAGE_CONF,
    `[storage]\ndriver = "overlay"\ngraphroot = "${root}/storage"\nrunroot = "${root}/run"\n`,
  );
  return places;
};

const APPLETS = [
  ...['arp', 'cat', 'dd', 'echo', 'grep', 'hostname', 'httpd', 'ifconfig', 'ip', 'kill', 'ls', 'md5sum', 'mkdir', 'nc'],
  ...['ping', 'ps', 'sh', 'sleep', 'stty', 'tail', 'tee', 'test', 'touch', 'true', 'udhcpc', 'usleep', 'wc', 'wget'],
];

const importImage = async (root: string, importTree: Podman['importTree']): Promise<void> => {
  const files = path.join(root, 'image');
  for (const name of ['bin', 'etc', 'data', 'proc', 'sys', 'tmp'])
    await mkdir(path.join(files, name), { recursive: true });
  await copyFile((await which('busybox')) ?? '', path.join(files, 'bin', 'busybox'));
  for (const name of APPLETS) await symlink('busybox', path.join(files, 'bin', name));
  await writeFile(path.join(files, 'data', 'from-image'), 'from the image\n');
  await mkdir(path.dirname(path.join(files, UDHCPC_SCRIPT)), { recursive: true });
  await writeFile(path.join(files, UDHCPC_SCRIPT), UDHCPC_CONTENT, { mode: 0o755 });
  await importTree(files, IMAGE, ['CMD=["/bin/sh"]', 'ENV=PATH=/bin']);
};

/** Names of what this machine has for a node: its namespace, and interfaces that have not got there. */
export const networkOf = async (node: Pick<KindNode, 'node_id' | 'project_id'>, mark: string): Promise<string[]> => {
  const [links, namespaces] = await Promise.all([run('ip', ['-brief', 'link']), run('ip', ['netns', 'list'])]);
  const interfaces = links.stdout.split('\n').map((line) => line.split(' ')[0] ?? '');
  return [
    ...interfaces.filter((name) => name.startsWith(tapOf(node, 0, mark).slice(0, -1))),
    ...namespaces.stdout.split(/\s/).filter((word) => word === namespaceOf(node, mark)),
  ];
};
