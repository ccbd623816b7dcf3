import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { KEYS, type Store } from '../../src/events/store/store.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { rebuild } from '../../src/projections/rebuild.ts';
import { Records } from '../../src/projections/store.ts';
import { drawingData, drawingDraft, draftOf, PROJECT, projectData } from '../support/events.ts';
import { ownStore } from '../support/own-log.ts';
import { tempDir } from '../support/temp.ts';

const written = async (t: TestContext): Promise<Store> => {
  const dir = await tempDir();
  const open = ownStore(path.join(dir.path, 'log'));
  const log = await EventLog.open(open, new Records());
  await log.append([draftOf('project.created', projectData()), drawingDraft(1), drawingDraft(2)]);
  await log.append([draftOf('drawing.updated', { ...ids(1), changes: { x: 9 } })]);
  await log.close();
  const store = await open();
  t.after(async () => {
    await store.close();
    await dir.remove();
  });
  return store;
};

const ids = (n: number) => ({ drawing_id: drawingData(n).drawing_id, project_id: PROJECT });
const key = (n: number): string => KEYS.record('drawing', ids(n).drawing_id);

/** One of each damage. */
const damage = (store: Store): Promise<void> =>
  store.batch(
    [
      { type: 'del', key: key(1) },
      { type: 'put', key: key(2), value: JSON.stringify({ ...drawingData(2), x: 555, created: 3, changed: 3 }) },
      { type: 'put', key: key(3), value: JSON.stringify({ ...drawingData(3), created: 9, changed: 9 }) },
    ],
    { sync: true },
  );

const differences = [
  { collection: 'drawing', id: ids(2).drawing_id, problem: 'different' },
  { collection: 'drawing', id: ids(3).drawing_id, problem: 'without events' },
  { collection: 'drawing', id: ids(1).drawing_id, problem: 'missing' },
];

describe('rebuild', () => {
  it('finds nothing to do in a store as the log wrote it', async (t) => {
    const store = await written(t);
    assert.deepEqual(await rebuild(store, false), { events: 4, records: 3, differences: [] });
  });

  it('reports missing, different and orphaned records, and only looks when it is told to', async (t) => {
    const store = await written(t);
    await damage(store);
    assert.deepEqual((await rebuild(store, false)).differences, differences);
    assert.deepEqual((await rebuild(store, false)).differences, differences);
  });

  it('corrects them to what the events say', async (t) => {
    const store = await written(t);
    await damage(store);
    assert.deepEqual((await rebuild(store, true)).differences, differences);
    assert.deepEqual((await rebuild(store, false)).differences, []);
    assert.equal((JSON.parse((await store.get(key(1))) ?? '{}') as { x: number }).x, 9);
    assert.equal(await store.get(key(3)), undefined);
  });
});
