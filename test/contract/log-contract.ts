import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DamagedLog } from '../../src/events/store/damage.ts';
import { TopologError } from '../../src/common/errors.ts';
import { entries, KEYS, type OpenStore, type Store, type StoreOp } from '../../src/events/store/store.ts';
import { decodeEvent, GENESIS } from '../../src/events/encoding.ts';
import type { AnyDraft, AnyEvent } from '../../src/events/schemas.ts';
import { history } from '../../src/events/history.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { lastVersion, readEvents, readRecords, readTexts } from '../../src/events/read.ts';
import { CHECKPOINTS, saveCheckpoint } from '../../src/projections/past/checkpoints.ts';
import type { RecordChange } from '../../src/projections/fold/change.ts';
import { Moments } from '../../src/projections/past/moments.ts';
import { Records } from '../../src/projections/store.ts';
import { drawingData, drawingDraft, draftOf, PROJECT, projectData } from '../support/events.ts';
import { diskFull, failingStore } from '../support/failing-store.ts';

/** What a store under test can do. `open` may be called again after a close and finds what was written. */
export interface StoreUnderTest {
  open: OpenStore;
  /** Changes what is stored, past every check. The store is closed. */
  tamper: (ops: StoreOp[]) => Promise<void>;
  /** Forgets what is beside the store, as a log of an earlier program has nothing there. */
  forget?: () => Promise<void>;
  /** What is stored. The store is closed. */
  raw: (key: string) => Promise<string>;
  end: () => Promise<void>;
}

const OTHER = '00000000-0000-4000-8000-000000000002';

const keysFrom = async (store: Store, start: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const [key] of entries(store, { gte: start, lte: `${start}/~` })) keys.push(key);
  return keys;
};

/** A store whose next batch after `tear` is written and then fails. */
const tearing = (open: OpenStore): { open: OpenStore; tear: () => void } => {
  let isTorn = false;
  return {
    tear: () => (isTorn = true),
    open: async () => {
      const below = await open();
      return {
        ...failingNever(below),
        batch: async (ops, options) => {
          await below.batch(ops, options);
          if (!isTorn) return;
          isTorn = false;
          throw diskFull();
        },
      };
    },
  };
};

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

    it('numbers events contiguously over the server and in each project, and links their hashes', async () => {
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
      for (const text of texts) assert.ok(decodeEvent(text));
      const [next] = await after.log.append([drawingDraft(2)]);
      assert.equal(next?.position, 3);
      assert.equal(next.version, 3);
      assert.equal(next.prev, decodeEvent(texts[1] ?? '')?.hash);
    });

    it('stores the records that events change in the same batch', async () => {
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
      log.onCommitted((events) => seen.push(...events.map((f) => f.position)));
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

    it('has settled what was decided on only once that is on disk', async () => {
      const { open } = await store();
      const disk = failingStore(open);
      const { log } = await openLog(disk.open);
      await log.settled();
      const done = log.append([draftOf('project.created', projectData())]);
      let isDone = false;
      void done.then(() => (isDone = true));
      assert.deepEqual(await log.append([]), []);
      assert.ok(isDone, 'nothing was appended before something that was appended earlier');
      disk.fail(diskFull());
      const refused = assert.rejects(log.append([drawingDraft(1)]), { code: 'disk_full' });
      await assert.rejects(log.settled(), { code: 'disk_full' });
      await refused;
      disk.fail(null);
      assert.equal(await log.reopen(), true);
      await log.settled();
      // Another server writes, and may have changed what was decided on.
      log.refuse(new TopologError('lease_lost', { reason: 'it was paused' }));
      await assert.rejects(log.settled(), { code: 'lease_lost' });
      log.refuse(null);
      await log.settled();
    });

    it('keeps positions apart for 10 and 2, as padded keys do', async () => {
      const { log } = await openLog((await store()).open);
      await log.append([draftOf('project.created', projectData())]);
      for (let n = 0; n < 12; n++) await log.append([drawingDraft(n)]);
      const positions: number[] = [];
      for await (const event of readEvents(log.store)) positions.push(event.position);
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
      const [event] = await log.append([drawingDraft(1)], { expected: { project_id: PROJECT, version: 1 } });
      assert.equal(event?.version, 2);
    });

    it('refuses an event of the wrong shape before any of its batch is staged', async () => {
      const { log, records } = await openLog((await store()).open);
      const wrong = { ...drawingData(2), x: 'left' } as unknown as ReturnType<typeof drawingData>;
      await assert.rejects(log.append([drawingDraft(1), draftOf('drawing.created', wrong)]), /x/);
      assert.equal(records.pending.get('drawing', drawingData(1).drawing_id), undefined);
      const [event] = await log.append([draftOf('project.created', projectData())]);
      assert.equal(event?.position, 1);
    });

    describe('with a batch that was prepared', () => {
      const drafts = (): AnyDraft[] => [drawingDraft(1), drawingDraft(2), movedDraft(1, 5), erasedDraft(2)];
      const movedDraft = (n: number, x: number): AnyDraft =>
        draftOf('drawing.updated', { drawing_id: drawingData(n).drawing_id, project_id: PROJECT, changes: { x } });
      const erasedDraft = (n: number): AnyDraft =>
        draftOf('drawing.deleted', { drawing_id: drawingData(n).drawing_id, project_id: PROJECT });

      /** Events that are folded in the tick of their append. */
      const watched = async (open: OpenStore): Promise<{ log: EventLog; records: Records; folded: AnyEvent[] }> => {
        const { log, records } = await openLog(open);
        const folded: AnyEvent[] = [];
        const stage = records.stage.bind(records);
        records.stage = (event) => {
          folded.push(event);
          return stage(event);
        };
        await log.append([draftOf('project.created', projectData())]);
        await log.append([draftOf('project.created', projectData(OTHER), OTHER)]);
        folded.length = 0;
        return { log, records, folded };
      };

      /** The records are what the log says, on disk and in memory, and nothing is pending beside them. */
      const agree = async (log: EventLog, records: Records): Promise<void> => {
        const again = new Records();
        for await (const event of readEvents(log.store)) again.advance(event);
        assert.deepEqual(new Set(records.all()), new Set(again.all()));
        const stored: unknown[] = [];
        for await (const entry of readRecords(log.store)) stored.push(entry);
        assert.deepEqual(new Set(stored), new Set(again.all()));
        for (const id of [PROJECT, OTHER]) {
          assert.deepEqual(records.pending.get('project', id), again.committed.get('project', id));
          assert.deepEqual(records.pending.ofProject('drawing', id), again.committed.ofProject('drawing', id));
        }
        for (const text of await readTexts(log.store, undefined)) assert.ok(decodeEvent(text));
      };

      it('folds nothing in the tick of the append, wherever in the log it comes to stand', async () => {
        const { log, records, folded } = await watched((await store()).open);
        const batch = await log.prepare(drafts());
        assert.deepEqual(records.pending.ofProject('drawing', PROJECT), []);
        const other = log.append([draftOf('project.updated', { project_id: OTHER, changes: { zoom: 50 } }, OTHER)]);
        folded.length = 0;
        const done = log.append(batch);
        assert.deepEqual(folded, []);
        assert.equal(records.pending.get('drawing', drawingData(1).drawing_id)?.x, 5);
        assert.deepEqual(records.committed.ofProject('drawing', PROJECT), []);
        const later = log.append([movedDraft(1, 6)]);
        assert.deepEqual(
          (await done).map((f) => f.position),
          [4, 5, 6, 7],
        );
        await Promise.all([other, later]);
        assert.deepEqual(records.committed.get('drawing', drawingData(1).drawing_id)?.created, 4);
        await agree(log, records);
      });

      it('folds it again where somebody has added to the project meanwhile', async () => {
        const { log, records, folded } = await watched((await store()).open);
        const batch = await log.prepare([erasedDraft(3), ...drafts(), movedDraft(4, 7)]);
        await log.append([drawingDraft(3), drawingDraft(4)]);
        folded.length = 0;
        await log.append(batch);
        assert.equal(folded.length, 6);
        assert.equal(records.committed.get('drawing', drawingData(4).drawing_id)?.x, 7);
        await agree(log, records);
      });

      it('keeps what waits for its turn below it', async () => {
        const { log, records, folded } = await watched((await store()).open);
        const before = log.append([drawingDraft(3), drawingDraft(4)]);
        const batch = await log.prepare([movedDraft(3, 8), movedDraft(3, 9), erasedDraft(4)]);
        folded.length = 0;
        const between = log.append([draftOf('project.updated', { project_id: OTHER, changes: { zoom: 50 } }, OTHER)]);
        const done = log.append(batch);
        assert.equal(folded.length, 1);
        assert.equal(records.pending.get('project', OTHER)?.zoom, 50);
        await Promise.all([before, between, done]);
        await agree(log, records);
      });

      it('does not take it for folded after a failure', async () => {
        const { open } = await store();
        const disk = failingStore(open);
        const { log, records } = await watched(disk.open);
        disk.fail(diskFull());
        const refused = assert.rejects(log.append([drawingDraft(3)]), { code: 'disk_full' });
        const batch = await log.prepare([movedDraft(3, 9), ...drafts()]);
        await refused;
        disk.fail(null);
        assert.equal(await log.reopen(), true);
        // The project's last version is the same as when the batch was prepared.
        await log.append([drawingDraft(4)]);
        await log.append(batch);
        assert.equal(records.committed.get('drawing', drawingData(3).drawing_id), undefined);
        await agree(log, records);
      });

      it('keeps paths in the data directory relative, and says at once what has the wrong shape', async () => {
        const { log } = await watched((await store()).open);
        log.keepPaths({ filesDirs: ['/data'], former: [], wholeUntil: 0 });
        const project_id = '00000000-0000-4000-8000-000000000003';
        const data = { ...projectData(project_id), path: `/data/projects/${project_id}` };
        const [event] = await log.append(await log.prepare([draftOf('project.created', data, project_id)]));
        assert.equal((event?.data as { path: string }).path, `projects/${project_id}`);
        await assert.rejects(log.prepare([drawingDraft(1), movedDraft(1, NaN)]));
      });
    });

    it('gives a full disk as disk_full, keeps what was there, and writes again when there is space', async () => {
      const { open } = await store();
      const disk = failingStore(open);
      const { log, records } = await openLog(disk.open);
      await log.append([draftOf('project.created', projectData())]);
      disk.fail(diskFull());
      const both = await Promise.allSettled([log.append([drawingDraft(1)]), log.append([drawingDraft(2)])]);
      for (const result of both)
        assert.equal(result.status === 'rejected' && (result.reason as { code: string }).code, 'disk_full');
      assert.equal(log.status().writable, false);
      assert.equal(records.pending.get('drawing', drawingData(1).drawing_id), undefined);
      await assert.rejects(log.append([drawingDraft(3)]), { code: 'disk_full' });
      disk.fail(null);
      assert.equal(await log.reopen(), true);
      const [event] = await log.append([drawingDraft(3)]);
      assert.equal(event?.position, 2);
      assert.equal(event.version, 2);
    });

    it('cuts what a failed batch left in the store, as it was answered with an error', async () => {
      const { open } = await store();
      const disk = tearing(open);
      const { log } = await openLog(disk.open);
      await log.append([draftOf('project.created', projectData())]);
      disk.tear();
      await assert.rejects(log.append([drawingDraft(1)]), { code: 'disk_full' });
      assert.equal(await log.reopen(), true);
      assert.equal((await readTexts(log.store, undefined)).length, 1);
      for await (const [collection] of readRecords(log.store)) assert.equal(collection, 'project');
      const [event] = await log.append([drawingDraft(2)]);
      assert.equal(event?.position, 2);
    });

    it('cuts what a failed batch left, also where that is damaged', async () => {
      const { open, tamper, raw } = await store();
      let torn = false;
      const disk = tearing(async () => {
        if (torn) await tamper([{ type: 'put', key: KEYS.event(2), value: '{"position":2,"no":"event"}' }]);
        torn = false;
        return open();
      });
      const { log } = await openLog(disk.open);
      await log.append([draftOf('project.created', projectData())]);
      disk.tear();
      torn = true;
      await assert.rejects(log.append([drawingDraft(1)]), { code: 'disk_full' });
      assert.equal(await log.reopen(), true);
      assert.equal(torn, false);
      assert.equal((await readTexts(log.store, undefined)).length, 1);
      assert.deepEqual(await keysFrom(log.store, `o/${drawingData(1).drawing_id}`), []);
      const [event] = await log.append([drawingDraft(2)]);
      assert.equal(event?.position, 2);
      await log.close();
      assert.match(await raw(KEYS.event(2)), new RegExp(drawingData(2).drawing_id));
    });

    it('reports a missing event at the start, with its position', async () => {
      const { open } = await store();
      const { log } = await openLog(open);
      await log.append([draftOf('project.created', projectData()), drawingDraft(1), drawingDraft(2)]);
      await log.close();
      await edit(open, [
        { type: 'del', key: KEYS.event(2) },
        { type: 'del', key: KEYS.checked },
      ]);
      await assert.rejects(openLog(open), /damaged at position 2: the event is missing/);
    });

    it('reports a changed event at the start, with its position', async () => {
      const { open } = await store();
      const { log } = await openLog(open);
      await log.append([draftOf('project.created', projectData()), drawingDraft(1), drawingDraft(2)]);
      const text = (await log.store.get(KEYS.event(2))) ?? '';
      await log.close();
      await edit(open, [
        { type: 'put', key: KEYS.event(2), value: text.replace('"x":1', '"x":5') },
        { type: 'del', key: KEYS.checked },
      ]);
      await assert.rejects(openLog(open), /damaged at position 2: the stored content does not fit its hash/);
    });

    describe('that is damaged', () => {
      const drawing = drawingData(2).drawing_id;
      const checkpoint = CHECKPOINTS.key(PROJECT, 3);
      let made: StoreUnderTest;
      let store: Store;
      beforeEach(async () => {
        made = await create();
        ends.push(made.end);
        const { log } = await openLog(made.open);
        await log.append([draftOf('project.created', projectData()), drawingDraft(1), drawingDraft(2)]);
        await log.append([draftOf('project.created', projectData(OTHER), OTHER)]);
        await saveCheckpoint(() => log.store, PROJECT, 3, []);
        await log.close();
      });
      const damage = async (...ops: StoreOp[]): Promise<void> => {
        await made.tamper(ops);
        store = await made.open();
        ends.push(() => store.close());
      };

      const reads: [key: string, where: RegExp, read: () => Promise<unknown>][] = [
        [KEYS.event(2), /^position 2$/, () => readTexts(store, PROJECT)],
        [KEYS.event(2), /^position 2$/, () => readTexts(store, undefined)],
        [KEYS.event(2), /^position 2$/, () => history(store, 4, { types: ['drawing.'] })],
        [KEYS.stream(PROJECT, 2), /^version 2 of project/, () => readTexts(store, PROJECT)],
        [KEYS.stream(PROJECT, 2), /^version 2 of project/, () => history(store, 4, { project_id: PROJECT })],
        [KEYS.stream(PROJECT, 3), /^version 3 of project/, () => new Moments(() => store).at(PROJECT, 3)],
        [KEYS.object(drawing, 3), /^position 3 in the index/, () => history(store, 4, { object: drawing })],
        [KEYS.head(PROJECT), /^the end of project/, () => lastVersion(store, PROJECT)],
        [KEYS.record('drawing', drawing), /^the record of drawing/, () => allRecords(store)],
      ];
      for (const [key, where, read] of reads) {
        it(`answers no read of ${key} with what another key has, and names it`, async () => {
          const other = key.startsWith('f/') ? KEYS.event(4) : KEYS.head(OTHER);
          await damage({ type: 'put', key, value: await made.raw(other) });
          await assert.rejects(read(), isDamage(key, where));
          assert.equal((await readTexts(store, OTHER)).length, 1);
          assert.deepEqual(
            store.damages?.list.map((found) => found.key),
            [key],
          );
        });
        it(`answers no read of ${key} with a changed character`, async () => {
          const text = await made.raw(key);
          const at = Math.min(20, text.length - 1);
          await damage({ type: 'put', key, value: `${text.slice(0, at)}~${text.slice(at + 1)}` });
          await assert.rejects(read(), isDamage(key, where));
        });
      }

      it('answers no read with a gap', async () => {
        const gone: [string, () => Promise<unknown>][] = [
          [KEYS.event(2), () => readTexts(store, PROJECT)],
          [KEYS.event(2), () => readTexts(store, undefined, { from: 2 })],
          [KEYS.event(2), () => history(store, 4, { object: drawingData(1).drawing_id })],
          [KEYS.event(2), () => history(store, 4, {})],
          [KEYS.event(2), () => history(store, 4, { since: '2020-01-01T00:00:00.000Z' })],
          [KEYS.stream(PROJECT, 2), () => readTexts(store, PROJECT)],
          [KEYS.stream(PROJECT, 3), () => history(store, 4, { project_id: PROJECT })],
        ];
        for (const [key, read] of gone) {
          const value = await made.raw(key);
          await damage({ type: 'del', key });
          await assert.rejects(read(), isDamage(key, /./), `${key} ${String(read)}`);
          await store.close();
          await made.tamper([{ type: 'put', key, value }]);
        }
      });

      it('misses a record that is gone, and one that is older than the log', async () => {
        const key = KEYS.record('drawing', drawing);
        const { log } = await openLog(made.open);
        await log.close();
        const before = await made.raw(key);
        const again = await openLog(made.open);
        const stored = (await allRecords(again.log.store)) as [string, string, unknown][];
        again.records.restore(stored.map(([collection, id, record]) => ({ collection, id, record }) as RecordChange));
        await again.log.append([
          draftOf('drawing.updated', { drawing_id: drawing, project_id: PROJECT, changes: { x: 9 } }),
        ]);
        await again.log.close();
        for (const op of [{ type: 'del', key } as const, { type: 'put', key, value: before } as const]) {
          await damage(op);
          await assert.rejects(allRecords(store), { code: 'log_damaged', message: /the records/ });
          await store.close();
        }
      });

      it('reads earlier moments without a checkpoint that is damaged, and says so', async () => {
        await damage({ type: 'put', key: checkpoint, value: `x${await made.raw(checkpoint)}` });
        const view = await new Moments(() => store).at(PROJECT, 3);
        assert.equal(view.ofProject('drawing', PROJECT).length, 2);
        assert.deepEqual(
          store.damages?.list.map(({ key }) => key),
          [checkpoint],
        );
      });

      it('is not opened without the end of a stream, nor with an older one', async () => {
        const key = KEYS.head(OTHER);
        const value = await made.raw(key);
        for (const op of [{ type: 'del', key } as const, { type: 'put', key, value: `${value} ` } as const]) {
          await made.tamper([op]);
          await assert.rejects(EventLog.open(made.open, new Records()), { code: 'log_damaged' });
        }
      });

      it('is written on, and lists what was found', async () => {
        const key = KEYS.event(2);
        await made.tamper([{ type: 'put', key, value: '{}' }]);
        const { log } = await openLog(made.open);
        const heard: string[] = [];
        log.onDamage((found) => heard.push(found.where));
        await assert.rejects(readTexts(log.store, PROJECT), { code: 'log_damaged' });
        await assert.rejects(readTexts(log.store, PROJECT), { code: 'log_damaged' });
        const [event] = await log.append([drawingDraft(3)]);
        assert.equal(event?.position, 5);
        assert.deepEqual(heard, ['position 2']);
        assert.deepEqual(
          log.status().damage.map(({ position }) => position),
          [2],
        );
        assert.equal(log.status().writable, true);
      });
    });

    it('gives a log without checksums its own, wherever that was ended before', async () => {
      const made = await store();
      const { log } = await openLog(made.open);
      await log.append([draftOf('project.created', projectData()), drawingDraft(1), drawingDraft(2)]);
      const texts = await readTexts(log.store, undefined);
      await log.close();
      const opened = await made.open();
      const keys: string[] = [];
      for await (const [key] of entries(opened, { gte: 'h/', lte: 'r/~' })) keys.push(key);
      await opened.close();
      const bare = keys.filter((key) => !key.startsWith('m/') && key !== KEYS.recordSum);
      assert.ok(bare.length >= 9, `${bare.length} values`);
      const ops: StoreOp[] = [
        { type: 'del', key: KEYS.format },
        { type: 'del', key: KEYS.recordSum },
      ];
      // Every other one has its checksum already.
      for (const [i, key] of bare.entries())
        if (i % 2 === 0) ops.push({ type: 'put', key, value: (await made.raw(key)).slice(0, -9) });
      await made.tamper(ops);
      await made.forget?.();
      const again = await openLog(made.open);
      assert.deepEqual(await readTexts(again.log.store, undefined), texts);
      assert.equal((await allRecords(again.log.store)).length, 3);
      await again.log.close();
      for (const key of [...bare, KEYS.format, KEYS.recordSum]) assert.match(await made.raw(key), /#[0-9a-f]{8}$/);
    });

    it('dates no event before the last one, also after a restart with the clock set back', async () => {
      const { open } = await store();
      const at = async (now: number, n: number): Promise<string | undefined> => {
        const log = await EventLog.open(open, new Records(), { clock: () => now });
        const [event] = await log.append([drawingDraft(n)]);
        await log.close();
        return event?.at;
      };
      const later = '2031-05-06T07:08:09.123Z';
      assert.equal(await at(Date.parse(later), 1), later);
      assert.equal(await at(Date.parse('2024-01-01T00:00:00Z'), 2), later);
      assert.equal(await at(Date.parse(later) + 1, 3), '2031-05-06T07:08:09.124Z');
    });

    it('closes the store also when its last note cannot be written', async () => {
      const { open } = await store();
      const disk = failingStore(open);
      const { log } = await openLog(disk.open);
      await log.append([draftOf('project.created', projectData())]);
      disk.fail(diskFull());
      await assert.rejects(log.close());
      const again = await open();
      await again.close();
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

const allRecords = async (store: Store): Promise<unknown[]> => {
  const all: unknown[] = [];
  for await (const entry of readRecords(store)) all.push(entry);
  return all;
};

const isDamage =
  (key: string, where: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof DamagedLog, String(error));
    assert.equal(error.code, 'log_damaged');
    assert.equal(error.damage.key, key);
    assert.match(error.damage.where, where);
    assert.ok(error.message.includes(error.damage.where));
    return true;
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
