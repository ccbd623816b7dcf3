import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TopologError } from '../../src/common/errors.ts';
import type { Cell } from '../../src/events/cell.ts';
import { FORWARDED } from '../../src/http/cell/signature.ts';
import { MemoryCells } from '../support/memory-cell.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { topolog } from '../cli/run.ts';
import { tempDir } from '../support/temp.ts';
import { userLine } from '../support/users.ts';

const KEY = randomBytes(32);

const servers: TestServer[] = [];
const member = async (
  cells: MemoryCells,
  { own = cells.cell(), ...change }: { own?: Cell; usersFile?: string; needsUsers?: boolean } = {},
): Promise<TestServer> => {
  const cell = { log: 'postgres://nowhere/labs', name: 'lab', key: KEY, leaseMs: 2_000 };
  const rest = { advertise: null, redirect: false, acceptDataLoss: false };
  const server = await testServer([], { cell: { ...cell, ...rest }, ...change }, { cell: own });
  servers.push(server);
  return server;
};

const directories: { remove: () => Promise<void> }[] = [];
const withUsers = async (): Promise<{ usersFile: string; needsUsers: boolean }> => {
  const dir = await tempDir();
  directories.push(dir);
  const usersFile = path.join(dir.path, 'users');
  await writeFile(usersFile, userLine('ada', 'lovelace'), { mode: 0o600 });
  return { usersFile, needsUsers: true };
};

afterEach(async () => {
  for (const server of servers.splice(0).reverse()) await server.close();
  for (const dir of directories.splice(0)) await dir.remove();
});

const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
  while (!(await holds())) await sleep(10);
};

const isStandby = ({ running }: TestServer): boolean => running.readOnly !== null;

/** Both have the same last position. */
const alike = (a: TestServer, b: TestServer): Promise<void> =>
  until(() => a.running.position() === b.running.position());

const project = async (server: TestServer, name: string): Promise<string> => {
  const made = await server.request('POST', '/v2/projects', { name });
  assert.equal(made.status, 201, made.text);
  return (made.body as { project_id: string }).project_id;
};

const namesAt = async (server: TestServer): Promise<string[]> => {
  const { body } = await server.request('GET', '/v2/projects');
  return (body as { name: string }[]).map(({ name }) => name).sort();
};

describe('a server that stands by', () => {
  it('answers reads from the log as it grows, and says how far it is', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    await project(writer, 'before');
    const standby = await member(cells);
    assert.ok(isStandby(standby) && !isStandby(writer));
    await project(writer, 'after');
    await alike(writer, standby);
    assert.deepEqual(await namesAt(standby), ['after', 'before']);
    const answer = await standby.request('GET', '/v2/projects');
    assert.equal(Number(answer.headers.get('x-topolog-position')), writer.running.position());
  });

  it('forwards writes to the writer, which knows who asks from where', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const standby = await member(cells);
    const id = await project(standby, 'through');
    assert.deepEqual(await namesAt(writer), ['through']);
    const node = await standby.request(
      'POST',
      `/v2/projects/${id}/nodes`,
      { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' },
      { 'x-topolog-user': 'ada' },
    );
    assert.equal(node.status, 201, node.text);
    const { body } = await writer.request('GET', `/v2/projects/${id}/events`);
    const { events } = body as { events: { type: string; by: { principal: string; address: string } }[] };
    const made = events.find(({ type }) => type === 'node.created');
    assert.equal(made?.by.principal, 'ada');
    assert.equal(made.by.address, '127.0.0.1');
    const wrong = await standby.request('POST', '/v2/projects', { name: 3 });
    assert.equal(wrong.status, 400);
    assert.match(wrong.text, /name/);
  });

  it('says that it does not write to who forwards to it, and asks that one for no password', async () => {
    const cells = new MemoryCells();
    const users = await withUsers();
    await member(cells, users);
    const standby = await member(cells, users);
    const asked = await standby.request('POST', '/v2/projects', { name: 'one' });
    assert.equal(asked.status, 401, asked.text);
    const forwarded = await standby.request('POST', '/v2/projects', { name: 'one' }, { [FORWARDED]: 'a.b' });
    assert.equal(forwarded.status, 503, forwarded.text);
    assert.match(forwarded.text, /no_writer/);
  });

  it('takes over when the lease of the writer ends, and the other one stands by', async () => {
    const cells = new MemoryCells();
    const first = await member(cells);
    await project(first, 'one');
    const second = await member(cells);
    cells.expire();
    await until(() => !isStandby(second) && isStandby(first));
    await project(second, 'two');
    await project(first, 'three');
    await alike(first, second);
    assert.deepEqual(await namesAt(first), ['one', 'three', 'two']);
    assert.deepEqual(await namesAt(second), ['one', 'three', 'two']);
  });

  it('stands by at its place when its lease ends before it has said where it is', async () => {
    const cells = new MemoryCells(600_000);
    const first = await member(cells);
    const cell = cells.cell();
    const take = cell.take.bind(cell);
    const failing = new Promise<void>((resolve) => {
      cell.take = async (me) => {
        const lease = await take(me);
        if (lease === null) return null;
        cell.take = take;
        const announce = async (): Promise<never> => {
          await lease.release();
          resolve();
          throw new TopologError('lease_lost', { reason: 'it is over' });
        };
        return Object.assign(lease, { announce });
      };
    });
    const second = await member(cells, { own: cell });
    await until(() => cells.standing.size > 0);
    assert.equal((await first.request('POST', '/v2/handover')).status, 204);
    await failing;
    await until(() => isStandby(first) !== isStandby(second));
    await project(first, 'one');
    await project(second, 'two');
    await alike(first, second);
    assert.deepEqual(await namesAt(second), ['one', 'two']);
  });

  it('takes over at once when the writer hands over', async () => {
    const cells = new MemoryCells(600_000);
    const first = await member(cells);
    await project(first, 'one');
    const alone = await first.request('POST', '/v2/handover');
    assert.equal(alone.status, 409);
    const second = await member(cells);
    await until(() => cells.standing.size > 0);
    assert.equal((await second.request('POST', '/v2/handover')).status, 204);
    await until(() => !isStandby(second) && isStandby(first));
    await project(first, 'two');
    assert.deepEqual(await namesAt(second), ['one', 'two']);
  });

  it('is told by topolog handover who writes now, also when it asks for passwords', async () => {
    const cells = new MemoryCells(600_000);
    const users = await withUsers();
    const [first, second] = [await member(cells, users), await member(cells, users)];
    await until(() => cells.standing.size > 0);
    const { code, stdout, stderr } = await topolog('handover', '--data-dir', first.dataDir);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`writes now, at ${second.url}`));
  });

  it('takes over at once when the writer ends', async () => {
    const cells = new MemoryCells(600_000);
    const first = await member(cells);
    const second = await member(cells);
    await project(first, 'one');
    await first.running.close('end of test');
    await until(() => !isStandby(second));
    assert.deepEqual(await namesAt(second), ['one']);
    await project(second, 'two');
  });
});
