import { lstat, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { besides, makeDirectory, moveTo, syncPath } from '../../common/durable.ts';
import { conflict, engineFailed, invalid, notFound, TopologError } from '../../common/errors.ts';
import { needRoom } from '../../common/file.ts';
import type { KindOperation, NodeOperation, OperationContext, Properties } from '../kit/contract.ts';
import { filled, listOf, word } from '../kit/fields.ts';
import { programVersion } from '../shared/process/find-program.ts';
import { findQemuImg, prepareDisks, runQemuImg } from './disks.ts';
import { checkedImage, findImages, imagePlaces } from './images.ts';
import { kvmWorks } from './machine/accelerator.ts';
import { QEMU_VERSION } from './programs.ts';
import { type Disk, DISKS, settingsOf } from './schema.ts';

const program = z.strictObject({ path: z.string(), version: z.string() });

/** `qemu-system-x86_64`, `qemu-system-x86_64w.exe`; `qemu-kvm` of some distributions is that of their own processor. */
const SYSTEM = /^qemu-(?:system-(\w+?)(?:w?\.exe)?|kvm)$/;
const IMG = /^qemu-img(?:\.exe)?$/;

/** Programs of the PATH with their versions, those of the first folders first; each real path once. */
const programs = async (wanted: (name: string) => boolean): Promise<z.output<typeof program>[]> => {
  const found = new Map<string, string>();
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter).filter((f) => f !== ''))
    for (const name of (await readdir(folder).catch(() => [])).sort())
      if (wanted(name) && !found.has(name)) found.set(name, path.join(folder, name));
  const versions = await Promise.all([...found.values()].map((file) => programVersion(file, QEMU_VERSION)));
  return [...found.values()].flatMap((file, i) => {
    const version = versions[i];
    return version == null ? [] : [{ path: file, version }];
  });
};

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'x86_64', ia32: 'i386', arm64: 'aarch64', arm: 'arm' };

const binaries: KindOperation = {
  method: 'GET',
  path: 'binaries',
  summary: 'The QEMU programs of this machine; `archs` asks for some architectures only',
  code: 200,
  body: z.strictObject({ archs: listOf(word).exactOptional() }),
  output: z.array(program),
  run: (args) => {
    const archs = args['archs'] as string[] | undefined;
    return programs((name) => {
      const match = SYSTEM.exec(name);
      if (match === null) return false;
      return archs === undefined || archs.includes(match[1] ?? ARCHITECTURES[process.arch] ?? process.arch);
    });
  },
};

const imgBinaries: KindOperation = {
  method: 'GET',
  path: 'img-binaries',
  summary: 'The qemu-img programs of this machine',
  code: 200,
  output: z.array(program),
  run: () => programs((name) => IMG.test(name)),
};

const capabilities: KindOperation = {
  method: 'GET',
  path: 'capabilities',
  summary: 'Architectures that KVM runs here',
  code: 200,
  output: z.strictObject({ kvm: z.array(z.string()) }),
  run: async () => {
    const all = ['x86_64', 'i386', 'aarch64'];
    const usable = await Promise.all(all.map((arch) => kvmWorks(arch)));
    return { kvm: all.filter((_, i) => usable[i] === true) };
  },
};

/** Options of `qemu-img create -o`, by format: the ones that existing tools offer. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  qcow2: ['preallocation', 'cluster_size', 'refcount_bits', 'lazy_refcounts'],
  qcow: [],
  vpc: ['subformat'],
  vdi: ['static'],
  vmdk: ['adapter_type', 'subformat', 'zeroed_grain'],
  raw: [],
};

/** 1 EiB in MiB; file systems give up long before. */
const MOST = 2 ** 40;

/** Megabytes by which a disk grows. */
const extend = z.int().min(1).max(MOST);

const name = filled;
const onOff = z.enum(['on', 'off']);
const createBody = z.strictObject({
  qemu_img: name,
  path: name,
  format: z.enum(['qcow2', 'qcow', 'vpc', 'vdi', 'vmdk', 'raw']),
  /** Megabytes. */
  size: z
    .int()
    .min(1)
    .max(2 ** 40),
  preallocation: z.enum(['off', 'metadata', 'falloc', 'full']).exactOptional(),
  cluster_size: z
    .int()
    .refine((n) => n >= 512 && n <= 2 ** 21 && Number.isInteger(Math.log2(n)), 'must be a power of two, 512 to 2097152')
    .exactOptional(),
  refcount_bits: z.union([1, 2, 4, 8, 16, 32, 64].map((n) => z.literal(n))).exactOptional(),
  lazy_refcounts: onOff.exactOptional(),
  subformat: z
    .enum([
      'dynamic',
      'fixed',
      'streamOptimized',
      'twoGbMaxExtentSparse',
      'twoGbMaxExtentFlat',
      'monolithicSparse',
      'monolithicFlat',
    ])
    .exactOptional(),
  static: onOff.exactOptional(),
  zeroed_grain: onOff.exactOptional(),
  adapter_type: z.enum(['ide', 'lsilogic', 'buslogic', 'legacyESX']).exactOptional(),
});
const resizeBody = z.strictObject({ qemu_img: name, path: name, extend: extend.exactOptional() });

const create: KindOperation = {
  method: 'POST',
  path: 'img',
  summary: 'Create a disk image with qemu-img',
  code: 201,
  body: createBody,
  async run(args, context, signal) {
    const { qemu_img, path: wished, format, size, ...given } = args as z.output<typeof createBody>;
    const file = await placeOf(wished, context);
    const options = optionsOf(format, given);
    const program = await findQemuImg(qemu_img, wished);
    if ((await lstat(file).catch(() => null)) !== null) throw conflict(`${wished} is there already`, { field: 'path' });
    await needRoom(file);
    await makeDirectory(path.dirname(file));
    // Whole before it has its name: a half-made image would be offered to machines.
    const part = besides(file);
    try {
      await runQemuImg(program, ['create', '-q', '-f', format, ...options, part, `${size}M`], { what: wished, signal });
      await syncPath(part);
      await moveTo(part, file);
    } finally {
      await rm(part, { force: true });
    }
    return null;
  },
};

const resize: KindOperation = {
  method: 'PUT',
  path: 'img',
  summary: 'Grow a disk image with qemu-img by a number of megabytes; no machine may be using it',
  code: 201,
  body: resizeBody,
  async run(args, context, signal) {
    const { qemu_img, path: wished, extend: megabytes } = args as z.output<typeof resizeBody>;
    const file = await placeOf(wished, context);
    const program = await findQemuImg(qemu_img, wished);
    if ((await lstat(file).catch(() => null))?.isFile() !== true) throw notFound('Image', wished);
    if (megabytes === undefined) return null;
    await needRoom(file);
    const { format } = await checkedImage(file, imagePlaces(context, null));
    await runQemuImg(program, ['resize', '-f', format, file, `+${megabytes}M`], { what: wished, signal });
    await syncPath(file);
    await rm(`${file}.md5sum`, { force: true });
    return null;
  },
};

export const operations: readonly KindOperation[] = [binaries, imgBinaries, capabilities, create, resize];

/** Words for `-o`; a comma in a value would begin another option, and none of them can have one. */
const optionsOf = (format: string, given: Properties): string[] => {
  const words = Object.entries(given).map(([key, value]) => {
    if (OPTIONS[format]?.includes(key) !== true) throw invalid(`${key} is no option of ${format}`, { field: key });
    return `${key}=${String(value)}`;
  });
  return words.length === 0 ? [] : ['-o', words.join(',')];
};

/** Path of an image that exists or will be made. Relative names are below the directory of images, which links may not leave. */
const placeOf = async (wished: string, { filesDir, local }: OperationContext): Promise<string> => {
  const [images] = imagePlaces({ filesDir, local }, null).images;
  if (wished.includes('\0')) throw invalid('path must not have a NUL', { field: 'path' });
  if (path.isAbsolute(wished) && local) return path.normalize(wished);
  await makeDirectory(images);
  const root = await realpath(images);
  const file = path.isAbsolute(wished) ? path.normalize(wished) : path.resolve(root, wished);
  if (!isBelow(file, root) && !isBelow(file, images)) throw outside(wished, images);
  const real = await realOf(file);
  if (!isBelow(real, root)) throw outside(wished, images);
  return real;
};

const isBelow = (file: string, root: string): boolean => file.startsWith(root + path.sep);

const outside = (wished: string, images: string): TopologError =>
  new TopologError('forbidden', { reason: `${wished} is outside ${images}` });

/** Its links followed, as far as it is there. */
const realOf = async (file: string): Promise<string> => {
  const real = await realpath(file).catch(() => null);
  if (real !== null) return real;
  if ((await lstat(file).catch(() => null)) !== null)
    throw new TopologError('forbidden', { reason: `${file} is a link to what is not there` });
  return path.join(await realOf(path.dirname(file)), path.basename(file));
};

/** Grows a disk of a machine: its own copy on write where it is a linked clone, else the image itself. */
export const resizeDisk: NodeOperation = {
  method: 'POST',
  path: 'resize_disk',
  controller: 'resize_disk',
  summary: 'Grow a disk by a number of megabytes; the machine must be stopped',
  code: 201,
  body: z.strictObject({ drive_name: z.enum(DISKS), extend }),
  requires: 'stopped',
  async run(node, args, { context }, signal) {
    const drive = args['drive_name'] as Disk;
    const settings = settingsOf(node.properties);
    const image = settings.images[`${drive}_disk_image`];
    if (image === '') throw conflict(`${node.name} has no disk ${drive}`, { field: 'drive_name' });
    if (node.node_directory === null) throw conflict(`${node.name} has no directory`);
    const qemuImg = await findQemuImg(undefined, node.name);
    const places = imagePlaces(context, node.node_directory);
    const images = await findImages(settings, places);
    const disks = await prepareDisks(settings, images, { qemuImg, directory: node.node_directory, signal, places });
    const disk = disks.find((d) => d.disk === drive);
    if (disk === undefined) throw engineFailed(node.name, `no disk ${drive}`);
    const size = `+${String(args['extend'])}M`;
    await runQemuImg(qemuImg, ['resize', '-f', disk.format, disk.path, size], {
      what: `${node.name}, ${drive}`,
      signal,
    });
    return null;
  },
};
