import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it } from 'node:test';
import type { Exit } from '../../../src/emulators/kit/contract.ts';
import { findMarked } from '../../../src/processes/marker.ts';
import { routerEmulator } from '../../../src/emulators/router_emulator/kind.ts';
import { wakeUp } from '../../fakes/dynamips-install.ts';
import { openConsole } from '../../support/console.ts';
import { configOf, fault, never, routerFixture, told, typed } from './router-fixture.ts';

const lab = routerFixture();

describe('a running router', () => {
  it('takes settings at once, and a reload those that wait for one', async () => {
    const node = await lab.router({ platform: 'c7200' });
    const started = await lab.start(node);
    const before = (await told(node)).length;
    const changes = { idlepc: '0x606', idlemax: 100, idlesleep: 5, exec_area: 32, sensors: [1, 2, 3, 4] };
    const changed = { ...node, name: 'West', properties: { ...node.properties, ...changes } };
    assert.deepEqual(routerEmulator.needsStop(node.properties, changed.properties), []);
    await lab.engine.update(changed, never);
    const lines = (await told(node)).slice(before);
    for (const line of [
      'vm set_idle_pc_online R1 0 0x606',
      'vm set_idle_pc R1 0x606',
      'vm set_idle_max R1 0 100',
      'vm set_idle_sleep_time R1 0 5',
      'vm set_exec_area R1 32',
      'c7200 set_temp_sensor R1 3 4',
    ])
      assert.ok(lines.includes(line), line);
    assert.deepEqual(await lab.engine.reload?.(changed, never), started);
    const reloaded = (await told(node)).slice(before + lines.length);
    assert.deepEqual(
      reloaded.filter((line) => /^vm (stop|rename|start)/.test(line)),
      ['vm stop R1', 'vm rename R1 West', 'vm start West'],
    );
    assert.ok(reloaded.includes('vm set_idle_max West 0 100'));
    await lab.stop(changed);
  });

  it('is watched for idle-PC values without one, and has its own again', async () => {
    const node = await lab.router({ idlepc: '0x60600000' });
    await lab.start(node);
    const before = (await told(node)).length;
    const ask = (operation: string) => lab.engine.operate?.(operation, node, {}, never);
    const proposals = ['0x60aa1da0 [23]', '0x60aa2f00 [57]', '0x60aa3000 [88]'];
    assert.deepEqual(await ask('idlepc_proposals'), proposals);
    assert.deepEqual(await ask('auto_idlepc'), { idlepc: '0x60aa2f00' });
    const asked = [
      'vm set_idle_pc_online R1 0 0x0',
      'vm get_idle_pc_prop R1 0',
      'vm set_idle_pc_online R1 0 0x60600000',
    ];
    assert.deepEqual((await told(node)).slice(before), [...asked, ...asked]);
    await lab.stop(node);
  });

  it('keeps what it has saved over a reload', async () => {
    const node = await lab.router();
    const { console } = await lab.start(node);
    await typed(console, 'hostname Lyon', /Lyon>/);
    await typed(console, 'write memory', /\[OK\]/);
    await lab.engine.reload?.(node, never);
    const awake = await openConsole(console ?? 0);
    await wakeUp(awake, /Lyon>/);
    awake.close();
    assert.equal(await readFile(configOf(node), 'utf8'), 'hostname Lyon\n');
    await lab.stop(node);
  });

  it('that does not start again at a reload has ended, and says so', async () => {
    const node = await lab.router({ ram: 256 });
    await lab.start(node);
    await fault(node, { memory: 1 });
    const exited = new Promise<Exit>((resolve) => lab.engine.onExit(resolve));
    await assert.rejects(lab.engine.reload?.(node, never) ?? Promise.resolve(), /Cannot allocate memory/);
    assert.equal((await exited).node_id, node.node_id);
    assert.equal(await lab.engine.adopt(node, never), null);
  });

  it('that has run astray and does not stop is started again by a reload in a new hypervisor', async () => {
    const node = await lab.router();
    const started = await lab.start(node);
    await fault(node, { refuse: 'vm stop' });
    const again = await lab.engine.reload?.(node, never);
    assert.notEqual(again?.pid, started.pid);
    assert.deepEqual(await lab.engine.adopt(node, never), { state: 'started', started: again });
    await fault(node, {});
    await lab.stop(node);
  });

  it('has its auxiliary port where its record says', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const node = await lab.router({ aux: port });
    await lab.start(node);
    const console = await openConsole(port);
    await console.until(/AUX port/);
    console.close();
    await lab.stop(node);
  });

  it('loses its disks at a stop where it is to', async () => {
    const node = await lab.router({ auto_delete_disks: true, disk0: 8 });
    await lab.start(node);
    assert.ok((await readdir(node.node_directory)).includes('c3725_i5_disk0'));
    await typed((await lab.engine.adopt(node, never))?.started.console ?? null, 'write memory', /\[OK\]/);
    await lab.stop(node);
    assert.deepEqual(
      (await readdir(node.node_directory)).filter((file) => file.startsWith('c3725_')),
      [],
    );
  });

  it('goes on while its server is away, suspended too, and then takes what was changed', async () => {
    const node = await lab.router();
    const started = await lab.start(node);
    await lab.engine.suspend?.(node, never);
    await lab.renew();
    const changed = { ...node, properties: { ...node.properties, idlemax: 7 } };
    assert.deepEqual(await lab.engine.adopt(changed, never), { state: 'suspended', started });
    assert.ok((await told(node)).includes('vm set_idle_max R1 0 7'));
    await lab.engine.resume?.(node, never);
    await lab.stop(node);
  });

  it('that only half exists is ended when a server looks for it', async () => {
    const node = await lab.router();
    await lab.start(node);
    const { console } = await lab.start(node);
    assert.notEqual(console, null);
    await lab.renew();
    await fault(node, { die: 'vm list' });
    assert.equal(await lab.engine.adopt(node, never), null);
    assert.deepEqual(await findMarked(lab.context.mark), []);
  });
});
