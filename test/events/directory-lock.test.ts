import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { lockDirectory } from '../../src/events/store/directory-lock.ts';
import { tempDir } from '../support/temp.ts';

const directoryOf = async (t: TestContext): Promise<string> => {
  const dir = await tempDir();
  t.after(dir.remove);
  return path.join(dir.path, 'held');
};

it('a directory is held by one at a time, and tells who had it before', async (t) => {
  const directory = await directoryOf(t);
  const first = await lockDirectory(directory, 'first');
  assert.equal(first.before, null);
  assert.equal((await stat(directory)).mode & 0o77, 0);
  await assert.rejects(lockDirectory(directory, 'second'), {
    code: 'conflict',
    message: new RegExp(`another server uses ${directory}`),
  });
  await first.release();
  const third = await lockDirectory(directory, 'third');
  assert.equal(third.before, 'first');
  await third.release();
});

it('a directory is free as soon as the process that held it is killed', async (t) => {
  const directory = await directoryOf(t);
  const module = new URL('../../src/events/store/directory-lock.js', import.meta.url).href;
  const program = `
    const { lockDirectory } = await import('${module}');
    await lockDirectory('${directory}', 'killed');
    process.send('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  await assert.rejects(lockDirectory(directory, 'other'), { code: 'conflict' });
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const held = await lockDirectory(directory, 'next');
  assert.equal(held.before, 'killed');
  await held.release();
});

it('a directory whose files a power cut has left broken is begun again', async (t) => {
  const directory = await directoryOf(t);
  await (await lockDirectory(directory, 'first')).release();
  for (const name of await readdir(directory))
    if (name.startsWith('MANIFEST')) await writeFile(path.join(directory, name), '');
  const held = await lockDirectory(directory, 'second');
  assert.equal(held.before, null);
  await held.release();
});
