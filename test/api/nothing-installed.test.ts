import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createKinds } from '../../src/emulators/registry.ts';
import { topologIn } from '../cli/run.ts';
import { onDisk } from '../support/own-log.ts';
import { request, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

interface EngineRow {
  node_type: string;
  engine: string;
  available: boolean;
  missing: { needs: string; install: string } | null;
}

/** Engines that drive no program. */
const OWN = new Set(['embedded', 'udp']);
/** Whose program is the image itself. */
const IMAGES = new Set(['iou']);

/** Settings without which a node of some kinds cannot be made, or needs nothing of some engines. */
const GIVEN: Record<string, object> = {
  trace_tool: { default_destination: '127.0.0.1' },
  tap: { ports_mapping: [{ name: 'a', port_number: 0, type: 'tap', interface: 'tap9' }] },
  ethernet: { ports_mapping: [{ name: 'a', port_number: 0, type: 'ethernet', interface: 'lo' }] },
  container: { image: 'debian' },
  router_emulator: { platform: 'c3725', image: 'c3725.image', ram: 128 },
  switch_router_emulator: { path: 'l3.bin' },
  desktop_vm_a: { vmname: 'VM' },
  desktop_vm_b: { vmx_path: '/nowhere/vm.vmx' },
};

/** A PATH with nothing in it, and no container service. */
const bare = async (t: TestContext) => {
  const dir = await tempDir();
  t.after(dir.remove);
  return { dataDir: `${dir.path}/data`, env: { PATH: dir.path, DOCKER_HOST: `unix://${dir.path}/none` } };
};

describe('a machine with nothing installed', () => {
  it('refuses every start that it cannot do with what to install, and goes on', { skip: onDisk() }, async (t) => {
    const { dataDir, env } = await bare(t);
    const server = await spawnServer(dataDir, [], undefined, env);
    t.after(() => server.kill('SIGTERM'));
    const ask = (method: string, path: string, body?: object) => request(server.url, method, path, body);
    const { engines } = (await ask('GET', '/v2/compute/capabilities')).body as { engines: EngineRow[] };
    assert.deepEqual(
      engines.filter(({ available, engine }) => available && !OWN.has(engine)),
      [],
    );
    const { project_id } = (await ask('POST', '/v2/projects', { name: 'bare' })).body as { project_id: string };
    const linkStopped = async (project: string, cloud: string): Promise<void> => {
      const at = `/v2/projects/${project}`;
      assert.equal((await ask('POST', `${at}/nodes/${cloud}/stop`, {})).status, 200);
      const hub = { name: 'Hub', node_type: 'ethernet_hub', compute_id: 'local' };
      const { node_id } = (await ask('POST', `${at}/nodes`, hub)).body as { node_id: string };
      const ends = [cloud, node_id].map((end) => ({ node_id: end, adapter_number: 0, port_number: 0 }));
      const linked = await ask('POST', `${at}/links`, { nodes: ends });
      assert.equal(linked.status, 201, linked.text);
    };
    for (const { node_type, engine } of engines) {
      const properties = { ...GIVEN[node_type], ...GIVEN[engine], engine };
      const body = { name: 'N', node_type, compute_id: 'local', properties };
      const made = await ask('POST', `/v2/projects/${project_id}/nodes`, body);
      assert.equal(made.status, 201, made.text);
      const { node_id } = made.body as { node_id: string };
      // A cloud needs only what a port with a link leads to.
      if (engine in GIVEN) await linkStopped(project_id, node_id);
      const started = await ask('POST', `/v2/projects/${project_id}/nodes/${node_id}/start`, {});
      if (OWN.has(engine)) {
        assert.equal(started.status, 200, started.text);
        continue;
      }
      assert.equal(started.status, 409, started.text);
      const { message, mend } = started.body as { message: string; mend?: { image?: string; install?: string } };
      assert.ok(message.includes(mend?.image ?? mend?.install ?? 'nothing mends it'), started.text);
      // The sentence of the very node may say less than that of the engine: what this one lacks, and what installs it.
      assert.match(
        message,
        IMAGES.has(engine) ? /l3\.bin is not there; looked for in/ : /^N\S* needs .+: .*(install|download|put|start)/,
      );
    }
  });

  it('is told by the doctor what would run on it', async (t) => {
    const { dataDir, env } = await bare(t);
    const { code, stdout } = await topologIn(env, 'doctor', '--data-dir', dataDir);
    assert.equal(code, 0, stdout);
    for (const kind of createKinds().all())
      for (const { name } of kind.engines) {
        const row = stdout.split('\n').find((line) => new RegExp(`^ +${kind.name} +${name} `).test(line)) ?? '';
        assert.match(row, OWN.has(name) ? / ready/ : / missing +needs .+: .+/, `${kind.name} ${name}`);
      }
  });
});
