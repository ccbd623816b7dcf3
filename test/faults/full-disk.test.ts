import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { fillDisk, fillerOf, smallDisk } from '../support/small-disk.ts';
import { waitFor } from '../support/wait-for.ts';

const PROJECT = '00000000-0000-4000-8000-000000000001';
const DRAWINGS = `/v2/projects/${PROJECT}/drawings`;

const makeSpace = (disk: string): Promise<void> => rm(fillerOf(disk));

/** A drawing of 3000 octets, so that none fits into what is left of the last page. */
const draw = (server: ServerProcess, x: number) =>
  request(server.url, 'POST', DRAWINGS, { x, svg: `<svg>${'x'.repeat(3000)}</svg>` });

const drawn = async (server: ServerProcess): Promise<number[]> => {
  const { status, body, text } = await request(server.url, 'GET', DRAWINGS);
  assert.equal(status, 200, text);
  return (body as { x: number }[]).map(({ x }) => x);
};

const health = async (server: ServerProcess): Promise<string> =>
  ((await request(server.url, 'GET', '/v2/health')).body as { status: string }).status;

/** Draws until one is refused; adds those that were answered. */
const drawUntilFull = async (server: ServerProcess, answered: number[]): Promise<void> => {
  for (let tries = 0; tries < 50; tries++) {
    const x = (answered.at(-1) ?? 0) + 1;
    const answer = await draw(server, x);
    if (answer.status !== 201) {
      assert.equal(answer.status, 507, answer.text);
      assert.match(answer.text, /disk of the data directory is full; nothing was changed/);
      return;
    }
    answered.push(x);
  }
  assert.fail('the disk did not become full');
};

/** Reads while the server tries again and again to write: records and history are there all the time. */
const readOn = async (server: ServerProcess, answered: number[]): Promise<void> => {
  for (let tries = 0; tries < 20; tries++) {
    assert.deepEqual(await drawn(server), answered);
    const history = await request(server.url, 'GET', `/v2/projects/${PROJECT}/events`);
    assert.equal(history.status, 200, history.text);
    await sleep(50);
  }
};

/** Draws once the server takes writes again, without a restart. */
const drawWhenPossible = async (server: ServerProcess, answered: number[]): Promise<void> => {
  const x = 1000 + answered.length;
  await waitFor('writing goes on once there is space', async () => {
    const answer = await draw(server, x);
    if (answer.status !== 201) assert.equal(answer.status, 507, answer.text);
    return answer.status === 201;
  });
  answered.push(x);
};

/** Resolves once a server that only read has said that it writes. */
const writesAgain = (server: ServerProcess): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (server.output().includes('the log can be written again')) resolve();
    };
    server.child.stderr?.on('data', look);
    look();
  });

it('answers 507 while the disk is full, loses nothing, and writes again when there is space', async (t) => {
  const disk = await smallDisk(t, 32);
  if (disk === null) return t.skip('a small disk cannot be mounted by this user');
  let server = await spawnServer(disk);
  const answered: number[] = [];
  try {
    assert.equal((await request(server.url, 'POST', '/v2/projects', { name: 'lab', project_id: PROJECT })).status, 201);
    await drawWhenPossible(server, answered);

    await fillDisk(disk);
    await drawUntilFull(server, answered);
    assert.deepEqual(await drawn(server), answered);
    assert.equal(await health(server), 'read_only');
    await readOn(server, answered);

    await makeSpace(disk);
    await drawWhenPossible(server, answered);
    assert.equal(await health(server), 'ok');
    assert.deepEqual(await drawn(server), answered);

    await server.kill('SIGKILL');
    server = await spawnServer(disk);
    assert.deepEqual(await drawn(server), answered);

    await fillDisk(disk);
    await drawUntilFull(server, answered);
    await server.kill('SIGTERM');
    await makeSpace(disk);
    await fillDisk(disk);
    server = await spawnServer(disk);
    assert.match(server.output(), /only reading: .*No space left on device/);
    assert.deepEqual(await drawn(server), answered);
    assert.equal((await draw(server, 1)).status, 507);
    await makeSpace(disk);
    await writesAgain(server);
    assert.deepEqual(await drawn(server), answered);
    await drawWhenPossible(server, answered);
  } finally {
    await server.kill('SIGTERM');
  }
});
