import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CopySide, LogCopy, inspectOriginal } from '../../src/events/copy-log.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { KEYS, type Store } from '../../src/events/store/store.ts';
import { Records } from '../../src/projections/store.ts';
import { draftOf, drawingDraft, PROJECT, projectData } from '../support/events.ts';
import { memory, memoryStore } from '../support/memory-store.ts';

type Level = ReturnType<typeof memory>;

const OTHER = '00000000-0000-4000-8000-000000000002';

/** A log of two projects that take turns. */
const written = async (drawings = 20, level = memory()): Promise<Level> => {
  const log = await EventLog.open(() => Promise.resolve(memoryStore(level)), new Records());
  const ids = [PROJECT, OTHER];
  await log.append(ids.map((id) => draftOf('project.created', projectData(id), id)));
  for (let n = 0; n < drawings; n++) await log.append([drawingDraft(n, ids[n % 2])]);
  await log.close();
  return level;
};

const sideOf = (level: Level, place = 'the log', sealed = true): CopySide => ({
  store: memoryStore(level, sealed),
  place,
});
const target = (level: Level): CopySide => sideOf(level, 'the copy', false);

const nothing = (): void => undefined;
const unchanged = (): Promise<void> => Promise.resolve();
const copied = async (from: CopySide, to: CopySide) =>
  (await LogCopy.begin(await inspectOriginal(from), to)).run(nothing, unchanged);

/** Every key and value as it is stored. */
const all = (level: Level): Promise<[string, string][]> => level.iterator().all();

/** Refuses the batch of this number, and all after it. */
const broken = (store: Store, batches: number): Store => {
  let left = batches;
  return {
    batch: (ops, options) => (left-- > 0 ? store.batch(ops, options) : Promise.reject(new Error('cut'))),
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    iterator: (range) => store.iterator(range),
    close: () => store.close(),
  };
};

describe('a copy of a log', () => {
  it('is the same, key by key and value by value', async () => {
    const [from, to] = [await written(), memory()];
    const before = await all(from);
    const told: string[] = [];
    const copy = await LogCopy.begin(await inspectOriginal(sideOf(from)), target(to));
    const made = await copy.run(({ doing }) => told.push(doing), unchanged);
    assert.deepEqual(await all(to), before);
    assert.deepEqual(await all(from), before);
    assert.deepEqual([made.events, made.resumed, made.entries], [22, 0, before.length]);
    assert.deepEqual([...new Set(told)], ['events', 'indexes and records', 'comparing']);
  });

  it('goes on after it was cut before any of its writes, and is no log before it is finished', async () => {
    const from = await written();
    const whole = await all(from);
    for (let batches = 0, isDone = false; !isDone; batches++) {
      const to = memory();
      const cut = { store: broken(memoryStore(to), batches), place: 'the copy' };
      isDone = await copied(sideOf(from), cut).then(
        () => true,
        () => false,
      );
      if (!isDone && batches > 0) {
        await assert.rejects(
          EventLog.open(() => Promise.resolve(memoryStore(to)), new Records()),
          /unfinished copy of another one: topolog copy-log/,
        );
        await assert.rejects(copied(sideOf(to, 'this', false), target(memory())), /this: .*unfinished copy/);
      }
      if (!isDone) await copied(sideOf(from), target(to));
      assert.deepEqual(await all(to), whole);
    }
  });

  it('goes on with a log that has grown meanwhile, and takes away what is not in it any more', async () => {
    const [from, to] = [await written(), memory()];
    await assert.rejects(copied(sideOf(from), { store: broken(memoryStore(to), 3), place: 'the copy' }), /cut/);
    const log = await EventLog.open(() => Promise.resolve(memoryStore(from, true)), new Records());
    await log.append([drawingDraft(100)]);
    await log.close();
    await from.del(KEYS.checked);
    const made = await copied(sideOf(from), target(to));
    assert.deepEqual([made.events, made.resumed], [23, 22]);
    assert.deepEqual(await all(to), await all(from));
  });

  it('stays unfinished when the log was written while it was copied', async () => {
    const [from, to] = [await written(), memory()];
    const copy = await LogCopy.begin(await inspectOriginal(sideOf(from)), target(to));
    await assert.rejects(
      copy.run(nothing, () => Promise.reject(new Error('it was written'))),
      /it was written/,
    );
    assert.notEqual(await to.get(KEYS.copying), undefined);
  });

  it('is not made over another log, nor of nothing', async () => {
    const from = await written();
    await assert.rejects(copied(sideOf(from), target(await written(1))), /the copy has a log already/);
    const to = memory();
    const other = await written(3);
    await assert.rejects(copied(sideOf(other), { store: broken(memoryStore(to), 2), place: 'the copy' }), /cut/);
    await assert.rejects(copied(sideOf(from), target(to)), /the copy has an unfinished copy of another log/);
    await assert.rejects(copied(sideOf(memory(), 'this', false), target(memory())), /the log of this has no events/);
  });

  it('refuses to go on where a stream ends otherwise than in the log', async () => {
    const [from, to] = [await written(), memory()];
    await assert.rejects(copied(sideOf(from), { store: broken(memoryStore(to), 2), place: 'the copy' }), /cut/);
    const head = { version: 11, position: 21, hash: '0'.repeat(64) };
    const op = { type: 'put', key: KEYS.head(PROJECT), value: JSON.stringify(head) } as const;
    await memoryStore(to).batch([op], { sync: true });
    await assert.rejects(copied(sideOf(from), target(to)), /position 21 of the copy is another event than in the log/);
  });
});

describe('a damaged log', () => {
  /** Copies a log that was changed; both places stay as they are. */
  const refused = async (damage: (level: Level) => Promise<void>, says: RegExp): Promise<void> => {
    const [from, to] = [await written(), memory()];
    await damage(from);
    await assert.rejects(copied(sideOf(from), target(to)), says);
    const begun = (await to.get(KEYS.copying)) !== undefined;
    assert.ok(begun || (await all(to)).length === 0);
  };
  const change = async (level: Level, key: string, edit: (value: string) => string): Promise<void> =>
    level.put(key, edit((await level.get(key)) ?? ''));

  it('is refused with the position of an event that is not as it was written', () =>
    refused(
      (level) => change(level, KEYS.event(7), (text) => text.replace('"x":4', '"x":5')),
      /the log: .*position 7: the stored content does not fit its hash/,
    ));

  it('is refused with the position of an event that is gone', () =>
    refused((level) => level.del(KEYS.event(9)), /the log: .*position 9: the event is missing/));

  it('is refused where an event does not go on with its stream', () =>
    refused(async (level) => {
      // Whole in itself, and of another log.
      const other = memory();
      const log = await EventLog.open(() => Promise.resolve(memoryStore(other)), new Records());
      await log.append([PROJECT, OTHER].map((id) => draftOf('project.created', projectData(id), id)));
      for (let n = 0; n < 10; n++) await log.append([drawingDraft(n + 50, n % 2 === 0 ? PROJECT : OTHER)]);
      await log.close();
      await level.put(KEYS.event(8), (await other.get(KEYS.event(8))) ?? '');
    }, /position 8 of the log does not follow version 3 of its stream/));

  it('is refused with what is wrong beside the events', () =>
    refused(
      (level) => change(level, KEYS.stream(OTHER, 4), (value) => value.replace('8', '9')),
      /the log: .*version 4 of/,
    ));

  it('is refused when records are gone', () =>
    refused(async (level) => {
      for await (const key of level.keys({ gte: 'r/drawing/', lte: 'r/drawing/~', limit: 1 })) await level.del(key);
    }, /the log: .*the records: 21 of 22 are there/));
});
