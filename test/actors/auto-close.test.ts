import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { timelineRow } from '../../src/cli/log/log.ts';
import { readEvents } from '../../src/events/read.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { diskFull, failingStore, type FailingStore } from '../support/failing-store.ts';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';
import { CALLER, type TestLab, testLab } from './test-lab.ts';

/** Long enough that it never ends within a test, and short enough to wait for its end. Milliseconds. */
const NEVER = 3_600_000;
const SOON = 10;
/** Enough for a project to be closed and opened within it. */
const A_WHILE = 1_000;

interface Scene {
  lab: TestLab;
  disk: FailingStore;
  project_id: string;
  types(): Promise<string[]>;
  /** Resolves with the event once it is on record. */
  seen(type: AnyEvent['type']): Promise<AnyEvent>;
  restart(autoCloseGraceMs: number): Promise<void>;
}

const scene = async (t: TestContext, autoCloseGraceMs: number, auto_close = true): Promise<Scene> => {
  const dir = await tempDir();
  const disk = failingStore(levelStore(path.join(dir.path, 'log')));
  const start = (grace: number) => testLab({ dir: dir.path, open: disk.open, settings: { autoCloseGraceMs: grace } });
  let lab = await start(autoCloseGraceMs);
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const { project_id } = await lab.commands.createProject(CALLER, { name: 'lab', auto_close });
  const events = async (): Promise<AnyEvent[]> => {
    const found: AnyEvent[] = [];
    for await (const event of readEvents(lab.log.store)) found.push(event);
    return found;
  };
  return {
    get lab() {
      return lab;
    },
    disk,
    project_id,
    types: async () => (await events()).map(({ type }) => type),
    async seen(type) {
      const found = async (): Promise<AnyEvent | undefined> => (await events()).find((event) => event.type === type);
      await waitFor(`${type} is on record`, async () => (await found()) !== undefined);
      return (await found()) ?? assert.fail(type);
    },
    async restart(grace) {
      await lab.close();
      lab = await start(grace);
      await lab.lab.recover(true);
    },
  };
};
const stateOf = ({ lab, project_id }: Scene) => lab.records.committed.get('project', project_id)?.state;
const unattended = ({ lab, project_id }: Scene) => lab.records.committed.get('project', project_id)?.unattended;

describe('a project with auto_close', () => {
  it('closes after its last listener has left, and the log says who did it and why', async (t) => {
    const s = await scene(t, SOON);
    const leave = [s.lab.commands.attend(s.project_id), s.lab.commands.attend(s.project_id)];
    leave[0]?.();
    // Twice is once.
    leave[0]?.();
    assert.equal((await s.types()).includes('project.unattended'), false);
    leave[1]?.();
    const left = await s.seen('project.unattended');
    const requested = await s.seen('project.close_requested');
    await s.seen('project.closed');
    assert.deepEqual([requested.by.principal, requested.cause], ['system', left.position]);
    assert.deepEqual(requested.data, { project_id: s.project_id, reason: 'its last viewer left' });
    assert.match(timelineRow(new Map(), requested).join(' '), /as its last viewer left/);
    assert.deepEqual([stateOf(s), unattended(s)], ['closed', undefined]);
  });

  it('stays open when somebody comes in time', async (t) => {
    const s = await scene(t, NEVER);
    s.lab.commands.attend(s.project_id)();
    await s.seen('project.unattended');
    assert.notEqual(unattended(s), undefined);
    const leave = s.lab.commands.attend(s.project_id);
    await s.seen('project.attended');
    assert.deepEqual([stateOf(s), unattended(s)], ['opened', undefined]);
    leave();
  });

  it('that nobody has listened to stays open, and so does one without it', async (t) => {
    const s = await scene(t, 0, false);
    s.lab.commands.attend(s.project_id)();
    const other = await s.lab.commands.createProject(CALLER, { name: 'other' });
    await sleep(SOON);
    assert.equal((await s.types()).includes('project.unattended'), false);
    assert.equal(stateOf(s), 'opened');
    assert.equal(s.lab.records.committed.get('project', other.project_id)?.state, 'opened');
  });

  it('stays open when the setting is taken back within the grace time', async (t) => {
    const s = await scene(t, NEVER);
    s.lab.commands.attend(s.project_id)();
    await s.seen('project.unattended');
    await s.lab.commands.updateProject(CALLER, s.project_id, { auto_close: false });
    await s.restart(0);
    await sleep(SOON);
    assert.equal(stateOf(s), 'opened');
  });

  it('closes after its grace time when the setting comes back', async (t) => {
    const s = await scene(t, NEVER);
    s.lab.commands.attend(s.project_id)();
    await s.seen('project.unattended');
    await s.lab.commands.updateProject(CALLER, s.project_id, { auto_close: false });
    await s.restart(0);
    // The grace time is over by then.
    await sleep(SOON);
    await s.lab.commands.updateProject(CALLER, s.project_id, { auto_close: true });
    const requested = await s.seen('project.close_requested');
    assert.equal(requested.cause, (await s.seen('project.unattended')).position);
  });

  it('closes after a snapshot was restored within whose time its grace time was over', async (t) => {
    const s = await scene(t, A_WHILE);
    const { commands, log } = s.lab;
    const { snapshot_id } = await commands.createSnapshot(CALLER, s.project_id, { name: 'one' });
    commands.attend(s.project_id)();
    await s.seen('project.unattended');
    const append = log.append.bind(log);
    log.append = async (drafts, ...more) => {
      if ('events' in drafts && stateOf(s) === 'restoring') await sleep(1.5 * A_WHILE);
      return append(drafts, ...more);
    };
    await commands.restoreSnapshot(CALLER, { project_id: s.project_id, snapshot_id });
    await s.seen('project.close_requested');
  });

  it('closes as soon as the log can be written', async (t) => {
    const s = await scene(t, SOON);
    s.lab.log.onCommitted((events) => {
      if (events.some(({ type }) => type === 'project.unattended')) s.disk.fail(diskFull());
    });
    s.lab.commands.attend(s.project_id)();
    const isRefused = (): boolean => s.lab.reports.some((line) => line.includes('could not be closed by itself'));
    await waitFor('it could not be closed', isRefused);
    s.disk.fail(null);
    await waitFor('it is closed', () => stateOf(s) === 'closed');
  });

  it('closes after a restart within the grace time as well', async (t) => {
    const s = await scene(t, NEVER);
    s.lab.commands.attend(s.project_id)();
    const left = await s.seen('project.unattended');
    await s.restart(0);
    const requested = await s.seen('project.close_requested');
    assert.equal(requested.cause, left.position);
    await s.seen('project.closed');
  });

  it('that was listened to when the server ended stays open', async (t) => {
    const s = await scene(t, 0);
    s.lab.commands.attend(s.project_id);
    await s.restart(0);
    await sleep(SOON);
    assert.equal(stateOf(s), 'opened');
    assert.equal((await s.types()).includes('project.unattended'), false);
  });

  it('is not closed twice when it was closed within the grace time', async (t) => {
    const s = await scene(t, A_WHILE);
    s.lab.commands.attend(s.project_id)();
    await s.lab.commands.closeProject(CALLER, s.project_id);
    await s.lab.commands.openProject(CALLER, s.project_id);
    await sleep(1.5 * A_WHILE);
    assert.equal(stateOf(s), 'opened');
    const types = await s.types();
    for (const once of ['project.close_requested', 'project.unattended'])
      assert.equal(types.filter((type) => type === once).length, 1, once);
  });
});
