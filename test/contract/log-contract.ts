import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { KEYS, type OpenStore, type Store } from '../../src/events/database.ts';
import { decodeFact, GENESIS } from '../../src/events/encoding.ts';
import { EventLog } from '../../src/events/log.ts';
import { readFacts, readRecords, readTexts } from '../../src/events/read.ts';
import { Records } from '../../src/projections/store.ts';
import { drawingData, drawingDraft, draftOf, PROJECT, projectData } from '../support/facts.ts';

/** What a store under test can do. `open` may be called again after a close and finds what was written. */
export interface StoreUnderTest {
  open: OpenStore;
  end: () => Promise<void>;
}

const OTHER = '00000000-0000-4000-8000-000000000002';

/** A store whose batches can be made to fail, as a full disk makes them. */
const failing = (open: OpenStore): { open: OpenStore; fail: (error: Error | null) => void } => {
  let failure: Error | null = null;
  return {
    fail: (error) => (failure = error),
    open: async () => {
      const store = await open();
      return {
        batch: async (ops, options) => {
          if (failure !== null) throw failure;
          await store.batch(ops, options);
        },
        get: (key) => store.get(key),
        getMany: (keys) => store.getMany(keys),
        iterator: (range) => store.iterator(range),
        close: () => store.close(),
      } satisfies Store;
    },
  };
};

const full = (): Error =>
  Object.assign(new Error('IO error: 000003.log: No space left on device'), { code: 'LEVEL_IO' });

/** What a log promises, whatever level is below it. */
export const logContract = (name: string, create: () => Promise<StoreUnderTest>): void => {
  describe(`log on ${name}`, () => {
    const ends: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    const store = async (): Promise<StoreUnderTest> => {
      const made = await create();
      ends.push(made.end);
      return made;
    };
    const openLog = async (open: OpenStore): Promise<{ log: EventLog; records: Records }> => {
      const records = new Records();
      const log = await EventLog.open(open, records);
      ends.push(() => log.close());
      return { log, records };
    };

    it('numbers facts contiguously over the server and in each project, and links their hashes', async () => {
      const { log } = await openLog((await store()).open);
      const first = await log.append([draftOf('project.created', projectData()), drawingDraft(1)]);
      const other = await log.append([draftOf('project.created', projectData(OTHER), OTHER)]);
      const last = await log.append([drawingDraft(2)]);
      assert.deepEqual(
        [...first, ...other, ...last].map((f) => [f.position, f.version]),
        [
          [1, 1],
          [2, 2],
          [3, 1],
          [4, 3],
        ],
      );
      assert.equal(first[0]?.prev, GENESIS);
      assert.equal(first[1]?.prev, first[0].hash);
      assert.equal(other[0]?.prev, GENESIS);
      assert.equal(last[0]?.prev, first[1].hash);
    });

    it('is there after closing and opening again, byte for byte', async () => {
      const { open } = await store();
      const before = await openLog(open);
      await before.log.append([draftOf('project.created', projectData())]);
      await before.log.append([drawingDraft(1)]);
      const texts = await readTexts(before.log.store, undefined);
      await before.log.close();
      const after = await openLog(open);
      assert.deepEqual(await readTexts(after.log.store, undefined), texts);
      for (const text of texts) assert.ok(decodeFact(text));
      const [next] = await after.log.append([drawingDraft(2)]);
      assert.equal(next?.position, 3);
      assert.equal(next.version, 3);
      assert.equal(next.prev, decodeFact(texts[1] ?? '')?.hash);
    });

    it('stores the records that facts change in the same batch', async () => {
      const { open } = await store();
      const { log, records } = await openLog(open);
      await log.append([draftOf('project.created', projectData()), drawingDraft(1), drawingDraft(2)]);
      const { drawing_id } = drawingData(1);
      await log.append([draftOf('drawing.updated', { drawing_id, project_id: PROJECT, changes: { x: 77 } })]);
      await log.append([draftOf('drawing.deleted', { drawing_id: drawingData(2).drawing_id, project_id: PROJECT })]);
      const stored = new Map<string, unknown>();
      for await (const [collection, id, record] of readRecords(log.store)) stored.set(`${collection}/${id}`, record);
      const live = new Map([...records.all()].map(([collection, id, record]) => [`${collection}/${id}`, record]));
      assert.deepEqual(stored, live);
      assert.equal(records.committed.get('drawing', drawing_id)?.x, 77);
      assert.equal(stored.size, 2);
    });

    it('shows nothing to reads before it is on disk, and all of it to decisions at once', async () => {
      const { log, records } = await openLog((await store()).open);
      const done = log.append([draftOf('project.created', projectData())]);
      assert.equal(records.committed.get('project', PROJECT), undefined);
      assert.equal(records.pending.get('project', PROJECT)?.name, 'lab 0001');
      await done;
      assert.equal(records.committed.get('project', PROJECT)?.name, 'lab 0001');
    });

    it('writes what gathers while a batch is written as one next batch, in order', async () => {
      const { open } = await store();
      let batches = 0;
      const { log } = await openLog(async () => {
        const below = await open();
        return { ...failingNever(below), batch: (ops, options) => (batches++, below.batch(ops, options)) };
      });
      await log.append([draftOf('project.created', projectData())]);
      const seen: number[] = [];
      log.onCommitted((facts) => seen.push(...facts.map((f) => f.position)));
      batches = 0;
      const appended = await Promise.all(Array.from({ length: 200 }, (_, i) => log.append([drawingDraft(i)])));
      assert.deepEqual(
        appended.map(([f]) => f?.position),
        Array.from({ length: 200 }, (_, i) => i + 2),
      );
      assert.deepEqual(
        seen,
        appended.map(([f]) => f?.position),
      );
      assert.ok(batches <= 3, `${batches} batches for 200 appends`);
    });

    it('keeps positions apart for 10 and 2, as padded keys do', async () => {
      const { log } = await openLog((await store()).open);
      await log.append([draftOf('project.created', projectData())]);
      for (let n = 0; n < 12; n++) await log.append([drawingDraft(n)]);
      const positions: number[] = [];
      for await (const fact of readFacts(log.store)) positions.push(fact.position);
      assert.deepEqual(
        positions,
        Array.from({ length: 13 }, (_, i) => i + 1),
      );
    });

    it('refuses an append that expects another version, and changes nothing', async () => {
      const { log, records } = await openLog((await store()).open);
      await log.append([draftOf('project.created', projectData())]);
      const late = log.append([drawingDraft(1)], { expected: { project_id: PROJECT, version: 0 } });
      await assert.rejects(late, /the project is at version 1, not 0/);
      assert.equal(records.pending.get('drawing', drawingData(1).drawing_id), undefined);
      const [fact] = await log.append([drawingDraft(1)], { expected: { project_id: PROJECT, version: 1 } });
      assert.equal(fact?.version, 2);
    });

    it('refuses a fact of the wrong shape before any of its batch is staged', async () => {
      const { log, records } = await openLog((await store()).open);
      const wrong = { ...drawingData(2), x: 'left' } as unknown as ReturnType<typeof drawingData>;
      await assert.rejects(log.append([drawingDraft(1), draftOf('drawing.created', wrong)]), /x/);
      assert.equal(records.pending.get('drawing', drawingData(1).drawing_id), undefined);
      const [fact] = await log.append([draftOf('project.created', projectData())]);
      assert.equal(fact?.position, 1);
    });

    it('gives a full disk as disk_full, keeps what was there, and writes again when there is space', async () => {
      const { open } = await store();
      const disk = failing(open);
      const { log, records } = await openLog(disk.open);
      await log.append([draftOf('project.created', projectData())]);
      disk.fail(full());
      const both = await Promise.allSettled([log.append([drawingDraft(1)]), log.append([drawingDraft(2)])]);
      for (const result of both)
        assert.equal(result.status === 'rejected' && (result.reason as { code: string }).code, 'disk_full');
      assert.equal(log.status().writable, false);
      assert.equal(records.pending.get('drawing', drawingData(1).drawing_id), undefined);
      await assert.rejects(log.append([drawingDraft(3)]), { code: 'disk_full' });
      disk.fail(null);
      assert.equal(await log.reopen(), true);
      const [fact] = await log.append([drawingDraft(3)]);
      assert.equal(fact?.position, 2);
      assert.equal(fact.version, 2);
    });

    it('cuts what a failed batch left in the store, as it was answered with an error', async () => {
      const { open } = await store();
      let tear = false;
      const { log } = await openLog(async () => {
        const below = await open();
        return {
          ...failingNever(below),
          batch: async (ops, options) => {
            await below.batch(ops, options);
            if (!tear) return;
            tear = false;
            throw full();
          },
        };
      });
      await log.append([draftOf('project.created', projectData())]);
      tear = true;
      await assert.rejects(log.append([drawingDraft(1)]), { code: 'disk_full' });
      assert.equal(await log.reopen(), true);
      assert.equal((await readTexts(log.store, undefined)).length, 1);
      for await (const [collection] of readRecords(log.store)) assert.equal(collection, 'project');
      const [fact] = await log.append([drawingDraft(2)]);
      assert.equal(fact?.position, 2);
    });

    it('reports a missing fact at the start, with its position', async () => {
      const { open } = await store();
      const { log } = await openLog(open);
      await log.append([draftOf('project.created', projectData()), drawingDraft(1), drawingDraft(2)]);
      await log.close();
      await edit(open, [
        { type: 'del', key: KEYS.fact(2) },
        { type: 'del', key: KEYS.checked },
      ]);
      await assert.rejects(openLog(open), /damaged at position 2: the fact is missing/);
    });

    it('reports a changed fact at the start, with its position', async () => {
      const { open } = await store();
      const { log } = await openLog(open);
      await log.append([draftOf('project.created', projectData()), drawingDraft(1), drawingDraft(2)]);
      const text = (await log.store.get(KEYS.fact(2))) ?? '';
      await log.close();
      await edit(open, [
        { type: 'put', key: KEYS.fact(2), value: text.replace('"x":1', '"x":5') },
        { type: 'del', key: KEYS.checked },
      ]);
      await assert.rejects(openLog(open), /damaged at position 2: the stored content does not fit its hash/);
    });

    it('refuses to write after it was closed', async () => {
      const { log } = await openLog((await store()).open);
      await log.close();
      await assert.rejects(log.append([drawingDraft(1)]), { code: 'shutting_down' });
    });

    it('goes on after a listener has failed', async () => {
      const { log } = await openLog((await store()).open);
      const problems: string[] = [];
      log.onProblem((message) => problems.push(message));
      log.onCommitted(() => {
        throw new Error('a defect');
      });
      await log.append([draftOf('project.created', projectData())]);
      await log.append([drawingDraft(1)]);
      assert.equal(problems.length, 2);
    });
  });
};

const failingNever = (store: Store): Store => ({
  batch: (ops, options) => store.batch(ops, options),
  get: (key) => store.get(key),
  getMany: (keys) => store.getMany(keys),
  iterator: (range) => store.iterator(range),
  close: () => store.close(),
});

const edit = async (open: OpenStore, ops: Parameters<Store['batch']>[0]): Promise<void> => {
  const store = await open();
  await store.batch(ops, { sync: true });
  await store.close();
};
