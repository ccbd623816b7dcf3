import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../../errors.ts';
import { type ImagePlaces, isWithin } from '../image-files.ts';
import type { DiskFile } from './disk-arguments.ts';
import { runQemuImg } from './run-qemu-img.ts';
import { type Disk, DISKS, type ImageField, type Settings } from './settings.ts';

export interface DiskTools {
  /** Absolute path of `qemu-img`. */
  qemuImg: string;
  /** The node's directory. */
  directory: string;
  signal: AbortSignal;
  /** Where the files that images refer to must be; null or absent: anywhere. */
  within?: ImagePlaces | null;
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

interface Description {
  format: string;
  /** Octets that the guest sees. */
  size: number;
  /** What a copy on write is of; null for others. */
  backing: string | null;
  /** Other files that it consists of. */
  parts: string[];
}

/** `-U`: another machine may have the image open. */
const describe = async (image: string, tools: DiskTools): Promise<Description> => {
  const told = JSON.parse(await qemuImg(['info', '-U', '--output=json', image], image, tools)) as {
    format: string;
    'virtual-size': number;
    'full-backing-filename'?: string;
    'format-specific'?: { data?: { 'data-file'?: string; extents?: { filename: string }[] } };
  };
  const { 'data-file': data, extents = [] } = told['format-specific']?.data ?? {};
  return {
    format: told.format,
    size: told['virtual-size'],
    backing: told['full-backing-filename'] ?? null,
    parts: [...(data === undefined ? [] : [data]), ...extents.map(({ filename }) => filename)],
  };
};

/** The format of an image. Throws a conflict when that refers to a file which the machine must not have. */
export const formatOf = async (image: string, tools: DiskTools): Promise<string> => {
  const described = await describe(image, tools);
  await checkParts(image, described, tools, MOST_BACKING);
  return described.format;
};

/** Copies of copies that are followed. */
const MOST_BACKING = 32;

/** Whoever brings an image could have any file of this machine read as a part of it. */
const checkParts = async (
  image: string,
  { backing, parts }: Description,
  tools: DiskTools,
  left: number,
): Promise<void> => {
  const { within = null } = tools;
  if (within === null) return;
  const relative = (file: string): string => path.resolve(path.dirname(image), file);
  for (const file of [...parts.map(relative), ...(backing === null ? [] : [backing])])
    if (left === 0 || !path.isAbsolute(file) || !(await isWithin(file, within)))
      throw conflict(`${image} refers to ${file}, which is neither among the images nor in the project`);
  if (backing !== null) await checkParts(backing, await describe(backing, tools), tools, left - 1);
};

const FORMAT = 'qcow2';

/**
 * The node's own copy on write, made at the first start and kept from then on. An image that was moved is looked for at its new
 * place; for another image a new copy is made, and the old one is put aside as `.old`, as nothing in it fits any more.
 */
const overlay = async (
  disk: Disk,
  image: string,
  imageFormat: string,
  tools: DiskTools,
): Promise<{ path: string; format: string }> => {
  const file = path.join(tools.directory, `${disk}_disk.qcow2`);
  await mkdir(tools.directory, { recursive: true });
  if ((await stat(file).catch(() => null)) !== null) {
    const known = await describe(file, tools);
    await checkParts(file, known, tools, MOST_BACKING);
    if (known.backing === image) return { path: file, format: FORMAT };
    if (known.backing !== null && (await isMoved(known, image, tools))) {
      await qemuImg(['rebase', '-u', '-f', FORMAT, '-F', imageFormat, '-b', image, file], image, tools);
      return { path: file, format: FORMAT };
    }
    await rename(file, `${file}.old`);
  }
  await qemuImg(['create', '-q', '-f', FORMAT, '-F', imageFormat, '-b', image, file], image, tools);
  return { path: file, format: FORMAT };
};

const isMoved = async ({ backing, size }: Description, image: string, tools: DiskTools): Promise<boolean> =>
  backing !== null && path.basename(backing) === path.basename(image) && (await describe(image, tools)).size === size;

const qemuImg = (args: string[], image: string, { qemuImg: program, signal }: DiskTools): Promise<string> =>
  runQemuImg(program, args, image, signal);
