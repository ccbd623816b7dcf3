import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { engineFailed, messageOf, TopologError } from '../../../common/errors.ts';
import { which } from '../../shared/process/which.ts';

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
 * What `qemu-img` prints. Files are absolute paths, which are no names of protocols, and were
 * looked at before: see image-chain.ts.
 */
export const runQemuImg = async (
  program: string,
  args: readonly string[],
  { what, signal, longest = LONGEST_MS }: QemuImgCall,
): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(program, [...args], {
      ...{ signal, timeout: longest, killSignal: 'SIGKILL', maxBuffer: MOST_PRINTED },
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
