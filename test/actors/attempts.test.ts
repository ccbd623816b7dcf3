import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { KeyedAnswer } from '../../src/actors/commands.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { diskFull, failingStore } from '../support/failing-store.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, type TestLab, testLab } from './test-lab.ts';

const ASKED = { ...CALLER, request_id: 'asked-1' };
const HALF = {
  code: 'disk_full',
  message: 'The disk of the data directory is full; a part of this was done, see /v2/events?request=asked-1',
};
const WHOLE = { code: 'disk_full', message: 'The disk of the data directory is full; nothing was changed' };

interface Scene {
  lab: TestLab;
  /** The disk takes nothing any more, at once or right after an event of this type. */
  fill: (after?: AnyEvent['type']) => void;
}

const scene = async (t: TestContext): Promise<Scene> => {
  const dir = await tempDir();
  const disk = failingStore(levelStore(path.join(dir.path, 'log')));
  const lab = await testLab({ dir: dir.path, open: disk.open });
  t.after(async () => {
    disk.fail(null);
    await lab.close();
    await dir.remove();
  });
  return {
    lab,
    fill(after) {
      if (after === undefined) return disk.fail(diskFull());
      lab.log.onCommitted((events) => {
        if (events.some(({ type }) => type === after)) disk.fail(diskFull());
      });
    },
  };
};

const create = ({ commands }: TestLab): Promise<unknown> =>
  commands.attempt(ASKED, () => commands.createProject(ASKED, { name: 'f1' }));

describe('a request that meets a full disk', () => {
  it('says that nothing was changed when none of it is on disk', async (t) => {
    const { lab, fill } = await scene(t);
    fill();
    await assert.rejects(create(lab), WHOLE);
    assert.equal(lab.records.committed.projects().length, 0);
  });

  for (const after of ['project.created', 'project.open_requested'] as const)
    it(`says that a part of it was done: full after ${after}`, async (t) => {
      const { lab, fill } = await scene(t);
      fill(after);
      await assert.rejects(create(lab), HALF);
      assert.deepEqual(
        lab.records.committed.projects().map(({ name }) => name),
        ['f1'],
      );
    });

  it('says so when all of it was done, and its answer could not be kept', async (t) => {
    const { lab, fill } = await scene(t);
    const request = { key: 'k', method: 'POST', path: '/v2/projects', body_sha256: '' };
    fill('project.opened');
    const work = async (): Promise<KeyedAnswer> => {
      await create(lab);
      return { status: 201, body: null };
    };
    await assert.rejects(lab.commands.once(ASKED, request, work), HALF);
  });

  it('does not tell of what another request has done', async (t) => {
    const { lab, fill } = await scene(t);
    await create(lab);
    fill();
    await assert.rejects(
      lab.commands.attempt(ASKED, () => lab.commands.createProject(ASKED, { name: 'f2' })),
      WHOLE,
    );
  });
});
