import assert from 'node:assert/strict';
import files from 'node:fs/promises';
import path from 'node:path';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it, type TestContext } from 'node:test';
import { NOTHING_RECOVERED } from '../src/actors/recovery/recover.ts';
import { encodeEvent } from '../src/events/encoding.ts';
import type { LogEvent } from '../src/events/event.ts';
import { lastPosition, textsAt } from '../src/events/read.ts';
import { levelStore } from '../src/events/store/level-store.ts';
import { KEYS, streamOf } from '../src/events/store/store.ts';
import { openLog } from '../src/server/open-log.ts';
import { draftOf, projectData } from './support/events.ts';
import { loggerTo } from './support/logger.ts';
import { tempDir } from './support/temp.ts';

/** The disk does not let the log's journal be read: so many times. */
const failReads = (t: TestContext, times: number): void => {
  const read = files.readFile.bind(files);
  const failing = (...args: Parameters<typeof read>): Promise<string | Buffer> => {
    const [file] = args;
    if (typeof file !== 'string' || !/\/log\/\d+\.log$/.test(file) || times-- <= 0) return read(...args);
    return Promise.reject(Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }));
  };
  const mocked = t.mock.method(files, 'readFile', failing);
  syncBuiltinESMExports();
  t.after(() => {
    mocked.mock.restore();
    syncBuiltinESMExports();
  });
};

const scene = async (t: TestContext) => {
  const dir = await tempDir();
  t.after(dir.remove);
  const open = async (): Promise<{ opened: Awaited<ReturnType<typeof openLog>>; reports: string[] }> => {
    const reports: string[] = [];
    return {
      opened: await openLog(
        { dataDir: dir.path, filesDir: dir.path },
        loggerTo((line) => reports.push(line)),
      ),
      reports,
    };
  };
  const { opened } = await open();
  await opened.log.append([draftOf('project.created', projectData())]);
  await opened.close();
  return { open };
};

/** As a later version would have written it. */
const written = async (directory: string, change: (text: string) => string): Promise<void> => {
  const store = await levelStore(path.join(directory, 'log'))();
  const position = await lastPosition(store);
  const [text = ''] = await textsAt(store, [position]);
  const { hash: _, ...event } = JSON.parse(change(text)) as LogEvent;
  const encoded = encodeEvent(event);
  const head = JSON.stringify({ version: event.version, position, hash: encoded.hash });
  const ops = [
    [KEYS.event(position), encoded.text],
    [KEYS.head(streamOf(event.project_id)), head],
  ] as const;
  await store.batch(
    ops.map(([key, value]) => ({ type: 'put', key, value })),
    { sync: true },
  );
  await store.witness?.begin({ position, hash: encoded.hash });
  await store.close();
};

describe('a log that a newer version wrote', () => {
  const later = async (t: TestContext, change: (text: string) => string): Promise<string> => {
    const dir = await tempDir();
    t.after(dir.remove);
    const places = { dataDir: dir.path, filesDir: dir.path };
    const by = loggerTo(() => undefined);
    const started = { version: '9.1.0', pid: 1, recovered: NOTHING_RECOVERED };
    const first = await openLog(places, by);
    await first.log.append([draftOf('server.started', started, null)]);
    await first.log.append([draftOf('project.created', projectData())]);
    await first.close();
    await written(dir.path, change);
    return dir.path;
  };

  for (const [what, change] of [
    ['of a type', (text: string) => text.replace('"type":"project.created"', '"type":"project.painted"')],
    ['of a version', (text: string) => text.replace('"v":1', '"v":7')],
  ] as const)
    it(`${what} that this one does not know is refused with what to do, and not offered to a repair`, async (t) => {
      const dataDir = await later(t, change);
      const said: string[] = [];
      await assert.rejects(
        openLog(
          { dataDir, filesDir: dataDir },
          loggerTo((line) => said.push(line)),
        ),
        {
          code: 'conflict',
          message:
            /the log was written by Topolog 9\.1\.0; this is \S+, which does not know event 2 \(project\.\w+, version \d\)\. Nothing was changed\. Start 9\.1\.0 or newer again, or restore the backup/,
        },
      );
      assert.doesNotMatch(said.join('\n'), /repair/);
    });

  it('is taken where it has nothing that this one does not know', async (t) => {
    const dataDir = await later(t, (text) => text);
    const opened = await openLog(
      { dataDir, filesDir: dataDir },
      loggerTo(() => undefined),
    );
    assert.equal(opened.readOnly, null);
    await opened.close();
  });
});

describe('a disk that fails while the log is opened', () => {
  it('is tried again: a failure that is over then keeps nobody from writing', async (t) => {
    const { open } = await scene(t);
    failReads(t, 2);
    const { opened, reports } = await open();
    t.after(() => opened.close());
    assert.equal(opened.readOnly, null);
    assert.equal(opened.records.committed.projects().length, 1);
    assert.equal(reports.filter((line) => line.includes('the disk failed while the log was opened')).length, 2);
  });

  it('is named as the reason where that lasts, and a whole log is not to be repaired', async (t) => {
    const { open } = await scene(t);
    failReads(t, Infinity);
    const { opened } = await open();
    t.after(() => opened.close());
    assert.match(opened.readOnly?.reason ?? '', /^the disk failed while the log was opened: EIO/);
    assert.match(opened.readOnly?.remedy ?? '', /^the server writes again by itself/);
    assert.equal(opened.readOnly?.heals, true);
    assert.equal(opened.records.committed.projects().length, 1);
  });
});
