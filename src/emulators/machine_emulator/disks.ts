import { execFile } from 'node:child_process';
import { lstat, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { engineFailed, messageOf, TopologError } from '../../common/errors.ts';
import type { ImagePlaces } from '../shared/images/image-files.ts';
import { which } from '../shared/process/find-program.ts';
import type { DiskFile } from './command-line.ts';
import { type Disk, DISKS, type ImageField, type Settings } from './schema.ts';
import { checkedImage } from './images.ts';
import { type ImageHead, readHead } from './image-head.ts';

export interface DiskTools {
  /** Absolute path of `qemu-img`. */
  qemuImg: string;
  /** The node's directory. */
  directory: string;
  signal: AbortSignal;
  /** Directories in which the files that images refer to must be. */
  places: ImagePlaces;
}

/** Disks as QEMU is to open them: the images themselves, or copies on write in the node's directory for a linked clone. */
export const prepareDisks = async (
  settings: Settings,
  images: Record<ImageField, string>,
  tools: DiskTools,
): Promise<DiskFile[]> => {
  const disks: DiskFile[] = [];
  for (const disk of DISKS) {
    const image = images[`${disk}_disk_image`];
    if (image === '') continue;
    const format = await formatOf(image, tools);
    const file = settings.linkedClone ? await overlay(disk, image, format, tools) : { path: image, format };
    disks.push({ disk, interface: settings.interfaces[disk], ...file });
  }
  return disks;
};

/** The format of an image that refers to nothing which the machine must not have. Throws a conflict for another. */
const formatOf = async (image: string, { places }: DiskTools): Promise<string> =>
  (await checkedImage(image, places)).format;

const FORMAT = 'qcow2';

/**
 * The node's own copy on write, made at the first start and kept from then on. An image that was moved is looked for at its new
 * place; for another image a new copy is made, and the old one is put aside as `.old`, as nothing in it fits the new one.
 */
const overlay = async (
  disk: Disk,
  image: string,
  imageFormat: string,
  tools: DiskTools,
): Promise<{ path: string; format: string }> => {
  const file = path.join(tools.directory, `${disk}_disk.qcow2`);
  await mkdir(tools.directory, { recursive: true });
  if ((await lstat(file).catch(() => null)) !== null) {
    const known = await ownOverlay(file);
    if (known !== null && backingOf(file, known) === image) return { path: file, format: FORMAT };
    if (known !== null && (await isMoved(file, known, { image, imageFormat }, tools))) {
      await qemuImg(['rebase', '-u', '-f', FORMAT, '-F', imageFormat, '-b', image, file], image, tools);
      return { path: file, format: FORMAT };
    }
    await rename(file, `${file}.old`);
  }
  await qemuImg(['create', '-q', '-f', FORMAT, '-F', imageFormat, '-b', image, file], image, tools);
  return { path: file, format: FORMAT };
};

/** Reads an overlay that was made here; null: an archive has brought another file of that name. */
const ownOverlay = async (file: string): Promise<ImageHead | null> => {
  const head = await readHead(file);
  return head.format === FORMAT && head.parts.length === 0 && head.backing !== null ? head : null;
};

const backingOf = (file: string, { backing }: ImageHead): string | null =>
  backing === null ? null : path.resolve(path.dirname(file), backing.name);

const isMoved = async (
  file: string,
  known: ImageHead,
  { image, imageFormat }: { image: string; imageFormat: string },
  tools: DiskTools,
): Promise<boolean> => {
  if (path.basename(backingOf(file, known) ?? '') !== path.basename(image)) return false;
  // `-U`: another machine may have the image open.
  const args = ['info', '-U', '-f', imageFormat, '--output=json', image];
  const told = JSON.parse(await qemuImg(args, image, tools)) as { 'virtual-size': number };
  return told['virtual-size'] === known.size;
};

const qemuImg = (args: string[], image: string, { qemuImg: program, signal }: DiskTools): Promise<string> =>
  runQemuImg(program, args, { what: image, signal });

/** Octets that one call may print, and how long it may take: a disk is preallocated as fast as this machine writes. */
const MOST_PRINTED = 1024 * 1024;
const LONGEST_MS = 600_000;

interface QemuImgCall {
  /** Begins the sentence of a failure. */
  what: string;
  signal: AbortSignal;
  /** Milliseconds after which it is killed. */
  longest?: number;
}

/**
 * Runs `qemu-img` and answers its output. Files are absolute paths, which are no names of protocols, and were checked before: see
 * images.ts.
 */
export const runQemuImg = async (
  program: string,
  args: readonly string[],
  { what, signal, longest = LONGEST_MS }: QemuImgCall,
): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(program, [...args], {
      signal,
      timeout: longest,
      killSignal: 'SIGKILL',
      maxBuffer: MOST_PRINTED,
    });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const { stderr: said = '', killed = false } = error as { stderr?: string; killed?: boolean };
    const stderr = killed ? `it took longer than ${longest / 1000} s` : said.trim();
    throw engineFailed(what, `qemu-img ${args[0] ?? ''}: ${stderr === '' ? messageOf(error) : stderr}`);
  }
};

/**
 * Absolute path of the `qemu-img` of this machine. A client may name another one that is called so, as a path; others are not run. Throws
 * what says how to install it.
 */
export const findQemuImg = async (wished: string | undefined, what: string): Promise<string> => {
  const named = wished !== undefined && /^qemu-img(\.exe)?$/.test(path.basename(wished)) ? await which(wished) : null;
  const found = named ?? (await which('qemu-img'));
  if (found === null)
    throw new TopologError('engine_missing', { what, needs: 'qemu-img', install: 'apt-get install qemu-utils' });
  return found;
};
