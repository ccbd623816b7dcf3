import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { FabricEvent, Op, OpResult } from '../../src/fabric/protocol.ts';
import { watchPath } from '../../src/actors/link/path-mtu.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, clientOf, fabricInProcess, type TestLab, testLab } from './test-lab.ts';

const FAR = '192.0.2.7';

interface Scene {
  lab: TestLab;
  /** Hosts that the fabric was asked about. */
  asked: string[];
  /** What the fabric says in the end. */
  found: (host: string, mtu: number | null, address?: string) => void;
  /** A project with a node, and a NIO of it to a host. */
  project: (name: string) => Promise<{ project_id: string; nio: (port: number, rhost: string) => Promise<unknown> }>;
  warnings: (project_id: string) => Promise<string[]>;
}

const scene = async (t: TestContext): Promise<Scene> => {
  const dir = await tempDir();
  const fabric = fabricInProcess();
  const client = clientOf(fabric);
  const asked: string[] = [];
  const run = async (ops: Op[]): Promise<OpResult[]> => {
    const probes = ops.filter((op) => op.op === 'path.probe');
    asked.push(...probes.map(({ host }) => host));
    return probes.length > 0 ? probes.map(() => ({ ok: true })) : client.run(ops);
  };
  const lab = await testLab({ dir: dir.path, fabric: { ...client, run } });
  t.after(async () => {
    await lab.close();
    await fabric.close();
    await dir.remove();
  });
  const told: { project_id: string | null; message: string }[] = [];
  lab.log.onCommitted((events) => {
    for (const { type, project_id, data } of events)
      if (type === 'warning.raised') told.push({ project_id, message: data.message });
  });
  return {
    lab,
    asked,
    found: (host, mtu, address = host) =>
      lab.lab.heard({ type: 'path.probed', host, address, mtu, needed: 1528 } satisfies FabricEvent),
    async project(name) {
      const { project_id } = await lab.commands.createProject(CALLER, { name });
      const input = { name: 'SW', kind: 'ethernet_switch', compute_id: 'local' };
      const { node_id } = await lab.commands.createNode(CALLER, project_id, input, 'make_unique');
      const nio = async (port_number: number, rhost: string) => {
        const lport = await lab.commands.leaseUdpPort(project_id);
        const at = { project_id, node_id, adapter_number: 0, port_number };
        return lab.commands.addNio(CALLER, at, { type: 'nio_udp', lport, rhost, rport: 9 });
      };
      return { project_id, nio };
    },
    async warnings(project_id) {
      // Behind what was appended before.
      await lab.commands.updateProject(CALLER, project_id, { zoom: told.length + 200 });
      return told.filter((one) => one.project_id === project_id).map(({ message }) => message);
    },
  };
};

describe('the path to another machine', () => {
  it('is warned of with numbers where a frame of 1,500 octets does not fit, once for each project', async (t) => {
    const s = await scene(t);
    const [one, two] = [await s.project('one'), await s.project('two')];
    await one.nio(0, FAR);
    await one.nio(1, FAR);
    await two.nio(0, FAR);
    assert.deepEqual(s.asked, [FAR, FAR]);
    s.found(FAR, 1500);
    const warning =
      `the path to ${FAR} takes packets of 1500 octets, and a frame of 1,500 octets needs 1528: ` +
      'larger frames travel in fragments, which costs speed, and some firewalls drop them';
    assert.deepEqual(await s.warnings(one.project_id), [warning]);
    assert.deepEqual(await s.warnings(two.project_id), [warning]);
    await one.nio(2, FAR);
    watchPath(s.lab.context, one.project_id, FAR);
    assert.equal(s.asked.length, 2);
    s.found(FAR, 1400);
    assert.equal((await s.warnings(one.project_id)).length, 1);
  });

  it('is not warned of where it fits, or cannot be told, or leads nowhere else', async (t) => {
    const s = await scene(t);
    const one = await s.project('one');
    await one.nio(0, '127.0.0.1');
    await one.nio(1, 'localhost');
    assert.deepEqual(s.asked, []);
    await one.nio(2, FAR);
    s.found(FAR, 1528);
    await one.nio(3, '192.0.2.8');
    s.found('192.0.2.8', null);
    s.found('192.0.2.9', 68);
    assert.deepEqual(await s.warnings(one.project_id), []);
  });

  it('is one path under two names', async (t) => {
    const s = await scene(t);
    const { project_id } = await s.project('one');
    for (const host of ['far.example', 'far-too.example']) {
      watchPath(s.lab.context, project_id, host);
      s.found(host, 1400, FAR);
    }
    assert.equal((await s.warnings(project_id)).length, 1);
  });
});
