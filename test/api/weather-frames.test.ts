import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fates, PROBES } from './storm.ts';

it('a storm of one seed loses, doubles and delays the same frames in every lab', { timeout: 120_000 }, async () => {
  const first = await fates(7);
  assert.equal(first.length, PROBES);
  assert.deepEqual(await fates(7), first);
  assert.notDeepEqual(await fates(8), first);
  const kinds = new Set(first.map((fate) => fate.replace(/^\d+: /, '')));
  for (const kind of ['0, 0 of them late', '1, 0 of them late', '1, 1 of them late', '2, 2 of them late'])
    assert.ok(kinds.has(kind), `no frame has: ${kind}`);
});
