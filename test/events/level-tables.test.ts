import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { history } from '../../src/events/history.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { lastVersion } from '../../src/events/read.ts';
import { DamagedLog } from '../../src/events/store/damage.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { KEYS } from '../../src/events/store/store.ts';
import { checkTables, type TableDamage, tablesIn, unsnapped } from '../../src/events/store/level-tables.ts';
import { Records } from '../../src/projections/store.ts';
import { draftOf, drawingData, drawingDraft, PROJECT, projectData } from '../support/events.ts';
import { tempDir } from '../support/temp.ts';

const DRAWINGS = 200;

describe("LevelDB's tables", () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let name: string;
  let file: string;
  let whole: Buffer;
  before(async () => {
    dir = await tempDir();
    const log = await EventLog.open(levelStore(dir.path), new Records());
    await log.append([draftOf('project.created', projectData())]);
    for (let n = 1; n <= DRAWINGS; n++) await log.append([drawingDraft(n)]);
    await log.close();
    const tables = await tablesIn(dir.path);
    assert.equal(tables.length, 1);
    [name = ''] = tables;
    file = path.join(dir.path, name);
    whole = await readFile(file);
  });
  after(() => dir.remove());
  afterEach(() => writeFile(file, whole));

  const found = async (): Promise<TableDamage[]> => {
    const all: TableDamage[] = [];
    for await (const damage of checkTables(dir.path, [name])) all.push(damage);
    return all;
  };
  const flip = async (at: number): Promise<void> => {
    const flipped = Buffer.from(whole);
    flipped[at] = (flipped[at] ?? 0) ^ 16;
    await writeFile(file, flipped);
  };
  /** The last octet of the checksum of the first block that fits: LevelDB itself reads the block as before. */
  const checksumOf = async (fits: (damage: TableDamage) => boolean): Promise<number> => {
    for (let at = 0; at < whole.length; at += 500) {
      await flip(at);
      const [damage] = await found();
      const end = /octets \d+ to (\d+)$/.exec(damage?.where ?? '')?.[1];
      if (damage !== undefined && end !== undefined && fits(damage)) return Number(end) - 1;
    }
    assert.fail('no block fits');
  };

  it('are whole as they were written', async () => {
    assert.deepEqual(await found(), []);
  });

  it('are damaged wherever a bit is another, but where nothing is', async () => {
    for (let at = 0; at < whole.length - 48; at += 61) {
      await flip(at);
      assert.equal((await found()).length, 1, `octet ${at}`);
    }
    for (let at = whole.length - 8; at < whole.length; at++) {
      await flip(at);
      assert.equal((await found())[0]?.where, `file ${name}, its end`);
    }
    await writeFile(file, whole.subarray(0, -100));
    assert.equal((await found()).length, 1);
    await writeFile(file, '');
    assert.equal((await found()).length, 1);
  });

  it('answer no history of an object while entries of it may be gone, and others go on', async () => {
    const { drawing_id } = drawingData(5);
    const key = KEYS.object(drawing_id, 6);
    await flip(await checksumOf(({ after, upTo }) => (after ?? '') < key && key <= (upTo ?? '')));
    const log = await EventLog.open(levelStore(dir.path), new Records());
    try {
      const last = log.status().position;
      await assert.rejects(history(log.store, last, { object: drawing_id }), (error) => {
        assert.ok(error instanceof DamagedLog);
        assert.match(error.message, /damaged at file \d+\.ldb, octets \d+ to \d+: its checksum does not fit/);
        return true;
      });
      assert.equal((await history(log.store, last, { project_id: PROJECT })).texts.length, DRAWINGS + 1);
      assert.equal(log.status().damage.length, 1);
      assert.equal((await log.append([drawingDraft(999)]))[0]?.position, last + 1);
    } finally {
      await log.close();
    }
  });
});

describe('the end of a stream', () => {
  it('is found where a filter says that there is none', async () => {
    const dir = await tempDir();
    const log = await EventLog.open(levelStore(dir.path), new Records());
    await log.append([draftOf('project.created', projectData())]);
    for (let n = 1; n <= DRAWINGS; n++) await log.append([drawingDraft(n)]);
    await log.close();
    const [name = ''] = await tablesIn(dir.path);
    const file = path.join(dir.path, name);
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    // The filter lies right before the list of filters: ten bits a key, and a number a block.
    const filters = damaged.lastIndexOf('filter.leveldb.BuiltinBloomFilter2');
    assert.ok(filters > 300);
    damaged[filters - 300] = (damaged[filters - 300] ?? 0) ^ 1;
    await writeFile(file, damaged);
    for await (const { where } of checkTables(dir.path, [name])) {
      const begin = Number(/the filter at octet (\d+)$/.exec(where)?.[1]);
      assert.ok(begin > 0 && begin < filters - 300, where);
      // As many probes as the last octet says: no key has all of its 16 on the one bit of eight that is set.
      damaged.fill(16, begin, filters - 300);
    }
    await writeFile(file, damaged);
    const store = await levelStore(dir.path)();
    try {
      await store.check?.();
      assert.match(store.damages?.list[0]?.where ?? '', /the filter at octet/);
      assert.equal(await store.get(KEYS.head(PROJECT)), undefined);
      assert.equal(await lastVersion(store, PROJECT), DRAWINGS + 1);
    } finally {
      await store.close();
      await dir.remove();
    }
  });
});

describe("Snappy's format", () => {
  it('gives back what repeats itself and what does not', () => {
    // Five literal octets, then ten from five back; lengths and offsets in every way of writing them.
    const text = Buffer.concat([Buffer.from([15, 4 << 2]), Buffer.from('abcde'), Buffer.from([(9 << 2) | 2, 5, 0])]);
    assert.equal(unsnapped(text).toString(), 'abcdeabcdeabcde');
    const short = Buffer.concat([Buffer.from([9, 60 << 2, 4]), Buffer.from('abcde'), Buffer.from([1, 5])]);
    assert.equal(unsnapped(short).toString(), 'abcdeabcd');
    const far = Buffer.concat([Buffer.from([6, 0]), Buffer.from('x'), Buffer.from([(4 << 2) | 3, 1, 0, 0, 0])]);
    assert.equal(unsnapped(far).toString(), 'xxxxxx');
  });

  it('refuses what leads nowhere', () => {
    for (const wrong of [[], [5], [5, 16, 97], [4, 1, 5], [4, 0, 97, 1, 2], [2, 0, 97], [255, 255]])
      assert.throws(() => unsnapped(Buffer.from(wrong)), RangeError, String(wrong));
  });
});
