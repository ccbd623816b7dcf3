import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, open, stat } from 'node:fs/promises';
import { conflict, messageOf } from '../../common/errors.ts';
import type { KindNode } from '../kit/contract.ts';
import { type ImageContext, type ImagePlaces, imagePlacesOf } from '../shared/images/image-files.ts';
import type { Settings } from './schema.ts';

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

/** Requirements of an ELF program as its header tells them (System V ABI, elf(5)). */
interface ElfProgram {
  bits: 32 | 64;
  /** Loader that it asks for (PT_INTERP); null: it needs none. */
  interpreter: string | null;
}

const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
const LITTLE_ENDIAN = 1;
/** e_machine of the processors that IOU is made for: i386 and x86-64. */
const MACHINES: Readonly<Record<number, number>> = { 32: 3, 64: 62 };
const PT_INTERP = 3;

/** null when the beginning of a file is not that of a program for i386 or x86-64. Octets enough: all program headers, and the loader's name. */
export const readElf = (bytes: Buffer): ElfProgram | null => {
  if (bytes.length < 64 || !bytes.subarray(0, 4).equals(MAGIC)) return null;
  const [type, order, version] = bytes.subarray(4, 7);
  const bits = type === 1 ? 32 : type === 2 ? 64 : null;
  if (bits === null || order !== LITTLE_ENDIAN || version !== 1) return null;
  if (bytes.readUInt16LE(18) !== MACHINES[bits]) return null;
  return { bits, interpreter: interpreterOf(bytes, bits) };
};

const interpreterOf = (bytes: Buffer, bits: 32 | 64): string | null => {
  const wide = bits === 64;
  const word = (at: number): number => (wide ? Number(bytes.readBigUInt64LE(at)) : bytes.readUInt32LE(at));
  const first = word(wide ? 32 : 28);
  const size = bytes.readUInt16LE(wide ? 54 : 42);
  const count = bytes.readUInt16LE(wide ? 56 : 44);
  for (let n = 0; n < count; n++) {
    const at = first + n * size;
    if (at + (wide ? 56 : 32) > bytes.length) return null;
    if (bytes.readUInt32LE(at) !== PT_INTERP) continue;
    const from = word(at + (wide ? 8 : 4));
    const name = bytes.subarray(from, from + word(at + (wide ? 32 : 16)));
    return name.length === 0 ? null : (name.toString('latin1').split('\0', 1)[0] ?? '');
  }
  return null;
};

/** Options and amounts that an image's own help tells. */
export interface ImageHelp {
  /** Kilobytes of NVRAM when it is given no other amount; null: it does not say. */
  nvram: number | null;
  /** Whether it has the option `-l`. */
  keepalives: boolean;
}

/** Help of images, each asked once. */
export class ImageHelps {
  /** By path, size and time of the image. */
  readonly #known = new Map<string, Promise<ImageHelp>>();

  /** `cwd`: a directory where the image may write. */
  async of(image: string, cwd: string): Promise<ImageHelp> {
    const { size, mtimeMs } = await stat(image);
    const key = `${image}\n${size}\n${mtimeMs}`;
    const help = this.#known.get(key) ?? ask(image, cwd);
    this.#known.set(key, help);
    return help;
  }
}

const ask = (image: string, cwd: string): Promise<ImageHelp> =>
  new Promise((resolve) => {
    // It may exit with a failure: its output counts.
    const running = execFile(image, ['-h'], { cwd, timeout: PATIENCE_MS }, (_error, stdout, stderr) =>
      resolve(readHelp(`${stdout}\n${stderr}`)),
    );
    running.stdin?.on('error', () => undefined);
    running.stdin?.end();
  });

/** `-n <n>  Size of nvram in Kb (default 64KB)`, `-l  Enable Layer 1 keepalive messages`. */
export const readHelp = (text: string): ImageHelp => {
  const nvram = /-n\s+<n>\s+Size of nvram in Kb \(default (\d+)\s*KB\)/i.exec(text)?.[1];
  return {
    nvram: nvram === undefined ? null : Number(nvram),
    keepalives: /^[ \t]*-l\s+Enable Layer 1 keepalive/im.test(text),
  };
};

/**
 * Arguments of an image as its own help (`-h`) tells them: `[-e adapters] [-s adapters] [-n kilobytes] [-m megabytes] [-l] <id>`.
 * An adapter has four interfaces.
 */
export const iouArguments = (settings: Settings, applicationId: number): string[] => {
  const { ethernet, serial, nvram, ram, keepalives } = settings;
  return [
    ...['-e', `${ethernet}`, '-s', `${serial}`],
    ...(nvram === null ? [] : ['-n', `${nvram}`]),
    ...(ram === null ? [] : ['-m', `${ram}`]),
    ...(keepalives ? ['-l'] : []),
    `${applicationId}`,
  ];
};
