import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, open, stat } from 'node:fs/promises';
import { conflict, messageOf } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';
import { type ImageContext, type ImagePlaces, imagePlacesOf } from '../shared/images/image-files.ts';
import { readElf } from './files/elf.ts';

export const imagePlaces = (context: ImageContext, { node_directory }: Pick<KindNode, 'node_directory'>): ImagePlaces =>
  imagePlacesOf(context, 'IOU', node_directory);

/** Octets at the beginning of a program that have all its program headers. */
const HEADERS = 4096;
const PATIENCE_MS = 5_000;

const isFile = async (file: string): Promise<boolean> => (await stat(file).catch(() => null))?.isFile() === true;

/** Makes sure that an image can be run here. Throws a conflict that says what is wrong, and what to do. */
export const checkImage = async (file: string): Promise<void> => {
  const program = readElf(await beginningOf(file));
  if (program === null)
    throw wrong(
      `path ${file} is no IOU image: those are ELF programs for i386 or x86-64 (images of real devices are not)`,
    );
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
      resolve([...`${stdout}\n${stderr}`.matchAll(/^[ \t]*(\S+) => not found/gm)].map(([, name]) => String(name))),
    );
  });

const wrong = (reason: string): Error => conflict(reason, { field: 'path' });
