import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { onDisk } from '../support/own-log.ts';
import { request, spawnServer, type ServerProcess } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { seeded } from './prng.ts';

type Bag = Record<string, unknown>;

const ROUNDS = 8;
/** Directories beside the nodes' own, each moved by itself. */
const PARTS = 30;
const FLAGS = ['--simulate'];

const call = async (server: ServerProcess, method: string, where: string, body?: Bag): Promise<Bag> => {
  const answer = await request(server.url, method, `/v2${where}`, body);
  assert.ok(answer.status < 300, `${method} ${where}: ${answer.status} ${answer.text}`);
  return (answer.body ?? {}) as Bag;
};

const fill = async (directory: string, content: string): Promise<void> => {
  for (let n = 0; n < PARTS; n++) {
    const part = path.join(directory, 'project-files', `part${n}`);
    await mkdir(part, { recursive: true });
    await writeFile(path.join(part, 'file'), content);
  }
};

/** Every word that records and files have for the state that they are of. */
const wordsOf = async (server: ServerProcess, at: string, directory: string): Promise<Set<string>> => {
  const words = new Set<string>();
  const project = await call(server, 'GET', at);
  const nodes = (await call(server, 'GET', `${at}/nodes`)) as unknown as Bag[];
  words.add(project['scene_width'] === 1 ? 'old' : 'new');
  words.add(nodes.length === 1 ? 'old' : 'new');
  words.add(nodes[0]?.['x'] === 1 ? 'old' : 'new');
  const drawings = (await call(server, 'GET', `${at}/drawings`)) as unknown as Bag[];
  words.add(drawings.length === 1 ? 'old' : 'new');
  for (const name of await readdir(path.join(directory, 'project-files')))
    if (name.startsWith('part')) words.add(await readFile(path.join(directory, 'project-files', name, 'file'), 'utf8'));
    else if (name === 'later') words.add('new');
  assert.ok((await readdir(path.join(directory, 'project-files'))).length >= PARTS);
  return words;
};

describe('a restore that is killed', () => {
  it(
    'leaves the lab as it was before or as the snapshot has it, whole, records and files alike',
    { timeout: 240_000, skip: onDisk() },
    async (t) => {
      const dir = await tempDir();
      const dataDir = path.join(dir.path, 'data');
      let server = await spawnServer(dataDir, FLAGS);
      t.after(async () => {
        await server.kill('SIGTERM');
        await dir.remove();
      });
      const { project_id, path: home } = await call(server, 'POST', '/projects', { name: 'killed', scene_width: 1 });
      const [at, directory] = [`/projects/${String(project_id)}`, String(home)];
      const node = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local', x: 1 };
      const { node_id } = await call(server, 'POST', `${at}/nodes`, node);
      await call(server, 'POST', `${at}/drawings`, { svg: '<svg></svg>' });
      await fill(directory, 'old');
      const { snapshot_id } = await call(server, 'POST', `${at}/snapshots`, { name: 'old' });
      const restore = `${at}/snapshots/${String(snapshot_id)}/restore`;

      const change = async (): Promise<void> => {
        await call(server, 'PUT', at, { scene_width: 2 });
        await call(server, 'PUT', `${at}/nodes/${String(node_id)}`, { x: 2 });
        await call(server, 'POST', `${at}/nodes`, { ...node, name: 'PC2' });
        await call(server, 'POST', `${at}/drawings`, { svg: '<svg></svg>' });
        await fill(directory, 'new');
        await mkdir(path.join(directory, 'project-files', 'later'), { recursive: true });
        await call(server, 'POST', `${at}/nodes/start`, {});
      };
      await change();
      const begun = performance.now();
      await call(server, 'POST', restore, {});
      const whole = performance.now() - begun;
      assert.deepEqual([...(await wordsOf(server, at, directory))], ['old']);

      const random = seeded(20_261_121);
      const seen: Record<string, number> = { old: 0, new: 0 };
      let isOld = true;
      for (let round = 0; round < ROUNDS; round++) {
        if (isOld) await change();
        const answer = request(server.url, 'POST', `/v2${restore}`, {}).catch(() => null);
        await sleep(random.next() * whole * 1.2);
        await server.kill('SIGKILL');
        const answered = (await answer)?.status === 201;
        server = await spawnServer(dataDir, FLAGS);
        // Waits for what recovery has begun: on a busy machine the server is there before a restore is through.
        await call(server, 'POST', `${at}/open`, {});
        const words = await wordsOf(server, at, directory);
        assert.equal(words.size, 1, `round ${round}: ${[...words].join(' and ')}`);
        isOld = words.has('old');
        if (answered) assert.ok(isOld, `round ${round}: an answered restore was lost`);
        seen[isOld ? 'old' : 'new'] = (seen[isOld ? 'old' : 'new'] ?? 0) + 1;
        assert.deepEqual(await readdir(path.join(directory, '.topolog')), [], `round ${round}`);
        assert.equal((await call(server, 'GET', at))['status'], 'opened');
        if (isOld) await rm(path.join(directory, 'project-files', 'later'), { recursive: true, force: true });
      }
      t.diagnostic(
        `restored ${seen['old'] ?? 0} times, not ${seen['new'] ?? 0} times; a whole restore took ${Math.round(whole)} ms`,
      );
      await call(server, 'POST', restore, {});
      assert.deepEqual([...(await wordsOf(server, at, directory))], ['old']);
    },
  );
});
