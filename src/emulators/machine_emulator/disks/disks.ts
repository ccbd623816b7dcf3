import { lstat, mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import type { ImagePlaces } from '../../shared/images/image-files.ts';
import type { DiskFile } from './arguments.ts';
import { checkedImage } from './image-chain.ts';
import { type ImageHead, readHead } from './image-head.ts';
import { runQemuImg } from './run-qemu-img.ts';
import { type Disk, DISKS, type ImageField, type Settings } from '../settings.ts';

export interface DiskTools {
  /** Absolute path of `qemu-img`. */
  qemuImg: string;
  /** The node's directory. */
  directory: string;
  signal: AbortSignal;
  /** Where the files that images refer to must be. */
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

/** Only what is made here has the name; an archive can have brought something else. */
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
