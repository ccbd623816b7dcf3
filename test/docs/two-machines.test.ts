import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';

describe('examples/two-machines/run.mjs', () => {
  it('ends its servers and removes its directory when it alone is interrupted', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const env = { ...process.env, TMPDIR: path.join(dir.path, 'tmp') };
    await mkdir(env.TMPDIR);
    const child = spawn(process.execPath, ['examples/two-machines/run.mjs'], { env, stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const work = async (): Promise<string[]> =>
      (await readdir(env.TMPDIR)).filter((name) => name.startsWith('topolog-two'));
    const begun = async (): Promise<boolean> => {
      const [name] = await work();
      return (
        name !== undefined &&
        (await readdir(path.join(env.TMPDIR, name, 'first')).catch((): string[] => [])).includes('server.json')
      );
    };
    await waitFor('it has begun', begun);
    child.kill('SIGINT');
    assert.deepEqual(await ended, [130, null]);
    assert.deepEqual(await work(), []);
  });
});
