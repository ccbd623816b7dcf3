import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tempDir } from '../support/temp.ts';
import { CALLER, testLab } from './test-lab.ts';

describe('the lab of a server that is not local', () => {
  it('takes no NIO at an interface of its machine, neither new nor in place of another', async (t) => {
    const dir = await tempDir();
    const lab = await testLab({ dir: dir.path, settings: { local: false } });
    t.after(async () => {
      await lab.close();
      await dir.remove();
    });
    const { commands } = lab;
    const { project_id } = await commands.createProject(CALLER, { name: 'lab' });
    const input = { name: 'PC1', kind: 'simple_pc', compute_id: 'local' };
    const { node_id } = await commands.createNode(CALLER, project_id, input, 'make_unique');
    const port = { adapter_number: 0, port_number: 0 };
    const udp = { type: 'nio_udp', lport: 20_123, rhost: '127.0.0.1', rport: 20_124 };
    for (const nio of [
      { type: 'nio_tap', tap_device: 'tap0' },
      { type: 'nio_ethernet', ethernet_device: 'eth0' },
    ]) {
      await assert.rejects(commands.addNio(CALLER, { project_id, node_id, ...port }, nio), { status: 403 });
      await commands.addNio(CALLER, { project_id, node_id, ...port }, udp);
      await assert.rejects(commands.updateNio(CALLER, { project_id, node_id, ...port }, nio), { status: 403 });
      await commands.removeNio(CALLER, { project_id, node_id, ...port });
    }
  });
});
