import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JobProgress, Jobs } from '../../src/actors/runtime/jobs.ts';

const ID = '0a0a0a0a-0000-4000-8000-000000000001';

/** Jobs with a clock that is set by hand, and what they tell. */
const bench = () => {
  let now = 0;
  const told: JobProgress[] = [];
  const jobs = new Jobs(() => now);
  jobs.onProgress((progress) => told.push(progress));
  return { jobs, told, at: (ms: number) => (now = ms) };
};

describe('a job', () => {
  it('is told five times a second at most, with the time that is left, and once that it has ended', () => {
    const { jobs, told, at } = bench();
    const work = jobs.begin(ID, 'import', 1000);
    for (let ms = 100; ms <= 1000; ms += 50) {
      at(ms);
      work.add(25);
    }
    work.end();
    work.end();
    assert.deepEqual(
      told.map(({ done, left, ended }) => [done, left, ended]),
      [
        [125, 2.1, false],
        [225, 1.7, false],
        [325, 1.5, false],
        [425, 1.2, false],
        [475, 0, true],
      ],
    );
    assert.ok(told.every(({ project_id, what, of }) => project_id === ID && what === 'import' && of === 1000));
  });

  it('that is done soon is not told at all', () => {
    const { jobs, told, at } = bench();
    const work = jobs.begin(ID, 'duplicate', 10);
    at(250);
    work.add(10);
    work.end();
    assert.deepEqual(told, []);
  });

  it('that is more than was thought is never more than all of it', () => {
    const { jobs, told, at } = bench();
    const work = jobs.begin(ID, 'export', 10);
    at(500);
    work.add(30);
    assert.deepEqual([told[0]?.done, told[0]?.of, told[0]?.left], [30, 30, 0]);
  });

  it('is not told to those who stopped listening', () => {
    const jobs = new Jobs(() => 1000);
    const told: JobProgress[] = [];
    const over = new AbortController();
    jobs.onProgress((progress) => told.push(progress), { signal: over.signal });
    over.abort();
    const work = jobs.begin(ID, 'export', 10);
    work.add(1);
    assert.deepEqual(told, []);
  });
});
