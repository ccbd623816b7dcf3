import assert from 'node:assert/strict';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it, type TestContext } from 'node:test';
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
