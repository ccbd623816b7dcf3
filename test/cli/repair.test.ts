import assert from 'node:assert/strict';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { history } from '../../src/events/history.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { lastPosition } from '../../src/events/read.ts';
import type { DataOf } from '../../src/events/schemas.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { KEYS, type StoreOp } from '../../src/events/store/store.ts';
import { Moments } from '../../src/projections/past/moments.ts';
import { foldAll } from '../../src/projections/rebuild.ts';
import { Records } from '../../src/projections/store.ts';
import { repairText, verifySignature } from '../../src/session/keys.ts';
import { repair } from '../../src/session/repair.ts';
import { draftOf, drawingData, drawingDraft, PROJECT, projectData } from '../support/events.ts';
import { spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';

const OTHER = '00000000-0000-4000-8000-000000000002';

/** A data directory with two projects: positions 1, 3, 4, 5 of the one, 2 and 6 of the other. */
const written = async (t: TestContext): Promise<string> => {
  const dir = await tempDir();
  t.after(dir.remove);
  const log = await EventLog.open(levelStore(path.join(dir.path, 'log')), new Records());
  await log.append([
    draftOf('project.created', projectData()),
    draftOf('project.created', projectData(OTHER), OTHER),
    drawingDraft(1),
    draftOf('drawing.updated', { drawing_id: drawingData(1).drawing_id, project_id: PROJECT, changes: { x: 50 } }),
    drawingDraft(2),
    drawingDraft(3, OTHER),
  ]);
  await log.close();
  return dir.path;
};

const change = async (dataDir: string, ...ops: StoreOp[]): Promise<void> => {
  const store = await levelStore(path.join(dataDir, 'log'))();
  await store.batch([...ops, { type: 'put', key: KEYS.checked, value: '0' }], { sync: true });
  await store.close();
};

const gone = (position: number): StoreOp => ({ type: 'del', key: KEYS.event(position) });
const at = (dataDir: string): string[] => ['--data-dir', dataDir];

/** What a log holds now. */
const look = async (dataDir: string) => {
  const store = await levelStore(path.join(dataDir, 'log'))();
  try {
    const { texts } = await history(store, await lastPosition(store), {});
    const { records } = await foldAll(store);
    const moment = await new Moments(() => store).at(PROJECT, 5);
    return {
      types: texts.map((text) => (JSON.parse(text) as { type: string }).type),
      last: JSON.parse(texts.find((text) => text.includes('"log.repaired"')) ?? '{}') as {
        data: DataOf<'log.repaired'>;
      },
      x: records.committed.get('drawing', drawingData(1).drawing_id)?.x,
      drawings: records.committed.ofProject('drawing', PROJECT).length,
      then: moment.ofProject('drawing', PROJECT).length,
    };
  } finally {
    await store.close();
  }
};

describe('topolog repair', () => {
  it('has nothing to do where the log is whole', async (t) => {
    const dataDir = await written(t);
    const { code, stdout } = await topolog('repair', ...at(dataDir));
    assert.deepEqual([code, stdout], [0, 'the log is whole: there is nothing to repair\n']);
    assert.deepEqual(await readdir(dataDir), ['log']);
  });

  it('keeps every whole event in its place and every record, lists what is lost, signs it, and keeps the old log', async (t) => {
    const dataDir = await written(t);
    await change(dataDir, gone(3), gone(4));
    const looked = await topolog('repair', '--check', ...at(dataDir));
    assert.equal(looked.code, 1);
    assert.match(
      looked.stdout,
      /4 events are whole\nlost: positions 3 to 4\nevents of project 00000000-0000-4000-8000-000000000001 are lost/,
    );
    assert.deepEqual(await readdir(dataDir), ['log']);

    const { code, stdout, stderr } = await topolog('repair', ...at(dataDir));
    assert.equal(code, 0, stderr);
    const [, kept = ''] = /kept as (log\.damaged-\S+)/.exec(stdout) ?? [];
    assert.deepEqual((await readdir(dataDir)).sort(), ['keys', 'log', kept]);

    const { types, last, x, drawings, then } = await look(dataDir);
    assert.deepEqual(types.slice(2, 4), ['event.lost', 'event.lost']);
    assert.deepEqual(types.slice(6), ['log.repaired', 'project.repaired']);
    // As it was stored, though nothing of its events is left; at the moment before, what the events tell.
    assert.deepEqual([x, drawings, then], [50, 2, 1]);
    assert.deepEqual(last.data.lost, [{ first: 3, last: 4 }]);
    assert.ok(verifySignature(last.data.public_key, repairText(last.data), last.data.signature));

    const verified = await topolog('verify', ...at(dataDir));
    assert.deepEqual([verified.code, verified.stderr], [0, '']);
    assert.match(verified.stdout, /the log is whole: 8 events, .*lost before a repair, .*: 2/);
    assert.equal((await topolog('rebuild', '--check', ...at(dataDir))).code, 0);
    const server = await spawnServer(dataDir);
    await server.kill('SIGTERM');
    assert.doesNotMatch(server.output(), /only read/i);
  });

  it('finds lost events at the end of the log by what else tells of them', async (t) => {
    const dataDir = await written(t);
    await change(dataDir, gone(5), gone(6));
    assert.match((await topolog('repair', ...at(dataDir))).stdout, /lost: positions 5 to 6/);
    const { types } = await look(dataDir);
    assert.deepEqual(types.slice(4, 7), ['event.lost', 'event.lost', 'log.repaired']);
    assert.equal((await topolog('verify', ...at(dataDir))).code, 0);
  });

  it('takes no gap for repaired that no signed list has', async (t) => {
    const dataDir = await written(t);
    await change(dataDir, gone(3));
    await repair(dataDir);
    await change(dataDir, gone(4));
    const { code, stdout } = await topolog('verify', ...at(dataDir));
    assert.equal(code, 1);
    assert.match(stdout, /position 4, event: the event is missing/);
    assert.doesNotMatch(stdout, /position 3/);
    assert.match((await topolog('repair', ...at(dataDir))).stdout, /lost: position 4\n/);
    assert.equal((await topolog('verify', ...at(dataDir))).code, 0);
  });

  it('has the old log or the new one in place, wherever it is ended', async (t) => {
    const dataDir = await written(t);
    await change(dataDir, gone(3));
    const copy = path.join(dataDir, 'copy');
    await mkdir(copy);
    await cp(path.join(dataDir, 'log'), path.join(copy, 'log'), { recursive: true });
    const { keptAs } = await repair(copy);
    // Ended after the old one was put aside.
    await rename(path.join(copy, 'log'), path.join(copy, 'log.repaired'));
    assert.ok((await readdir(copy)).includes(keptAs ?? '-'));
    const server = await spawnServer(copy);
    await server.kill('SIGTERM');
    assert.ok(!(await readdir(copy)).includes('log.repaired'));
    assert.deepEqual((await look(copy)).types.slice(2, 3), ['event.lost']);
    // Ended before: what was begun is begun again.
    await cp(path.join(copy, 'log'), path.join(dataDir, 'log.repairing'), { recursive: true });
    await rm(path.join(dataDir, 'log.repairing', 'CURRENT'));
    assert.equal((await topolog('repair', ...at(dataDir))).code, 0);
    assert.equal((await topolog('verify', ...at(dataDir))).code, 0);
  });

  it('keeps away from the log of a running server', async (t) => {
    const dataDir = await written(t);
    const server = await spawnServer(dataDir);
    try {
      assert.match((await topolog('repair', ...at(dataDir))).stderr, /holds .*stop it first/);
      await assert.rejects(repair(dataDir), /another program uses/);
    } finally {
      await server.kill('SIGTERM');
    }
  });
});

describe('verify and rebuild of a log with gaps', () => {
  it('lists every problem with its position, and changes no file', async (t) => {
    const dataDir = await written(t);
    await change(dataDir, gone(3), { type: 'del', key: KEYS.record('project', OTHER) }, gone(6));
    const before = await readdir(path.join(dataDir, 'log'));
    const { code, stdout } = await topolog('verify', ...at(dataDir));
    assert.equal(code, 1);
    for (const line of [
      /position 3, event: the event is missing/,
      /record r\/project\/0.*2: it is missing|head h\/0.*2/,
      /position 6|head/,
    ])
      assert.match(stdout, line);
    assert.deepEqual(await readdir(path.join(dataDir, 'log')), before);
  });

  it('stores nothing when events are missing, and names them', async (t) => {
    const dataDir = await written(t);
    await change(dataDir, gone(3), { type: 'del', key: KEYS.record('project', OTHER) });
    for (const flags of [['--check'], []]) {
      const { code, stdout } = await topolog('rebuild', ...flags, ...at(dataDir));
      assert.equal(code, 2);
      assert.match(stdout, /positions 3 to 3: missing.*\nstream 0.*1: after version 1 comes version 3/);
    }
  });
});
