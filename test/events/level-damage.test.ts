import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, readFile, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { EventLog } from '../../src/events/log/log.ts';
import type { Problem } from '../../src/events/log/startup.ts';
import { readTexts } from '../../src/events/read.ts';
import { DamagedLog } from '../../src/events/store/damage.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { Journal, openLevel } from '../../src/events/store/level.ts';
import { FileWitness, readWitness, WITNESS_FILE } from '../../src/events/store/witness.ts';
import { Records } from '../../src/projections/store.ts';
import { draftOf, drawingDraft, projectData } from '../support/events.ts';
import { tempDir } from '../support/temp.ts';

const BATCHES = 8;

/** A log of a few batches, as it is on disk while it is being written (as `kill -9` leaves it), and after a clean end. */
const makeLog = async (directory: string): Promise<{ killed: string; ended: string; texts: string[] }> => {
  const [killed, ended] = [path.join(directory, 'killed'), path.join(directory, 'ended')];
  const log = await EventLog.open(levelStore(ended), new Records());
  await log.append([draftOf('project.created', projectData())]);
  for (let n = 1; n < BATCHES; n++) await log.append([drawingDraft(n)]);
  const texts = await readTexts(log.store, undefined);
  await cp(ended, killed, { recursive: true });
  await log.close();
  return { killed, ended, texts };
};

const fileIn = async (directory: string, name: RegExp): Promise<string> => {
  const names = (await readdir(directory)).filter((found) => name.test(found));
  assert.equal(names.length, 1, `${String(name)}: ${names.join(', ')}`);
  return path.join(directory, names[0] ?? '');
};

/** Opens a log and closes it: its texts, and what was reported; or the damage that was named instead. */
const tryOpen = async (directory: string): Promise<{ texts: string[]; reports: Problem[] } | DamagedLog> => {
  const reports: Problem[] = [];
  try {
    const log = await EventLog.open(levelStore(directory), new Records(), {
      report: (problem) => reports.push(problem),
    });
    try {
      return { texts: await readTexts(log.store, undefined), reports };
    } finally {
      await log.close();
    }
  } catch (error) {
    if (error instanceof DamagedLog) return error;
    throw error;
  }
};

describe('a log in damaged files', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let made: Awaited<ReturnType<typeof makeLog>>;
  let copy: string;
  before(async () => {
    dir = await tempDir();
    made = await makeLog(dir.path);
    copy = path.join(dir.path, 'copy');
  });
  after(() => dir.remove());
  const fresh = async (of: string): Promise<string> => {
    await rm(copy, { recursive: true, force: true });
    await cp(of, copy, { recursive: true });
    return copy;
  };

  for (const which of ['killed', 'ended'] as const)
    for (const file of [/^\d+\.log$/, /^MANIFEST/, /^CURRENT$/, /^head$/])
      it(`names a flipped bit in ${String(file)}, or has every answered event, ${which}`, async () => {
        const whole = await readFile(await fileIn(made[which], file));
        assert.ok(whole.length > 0);
        let named = 0;
        let opened = true;
        for (let at = 0; at < whole.length; at += 7) {
          const flipped = Buffer.from(whole);
          flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
          // What is named has changed nothing.
          if (opened) await fresh(made[which]);
          await writeFile(await fileIn(copy, file), flipped);
          const result = await tryOpen(copy);
          opened = !(result instanceof DamagedLog);
          if (result instanceof DamagedLog) named++;
          else assert.deepEqual(result.texts, made.texts, `octet ${at}`);
        }
        // After a clean end nothing that was answered lies in a journal.
        if (which === 'killed' && file.test('1.log'))
          assert.ok(named > whole.length / 7 / 2, `${named} of ${whole.length}`);
      });

  it('leaves the files as they are where the damage is certain', async () => {
    const journal = await fileIn(await fresh(made.killed), /^\d+\.log$/);
    const flipped = await readFile(journal);
    flipped[100] = (flipped[100] ?? 0) ^ 1;
    await writeFile(journal, flipped);
    const names = await readdir(copy);
    const result = await tryOpen(copy);
    assert.ok(result instanceof DamagedLog);
    assert.match(
      result.message,
      /^The log is damaged at file \d+\.log: its checksum does not fit at octet \d+, and more/,
    );
    assert.deepEqual(await readdir(copy), names);
    assert.deepEqual(await readFile(journal), flipped);
  });

  it('cuts a write that was never completed, and reports it', async () => {
    for (const tail of [
      Buffer.alloc(3, 7),
      Buffer.alloc(5000),
      Buffer.from('\x11\x22\x33\x44\xff\x0f\x01and the rest is not there'),
    ]) {
      await appendFile(await fileIn(await fresh(made.killed), /^\d+\.log$/), tail);
      const result = await tryOpen(copy);
      assert.ok(!(result instanceof DamagedLog));
      assert.deepEqual(result.texts, made.texts);
      assert.match(result.reports[0]?.message ?? '', /never completely written/);
    }
  });

  it('names events that were answered and are cut off', async () => {
    const journal = await fileIn(await fresh(made.killed), /^\d+\.log$/);
    await truncate(journal, (await readFile(journal)).length - 20);
    const result = await tryOpen(copy);
    assert.ok(result instanceof DamagedLog);
    assert.match(
      result.message,
      new RegExp(`damaged at position ${BATCHES}: the log ends at position ${BATCHES - 1}, but`),
    );
  });

  it('begins no new log where the old one is without its beginning', async () => {
    await unlink(await fileIn(await fresh(made.ended), /^CURRENT$/));
    const names = await readdir(copy);
    const result = await tryOpen(copy);
    assert.ok(result instanceof DamagedLog);
    assert.match(result.message, /file CURRENT: it is missing/);
    assert.deepEqual(await readdir(copy), names);
  });

  it('names a table that is gone', async () => {
    await unlink(await fileIn(await fresh(made.ended), /\.ldb$/));
    const result = await tryOpen(copy);
    assert.ok(result instanceof DamagedLog);
    assert.match(result.message, /missing files/);
  });

  it('says that the note of its end is gone, and writes it again', async () => {
    await unlink(path.join(await fresh(made.ended), WITNESS_FILE));
    const first = await tryOpen(copy);
    assert.ok(!(first instanceof DamagedLog));
    assert.match(first.reports[0]?.message ?? '', /where the log ends is missing; it is written again/);
    const second = await tryOpen(copy);
    assert.deepEqual(second instanceof DamagedLog || second.reports, []);
    assert.equal((await readWitness(path.join(copy, WITNESS_FILE))).seen?.position, BATCHES);
  });

  it('is refused as in use, not as damaged, while another writes it', async () => {
    const open = levelStore(await fresh(made.ended));
    const store = await open();
    await appendFile(await fileIn(copy, /^\d+\.log$/), 'half of a');
    await assert.rejects(open(), { code: 'conflict' });
    await store.close();
  });

  it('holds nothing in journals that the note of how far it is whole covers', async () => {
    await rm(await fileIn(await fresh(made.ended), /^\d+\.log$/));
    const result = await tryOpen(copy);
    assert.ok(!(result instanceof DamagedLog));
    assert.deepEqual(result.texts, made.texts);
  });
});

describe('the note of where a log ends', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let file: string;
  const at = (position: number) => ({ position, hash: String(position % 10).repeat(64) });
  beforeEach(async () => {
    dir = await tempDir();
    file = path.join(dir.path, WITNESS_FILE);
  });
  afterEach(() => dir.remove());

  it('is what was noted last, and before it when that write has broken off', async () => {
    const witness = await FileWitness.open(file);
    assert.equal(witness.seen, null);
    await witness.begin(at(7));
    for (let n = 8; n <= 12; n++) witness.note(at(n));
    const text = await readFile(file, 'latin1');
    assert.deepEqual((await readWitness(file)).seen, at(12));
    for (let cut = text.length - 1; cut > 512; cut -= 9) {
      await writeFile(file, text.slice(0, cut), 'latin1');
      const { seen, problem } = await readWitness(file);
      assert.ok(seen?.position === 12 || seen?.position === 11);
      assert.match(problem ?? '', /damaged/);
    }
    await witness.close();
  });

  it('is taken from no place of which a bit is another', async () => {
    const witness = await FileWitness.open(file);
    await witness.begin(at(1));
    witness.note(at(2));
    await witness.close();
    const whole = await readFile(file);
    const second = whole.indexOf('0000000000000002');
    for (let n = 0; n < 91; n++) {
      const flipped = Buffer.from(whole);
      flipped[second + n] = (flipped[second + n] ?? 0) ^ 4;
      await writeFile(file, flipped);
      assert.equal((await readWitness(file)).seen?.position, 1, `octet ${n}`);
    }
  });

  it('never grows once it is made', async () => {
    const witness = await FileWitness.open(file);
    await witness.begin(at(1));
    const { length } = await readFile(file);
    for (let n = 2; n < 9; n++) witness.note(at(n));
    assert.equal((await readFile(file)).length, length);
    await witness.close();
  });
});

describe('the journal that is written', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  beforeEach(async () => {
    dir = await tempDir();
  });
  afterEach(() => dir.remove());

  it('has its entry in the directory on disk before anything that is written to it is answered', async () => {
    const directory = path.join(dir.path, 'log');
    await mkdir(directory);
    const synced: string[][] = [];
    const journals = async (): Promise<string[]> => (await readdir(directory)).filter((name) => name.endsWith('.log'));
    const store = await openLevel(directory, {
      create: true,
      witness: await FileWitness.open(path.join(dir.path, WITNESS_FILE)),
      syncDirectory: async () => void synced.push(await journals()),
    });
    const seen = new Set<string>();
    const value = 'x'.repeat(200_000);
    for (let n = 0; n < 60; n++) {
      await store.batch([{ type: 'put', key: `m/${n}`, value }], { sync: true });
      for (const name of await journals()) {
        assert.ok(
          synced.some((names) => names.includes(name)),
          `${name} is not on disk`,
        );
        seen.add(name);
      }
    }
    assert.ok(seen.size >= 3, `${seen.size} journals`);
    // Once each, not with every write.
    assert.ok(synced.length <= seen.size + 1, `${synced.length} for ${seen.size} journals`);
    await store.close();
  });

  it('is looked for again when several writes were under way', async () => {
    await writeFile(path.join(dir.path, '000003.log'), '');
    let syncs = 0;
    const journal = await Journal.open(dir.path, () => {
      syncs++;
      return Promise.resolve();
    });
    assert.equal(syncs, 1);
    await appendFile(path.join(dir.path, '000003.log'), 'one');
    await journal.written(true);
    assert.equal(syncs, 1);
    await writeFile(path.join(dir.path, '000010.log'), 'two');
    await journal.written(true);
    assert.equal(syncs, 2);
    await appendFile(path.join(dir.path, '000010.log'), 'three');
    await journal.written(false);
    assert.equal(syncs, 3);
    await journal.close();
  });
});
