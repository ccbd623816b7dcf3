import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entries, SERVER_STREAM, type Store } from '../../src/events/store/store.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { CHECKPOINTS, keepCheckpoints } from '../../src/projections/past/checkpoints.ts';
import { dropCheckpoints, Moments } from '../../src/projections/past/moments.ts';
import { Records } from '../../src/projections/store.ts';
import { checkStore } from '../../src/session/verify/check-store.ts';
import { drawingData, drawingDraft, draftOf, PROJECT, projectData } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';

const INTERVAL = 10;
const DRAWINGS = 5;

/** A log whose checkpoints are kept, and what waits for those that are being written. */
const keptLog = async (store: Store) => {
  let writing: Promise<unknown> = Promise.resolve();
  const watched: Store = {
    ...store,
    batch: (ops, options) => {
      const done = store.batch(ops, options);
      if (ops[0]?.key.startsWith(CHECKPOINTS.start) === true) writing = done;
      return done;
    },
  };
  const records = new Records();
  const log = await EventLog.open(() => Promise.resolve(watched), records);
  keepCheckpoints(log, records.committed, { interval: INTERVAL });
  const append = async (...drafts: Parameters<EventLog['append']>[0] & unknown[]): Promise<void> => {
    await log.append(drafts);
    // A checkpoint is looked for, and then written, in turns of their own.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    await writing;
  };
  return { log, records, append };
};

const keysOf = async (store: Store): Promise<string[]> => {
  const keys: string[] = [];
  for await (const [key] of entries(store, { gte: CHECKPOINTS.start, lte: CHECKPOINTS.end })) keys.push(key);
  return keys;
};

const moved = (n: number) =>
  draftOf('drawing.updated', {
    drawing_id: drawingData(n % DRAWINGS).drawing_id,
    project_id: PROJECT,
    changes: { x: n },
  });

/** Version in a checkpoint's key. */
const versionOf = (key: string): number => Number(key.slice(key.lastIndexOf('/') + 1));

describe('checkpoints that are kept while a project grows', () => {
  it('are never further apart than asked for, and are what the events fold to', async () => {
    const store = memoryStore();
    const { append } = await keptLog(store);
    await append(
      draftOf('project.created', projectData()),
      ...Array.from({ length: DRAWINGS }, (_, n) => drawingDraft(n)),
    );
    for (let n = 0; n < 200; n++) await append(moved(n));
    const versions = (await keysOf(store)).map(versionOf);
    // Four events a record: a project and five drawings.
    const most = Math.max(INTERVAL, 4 * (1 + DRAWINGS)) + 1;
    assert.ok(versions.length >= 6, `there are ${versions.length}`);
    versions.forEach((version, i) => {
      const distance = version - (versions[i - 1] ?? 0);
      assert.ok(distance <= most, `${distance} events before version ${version}`);
    });
    const { problem } = await checkStore(store);
    assert.equal(problem, null);
  });

  it('give every moment the records that it has without them', async () => {
    const store = memoryStore();
    const { append, log } = await keptLog(store);
    await append(draftOf('project.created', projectData()), drawingDraft(0), drawingDraft(1));
    for (let n = 0; n < 60; n++) await append(n === 30 ? draftOf('drawing.deleted', gone(1)) : moved(n));
    const read = async (position: number): Promise<unknown> =>
      (await new Moments(() => store).at(PROJECT, position)).ofProject('drawing', PROJECT);
    const last = log.status().position;
    assert.ok((await keysOf(store)).length > 0);
    const withThem: unknown[] = [];
    for (let position = 1; position <= last; position++) withThem.push(await read(position));
    await dropCheckpoints(store);
    for (let position = 1; position <= last; position++) assert.deepEqual(withThem[position - 1], await read(position));
  });

  it('go on after those of an earlier run', async () => {
    const store = memoryStore();
    const first = await keptLog(store);
    await first.append(draftOf('project.created', projectData()), drawingDraft(0));
    for (let n = 0; n < 30; n++) await first.append(moved(0));
    const before = await keysOf(store);
    await first.log.close();
    const second = await keptLog(store);
    second.records.restore(await restored(store));
    for (let n = 0; n < 3; n++) await second.append(moved(0));
    assert.deepEqual(await keysOf(store), before);
    for (let n = 0; n < 30; n++) await second.append(moved(0));
    assert.ok((await keysOf(store)).length > before.length);
    assert.equal((await checkStore(store)).problem, null);
  });

  it("of the server's own stream have its templates, and verify", async () => {
    const store = memoryStore();
    const { append } = await keptLog(store);
    const template_id = '00000000-0000-4000-a000-000000000001';
    const settings = { kind: 'simple_pc', name: 'PC', compute_id: null, default_name_format: 'PC{0}' };
    await append(
      draftOf(
        'template.created',
        { template_id, ...settings, symbol: 'computer', category: 'guest', settings: {} },
        null,
      ),
    );
    for (let n = 0; n < 30; n++)
      await append(draftOf('template.updated', { template_id, changes: { name: `PC ${n}` } }, null));
    const keys = await keysOf(store);
    assert.ok(keys.length > 0 && keys.every((key) => key.startsWith(`c/${SERVER_STREAM}/`)), keys.join());
    assert.equal((await checkStore(store)).problem, null);
  });
});

const gone = (n: number) => ({ drawing_id: drawingData(n).drawing_id, project_id: PROJECT });

const restored = async (store: Store): Promise<Parameters<Records['restore']>[0]> => {
  const changes: { collection: string; id: string; record: unknown }[] = [];
  for await (const [key, text] of entries(store, { gte: 'r/', lte: 'r/~' })) {
    const [, collection = '', id = ''] = key.split('/');
    changes.push({ collection, id, record: JSON.parse(text) });
  }
  return changes as Parameters<Records['restore']>[0];
};
