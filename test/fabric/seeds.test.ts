import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { toCableFilters } from '../../src/fabric/filters/parse.ts';
import { fates } from './fates.ts';

const ALL: Record<string, (number | string)[]> = {
  packet_loss: [7],
  burst_loss: [3, 30, 80, 1],
  corrupt: [5],
  duplicate: [9],
  delay: [20, 10],
  jitter: [5, 'paretonormal'],
  reorder: [25, 3],
  rate: [500, 40, 4000],
};

describe('a seed', () => {
  it('decides which frames are lost, delayed, doubled and spoilt, the same each time', async () => {
    const { filters } = await toCableFilters(ALL);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffff_ffff }), fc.constantFrom<0 | 1>(0, 1), (seed, direction) => {
        const once = fates(seed, direction, filters, 400);
        assert.deepEqual(fates(seed, direction, filters, 400), once);
        assert.notDeepEqual(fates(seed ^ 1, direction, filters, 400), once);
        assert.notDeepEqual(fates(seed, direction === 0 ? 1 : 0, filters, 400), once);
      }),
      { numRuns: 20 },
    );
  });

  it('decides the same in another process, whatever its locale and time zone', async () => {
    const { filters } = await toCableFilters(ALL);
    const there = JSON.stringify(new URL('fates.js', import.meta.url).href);
    const asked = `f.fates(42, 0, ${JSON.stringify(filters)}, 2000)`;
    const script = `import(${there}).then((f) => console.log(JSON.stringify(${asked})));`;
    const env = { LANG: 'tr_TR.UTF-8', TZ: 'Asia/Kathmandu' };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env, maxBuffer: 1 << 26 });
    assert.deepEqual(JSON.parse(stdout), fates(42, 0, filters, 2000));
  });

  it('stands among the filters of a link, for both directions, and 0 is none', async () => {
    assert.deepEqual(await toCableFilters({ seed: [7], packet_loss: [5] }), { filters: { packet_loss: 5 }, seed: 7 });
    assert.deepEqual(await toCableFilters({ seed: [0], packet_loss: [5] }), { filters: { packet_loss: 5 } });
    await assert.rejects(toCableFilters({ 'seed>': [7] }), /filter seed is of both directions/);
    await assert.rejects(toCableFilters({ seed: [1.5] }), /filter seed: number must be a whole number/);
  });
});
