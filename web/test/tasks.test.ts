import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routeOf } from '../src/app/router.ts';
import { sayTime, tasks, timeLeft, withTask } from '../src/store/tasks.ts';

describe('a task', () => {
  it('is shown while it goes on, and not when it has ended, well or not', async () => {
    await withTask('Opening', ({ report }) => {
      report('half', 0.5);
      assert.deepEqual(
        tasks.get().map(({ title, doing, fraction }) => ({ title, doing, fraction })),
        [{ title: 'Opening', doing: 'half', fraction: 0.5 }],
      );
      return Promise.resolve();
    });
    await assert.rejects(
      withTask('Failing', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.deepEqual(tasks.get(), []);
  });

  it('says how long it will take once that can be said', () => {
    const task = { id: 1, title: '', doing: '', startedAt: 1_000, doneAt: null, cancel: null };
    assert.equal(timeLeft({ ...task, fraction: 0.25 }, 3_000), 6_000);
    assert.equal(timeLeft({ ...task, fraction: null }, 3_000), null);
    assert.equal(timeLeft({ ...task, fraction: 0 }, 3_000), null);
    assert.equal(timeLeft({ ...task, fraction: 0.25, doneAt: 7_000 }, 3_000), 4_000);
    assert.deepEqual([10, 59_400, 61_000, 3_700_000].map(sayTime), ['1 s', '59 s', '1 min 1 s', '1 h 1 min']);
  });
});

describe('the address of a view', () => {
  it('is in the hash, and anything else is the list', () => {
    const projectId = '59f3e2f5-5991-4bf4-aac6-4fc4afa513fe';
    assert.deepEqual(routeOf(`#/projects/${projectId}`), { view: 'lab', projectId });
    for (const hash of ['', '#/', '#/projects/../x', '#/projects/', `#/projects/${projectId}/x`])
      assert.deepEqual(routeOf(hash), { view: 'projects' });
  });
});
