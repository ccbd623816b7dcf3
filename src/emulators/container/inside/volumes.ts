import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MOST_ITEMS, MOST_JSON } from '../../../common/bounds.ts';
import { readBounded } from '../../../common/file.ts';
import { conflict, messageOf } from '../../../common/errors.ts';
import type { KindNode } from '../../kit/contract.ts';
import { lookBelow, placeFiles } from '../../shared/host/first-files.ts';
import { removeContainer } from '../containers.ts';
import type { Image } from '../images.ts';
import { type Service, ServiceError } from '../service.ts';
import { keptPath, type Mount, type Settings } from '../settings.ts';
import { interfaceNames } from './interfaces.ts';
import { NETWORK_DIRECTORY, sampleFile, saysNothing } from './interfaces-file.ts';

/** Names of the volumes, a line each, that have what the image has at their place. */
const BEGUN = '.volumes';
/** The existing server leaves it in a volume that has begun. */
const BEGUN_THERE = '.gns3_perms';

/**
 * The directories of a container that are kept with its node, each at its own path below the node's directory: those of its settings, those
 * that the image declares, and that of its network. Each begins with what the image has at its place, beside files that the node has already.
 */
export const mountsOf = async (
  service: Service,
  node: KindNode,
  { image: name, volumes: given }: Pick<Settings, 'image' | 'volumes'>,
  image: Pick<Image, 'id' | 'volumes'>,
): Promise<Mount[]> => {
  const root = node.node_directory;
  if (root === null && given.length > 0) throw conflict(`${node.name}: extra_volumes needs a directory of the node`);
  if (root === null) return [];
  const declared = image.volumes.slice(0, MOST_ITEMS).flatMap((volume) => keptPath(volume) ?? []);
  const begun = new Set(linesIn(await textOf(path.join(root, BEGUN))));
  const mounts: Mount[] = [];
  // Outer ones first: what they begin with may have the place of an inner one.
  for (const volume of [...new Set([...given, ...declared, NETWORK_DIRECTORY])].sort()) {
    const source = path.join(root, volume);
    const isThere = await isOwn(node, root, volume);
    const isBegun = begun.has(volume) || (isThere && existsSync(path.join(source, BEGUN_THERE)));
    if (!isThere || !isBegun) await fill(service, { ...image, name }, volume, { root, source });
    if (!begun.has(volume)) await writeFile(path.join(root, BEGUN), `${[...begun.add(volume)].join('\n')}\n`);
    mounts.push({ Type: 'bind', Source: source, Target: volume, ReadOnly: false });
  }
  await placeFiles(root, [sampleFile(interfaceNames(node))]);
  return mounts;
};

const linesIn = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/**
 * Whether the directory is there, and really below the node's: a container can have left a symbolic link in a volume that holds
 * another one, and must not get at what it points to.
 */
const isOwn = async (node: KindNode, root: string, volume: string): Promise<boolean> => {
  const { isThere, odd } = await lookBelow(root, volume);
  if (odd === undefined) return isThere;
  throw conflict(`${node.name}: ${odd} is not a directory and cannot be volume ${volume}; remove it`, {
    field: 'extra_volumes',
  });
};

type FilledFrom = Pick<Image, 'id' | 'volumes'> & { name: string };

const fill = async (service: Service, image: FilledFrom, volume: string, to: { root: string; source: string }) => {
  // Put in place whole: what was half copied is not taken for the volume by the next start.
  const copy = await mkdtemp(path.join(to.root, '.volume-'));
  try {
    const from = await copyOut(service, image, volume, copy);
    if (volume === NETWORK_DIRECTORY) await dropUntouched(path.join(to.source, 'interfaces'));
    await mkdir(path.dirname(to.source), { recursive: true });
    await merge(from, to.source);
  } catch (error) {
    throw error instanceof ServiceError
      ? error
      : conflict(`${volume} of ${image.name} cannot be copied: ${messageOf(error)}`, { field: 'extra_volumes' });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
};

/** Empty for a file that is not there, is larger than a text, or is a link: nodes write in their directories. */
const textOf = (file: string): Promise<string> =>
  readBounded(file, MOST_JSON, { follow: false }).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );

/** A file in which nobody has written gives way to that of the image. */
const dropUntouched = async (file: string): Promise<void> => {
  const text = await textOf(file);
  if (text !== '' && saysNothing(text)) await rm(file);
};

/** Moves what is not there yet. Directories that are there take over mode and owner. */
const merge = async (from: string, to: string): Promise<void> => {
  const [brought, there] = [await lstat(from), await lstat(to).catch(() => null)];
  if (there === null) return rename(from, to);
  if (!brought.isDirectory() || !there.isDirectory()) return;
  await chown(to, brought.uid, brought.gid).catch(() => undefined);
  await chmod(to, brought.mode & 0o7777);
  for (const name of await readdir(from)) await merge(path.join(from, name), path.join(to, name));
};

/** Images, by their ids, and volumes that have nothing there: images do not change. */
const nothingThere = new Set<string>();

/** Copies by a container that is never started: images themselves give no files out. Answers the copy. */
const copyOut = async (service: Service, image: FilledFrom, volume: string, directory: string): Promise<string> => {
  const copy = path.join(directory, path.posix.basename(volume));
  const key = `${image.id} ${volume}`;
  if (!nothingThere.has(key)) {
    const Id = await makeUnstarted(service, image);
    try {
      const archive = await service.stream('GET', `/containers/${Id}/archive`, { query: { path: volume } });
      await untar(archive, directory);
    } catch (error) {
      // The image has nothing there: the volume begins empty.
      if (!(error instanceof ServiceError && error.status === 404)) throw error;
      if (nothingThere.size >= MOST_ITEMS) nothingThere.clear();
      nothingThere.add(key);
    } finally {
      await removeContainer(service, Id);
    }
  }
  const found = await lstat(copy).catch(() => null);
  if (found?.isDirectory() === true) return copy;
  const empty = path.join(directory, 'empty');
  await mkdir(empty);
  await chmod(empty, 0o755);
  return empty;
};

/** Podman would have an empty volume in front of what the image has, until the container starts: only its own interface can leave it out. */
const makeUnstarted = async (service: Service, { name, volumes }: FilledFrom): Promise<string> => {
  const make = async (path: string, body: unknown): Promise<string> =>
    (await service.call<{ Id: string }>('POST', path, { body })).Id;
  const own = { image: name, command: ['true'], image_volume_mode: 'ignore', netns: { nsmode: 'none' } };
  const made = volumes.length === 0 ? null : await make(PODMAN_CREATE, own).catch(unlessUnknown);
  return made ?? make('/containers/create', { Image: name, Cmd: ['true'], HostConfig: { NetworkMode: 'none' } });
};

const PODMAN_CREATE = '/v4.0.0/libpod/containers/create';

/** null: the service is Docker. */
const unlessUnknown = (error: unknown): null => {
  if (error instanceof ServiceError && (error.status === 400 || error.status === 404)) return null;
  throw error;
};

const untar = async (archive: Readable, directory: string): Promise<void> => {
  const tar = spawn('tar', ['-x', '-p', '-f', '-', '-C', directory], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  tar.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(tar, 'close');
  await pipeline(archive, tar.stdin);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(said.trim());
};
