import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KilledLab } from './recover-lab.ts';

describe('processes outside, when the server', () => {
  it('is stopped cleanly, end with it, and come back with it', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    const node = await lab.node('E1', 'echo');
    await lab.act(node, 'start');
    const [before] = await lab.processes();
    await lab.server.kill('SIGTERM');
    assert.deepEqual(await lab.processes(), []);
    await lab.comeBack();
    assert.deepEqual(await lab.statuses(), { E1: 'started' });
    const [after] = await lab.processes();
    assert.ok(after !== undefined && after.pid !== before?.pid);
    await lab.server.kill('SIGTERM');
    await lab.comeBack(['--no-resume']);
    assert.deepEqual(await lab.statuses(), { E1: 'stopped' });
  });

  it('is stopped with --keep-running, go on and are adopted', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    await lab.server.kill('SIGTERM');
    await lab.comeBack(['--keep-running']);
    const node = await lab.node('E1', 'echo');
    await lab.act(node, 'start');
    const before = await lab.processes();
    await lab.server.kill('SIGTERM');
    assert.deepEqual(await lab.processes(), before);
    await lab.comeBack();
    assert.deepEqual(await lab.statuses(), { E1: 'started' });
    assert.deepEqual(await lab.processes(), before);
  });

  it('was away while one ended, are started again', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    const node = await lab.node('E1', 'echo');
    await lab.act(node, 'start');
    const [before] = await lab.processes();
    await lab.kill();
    process.kill(before?.pid ?? 0, 'SIGKILL');
    await lab.comeBack();
    assert.deepEqual(await lab.statuses(), { E1: 'started' });
    const after = await lab.processes();
    assert.equal(after.length, 1);
    assert.notEqual(after[0]?.pid, before?.pid);
  });
});
