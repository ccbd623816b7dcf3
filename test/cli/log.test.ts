import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { decodeEvent, GENESIS } from '../../src/events/encoding.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { topolog } from './run.ts';

const PROJECT = '00000000-0000-4000-8000-000000000001';

/** A server with a project `lab` that holds PC1, started. */
const served = async (t: TestContext): Promise<{ server: ServerProcess; dataDir: string }> => {
  const dir = await tempDir();
  const server = await spawnServer(dir.path);
  t.after(async () => {
    await server.kill('SIGTERM');
    await dir.remove();
  });
  const post = async (path: string, body: object): Promise<{ node_id: string }> => {
    const answer = await request(server.url, 'POST', path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body as { node_id: string };
  };
  await post('/v2/projects', { name: 'lab', project_id: PROJECT });
  const node = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
  const { node_id } = await post(`/v2/projects/${PROJECT}/nodes`, node);
  await post(`/v2/projects/${PROJECT}/nodes/${node_id}/start`, {});
  return { server, dataDir: dir.path };
};

describe('topolog log', () => {
  it('prints the same with and without a running server: who, what, of what', async (t) => {
    const { server, dataDir } = await served(t);
    const asked = await topolog('log', 'lab', '--data-dir', dataDir);
    assert.equal(asked.code, 0, asked.stderr);
    const lines = asked.stdout.trimEnd().split('\n');
    assert.match(lines[0] ?? '', /^\d+ +\S+Z +anonymous@127\.0\.0\.1 +project\.created +lab in /);
    assert.ok(lines.some((line) => /node\.start_requested +PC1/.test(line)));
    assert.ok(lines.some((line) => /system +node\.started +PC1 +embedded, console \d+ +\(because of \d+\)/.test(line)));

    await server.kill('SIGTERM');
    const read = await topolog('log', PROJECT, '--data-dir', dataDir);
    assert.equal(read.code, 0, read.stderr);
    // What a clean stop adds comes after.
    const words = (text: string): string[] =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/ +/g, ' '));
    assert.deepEqual(words(read.stdout).slice(0, lines.length), words(asked.stdout));
  });

  it('has a line for each event, whatever names, agents and paths there are', async (t) => {
    const { server, dataDir } = await served(t);
    const name = 'PC\n99 2026-01-01T00:00:00.000Z  ada  node.deleted\u001b[2J\u202e\u0085';
    // A name with such characters is refused; what is refused is on record.
    const node = { name: 'PC99', node_type: 'simple_pc', compute_id: 'local', [name]: 1 };
    await request(server.url, 'POST', `/v2/projects/${PROJECT}/nodes`, node);
    await request(server.url, 'POST', `/v2/projects/${PROJECT}/nodes/${encodeURIComponent(name)}`, {});
    const { code, stdout } = await topolog('log', 'lab', '--data-dir', dataDir);
    assert.equal(code, 0);
    for (const line of stdout.trimEnd().split('\n')) assert.match(line, /^\d+ +\d{4}-\S+Z +(anonymous@|system )/);
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.ok(stdout.includes('PC\\n99 2026') && stdout.includes('\\u001b[2J'));
  });

  it('gives the stored events, whose stream anyone can check', async (t) => {
    const { dataDir } = await served(t);
    const { code, stdout, stderr } = await topolog('log', 'lab', '--json', '--data-dir', dataDir);
    assert.equal(code, 0, stderr);
    let prev = GENESIS;
    const events = stdout.trimEnd().split('\n').map(decodeEvent);
    assert.ok(events.length > 5);
    for (const [i, event] of events.entries()) {
      assert.equal(event?.version, i + 1);
      assert.equal(event.prev, prev);
      prev = event.hash;
    }
  });

  it('says that there is no such project', async (t) => {
    const { dataDir } = await served(t);
    const { code, stdout, stderr } = await topolog('log', 'nothing', '--data-dir', dataDir);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /Project nothing does not exist/);
  });
});
