import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { conflict, messageOf } from '../../../common/errors.ts';
import type { KindNode } from '../../kit/contract.ts';
import { removeContainer } from '../containers.ts';
import { type Service, ServiceError } from '../service.ts';
import type { Mount, Settings } from '../settings.ts';

/**
 * The directories of a container that are kept with its node, each at its own path below the node's directory. One that is not there
 * yet begins with what the image has at its place.
 */
export const mountsOf = async (service: Service, node: KindNode, { image, volumes }: Settings): Promise<Mount[]> => {
  const root = node.node_directory;
  if (volumes.length === 0) return [];
  if (root === null) throw conflict(`${node.name}: extra_volumes needs a directory of the node`);
  const mounts: Mount[] = [];
  // Outer ones first: what they begin with may have the place of an inner one.
  for (const volume of [...volumes].sort()) {
    const source = path.join(root, volume);
    if (!(await isOwn(node, root, volume))) await fill(service, image, volume, { root, source });
    mounts.push({ Type: 'bind', Source: source, Target: volume, ReadOnly: false });
  }
  return mounts;
};

/**
 * Whether the directory is there, and really below the node's: a container can have left a symbolic link in a volume that holds
 * another one, and must not get at what it points to.
 */
const isOwn = async (node: KindNode, root: string, volume: string): Promise<boolean> => {
  let at = root;
  for (const part of volume.split('/').filter((name) => name !== '')) {
    at = path.join(at, part);
    const found = await lstat(at).catch(() => null);
    if (found === null) return false;
    if (!found.isDirectory())
      throw conflict(`${node.name}: ${at} is not a directory and cannot be volume ${volume}; remove it`, {
        field: 'extra_volumes',
      });
  }
  return true;
};

const fill = async (service: Service, image: string, volume: string, to: { root: string; source: string }) => {
  await mkdir(path.dirname(to.source), { recursive: true });
  // Put in place whole: what was half copied is not taken for the volume by the next start.
  const copy = await mkdtemp(path.join(to.root, '.volume-'));
  try {
    await copyOut(service, image, volume, copy);
    await rename(copy, to.source);
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error instanceof ServiceError
      ? error
      : conflict(`${volume} of ${image} cannot be copied: ${messageOf(error)}`, { field: 'extra_volumes' });
  }
};

/** Copies by a container that is never started: images themselves give no files out. */
const copyOut = async (service: Service, image: string, volume: string, directory: string): Promise<void> => {
  const body = { Image: image, Cmd: ['true'], HostConfig: { NetworkMode: 'none' } };
  const { Id } = await service.call<{ Id: string }>('POST', '/containers/create', { body });
  try {
    const archive = await service.stream('GET', `/containers/${Id}/archive`, { query: { path: volume } });
    const tar = spawn('tar', ['-x', '-p', '-f', '-', '-C', directory, '--strip-components=1'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let said = '';
    tar.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = once(tar, 'close');
    await pipeline(archive, tar.stdin);
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new Error(said.trim());
  } catch (error) {
    // The image has nothing there: the volume begins empty.
    if (!(error instanceof ServiceError && error.status === 404)) throw error;
  } finally {
    await removeContainer(service, Id);
  }
};
