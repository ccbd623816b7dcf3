import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { programFile } from '../../src/common/package.ts';
import { KilledLab } from './recover-lab.ts';

const PLAIN = programFile('cli/topolog');

describe('a server starts in spite of', () => {
  it('a project whose directory is gone', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    const nodes = [
      await lab.node('PC1', 'simple_pc', { startup_script: 'ip 10.0.0.1/24' }),
      await lab.node('E1', 'echo'),
    ];
    for (const node of nodes) assert.ok((await lab.act(node, 'start')).status < 300);
    await lab.kill(true);
    for (const { pid } of await lab.processes()) process.kill(pid, 'SIGKILL');
    await rm(lab.projectPath, { recursive: true });
    // It cannot be made again either.
    await writeFile(lab.projectPath, 'a file');
    await lab.comeBack();
    const statuses = await lab.statuses();
    assert.equal(statuses['E1'], 'stopped');
    const [, e1] = (await lab.ask('GET', '/nodes')) as { properties: { failure: { message: string } } }[];
    assert.match(e1?.properties.failure.message ?? '', /E1: its directory cannot be written/);
    await rm(lab.projectPath);
    assert.ok((await lab.act(nodes[1] ?? nodes[0] ?? assert.fail(), 'start')).status < 300);
  });

  it('a project file that is broken, of a project that opens by itself too', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t, { auto_open: true });
    await lab.node('PC1', 'simple_pc');
    assert.equal((await lab.try('POST', `${lab.project}/close`, {})).status, 204);
    await lab.kill();
    const file = (await readdir(lab.projectPath)).find((name) => name.endsWith('.gns3'));
    assert.ok(file !== undefined);
    await writeFile(path.join(lab.projectPath, file), '{"topology": [');
    await lab.comeBack();
    // The log is what counts, not the file.
    await lab.projectIs('opened');
    assert.deepEqual(await lab.statuses(), { PC1: 'stopped' });
  });

  it('a node of a kind that it does not know, which runs again once it does', { timeout: 60_000 }, async (t) => {
    const lab = await KilledLab.open(t);
    const node = await lab.node('E1', 'echo');
    await lab.act(node, 'start');
    await lab.act(await lab.node('PC1', 'simple_pc'), 'start');
    await lab.kill();
    await lab.comeBack([], PLAIN);
    assert.deepEqual(await lab.statuses(), { E1: 'stopped', PC1: 'started' });
    assert.equal((await lab.act(node, 'start')).status, 409);
    await lab.server.kill('SIGTERM');
    await lab.comeBack();
    assert.ok((await lab.act(node, 'start')).status < 300);
    assert.equal((await lab.processes()).length, 1);
  });

  it(
    'nodes that fail or have no engine, in a project that opens and starts by itself',
    { timeout: 60_000 },
    async (t) => {
      const lab = await KilledLab.open(t, { auto_open: true, auto_start: true });
      await lab.node('fails', 'simple_pc', { engine: 'simulated', simulate: { fail: 'its image is gone' } });
      await lab.node('SW', 'ethernet_switch', { engine: 'simulated', simulate: { fail: 'its image is gone' } });
      await lab.node('missing', 'desktop_vm_b', { vmx_path: '/nowhere/machine.vmx' });
      await lab.node('PC1', 'simple_pc');
      await lab.kill(true);
      await lab.comeBack();
      assert.equal((await lab.statuses())['PC1'], 'stopped');
      assert.equal((await lab.try('POST', `${lab.project}/close`, {})).status, 204);
      await lab.kill(true);
      await lab.comeBack();
      await lab.projectIs('opened');
      // The first was told when the empty project was made.
      await lab.told(2, 'project.nodes_finished');
      assert.deepEqual(await lab.statuses(), { fails: 'stopped', SW: 'stopped', missing: 'stopped', PC1: 'started' });
      const finished = (await lab.events()).findLast((event) => event.type === 'project.nodes_finished');
      const failed = finished?.type === 'project.nodes_finished' ? finished.data.failed : [];
      assert.deepEqual(failed.map(({ name, failure }) => [name, failure.code]).sort(), [
        ['SW', 'engine_failed'],
        ['fails', 'engine_failed'],
        ['missing', 'engine_missing'],
      ]);
    },
  );
});
