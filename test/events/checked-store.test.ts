import assert from 'node:assert/strict';
import path from 'node:path';
import { it } from 'node:test';
import { levelStore } from '../../src/events/store/level-store.ts';
import { KEYS } from '../../src/events/store/store.ts';
import { tempDir } from '../support/temp.ts';

it('a store that is closed while somebody reads it, to be opened again, says that', async (t) => {
  const dir = await tempDir();
  t.after(dir.remove);
  const store = await levelStore(path.join(dir.path, 'log'))();
  const range = { gte: KEYS.event(0), lte: KEYS.eventEnd };
  const iterator = store.iterator(range);
  await store.close();
  const refused = { code: 'log_read_only' };
  await assert.rejects(iterator.nextv(1), refused);
  await assert.rejects(store.get(KEYS.format), refused);
  await assert.rejects(store.getMany([KEYS.format]), refused);
  assert.throws(() => store.iterator(range), refused);
});
