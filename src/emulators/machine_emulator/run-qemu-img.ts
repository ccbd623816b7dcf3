import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { messageOf, TopologError } from '../../errors.ts';
import { which } from '../which.ts';

/** What `qemu-img` prints; `what` begins the sentence of a failure. */
export const runQemuImg = async (
  program: string,
  args: readonly string[],
  what: string,
  signal: AbortSignal,
): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(program, [...args], { signal, maxBuffer: 16 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const stderr = (error as { stderr?: string }).stderr?.trim() ?? '';
    throw new TopologError('engine_failed', {
      what,
      reason: `qemu-img ${args[0] ?? ''}: ${stderr === '' ? messageOf(error) : stderr}`,
    });
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
