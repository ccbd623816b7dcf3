import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { conflict, messageOf } from '../../errors.ts';
import type { EngineContext, KindNode } from '../contract.ts';
import { md5Of } from '../checksum.ts';
import { type ImagePlaces, imagePlacesOf, isWithin } from '../image-files.ts';
import { readElf } from './elf.ts';
import type { Settings } from './settings.ts';

export const imagePlaces = (
  context: Pick<EngineContext, 'dataDir' | 'local'>,
  { node_directory }: Pick<KindNode, 'node_directory'>,
): ImagePlaces => imagePlacesOf(context, 'IOU', node_directory);

/** Folders within folders that are looked into. */
const DEEPEST = 8;
/** Octets at the beginning of a program that have all its program headers. */
const HEADERS = 4096;
const PATIENCE_MS = 5_000;

/** Path of an image. Throws a conflict that names it and where it was looked for. */
export const findImage = async (name: string, places: ImagePlaces): Promise<string> => {
  const file = await named(name, places);
  if (places.local && file.startsWith(places.root + path.sep)) return file;
  // A link can have come with a project.
  if (await isWithin(file, places)) return file;
  throw wrong(`path ${name} is a link that leads out of the images and the project`);
};

const named = async (name: string, { root, images, project }: ImagePlaces): Promise<string> => {
  const places = project === null ? [images] : [images, project];
  if (path.isAbsolute(name)) {
    const allowed = project === null ? [root] : [root, project];
    const file = path.normalize(name);
    if (!allowed.some((directory) => file.startsWith(directory + path.sep)))
      throw wrong(`path ${file} is outside ${allowed.join(' and ')}; put the image into one of them`);
    if (await isFile(file)) return file;
    throw wrong(`path ${file} is not there`);
  }
  const normal = path.normalize(name);
  if (normal.startsWith('..')) throw wrong(`path ${name} leads out of the directory of images`);
  for (const place of places) {
    const file = path.join(place, normal);
    if (await isFile(file)) return file;
  }
  const found = await below(images, path.basename(normal), 0);
  if (found === null) throw wrong(`path ${name} is not there; looked for in ${places.join(' and ')}`);
  return found;
};

const below = async (directory: string, name: string, depth: number): Promise<string | null> => {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const folder of depth < DEEPEST ? folders : []) {
    const inside = path.join(directory, folder.name);
    if (await isFile(path.join(inside, name))) return path.join(inside, name);
    const found = await below(inside, name, depth + 1);
    if (found !== null) return found;
  }
  return null;
};

/** Whether a directory has anything that could be an image. */
export const hasImages = async (directory: string): Promise<boolean> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.some(
    (entry) => !entry.isDirectory() && !entry.name.startsWith('.') && !entry.name.endsWith('.md5sum'),
  );
};

const isFile = async (file: string): Promise<boolean> => (await stat(file).catch(() => null))?.isFile() === true;

/** Makes sure that an image can be run here. Throws a conflict that says what is wrong, and what to do. */
export const checkImage = async (file: string, { md5sum }: Pick<Settings, 'md5sum'>): Promise<void> => {
  const program = readElf(await beginningOf(file));
  if (program === null)
    throw wrong(
      `path ${file} is no IOU image: those are ELF programs for i386 or x86-64 (images of real devices are not)`,
    );
  if (md5sum !== null) await checkSum(file, md5sum);
  await makeExecutable(file);
  const { bits, interpreter } = program;
  if (interpreter === null) return;
  if (!(await isFile(interpreter)))
    throw wrong(`path ${file} is a program of ${bits} bits and needs ${interpreter}: ${LOADER[bits]}`);
  const missing = await librariesMissing(interpreter, file);
  if (missing.length > 0) throw wrong(`path ${file} needs ${missing.join(', ')}, which this machine does not have`);
};

const LOADER = {
  32: 'apt-get install libc6-i386',
  64: 'run the server on an x86-64 machine, with apt-get install libc6',
} as const;

const beginningOf = async (file: string): Promise<Buffer> => {
  const opened = await open(file, 'r').catch((error: unknown) => {
    throw wrong(`path ${file} cannot be read: ${messageOf(error)}`);
  });
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(HEADERS), 0, HEADERS, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await opened.close();
  }
};

const checkSum = async (file: string, wanted: string): Promise<void> => {
  const sum = await md5Of(file);
  if (sum === wanted.trim().toLowerCase()) return;
  throw conflict(`path ${file} has the MD5 sum ${sum}, and md5sum of the node is ${wanted}`, { field: 'md5sum' });
};

/** An image that was uploaded or copied has often lost its permission. */
const makeExecutable = async (file: string): Promise<void> => {
  const mayRun = access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (await mayRun) return;
  try {
    await chmod(file, (await stat(file)).mode | 0o111);
  } catch (error) {
    throw wrong(`path ${file} is not executable (chmod +x ${file}): ${messageOf(error)}`);
  }
};

/** Asks the program's own loader, which does not run it: `libcrypto.so.4 => not found`. */
const librariesMissing = (interpreter: string, file: string): Promise<string[]> =>
  new Promise((resolve) => {
    execFile(interpreter, ['--list', file], { timeout: PATIENCE_MS }, (_error, stdout, stderr) =>
      resolve([...`${stdout}\n${stderr}`.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => String(name))),
    );
  });

const wrong = (reason: string): Error => conflict(reason, { field: 'path' });
