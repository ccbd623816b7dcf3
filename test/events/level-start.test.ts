import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DamagedLog } from '../../src/events/store/damage.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { readTexts } from '../../src/events/read.ts';
import type { Problem } from '../../src/events/log/startup.ts';
import { FileWitness, WITNESS_FILE } from '../../src/events/store/witness.ts';
import { Records } from '../../src/projections/store.ts';
import { drawingDraft, draftOf, projectData } from '../support/events.ts';
import { tempDir } from '../support/temp.ts';

const EVENTS = 8;

const openLog = async (directory: string): Promise<{ log: EventLog; reports: string[] }> => {
  const reports: string[] = [];
  const report = ({ message }: Problem): void => void reports.push(message);
  return { log: await EventLog.open(levelStore(directory), new Records(), { report }), reports };
};

/** Opens a log and closes it: its texts, and what was reported. */
const texts = async (directory: string): Promise<{ texts: string[]; reports: string[] }> => {
  const { log, reports } = await openLog(directory);
  try {
    return { texts: await readTexts(log.store, undefined), reports };
  } finally {
    await log.close();
  }
};

const only = (names: string[], wanted: RegExp): string => {
  const found = names.filter((name) => wanted.test(name));
  assert.equal(found.length, 1, `${String(wanted)}: ${names.join(', ')}`);
  return found[0] ?? '';
};

describe('a log whose start was cut off', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  /** Before the start, right after it, and what may be on disk when the power goes in between. */
  let [before, behind, copy] = ['', '', ''];
  let written: string[];
  let old: { list: string; journal: string };
  let list: string;

  beforeEach(async () => {
    dir = await tempDir();
    [before, behind, copy] = ['before', 'behind', 'copy'].map((name) => path.join(dir.path, name)) as [
      string,
      string,
      string,
    ];
    const { log } = await openLog(behind);
    await log.append([draftOf('project.created', projectData())]);
    for (let n = 1; n < EVENTS; n++) await log.append([drawingDraft(n)]);
    written = await readTexts(log.store, undefined);
    // As a kill leaves it: what was written lies in the journal.
    await cp(behind, before, { recursive: true });
    await log.close();
    await rm(behind, { recursive: true });
    await cp(before, behind, { recursive: true });
    const store = await levelStore(behind)();
    await cp(behind, copy, { recursive: true });
    await store.close();
    const names = await readdir(before);
    old = { list: only(names, /^MANIFEST/), journal: only(names, /^\d+\.log$/) };
    list = only(await readdir(copy), /^MANIFEST/);
    assert.notEqual(list, old.list);
    await back('CURRENT');
  });
  afterEach(() => dir.remove());

  /** A change of this file has not reached the disk. */
  const back = (name: string): Promise<void> => cp(path.join(before, name), path.join(copy, name));
  const isWhole = async (): Promise<void> => {
    const first = await texts(copy);
    assert.deepEqual(first.texts, written);
    assert.match(first.reports.join('\n'), new RegExp(`the change to ${list} was not finished`));
    assert.deepEqual(await texts(copy), { texts: written, reports: [] });
  };

  it('has every event where CURRENT names the list of before, which is gone', () => isWhole());

  it('has every event where the list of before is there, and its journal is gone', async () => {
    await back(old.list);
    await isWhole();
  });

  it('has every event, also where the note of where it ends is behind', async () => {
    await back(old.list);
    await rm(path.join(copy, WITNESS_FILE));
    const witness = await FileWitness.open(path.join(copy, WITNESS_FILE));
    await witness.begin({ position: 0, hash: '0'.repeat(64) });
    await witness.close();
    await isWhole();
  });

  it('has every event where nothing was removed', async () => {
    await back(old.list);
    await back(old.journal);
    await isWhole();
  });

  it('has every event where the new list of files is not whole', async () => {
    await back(old.list);
    await back(old.journal);
    for (const length of [0, 9]) {
      const again = path.join(dir.path, `again-${length}`);
      await cp(copy, again, { recursive: true });
      await truncate(path.join(again, list), length);
      assert.deepEqual((await texts(again)).texts, written);
    }
  });

  it('is named as damaged, with its files as they were, where the new list of files has no table', async () => {
    await unlink(path.join(copy, only(await readdir(copy), /\.ldb$/)));
    const names = await readdir(copy);
    await assert.rejects(texts(copy), DamagedLog);
    assert.deepEqual(await readdir(copy), names);
    assert.equal(await readFile(path.join(copy, 'CURRENT'), 'utf8'), `${old.list}\n`);
  });

  it('is named as damaged where the new list of files holds less than is known to be written', async () => {
    await rm(path.join(copy, WITNESS_FILE));
    const witness = await FileWitness.open(path.join(copy, WITNESS_FILE));
    await witness.begin({ position: EVENTS + 1, hash: '0'.repeat(64) });
    await witness.close();
    await assert.rejects(texts(copy), DamagedLog);
    assert.equal(await readFile(path.join(copy, 'CURRENT'), 'utf8'), `${old.list}\n`);
  });
});

describe('a log whose first start was cut off', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let directory: string;
  beforeEach(async () => {
    dir = await tempDir();
    directory = path.join(dir.path, 'log');
    await mkdir(directory);
  });
  afterEach(() => dir.remove());
  const put = (name: string, content: string | Uint8Array = ''): Promise<void> =>
    writeFile(path.join(directory, name), content);

  const LEFT: Record<string, Record<string, string | Uint8Array>> = {
    'names a list of files that is not there': { CURRENT: 'MANIFEST-000001\n' },
    'names an empty list of files': { CURRENT: 'MANIFEST-000001\n', 'MANIFEST-000001': '' },
    'names a list of files of zeros': { CURRENT: 'MANIFEST-000001\n', 'MANIFEST-000001': new Uint8Array(50) },
    'has an empty journal as well': { CURRENT: 'MANIFEST-000001\n', '000003.log': '', 'MANIFEST-000002': '' },
    'has no CURRENT': { 'MANIFEST-000001': '', '000003.log': '' },
    'has half a record in its journal': { '000003.log': '\x11\x22\x33\x44\xff\x0f\x01and the rest' },
  };
  for (const [what, files] of Object.entries(LEFT))
    it(`starts empty where it ${what}, and keeps what was there`, async () => {
      for (const [name, content] of Object.entries(files)) await put(name, content);
      const { log, reports } = await openLog(directory);
      assert.match(reports.join('\n'), /the log was never begun: its first start was cut off/);
      await log.append([draftOf('project.created', projectData())]);
      await log.close();
      assert.deepEqual((await readdir(path.join(directory, 'never-begun'))).sort(), Object.keys(files).sort());
      const second = await texts(directory);
      assert.deepEqual([second.texts.length, second.reports], [1, []]);
    });

  it('starts empty where the note of its end says that nothing was written', async () => {
    await put('CURRENT', 'MANIFEST-000001\n');
    const witness = await FileWitness.open(path.join(directory, WITNESS_FILE));
    await witness.begin({ position: 0, hash: '0'.repeat(64) });
    await witness.close();
    assert.deepEqual((await texts(directory)).texts, []);
  });

  it('is named as damaged, with its files as they were, where anything was written', async () => {
    const made = path.join(dir.path, 'made');
    const { log } = await openLog(made);
    await log.append([draftOf('project.created', projectData())]);
    const journal = only(await readdir(made), /^\d+\.log$/);
    const proofs: Record<string, string | Uint8Array> = {
      '000005.ldb': 'a table',
      [journal]: await readFile(path.join(made, journal)),
      [WITNESS_FILE]: await readFile(path.join(made, WITNESS_FILE)),
    };
    await log.close();
    for (const [name, content] of [...Object.entries(proofs), [WITNESS_FILE, 'damaged'] as const]) {
      await rm(directory, { recursive: true });
      await mkdir(directory);
      await put('CURRENT', 'MANIFEST-000001\n');
      await put(name, content);
      await assert.rejects(texts(directory), DamagedLog, name);
      assert.deepEqual((await readdir(directory)).sort(), ['CURRENT', name].sort());
    }
  });
});
