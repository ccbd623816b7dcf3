// Programs in C that this folder has the source of: compiled into a temporary directory, when there is a compiler.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** Paths of the compiled `names`, and `remove`; null without a compiler, or on a system they are not for. */
export const compile = async (names) => {
  if (process.platform !== 'linux') return null;
  const directory = await mkdtemp(path.join(tmpdir(), 'topolog-bench-c-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const programs = {};
    for (const name of names) {
      programs[name] = path.join(directory, name);
      const source = path.join(import.meta.dirname, `${name}.c`);
      await promisify(execFile)('cc', ['-O2', '-o', programs[name], source, '-lpthread']);
    }
    return { ...programs, remove };
  } catch (error) {
    await remove();
    if (error.code === 'ENOENT') return null;
    throw error;
  }
};
