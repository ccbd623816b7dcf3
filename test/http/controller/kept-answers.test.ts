import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { conflict, TopologError } from '../../../src/common/errors.ts';
import { KeptAnswers } from '../../../src/http/routing/kept-answers.ts';
import type { Payload } from '../../../src/http/routing/route.ts';

/** Counts how often it is carried out; `with` answers that. */
const counted = () => {
  const work = { times: 0, with: (): Promise<Payload> => Promise.resolve(null) };
  return { work, run: () => ((work.times += 1), work.with()) };
};
const json = (text: string) => (): Promise<Payload> => Promise.resolve({ json: text });

describe('kept answers', () => {
  it('carry a request out once, also while it is under way', async () => {
    const answers = new KeptAnswers();
    const { work, run } = counted();
    let done = (): void => undefined;
    work.with = () => new Promise((resolve) => (done = () => resolve({ json: '{"a":1}' })));
    const both = [answers.once('1', run), answers.once('1', run)];
    done();
    assert.deepEqual(await Promise.all(both), [{ json: '{"a":1}' }, { json: '{"a":1}' }]);
    assert.deepEqual(await answers.once('1', run), { json: '{"a":1}' });
    assert.equal(work.times, 1);
  });

  it('keep what was refused', async () => {
    const answers = new KeptAnswers();
    const { work, run } = counted();
    work.with = () => Promise.reject(conflict('it runs'));
    for (let n = 0; n < 3; n++) await assert.rejects(answers.once('1', run), /it runs/);
    assert.equal(work.times, 1);
  });

  it('do not keep what passes: a deadline, a defect, a missing image', async () => {
    const passing = [
      new TopologError('deadline', { what: 'The start', seconds: 1 }),
      new TopologError('log_read_only', { reason: 'the disk' }),
      new Error('a defect'),
      conflict('The image a is missing', { exception: 'ImageMissingError' }),
    ];
    for (const error of passing) {
      const answers = new KeptAnswers();
      const { work, run } = counted();
      work.with = () => Promise.reject(error);
      await assert.rejects(answers.once('1', run));
      work.with = json('{}');
      assert.deepEqual(await answers.once('1', run), { json: '{}' });
      assert.equal(work.times, 2);
    }
  });

  it('are bounded: the oldest go first, and one that is too long is not kept', async () => {
    const answers = new KeptAnswers();
    const { work, run } = counted();
    work.with = json('x'.repeat(256 * 1024));
    await answers.once('long', run);
    await answers.once('long', run);
    assert.equal(work.times, 2);
    work.with = json('{}');
    for (let n = 0; n <= 10_000; n++) await answers.once(String(n), run);
    const before = work.times;
    await answers.once('10000', run);
    assert.equal(work.times, before);
    await answers.once('0', run);
    assert.equal(work.times, before + 1);
  });
});
