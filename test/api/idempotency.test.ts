import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { onDisk } from '../support/own-log.ts';
import { type Answer, request, spawnServer, testServer, type TestServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

let server: TestServer;
let project = '';
before(async () => {
  server = await testServer();
  const made = await server.request('POST', '/v2/projects', { name: 'once' });
  project = `/v2/projects/${(made.body as { project_id: string }).project_id}`;
});
after(() => server.close());

const node = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
const post = (path: string, body: object | undefined, key: string): Promise<Answer> =>
  server.request('POST', `${project}${path}`, body, { 'Idempotency-Key': key });
const count = async (noun: string): Promise<number> =>
  ((await server.request('GET', `${project}/${noun}`)).body as unknown[]).length;

describe('a request with an Idempotency-Key', () => {
  it('is done once and answered the same each time, also after a restart', async () => {
    const before = await count('nodes');
    const first = await post('/nodes', node, 'a');
    assert.equal(first.status, 201);
    const again = await post('/nodes', node, 'a');
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    await server.restart();
    const later = await post('/nodes', node, 'a');
    assert.deepEqual([later.status, later.text], [first.status, first.text]);
    assert.equal(await count('nodes'), before + 1);
  });

  it('is done once when many of it come together', async () => {
    const before = await count('drawings');
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/drawings', { x: 1 }, 'b')));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(await count('drawings'), before + 1);
  });

  it('is refused when the key was used for another body or path', async () => {
    assert.equal((await post('/drawings', { x: 1 }, 'c')).status, 201);
    for (const [path, body] of [
      ['/drawings', { x: 2 }],
      ['/nodes', node],
      ['/drawings?x=1', { x: 1 }],
    ] as const) {
      const refused = await post(path, body, 'c');
      assert.equal(refused.status, 409, refused.text);
      assert.match((refused.body as { message: string }).message, /used for another request: POST .*\/drawings/);
    }
  });

  it('that was refused may be sent again with its key', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const start = (): Promise<Answer> => post(`/nodes/${id}/start`, undefined, 'd');
    assert.equal((await start()).status, 404);
    assert.equal((await post('/nodes', { ...node, node_id: id }, 'e')).status, 201);
    assert.equal((await start()).status, 200);
  });

  it('of two principals is two requests', async () => {
    const before = await count('drawings');
    for (const user of ['ann', 'bob'])
      await server.request('POST', `${project}/drawings`, {}, { 'Idempotency-Key': 'f', 'X-Topolog-User': user });
    assert.equal(await count('drawings'), before + 2);
  });

  it('without a body and without an answer is known again', async () => {
    assert.equal((await post('/nodes/stop', undefined, 'g')).status, 204);
    const again = await post('/nodes/stop', {}, 'g');
    assert.deepEqual([again.status, again.text], [204, '']);
  });

  it('needs a key that can be kept', async () => {
    for (const key of ['', 'x'.repeat(256), 'a b']) assert.equal((await post('/drawings', {}, key)).status, 400);
  });

  it(
    'that was cut off by a kill is done, or answered as done, or refused; never done twice',
    { skip: onDisk() },
    async () => {
      const dir = await tempDir();
      let killed = await spawnServer(dir.path);
      try {
        const made = await request(killed.url, 'POST', '/v2/projects', { name: 'killed' });
        const path = `/v2/projects/${(made.body as { project_id: string }).project_id}/drawings`;
        for (let round = 0; round < 5; round++) {
          const key = { 'Idempotency-Key': `round ${round}`.replace(' ', '-') };
          const listed = async (): Promise<number> =>
            ((await request(killed.url, 'GET', path)).body as unknown[]).length;
          const before = await listed();
          const sending = request(killed.url, 'POST', path, {}, key).catch(() => null);
          // Somewhere between the first byte and the answer.
          for (let n = 0; n < round; n++) await new Promise(setImmediate);
          await killed.kill('SIGKILL');
          await sending;
          killed = await spawnServer(dir.path);
          const again = await request(killed.url, 'POST', path, {}, key);
          assert.ok(again.status === 201 || again.status === 409, again.text);
          assert.equal(await listed(), before + 1);
        }
      } finally {
        await killed.kill('SIGTERM');
        await dir.remove();
      }
    },
  );
});

describe('an Idempotency-Key', () => {
  it('holds for 24 hours', async (t) => {
    const own = await testServer();
    t.after(() => own.close());
    const made = await own.request('POST', '/v2/projects', { name: 'a day' });
    const path = `/v2/projects/${(made.body as { project_id: string }).project_id}/drawings`;
    const send = () => own.request('POST', path, { x: 1 }, { 'Idempotency-Key': 'day' });
    const minute = 60_000;
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const first = await send();
    assert.equal(first.status, 201);
    t.mock.timers.setTime(Date.now() + 24 * 60 * minute - minute);
    assert.equal((await send()).text, first.text);
    t.mock.timers.setTime(Date.now() + 2 * minute);
    const later = await send();
    assert.equal(later.status, 201);
    assert.notEqual(later.text, first.text);
    assert.equal(((await own.request('GET', path)).body as unknown[]).length, 2);
  });
});
