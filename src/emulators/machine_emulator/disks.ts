import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DiskFile } from './disk-arguments.ts';
import { runQemuImg } from './run-qemu-img.ts';
import { type Disk, DISKS, type ImageField, type Settings } from './settings.ts';

export interface DiskTools {
  /** Absolute path of `qemu-img`. */
  qemuImg: string;
  /** The node's directory. */
  directory: string;
  signal: AbortSignal;
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
    const { format } = await describe(image, tools);
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
}

/** `-U`: another machine may have the image open. */
const describe = async (image: string, tools: DiskTools): Promise<Description> => {
  const told = JSON.parse(await qemuImg(['info', '-U', '--output=json', image], image, tools)) as {
    format: string;
    'virtual-size': number;
    'full-backing-filename'?: string;
  };
  return { format: told.format, size: told['virtual-size'], backing: told['full-backing-filename'] ?? null };
};

/** The format of an image that is used as it is. */
export const formatOf = async (image: string, tools: DiskTools): Promise<string> =>
  (await describe(image, tools)).format;

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
