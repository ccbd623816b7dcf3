import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it, type TestContext } from 'node:test';
import { TopologError } from '../../src/common/errors.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import type { DrawingRecord, ProjectRecord } from '../../src/projections/records.ts';
import { withResolvers } from '../../src/common/promises.ts';
import { draft } from '../../src/actors/context.ts';
import { readTexts } from '../../src/events/read.ts';
import { waitFor } from '../support/wait-for.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, type TestLab, testLab } from './test-lab.ts';

/** Milliseconds. */
const A_WHILE = 500;

interface Scene {
  lab: TestLab;
  project: ProjectRecord;
  file: string;
  /** Events that say that the file was written. */
  written: AnyEvent[];
  /** The next event of a type. */
  event(type: AnyEvent['type']): Promise<AnyEvent>;
  draw(x: number): Promise<DrawingRecord>;
  /** `x` of every drawing in the file; null without a file. */
  inFile(): Promise<number[] | null>;
}

const scene = async (t: TestContext, fileIdleMs: number): Promise<Scene> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path, settings: { fileIdleMs } });
  // The writer's timers keep no process, and here nothing else does.
  const alive = setInterval(() => undefined, 1000);
  t.after(async () => {
    clearInterval(alive);
    await lab.close();
    await dir.remove();
  });
  const written: AnyEvent[] = [];
  lab.log.onCommitted((events) => written.push(...events.filter((event) => event.type === 'project.file_written')));
  const project = await lab.commands.createProject(CALLER, { name: 'lab' });
  const file = path.join(project.path, project.filename);
  return {
    lab,
    project,
    file,
    written,
    event: (type) =>
      new Promise((resolve) =>
        lab.log.onCommitted((events) => {
          const found = events.find((event) => event.type === type);
          if (found !== undefined) resolve(found);
        }),
      ),
    draw: (x) => lab.commands.createDrawing(CALLER, project.project_id, { x }),
    async inFile() {
      const text = await readFile(file, 'utf8').catch(() => null);
      if (text === null) return null;
      return (JSON.parse(text) as { topology: { drawings: { x: number }[] } }).topology.drawings.map(({ x }) => x);
    },
  };
};

describe('the project file', () => {
  it('is written once the project has been quiet for a while, not at every change', async (t) => {
    const s = await scene(t, 1000);
    for (const x of [1, 2, 3, 4, 5]) await s.draw(x);
    await waitFor('five drawings are in the file', async () => (await s.inFile())?.length === 5);
    // On a slow machine the project that was made has been quiet for long enough before the first change.
    assert.ok(s.written.length <= 2, `written ${s.written.length} times`);
    assert.deepEqual(await s.inFile(), [1, 2, 3, 4, 5]);
  });

  it('is written when the project is closed, however short that was after a change', async (t) => {
    const s = await scene(t, 3_600_000);
    await s.draw(7);
    assert.equal(await s.inFile(), null);
    await s.lab.commands.closeProject(CALLER, s.project.project_id);
    assert.deepEqual(await s.inFile(), [7]);
  });

  it('is written when the server stops', async (t) => {
    const s = await scene(t, 3_600_000);
    await s.draw(8);
    await s.lab.lab.close();
    assert.deepEqual(await s.inFile(), [8]);
  });

  it('is left alone when nothing in it has changed', async (t) => {
    const s = await scene(t, 3_600_000);
    const { project_id } = s.project;
    await s.draw(1);
    await s.lab.commands.closeProject(CALLER, project_id);
    const { mtimeMs, ino } = await stat(s.file);
    await s.lab.commands.openProject(CALLER, project_id);
    await s.lab.commands.updateProject(CALLER, project_id, { zoom: 50 });
    await s.lab.commands.updateProject(CALLER, project_id, { zoom: 100 });
    await s.lab.commands.closeProject(CALLER, project_id);
    const after = await stat(s.file);
    assert.deepEqual([after.mtimeMs, after.ino, s.written.length], [mtimeMs, ino, 1]);
  });

  it('keeps its last good copy when it cannot be written, and says so', async (t) => {
    const s = await scene(t, 3_600_000);
    const { project_id } = s.project;
    await s.draw(1);
    await s.lab.commands.closeProject(CALLER, project_id);
    await s.lab.commands.openProject(CALLER, project_id);
    // A directory where the temporary file is to be: it cannot be written, by no user.
    const temporary = `${s.file}.topolog-tmp`;
    await mkdir(path.join(temporary, 'in-the-way'), { recursive: true });
    const warned = s.event('warning.raised');
    await s.draw(2);
    await s.lab.commands.closeProject(CALLER, project_id);
    assert.match(JSON.stringify((await warned).data), /the project file could not be written/);
    assert.deepEqual([await s.inFile(), s.written.length], [[1], 1]);
    assert.equal(s.lab.records.committed.get('project', project_id)?.state, 'closed');

    await rm(temporary, { recursive: true });
    // Nothing has changed since, but what could not be written is still to be.
    await s.lab.commands.closeProject(CALLER, project_id);
    assert.deepEqual(await s.inFile(), [1, 2]);
  });

  it('stays as it is on record where the log refuses its event', async (t) => {
    const s = await scene(t, 3_600_000);
    const { commands, log } = s.lab;
    const { project_id } = s.project;
    await s.draw(1);
    await commands.closeProject(CALLER, project_id);
    await commands.openProject(CALLER, project_id);
    const { drawing_id } = await s.draw(2);
    const append = log.append.bind(log);
    log.append = (drafts, ...more) =>
      !('events' in drafts) && drafts.some(({ type }) => type === 'project.file_written')
        ? Promise.reject(new TopologError('log_read_only', { reason: 'made for the test' }))
        : append(drafts, ...more);
    const warned = s.event('warning.raised');
    await commands.closeProject(CALLER, project_id);
    await warned;
    log.append = append;
    // The lab is what was written last, so that nothing else is to be written.
    await commands.openProject(CALLER, project_id);
    await commands.deleteDrawing(CALLER, { project_id, drawing_id });
    await commands.closeProject(CALLER, project_id);
    assert.deepEqual(await s.inFile(), [1]);
    assert.deepEqual(
      (await readdir(s.project.path)).filter((name) => name.endsWith('.topolog-tmp')),
      [],
    );
  });

  it('is written by the next start where the server ended before, of a project that is closed as well', async (t) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    const first = await testLab({ dir: dir.path });
    const { project_id } = await first.commands.createProject(CALLER, { name: 'lab' });
    const { path: place, filename } = await first.commands.forkProject(CALLER, project_id, { name: 'fork' });
    first.lab.fence();
    await first.log.close();
    const second = await testLab({ dir: dir.path });
    t.after(() => second.close());
    await second.lab.sweepFiles();
    const text = await readFile(path.join(place, filename), 'utf8');
    assert.equal((JSON.parse(text) as { name: string }).name, 'fork');
  });

  it('is written by the next start where two servers were killed before, the second one in its start', async (t) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    const first = await testLab({ dir: dir.path });
    const { project_id } = await first.commands.createProject(CALLER, { name: 'lab' });
    const { path: place, filename } = await first.commands.forkProject(CALLER, project_id, { name: 'fork' });
    first.lab.fence();
    await first.log.close();
    const second = await testLab({ dir: dir.path });
    await second.log.append([draft(CALLER, null, 'server.started', { version: '0', pid: 1, recovered: {} })]);
    second.lab.fence();
    await second.log.close();
    const third = await testLab({ dir: dir.path });
    t.after(() => third.close());
    await third.lab.sweepFiles();
    const text = await readFile(path.join(place, filename), 'utf8');
    assert.equal((JSON.parse(text) as { name: string }).name, 'fork');
  });

  it('is whole when its project goes, which waits for it', async (t) => {
    const s = await scene(t, 3_600_000);
    const { commands, lab, log } = s.lab;
    await s.draw(1);
    const [begun, held] = [withResolvers(), withResolvers()];
    const append = log.append.bind(log);
    log.append = async (drafts, ...more) => {
      if (!('events' in drafts) && drafts.some(({ type }) => type === 'project.file_written')) {
        begun.resolve();
        await held.promise;
      }
      return append(drafts, ...more);
    };
    const writing = lab.flush();
    await Promise.race([begun.promise, writing]);
    const deleting = commands.deleteProject(CALLER, s.project.project_id);
    // Far longer than a deletion takes that does not wait.
    const first = await Promise.race([deleting.then(() => 'deleted'), sleep(A_WHILE, 'waits')]);
    held.resolve();
    await Promise.all([writing, deleting]);
    assert.equal(first, 'waits');
    const types = (await readTexts(log.store, s.project.project_id)).map((text) => (JSON.parse(text) as AnyEvent).type);
    assert.equal(types.at(-1), 'project.deleted');
    await assert.rejects(stat(s.project.path), { code: 'ENOENT' });
  });

  it('goes with its project', async (t) => {
    const s = await scene(t, 3_600_000);
    await s.draw(1);
    await s.lab.commands.deleteProject(CALLER, s.project.project_id);
    assert.equal(await s.inFile(), null);
    assert.equal(s.written.length, 0);
  });
});
