import assert from 'node:assert/strict';
import { chown } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { EventLog } from '../../src/events/log/log.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { KEYS } from '../../src/events/store/store.ts';
import { Records } from '../../src/projections/store.ts';
import { draftOf, drawingData, drawingDraft, projectData } from '../support/events.ts';
import { spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';

const notRoot = process.geteuid?.() === 0 ? false : 'only root writes what belongs to others';
const { drawing_id } = drawingData(1);

/** A data directory with a project and a drawing, whose record is gone when `damaged`. */
const written = async (t: TestContext, damaged: boolean): Promise<string> => {
  const dir = await tempDir();
  t.after(dir.remove);
  const open = levelStore(path.join(dir.path, 'log'));
  const log = await EventLog.open(open, new Records());
  await log.append([draftOf('project.created', projectData()), drawingDraft(1)]);
  if (damaged) await log.store.batch([{ type: 'del', key: KEYS.record('drawing', drawing_id) }], { sync: true });
  await log.close();
  return dir.path;
};

describe('topolog rebuild', () => {
  it('ends with 0 when the records are what the events say', async (t) => {
    const { code, stdout } = await topolog('rebuild', '--data-dir', await written(t, false));
    assert.deepEqual([code, stdout], [0, '2 events, 2 records, 0 differences corrected\n']);
  });

  it('names what differs, corrects it and ends with 1; only looks with --check', async (t) => {
    const dataDir = await written(t, true);
    const looked = await topolog('rebuild', '--check', '--data-dir', dataDir);
    assert.deepEqual(
      [looked.code, looked.stdout],
      [1, `drawing ${drawing_id}: missing\n2 events, 2 records, 1 differences found\n`],
    );
    const corrected = await topolog('rebuild', '--data-dir', dataDir);
    assert.deepEqual(
      [corrected.code, corrected.stdout],
      [1, `drawing ${drawing_id}: missing\n2 events, 2 records, 1 differences corrected\n`],
    );
    assert.equal((await topolog('rebuild', '--check', '--data-dir', dataDir)).code, 0);
  });

  it('writes nothing as root where a server of another user could not read it', { skip: notRoot }, async (t) => {
    const dataDir = await written(t, true);
    await chown(dataDir, 54_321, 54_321);
    for (const command of ['rebuild', 'repair']) {
      const { code, stderr } = await topolog(command, '--data-dir', dataDir);
      assert.equal(code, 1);
      assert.match(stderr, /belongs to user 54321, .*: setpriv --reuid 54321 --regid 54321 --init-groups topolog/);
    }
    assert.equal((await topolog('rebuild', '--check', '--data-dir', dataDir)).code, 1);
  });

  it('keeps away from the log of a running server', async (t) => {
    const dataDir = await written(t, false);
    const server = await spawnServer(dataDir);
    try {
      const { code, stderr } = await topolog('rebuild', '--data-dir', dataDir);
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`the server at ${server.url} holds .*stop it first`));
    } finally {
      await server.kill('SIGTERM');
    }
  });
});
