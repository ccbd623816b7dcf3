import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type WithServer, withServer } from './with-server.ts';

describe('nodes by commands', { timeout: 600_000 }, () => {
  let on: WithServer;
  const states = async (): Promise<string> => {
    const all = [];
    for (const { project_id } of await on.client.get('/v2/projects'))
      all.push(...(await on.client.get('/v2/projects/{project_id}/nodes', { path: { project_id } })));
    return all.map(({ name, status }) => `${name} ${status}`).join(', ');
  };

  before(async () => {
    on = await withServer();
    for (const name of ['one', 'two']) {
      const { project_id } = await on.client.post('/v2/projects', { body: { name } });
      const body = { name: `PC-${name}`, node_type: 'simple_pc' } as const;
      await on.client.post('/v2/projects/{project_id}/nodes', { path: { project_id }, body });
    }
  });
  after(() => on.close());

  it('are restarted, and started if they are stopped', async () => {
    assert.match(await on.well('restart', 'PC-one'), /^PC-one +started/);
    const log = async (): Promise<number> =>
      ((await on.well('log', 'one')).match(/node\.started|node\.reloaded/g) ?? []).length;
    const before = await log();
    assert.match(await on.well('restart', 'PC-one', 'two'), /^PC-one +started[^]*^PC-two +started/m);
    assert.equal(await log(), before + 1);
    assert.equal(await states(), 'PC-one started, PC-two started');
  });

  it('are suspended and resumed, and what is not suspended is not resumed', async () => {
    assert.match(await on.well('suspend', 'one'), /^PC-one +suspended/);
    await on.ill(1, /PC-two is started, not suspended$/m, 'resume', 'PC-two');
    assert.match(await on.well('resume', 'one'), /^PC-one +started/);
    assert.equal(await on.well('resume', 'one'), '');
    await on.well('suspend', '--all');
    assert.equal(await states(), 'PC-one suspended, PC-two suspended');
    await on.well('resume', '--all');
    assert.equal(await states(), 'PC-one started, PC-two started');
  });

  it('are all tried, and those that could not be are named', async () => {
    await on.well('suspend', 'PC-two');
    const { code, stdout, stderr } = await on.topolog('resume', 'PC-one', 'PC-two');
    assert.deepEqual([code, stderr], [1, 'topolog: one/PC-one: PC-one is started, not suspended\n']);
    assert.match(stdout, /^PC-two +started/);
  });

  it('are waited for until they are in a state', async () => {
    assert.match(await on.well('wait', 'one'), /^PC-one +started/);
    assert.match(await on.well('wait', 'one', 'PC-one', '--for', 'started', '--timeout', '1'), /^PC-one +started/);
    await on.allIll([
      [
        1,
        /1 of 1 nodes were not stopped within 1 s: PC-one is started$/m,
        'wait',
        'one',
        '--for',
        'stopped',
        '--timeout',
        '500ms',
      ],
      [1, /Node PC-two does not exist/, 'wait', 'one', 'PC-two'],
      [1, /one has no checks$/m, 'wait', 'one', '--for', 'checks'],
      [
        2,
        /--for takes started, stopped, suspended, checks, not start; did you mean started\?$/m,
        'wait',
        'one',
        '--for',
        'start',
      ],
      [
        2,
        /--timeout takes a time such as 500ms, 90s or 5m, or a number of seconds, not soon/,
        'wait',
        'one',
        '--timeout',
        'soon',
      ],
      [2, /--for checks waits for a whole project/, 'wait', 'one', 'PC-one', '--for', 'checks'],
      [2, /^usage: topolog wait PROJECT \[NODE\.\.\.\]/, 'wait'],
    ]);
  });

  it('are waited for until their checks are met', async () => {
    const [project] = await on.client.get('/v2/projects');
    const path = { project_id: project?.project_id ?? '' };
    const check = { name: 'runs', state: { node: 'PC-one', is: 'started' } };
    await on.client.post('/v2/projects/{project_id}/checks', { path, body: check as never });
    assert.match(await on.well('wait', 'one', '--for', 'checks'), /^met +/);
    const never = { name: 'stands', state: { node: 'PC-one', is: 'stopped' } };
    await on.client.post('/v2/projects/{project_id}/checks', { path, body: never as never });
    await on.ill(
      1,
      /1 of 2 checks were not met within 0\.3 s: /,
      'wait',
      'one',
      '--for',
      'checks',
      '--timeout',
      '300ms',
    );
  });

  it('have consoles, a line each', async () => {
    assert.match(await on.well('consoles', 'one'), /^PC-one  telnet  127\.0\.0\.1  \d+\n$/);
    assert.equal((await on.well('consoles')).trim().split('\n').length, 2);
    const [first] = JSON.parse(await on.well('consoles', '--json')) as Record<string, unknown>[];
    assert.deepEqual(Object.keys(first ?? {}), ['name', 'node_id', 'console_type', 'console_host', 'console']);
    await on.ill(1, /Project three does not exist/, 'consoles', 'three');
  });

  it('all stop', async () => {
    assert.match(await on.well('stop', '--all'), /^PC-one +stopped[^]*^PC-two +stopped/m);
    assert.equal(await states(), 'PC-one stopped, PC-two stopped');
    await on.allIll([
      [2, /^usage: topolog stop PROJECT\|NODE\.\.\.\|--all\n$/, 'stop'],
      [2, /^usage: topolog stop PROJECT\|NODE\.\.\.\|--all\n$/, 'stop', 'one', '--all'],
      [2, /^usage: topolog restart /, 'restart'],
      [1, /Project or node One does not exist; did you mean one\?$/m, 'suspend', 'One'],
    ]);
  });
});
