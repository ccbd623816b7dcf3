import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { levelStore } from '../../src/events/store/level-store.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { readTexts } from '../../src/events/read.ts';
import { viewStore } from '../../src/events/store/view.ts';
import { Records } from '../../src/projections/store.ts';
import { drawingDraft, draftOf, PROJECT, projectData } from '../support/events.ts';
import { tempDir } from '../support/temp.ts';

/** Every file of a directory: its content, and when it and the directory were changed. */
const contentOf = async (directory: string): Promise<unknown> => {
  const { mtimeMs } = await stat(directory);
  const files = (await readdir(directory)).sort().map(async (name) => {
    const file = path.join(directory, name);
    const { mtimeMs: at, ctimeMs, ino, nlink } = await stat(file);
    return [name, at, ctimeMs, ino, nlink, (await readFile(file)).toString('base64')];
  });
  return [mtimeMs, await Promise.all(files)];
};

describe('a view of a log', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let directory: string;
  let scratch: string;
  let texts: string[];
  const view = () => viewStore(directory, scratch);

  beforeEach(async () => {
    dir = await tempDir();
    [directory, scratch] = [path.join(dir.path, 'log'), path.join(dir.path, 'scratch')];
    texts = [];
    // Twice: events are in a table and in a journal.
    for (let round = 0; round < 2; round++) {
      const log = await EventLog.open(levelStore(directory), new Records());
      if (round === 0) await log.append([draftOf('project.created', projectData())]);
      for (let n = 1; n <= 20; n++) await log.append([drawingDraft(round * 100 + n)]);
      texts = await readTexts(log.store, undefined);
      await log.close();
    }
  });
  afterEach(() => dir.remove());

  it('has every event, and changes nothing in the directory', async () => {
    const before = await contentOf(directory);
    const { store, repaired, close } = await view();
    assert.deepEqual(await readTexts(store, undefined), texts);
    assert.equal((await readTexts(store, PROJECT)).length, 41);
    assert.equal(repaired, false);
    await close();
    assert.deepEqual(await contentOf(directory), before);
    assert.deepEqual(await readdir(dir.path), ['log']);
  });

  it('reads a log that may not be written', async () => {
    for (const name of await readdir(directory)) await chmod(path.join(directory, name), 0o400);
    await chmod(directory, 0o500);
    const { store, close } = await view();
    assert.deepEqual(await readTexts(store, undefined), texts);
    await close();
    await chmod(directory, 0o700);
  });

  it('puts together what can be read where the list of files is damaged, and says so', async () => {
    const manifest = (await readdir(directory)).find((name) => name.startsWith('MANIFEST')) ?? '';
    for (const damage of [
      () => truncate(path.join(directory, manifest), 0),
      () => writeFile(path.join(directory, 'CURRENT'), 'MANIFEST-999999\n'),
    ]) {
      await damage();
      const before = await contentOf(directory);
      const { store, repaired, close } = await view();
      assert.deepEqual(await readTexts(store, undefined), texts);
      assert.equal(repaired, true);
      await close();
      assert.deepEqual(await contentOf(directory), before);
    }
  });

  it('begins no log where there is none', async () => {
    await assert.rejects(viewStore(path.join(dir.path, 'nothing'), scratch), { code: 'ENOENT' });
    await mkdir(path.join(dir.path, 'empty'));
    await assert.rejects(viewStore(path.join(dir.path, 'empty'), scratch), { code: 'not_found' });
    assert.deepEqual((await readdir(dir.path)).sort(), ['empty', 'log']);
  });
});
