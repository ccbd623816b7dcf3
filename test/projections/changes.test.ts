import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EventLog } from '../../src/events/log/log.ts';
import { findFollowedEnd } from '../../src/events/log/startup.ts';
import { createChanges } from '../../src/projections/past/changes.ts';
import { Moments } from '../../src/projections/past/moments.ts';
import { Records } from '../../src/projections/store.ts';
import { draftOf, drawingData, PROJECT, projectData } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';

it('tells of nothing that another server has stored and this one does not know yet: it would be told twice', async () => {
  const store = memoryStore();
  const writer = await EventLog.open(() => Promise.resolve(store), new Records());
  await writer.append([draftOf('project.created', projectData())]);
  const records = new Records();
  await records.load(store);
  const follower = await EventLog.readOnly(store, records, new Error('it stands by'), await findFollowedEnd(store));
  const changes = createChanges(follower, records, new Moments(() => follower.store));
  const told = async (projectId: string | null): Promise<number[]> => {
    const positions: number[] = [];
    for await (const { event } of changes.since(projectId, 0)) positions.push(event.position);
    return positions;
  };
  const stored = await writer.append([draftOf('drawing.created', drawingData(1))]);
  assert.deepEqual([await told(PROJECT), await told(null)], [[1], [1]]);
  follower.follow(stored);
  assert.deepEqual(
    [await told(PROJECT), await told(null)],
    [
      [1, 2],
      [1, 2],
    ],
  );
});
