import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Client } from 'topolog/client';
import { createNodeCount } from '../src/map/actions/node-actions.ts';
import { dismiss, notices } from '../src/store/notices.ts';
import { openProjects } from '../src/store/projects.ts';
import type { Frame, Node } from '../src/store/records.ts';
import { addTask, tasks, timeLeft, withTask } from '../src/store/tasks.ts';
import { createOthersJobs, type Progress, withJob } from '../src/store/jobs.ts';

const progress = (part: Partial<Progress> = {}): Progress => ({
  project_id: 'p',
  what: 'import',
  done: 25e6,
  of: 100e6,
  left: 12,
  ended: false,
  ...part,
});
const told = (event: Progress): Frame => ({ action: 'project.progress', event, position: 1 });
const shown = (): unknown[] => tasks.get().map(({ title, doing, fraction }) => ({ title, doing, fraction }));
const turn = async (): Promise<void> => {
  for (let i = 0; i < 8; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** A server whose feed tells what it is given, until the listener has enough. */
const fake = () => {
  const queue: Frame[] = [];
  const asked: unknown[] = [];
  let wake = (): void => undefined;
  let connection: (stands: boolean) => void = () => undefined;
  const client = {
    async *feed(path: string, options: { signal: AbortSignal; live: boolean; onConnection?: typeof connection }) {
      asked.push({ path, live: options.live });
      connection = options.onConnection ?? connection;
      options.signal.addEventListener('abort', () => wake());
      for (;;) {
        options.signal.throwIfAborted();
        const next = queue.shift();
        if (next !== undefined) yield next;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    },
    get: () => Promise.resolve([{ project_id: 'p', name: 'lab' }]),
  };
  return {
    client: client as unknown as Client,
    asked,
    async send(...frames: Frame[]) {
      queue.push(...frames);
      wake();
      await turn();
    },
    connection: (stands: boolean) => connection(stands),
  };
};

afterEach(() => assert.deepEqual(tasks.get(), []));

describe('a job of the server', () => {
  it('shows in its task how far it is and how long it will take', async () => {
    const server = fake();
    const answer = await withTask('Uploading', (task) =>
      withJob(server.client, { project_id: 'p', what: 'import' }, task, async () => {
        await turn();
        await server.send(
          told(progress({ project_id: 'other', done: 99e6 })),
          told(progress({ what: 'export', done: 98e6 })),
          told(progress()),
        );
        assert.deepEqual(shown(), [
          { title: 'Uploading', doing: 'The server unpacks it: 25.0 MB of 100.0 MB', fraction: 0.25 },
        ]);
        const [task] = tasks.get();
        assert.ok(task);
        assert.equal(timeLeft(task, (task.doneAt ?? 0) - 5_000), 5_000);
        return 'done';
      }),
    );
    assert.equal(answer, 'done');
    assert.deepEqual(server.asked, [{ path: '/v2/notifications', live: true }]);
  });

  it('goes on unmeasured without the feed, and fails as its request does', async () => {
    const client = {
      feed: () => {
        throw new TypeError('nobody answers');
      },
    } as unknown as Client;
    const work = { project_id: 'p', what: 'export' } as const;
    const task = addTask('Downloading', null);
    assert.equal(await withJob(client, work, task, () => Promise.resolve(7)), 7);
    await assert.rejects(
      withJob(client, work, task, () => Promise.reject(new Error('full'))),
      /full/,
    );
    task.end();
  });

  it('that others asked for is shown until it has ended', () => {
    const others = createOthersJobs();
    others.take(progress({ left: null, done: 0 }), undefined);
    others.take(progress({ what: 'duplicate', done: 50e6 }), 'lab');
    assert.deepEqual(shown(), [
      { title: 'Importing a project', doing: 'The server unpacks it: 0 kB of 100.0 MB', fraction: 0 },
      { title: 'Copying lab', doing: 'The server copies its files: 50.0 MB of 100.0 MB', fraction: 0.5 },
    ]);
    others.take(progress({ ended: true }), undefined);
    assert.equal(tasks.get().length, 1);
    others.clear();
  });

  it('that this page asked for is not shown twice, however often it asked', async () => {
    const server = fake();
    const others = createOthersJobs();
    const work = { project_id: 'p', what: 'duplicate' } as const;
    const first = addTask('first', null);
    const second = addTask('second', null);
    let endFirst = (): void => undefined;
    const running = withJob(server.client, work, first, () => new Promise<void>((resolve) => (endFirst = resolve)));
    await withJob(server.client, work, second, () => Promise.resolve());
    others.take(progress({ what: 'duplicate' }), 'lab');
    assert.equal(tasks.get().length, 2);
    endFirst();
    await running;
    others.take(progress({ what: 'duplicate' }), 'lab');
    assert.equal(tasks.get().length, 3);
    others.clear();
    first.end();
    second.end();
  });
});

describe('the list of projects', () => {
  it('says in words that a project was closed by itself', async () => {
    const server = fake();
    const projects = openProjects(server.client);
    const message = 'lab is closed, as its last viewer left';
    await server.send({ action: 'log.info', event: { message }, position: 1 });
    const shown = notices.get().at(-1);
    assert.deepEqual([shown?.kind, shown?.text], ['info', message]);
    dismiss(shown?.id ?? 0);
    projects.close();
  });

  it('listens for jobs, names its project, and forgets it when the connection is lost', async () => {
    const server = fake();
    const projects = openProjects(server.client);
    await server.send({ action: 'ping', event: {}, position: 1 } as Frame);
    await server.send(told(progress({ what: 'export' })));
    assert.deepEqual(server.asked, [{ path: '/v2/notifications', live: true }]);
    assert.deepEqual(
      tasks.get().map(({ title }) => title),
      ['Exporting lab'],
    );
    server.connection(false);
    assert.deepEqual(tasks.get(), []);
    projects.close();
  });
});

describe('how far nodes are', () => {
  const node = (node_id: string, status: Node['status']): Node => ({ node_id, name: `n-${node_id}`, status }) as Node;
  const mapOf = (...nodes: Node[]) => new Map(nodes.map((one) => [one.node_id, one]));
  const [a, b, c] = [node('a', 'started'), node('b', 'stopped'), node('c', 'stopped')];

  it('counts those that had a way to go, and names the last', () => {
    const count = createNodeCount(mapOf(a, b, c), ['a', 'b', 'c'], 'started', false);
    assert.deepEqual(count(mapOf(a, b, c)), { done: 0, of: 2, last: null });
    assert.deepEqual(count(mapOf(a, node('b', 'started'), c)), { done: 1, of: 2, last: 'n-b' });
  });

  it('counts in a restart those that have come back', () => {
    const count = createNodeCount(mapOf(a), ['a'], 'started', true);
    assert.deepEqual(count(mapOf(a)), { done: 0, of: 1, last: null });
    assert.deepEqual(count(mapOf(node('a', 'stopped'))), { done: 0, of: 1, last: null });
    assert.deepEqual(count(mapOf(node('a', 'started'))), { done: 1, of: 1, last: 'n-a' });
  });
});
