import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { readConfig } from '../../src/server/config.ts';
import { levelStore } from '../../src/events/store/level-store.ts';
import { KEYS } from '../../src/events/store/store.ts';
import { type RunningServer, startServer } from '../../src/main.ts';
import { loggerTo } from '../support/logger.ts';
import { type Answer, ownPlaces, request } from '../support/server.ts';
import { fillDisk, fillerOf, smallDisk } from '../support/small-disk.ts';
import { tempDir } from '../support/temp.ts';
import { waitFor } from '../support/wait-for.ts';

const run = promisify(execFile);
const PROJECT = '00000000-0000-4000-8000-000000000001';
const LAB = `/v2/projects/${PROJECT}`;
const OTHER = '00000000-0000-4000-8000-000000000002';

const started = async (
  t: TestContext,
  dataDir: string,
): Promise<{
  server: RunningServer;
  reports: string[];
  ask: (method: string, path: string, body?: object | string) => Promise<Answer>;
}> => {
  const reports: string[] = [];
  const config = readConfig(await ownPlaces(dataDir), {});
  assert.ok(config !== null);
  const server = await startServer(
    config,
    loggerTo((line) => reports.push(line)),
  );
  let isOpen = true;
  const close = server.close.bind(server);
  server.close = async (reason) => {
    const ended = !isOpen || (await close(reason));
    isOpen = false;
    return ended;
  };
  t.after(() => server.close('end of test'));
  return { server, reports, ask: (method, where, body) => request(server.url, method, where, body) };
};

/** A lab of two projects, one with a drawing, a node that ran, and a file. */
const filled = async (t: TestContext, dataDir: string, copy: string | null = null): Promise<void> => {
  const { server, ask } = await started(t, dataDir);
  const done = async (method: string, where: string, body?: object | string): Promise<Answer> => {
    const answer = await ask(method, where, body);
    assert.ok(answer.status < 300, answer.text);
    return answer;
  };
  await done('POST', '/v2/projects', { name: 'lab', project_id: PROJECT });
  await done('POST', `${LAB}/drawings`, { x: 1, svg: '<svg/>' });
  await done('POST', '/v2/projects', { name: 'other', project_id: OTHER });
  await done('POST', `${LAB}/files/notes.txt`, 'what it was');
  const { body } = await done('POST', `${LAB}/nodes`, { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' });
  await done('POST', `${LAB}/nodes/${(body as { node_id: string }).node_id}/start`, {});
  // As a kill at this moment would leave it.
  if (copy !== null) await cp(path.join(dataDir, 'log'), path.join(copy, 'log'), { recursive: true });
  await server.close('filled');
};

const files = async (dir: string): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const name of (await readdir(dir)).sort())
    found[name] = (await readFile(path.join(dir, name))).toString('latin1');
  return found;
};

/** What a server that only reads gives, and what it refuses. */
const readsOn = async (ask: (method: string, path: string, body?: object) => Promise<Answer>, status: number) => {
  for (const where of [
    '/v2/projects',
    `${LAB}/drawings`,
    `${LAB}/nodes`,
    `${LAB}/drawings?at=3`,
    `${LAB}/export`,
    `${LAB}/session`,
    `${LAB}/events`,
    '/v2/compute/projects',
    '/v2/version',
  ]) {
    const answer = await ask('GET', where);
    assert.equal(answer.status, 200, `${where}: ${answer.text}`);
  }
  assert.equal((await ask('GET', `${LAB}/files/notes.txt`)).text, 'what it was');
  for (const [method, where, body] of [
    ['POST', '/v2/projects', { name: 'third' }],
    ['POST', `${LAB}/drawings`, { svg: '<svg/>' }],
    ['POST', `${LAB}/close`, {}],
    ['DELETE', `/v2/projects/${OTHER}`, undefined],
    ['POST', `${LAB}/files/notes.txt`, { a: 1 }],
    ['POST', `${LAB}/nodes/start`, {}],
  ] as const) {
    const answer = await ask(method, where, body);
    assert.equal(answer.status, status, `${method} ${where}: ${answer.text}`);
  }
};

/** Damages the first event of the other project; answers its position. */
const damage = async (dataDir: string): Promise<number> => {
  const store = await levelStore(path.join(dataDir, 'log'))();
  const position = Number(await store.get(KEYS.stream(OTHER, 1)));
  await store.batch(
    [
      { type: 'put', key: KEYS.event(position), value: '{}' },
      { type: 'put', key: KEYS.checked, value: '0' },
    ],
    { sync: true },
  );
  await store.close();
  return position;
};

it('only reads a damaged log, says so with what is missing, and changes nothing', async (t) => {
  const dir = await tempDir();
  t.after(dir.remove);
  await filled(t, dir.path);
  // Of the other project: what concerns it alone is what is missing.
  const position = await damage(dir.path);
  const { server, reports, ask } = await started(t, dir.path);
  assert.deepEqual(server.readOnly?.damage.missing, [{ first: position, last: position }]);
  const reason = `position ${position}.*topolog repair --data-dir`;
  assert.match(reports.join('\n'), new RegExp(`only reading: .*${reason}`));
  await readsOn(ask, 503);
  const notReady = await ask('GET', '/v2/ready');
  assert.equal(notReady.status, 503);
  assert.match(notReady.text, /Not ready: the log cannot be written; GET \/v2\/health says why/);
  assert.ok(!notReady.text.includes(dir.path));
  const { body } = await ask('GET', '/v2/health');
  const { status, read_only, log } = body as { status: string; read_only: object; log: { writable: boolean } };
  assert.deepEqual([status, log.writable], ['read_only', false]);
  assert.deepEqual(read_only, server.readOnly);
  assert.match((await ask('POST', '/v2/projects', { name: 'x' })).text, new RegExp(reason));
});

it('only reads what is whole of a damaged journal, which is still there afterwards', async (t) => {
  const dir = await tempDir();
  t.after(dir.remove);
  const data = path.join(dir.path, 'copy');
  await filled(t, path.join(dir.path, 'data'), data);
  const log = path.join(data, 'log');
  const before = await files(log);
  const journal = Object.keys(before).find((name) => /^\d+\.log$/.test(name) && before[name] !== '') ?? '';
  const octets = await readFile(path.join(log, journal));
  const middle = octets.length >> 1;
  octets[middle] = (octets[middle] ?? 0) ^ 1;
  await writeFile(path.join(log, journal), octets);
  const damaged = await files(log);
  const { server, ask } = await started(t, data);
  assert.ok((server.readOnly?.damage.missing.length ?? 0) > 0);
  assert.equal((await ask('GET', '/v2/projects')).status, 200);
  assert.equal((await ask('POST', '/v2/projects', { name: 'x' })).status, 503);
  await server.close('read');
  const after = await files(log);
  assert.deepEqual(Object.keys(after), Object.keys(damaged));
  assert.ok(Object.keys(after).every((name) => after[name] === damaged[name]));
});

/** Resolves once the server has reported this. */
const heard = async (reports: string[], what: RegExp): Promise<void> => {
  await waitFor(`${what.source} is reported`, () => reports.some((line) => what.test(line)));
};

it('only reads from a full disk, and writes again by itself when there is space', async (t) => {
  const disk = await smallDisk(t, 48);
  if (disk === null) return t.skip('a disk cannot be mounted by this user');
  await filled(t, disk);
  await fillDisk(disk);
  const { server, reports, ask } = await started(t, disk);
  assert.equal(server.readOnly?.heals, true);
  assert.deepEqual(server.readOnly.damage, { missing: [], projects: [], records: [] });
  await readsOn(ask, 507);
  const url = server.url;
  await rm(fillerOf(disk));
  await heard(reports, /^the log can be written again$/);
  assert.equal(server.url, url);
  assert.equal((await ask('POST', `${LAB}/drawings`, { svg: '<svg/>' })).status, 201);
  assert.equal(((await ask('GET', '/v2/health')).body as { status: string }).status, 'ok');
  assert.equal((await ask('GET', '/v2/ready')).status, 200);
});

/** As soon as the fabric of the server that has ended is gone as well. */
const writeProtect = async (disk: string): Promise<void> => {
  for (let tries = 100; ; tries--)
    try {
      await run('mount', ['-o', 'remount,ro', disk]);
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
};

it('only reads from a disk that takes no writes, keys and logins included', async (t) => {
  const disk = await smallDisk(t, 48);
  if (disk === null) return t.skip('a disk cannot be mounted by this user');
  await filled(t, disk);
  await rm(path.join(disk, 'keys', 'login.key'));
  await writeProtect(disk);
  const { server, reports, ask } = await started(t, disk);
  assert.match(server.readOnly?.reason ?? '', /Read-only file system/i);
  await readsOn(ask, 503);
  assert.match(reports.join('\n'), /logins end with this server: EROFS/);
  assert.match(reports.join('\n'), /server\.json cannot be written: EROFS/);
});
