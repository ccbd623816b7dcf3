import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Podman, podmanLacks, startPodman } from '../../support/podman.ts';
import { request, type ServerProcess, spawnServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';
import { waitFor } from '../../support/wait-for.ts';

const lacks = await podmanLacks();

describe('a container that goes on', { skip: lacks ?? false }, () => {
  let podman: Podman;
  let server: ServerProcess;
  let remove: () => Promise<void>;
  const project_id = randomUUID();
  const ask = async (method: string, where: string, body?: unknown): Promise<string> => {
    const answer = await request(server.url, method, `/v2/projects${where}`, body);
    assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
    return answer.text;
  };
  /** Starts a container with a script as its first program. */
  const started = async (name: string, script: string): Promise<string> => {
    const node_id = randomUUID();
    const properties = {
      image: podman.image,
      start_command: 'sh /script',
      files: [{ path: '/script', content: script }],
    };
    await ask('POST', `/${project_id}/nodes`, { name, node_type: 'docker', compute_id: 'local', node_id, properties });
    await ask('POST', `/${project_id}/nodes/${node_id}/start`, {});
    return node_id;
  };
  const warnings = async (node_id: string): Promise<string[]> => {
    const { events } = JSON.parse(await ask('GET', `/${project_id}/nodes/${node_id}/history`)) as {
      events: { type: string; data: { message?: string } }[];
    };
    return events.flatMap(({ type, data }) => (type === 'warning.raised' ? [data.message ?? ''] : []));
  };

  before(async () => {
    podman = await startPodman();
    const dir = await tempDir();
    remove = dir.remove;
    server = await spawnServer(path.join(dir.path, 'data'), ['--docker-host', `unix://${podman.socket}`]);
    await ask('POST', '', { name: 'daemons', project_id });
  });
  after(async () => {
    await server.kill('SIGTERM');
    await podman.close();
    await remove();
  });

  it('warns of a daemon that ends in it, with its last lines, and of no program beside', async () => {
    // A daemon has a session of its own; the other sleep is one of the shell's.
    const script = 'echo serving\nwhile true; do /.topolog/busybox setsid sleep 8; usleep 9000000; done\n';
    const node = await started('D', script);
    await waitFor('it warns', async () => (await warnings(node)).length > 0);
    const [message = ''] = await warnings(node);
    assert.match(message, /^D: sleep has ended in it, and it runs on; it said last: serving/);
    assert.doesNotMatch(message, /usleep/);
    assert.match(await ask('GET', `/${project_id}/nodes/${node}`), /"status":"started"/);
  });

  it('warns of a program that is refused what it needs', async () => {
    const script = 'echo "privs_init: initial cap_set_proc failed: Operation not permitted"\nexec sleep 100000\n';
    const node = await started('R', script);
    await waitFor('it warns', async () => (await warnings(node)).length > 0);
    assert.deepEqual(await warnings(node), [
      'R: a program in it may not have started: privs_init: initial cap_set_proc failed: Operation not permitted',
    ]);
  });

  it('shows its last lines where it ends at once', async () => {
    const node = await started('E', 'echo no licence was found\nexit 3\n');
    await waitFor('it has ended', async () =>
      /"node\.exited"/.test(await ask('GET', `/${project_id}/nodes/${node}/history`)),
    );
    assert.match(await ask('GET', `/${project_id}/nodes/${node}/history`), /"code":3[^}]*no licence was found/);
  });
});
