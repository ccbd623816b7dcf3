import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { it } from 'node:test';
import { listen } from '../support/feed-client.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { request, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';

interface Fabric {
  state: string;
  pid: number;
  answered_ms: number;
  sockets: string;
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('replaces a fabric that hangs, makes the lab in another one, and says so', async (t) => {
  const dir = await tempDir();
  const server = await spawnServer(dir.path);
  t.after(async () => {
    await server.kill('SIGTERM');
    await dir.remove();
  });
  const project = `/v2/projects/${randomUUID()}`;
  const ask = async (method: string, path: string, body?: object) => request(server.url, method, path, body);
  const fabric = async (): Promise<Fabric> => ((await ask('GET', '/v2/health')).body as { fabric: Fabric }).fabric;
  const node = async (name: string): Promise<string> => {
    const made = await ask('POST', `${project}/nodes`, { name, node_type: 'simple_pc', compute_id: 'local' });
    assert.equal(made.status, 201, made.text);
    return `${project}/nodes/${(made.body as { node_id: string }).node_id}`;
  };
  const made = await ask('POST', '/v2/projects', { name: 'lab', project_id: project.slice('/v2/projects/'.length) });
  assert.equal(made.status, 201, made.text);
  const [running, stopped] = [await node('PC1'), await node('PC2')];
  assert.equal((await ask('POST', `${running}/start`, {})).status, 200);

  const before = await fabric();
  assert.equal(before.state, 'ok');
  assert.equal(before.pid, await fabricPid(dir.path));
  assert.match(before.sockets, /^UDP by /);
  const feed = await listen(server.url, '/v2/notifications/ws');
  process.kill(before.pid, 'SIGSTOP');
  // What is asked of it meanwhile is refused, and says why.
  const refused = await ask('POST', `${stopped}/start`, {});
  assert.equal(refused.status, 503, refused.text);
  assert.match(refused.text, /fabric process is not answering/);
  const { event } = await feed.next('log.warning');
  assert.match(String(event['message']), /^the fabric \(process \d+\) hung and was ended: it has answered none of/);
  await feed.close();
  assert.equal(isThere(before.pid), false);

  // Reads go on, and the lab is as it was.
  await waitFor('the fabric is back', async () => (await fabric()).state === 'ok');
  const after = await fabric();
  assert.notEqual(after.pid, before.pid);
  assert.equal(((await ask('GET', running)).body as { status: string }).status, 'started');
  assert.equal((await ask('POST', `${stopped}/start`, {})).status, 200);
  assert.equal((await ask('POST', `${running}/stop`, {})).status, 200);
});
