import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KilledLab, type Made } from './recover-lab.ts';
import { waitFor } from '../support/wait-for.ts';

/** Long enough for a kill to come in between. Milliseconds. */
const SLOW = { engine: 'simulated', simulate: { delay_ms: 1200 } };
/** What is under way when the server is killed, and what it is settled to: by what really runs. */
const UNDER_WAY = {
  start: 'started',
  stop: 'stopped',
  suspend: 'started',
  resume: 'suspended',
  reload: 'started',
} as const;
type Action = keyof typeof UNDER_WAY;
const ACTIONS = Object.keys(UNDER_WAY) as Action[];

describe('requests that were under way when the server was killed', () => {
  it('are settled by what really runs, and the nodes take commands again', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    const nodes: [Action, Made][] = [];
    for (const action of ACTIONS) nodes.push([action, await lab.node(action, 'simple_pc', SLOW)]);
    const all = (action: string, of: readonly Action[]) =>
      Promise.all(nodes.filter(([name]) => of.includes(name)).map(([, node]) => lab.act(node, action)));
    await all('start', ['stop', 'suspend', 'resume', 'reload']);
    await all('suspend', ['resume']);
    const cut = nodes.map(([action, node]) => lab.act(node, action === 'resume' ? 'start' : action).catch(() => null));
    const before = { start: 5, suspend: 2, stop: 1, reload: 1, resume: 1 };
    for (const action of ACTIONS) await lab.told(before[action], `node.${action}_requested`);
    await lab.kill();
    assert.deepEqual(await Promise.all(cut), [null, null, null, null, null]);
    await lab.comeBack();
    assert.deepEqual(await lab.statuses(), UNDER_WAY);
    const events = await lab.events();
    const lost = events.find(({ type }) => type === 'node.lost');
    const again = events.find(({ type, cause }) => type === 'node.start_requested' && cause === lost?.position);
    assert.equal(again?.position, (lost?.position ?? 0) + 1, 'a kill could come between the two');
    for (const { status } of await all('stop', ACTIONS)) assert.ok(status < 300);
    assert.deepEqual(new Set(Object.values(await lab.statuses())), new Set(['stopped']));
  });

  it('do not keep the server from starting, however slow they are', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    const slow = await lab.node('slow', 'simple_pc', { engine: 'simulated', simulate: { delay_ms: 600_000 } });
    const cut = lab.act(slow, 'start').catch(() => null);
    await lab.told(1, 'node.start_requested');
    await lab.kill();
    await cut;
    await lab.comeBack();
    assert.deepEqual(await lab.statuses(), { slow: 'stopped' });
    // The project file is written when there is time.
    const told = (await lab.events()).filter(({ type }) => type !== 'project.file_written');
    assert.equal(told.at(-1)?.type, 'node.start_requested');
  });

  it('goes on with what was asked of all nodes', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    const slow = await lab.node('slow', 'simple_pc', SLOW);
    // The stop waits behind it.
    const cut = [
      lab.act(slow, 'start'),
      lab.told(1, 'node.start_requested').then(() => lab.ask('POST', '/nodes/stop')),
    ];
    const ends = Promise.allSettled(cut);
    await lab.told(1, 'project.nodes_requested');
    await lab.kill();
    await ends;
    await lab.comeBack();
    await lab.told(1, 'project.nodes_finished');
    assert.deepEqual(await lab.statuses(), { slow: 'stopped' });
    const events = await lab.events();
    const asked = events.find(({ type }) => type === 'project.nodes_requested');
    const finished = events.filter(({ type }) => type === 'project.nodes_finished');
    assert.deepEqual(
      finished.map(({ cause, data }) => [cause, data]),
      [[asked?.position, { project_id: asked?.project_id, action: 'stop', done: 1, failed: [] }]],
    );
  });

  it('closes a project that was being closed, and leaves no process of it', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    const node = await lab.node('E1', 'echo', { flags: ['--stubborn', '--child'] });
    await lab.act(node, 'start');
    await waitFor('both processes run', async () => (await lab.processes()).length >= 2);
    const cut = lab.try('POST', `${lab.project}/close`, {}).catch(() => null);
    await lab.told(1, 'node.stop_requested');
    await lab.kill();
    await cut;
    await lab.comeBack();
    await lab.projectIs('closed');
    assert.deepEqual(await lab.processes(), []);
    assert.equal((await lab.try('POST', `${lab.project}/open`, {})).status, 201);
    assert.deepEqual(await lab.statuses(), { E1: 'stopped' });
  });

  it(
    'starts the nodes of a project that was opened with auto_start before they were asked',
    { timeout: 60_000 },
    async (t) => {
      const lab = await KilledLab.open(t, { auto_start: true });
      await lab.node('PC1', 'simple_pc');
      assert.equal((await lab.try('POST', `${lab.project}/close`, {})).status, 204);
      const cut = lab.try('POST', `${lab.project}/open`, {}).catch(() => null);
      await lab.told(1, 'project.opened');
      await lab.kill();
      await cut;
      await lab.comeBack();
      await waitFor('PC1 is started', async () => (await lab.statuses())['PC1'] === 'started');
    },
  );

  it('opens a project that was being opened, with all that opening starts', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t, { auto_start: true });
    await lab.node('SW', 'ethernet_switch', SLOW);
    await lab.node('PC1', 'simple_pc');
    assert.equal((await lab.try('POST', `${lab.project}/close`, {})).status, 204);
    const cut = lab.try('POST', `${lab.project}/open`, {}).catch(() => null);
    await lab.told(2, 'node.start_requested');
    await lab.kill();
    await cut;
    await lab.comeBack();
    await lab.projectIs('opened');
    await waitFor('PC1 is started', async () => (await lab.statuses())['PC1'] === 'started');
    assert.deepEqual(await lab.statuses(), { SW: 'started', PC1: 'started' });
  });
});
