import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdDirectory } from '../../src/events/store/hold-directory.ts';
import type { Config } from '../../src/server/config.ts';
import { MemoryCells } from '../support/memory-cell.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

const KEY = randomBytes(32);

const servers: TestServer[] = [];
const member = async (cells: MemoryCells, flags: string[] = [], change: Partial<Config> = {}): Promise<TestServer> => {
  const cell = { log: 'postgres://nowhere/labs', name: 'lab', key: KEY, leaseMs: 2_000 };
  const rest = { advertise: null, redirect: flags.includes('--redirect'), acceptDataLoss: false };
  const server = await testServer([], { cell: { ...cell, ...rest }, ...change }, { cell: cells.cell() });
  servers.push(server);
  return server;
};

afterEach(async () => {
  for (const server of servers.splice(0).reverse()) await server.close();
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

  it('writes at once when it has the data directory of the writer that was killed', async (t) => {
    const cells = new MemoryCells(600_000);
    const dir = await tempDir();
    t.after(dir.remove);
    const killed = await holdDirectory(path.join(dir.path, 'cell'), 'killed');
    const lease = await cells.cell().take({ owner: 'killed', url: 'http://nowhere' });
    await killed.release();
    const other = await member(cells);
    assert.ok(isStandby(other));
    const again = await member(cells, [], { dataDir: dir.path });
    assert.ok(!isStandby(again) && lease?.holds() === false);
    await project(again, 'one');
    await again.running.close('end of test');
  });

  it('is refused on the data directory of another one, which goes on', async () => {
    const cells = new MemoryCells(600_000);
    const first = await member(cells);
    const place = path.join(first.dataDir, 'cell');
    await assert.rejects(member(cells, [], { dataDir: first.dataDir }), {
      code: 'conflict',
      message: new RegExp(`another server uses ${place}`),
    });
    await project(first, 'one');
  });
});
