import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { FORWARDED, ForwardSigner } from '../../src/cluster/signature.ts';
import { TopologError } from '../../src/common/errors.ts';
import type { Cell } from '../../src/events/cell.ts';
import { lockDirectory } from '../../src/events/store/directory-lock.ts';
import { readFabric } from '../../src/fabric/client/keeper.ts';
import { topolog } from '../cli/run.ts';
import { listen } from '../support/feed-client.ts';
import { MemoryCells } from '../support/memory-cell.ts';
import { GREETING, greetingOf, startRfbServer } from '../support/rfb-server.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { endIn } from '../support/test-run.ts';
import { userLine } from '../support/users.ts';
import { waitFor } from '../support/wait-for.ts';

const KEY = randomBytes(32);

interface Wanted {
  dataDir?: string;
  fileIdleMs?: number;
  own?: Cell;
  usersFile?: string;
  needsUsers?: boolean;
  redirect?: boolean;
  acceptDataLoss?: boolean;
  keyFile?: string;
}

const servers: TestServer[] = [];
const member = async (
  cells: MemoryCells,
  { own = cells.cell(), redirect = false, acceptDataLoss = false, keyFile, ...change }: Wanted = {},
): Promise<TestServer> => {
  const cell = { log: 'postgres://nowhere/labs', name: 'lab', key: KEY, leaseMs: 2_000 };
  const rest = { advertise: null, redirect, acceptDataLoss, ...(keyFile === undefined ? {} : { keyFile }) };
  const server = await testServer([], { cell: { ...cell, ...rest }, ...change }, { cell: own });
  const request = server.request.bind(server);
  // A server that takes over, or is deposed, closes connections that wait for a request: one that was just on its way would fail.
  server.request = (method, at, body, headers) => request(method, at, body, { connection: 'close', ...headers });
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
  for (const server of servers.splice(0).reverse()) {
    await server.close();
    await endIn(server.dataDir);
  }
  for (const dir of directories.splice(0)) await dir.remove();
});

const until = (holds: () => Promise<boolean> | boolean): Promise<unknown> => waitFor(String(holds), holds);

const isStandby = ({ running }: TestServer): boolean => running.readOnly !== null;

/** A cell whose first lease ends when its server is to say where it is. */
const failingOnce = (cells: MemoryCells): { cell: Cell; failing: Promise<void> } => {
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
  return { cell, failing };
};

/** Both have the same last position. */
const alike = (a: TestServer, b: TestServer): Promise<unknown> =>
  until(() => a.running.position() === b.running.position());

/** Over a connection of its own: the status, or why there is no answer. */
const read = (url: string): Promise<string> =>
  new Promise((resolve) => {
    const asked = get(`${url}/v2/projects`, { agent: false }, (answer) => {
      answer.resume();
      answer.once('close', () => resolve(String(answer.statusCode)));
    });
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });

const project = async (server: TestServer, name: string): Promise<string> => {
  const made = await server.request('POST', '/v2/projects', { name });
  assert.equal(made.status, 201, made.text);
  return (made.body as { project_id: string }).project_id;
};

interface Health {
  status: string;
  log: { reason: string | null };
  cell: {
    owner: string;
    survived: string;
    problem: string | null;
    behind: number;
    epoch: number | null;
    writer: object | null;
    standbys: { behind: number }[];
  };
}

const healthOf = async (server: TestServer): Promise<Health> =>
  (await server.request('GET', '/v2/health')).body as Health;

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

  it('waits for a position that the log has and it does not know yet, and refuses one that the log has not', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const id = await project(writer, 'one');
    const own = cells.cell();
    const wakes: (() => void)[] = [];
    own.onChange = (listener) => void wakes.push(() => listener('log'));
    const standby = await member(cells, { own });
    for (const wake of wakes) wake();
    await alike(writer, standby);
    await writer.request('PUT', `/v2/projects/${id}`, { name: 'two' });
    const last = writer.running.position();
    const later = await standby.request('GET', `/v2/projects?at=${last + 1}`);
    assert.equal(later.status, 400, later.text);
    const answer = standby.request('GET', `/v2/projects?at=${last}`);
    // Nothing of what is sent after it wakes the server up.
    assert.deepEqual(await namesAt(standby), ['one']);
    for (const wake of wakes) wake();
    assert.deepEqual(
      ((await answer).body as { name: string }[]).map(({ name }) => name),
      ['two'],
    );
    assert.equal((await standby.request('GET', `/v2/projects?at=${last + 1}`)).status, 400);
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

  it('is refused as a compute of its own writer, which keeps its nodes', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const [forwarding, leading] = [await member(cells), await member(cells, { redirect: true })];
    const id = await project(writer, 'lab');
    const node = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
    assert.equal((await writer.request('POST', `/v2/projects/${id}/nodes`, node)).status, 201);
    const placeOf = ({ url }: TestServer): object => ({
      protocol: 'http',
      host: '127.0.0.1',
      port: Number(new URL(url).port),
    });
    const add = (of: TestServer, more: object = {}): ReturnType<TestServer['request']> =>
      writer.request('POST', '/v2/computes', { compute_id: 'sb', ...placeOf(of), ...more });
    const refused = await add(forwarding, { take: true });
    assert.equal(refused.status, 409, refused.text);
    assert.match(refused.text, /another server of its cell/);
    const led = await add(leading);
    assert.equal(led.status, 409, led.text);
    assert.match(led.text, /leads to another server/);
    assert.equal(
      (await writer.request('POST', '/v2/computes', { compute_id: 'sb', protocol: 'http', host: '127.0.0.1', port: 1 }))
        .status,
      201,
    );
    for (const of of [forwarding, writer]) {
      const changed = await writer.request('PUT', '/v2/computes/sb', placeOf(of));
      assert.equal(changed.status, 409, changed.text);
    }
    const { body } = await writer.request('GET', `/v2/projects/${id}/nodes`);
    assert.equal((body as object[]).length, 1);
  });

  it('says that it does not write to who forwards to it, and asks that one for no password', async () => {
    const cells = new MemoryCells();
    const users = await withUsers();
    await member(cells, users);
    const standby = await member(cells, users);
    const asked = await standby.request('POST', '/v2/projects', { name: 'one' });
    assert.equal(asked.status, 401, asked.text);
    const request = { method: 'POST', path: '/v2/projects', framing: '{"name":"one"}'.length };
    const header = new ForwardSigner(KEY).sign(request, cells.epoch, { principal: 'ada', address: null, local: true });
    const forwarded = await standby.request('POST', '/v2/projects', { name: 'one' }, { [FORWARDED]: header });
    assert.equal(forwarded.status, 503, forwarded.text);
    assert.match(forwarded.text, /no_writer/);
  });

  it('gives a client the answer that was on its way when the writer handed over', async () => {
    const cells = new MemoryCells();
    const lease = await cells.cell().take({ owner: 'handing over', url: '' });
    const handing = createServer(({ method }, answer) => {
      // Who stands by also asks whether it is there.
      if (method !== 'POST') answer.end();
      else void lease?.release().then(() => setTimeout(() => answer.writeHead(204).end(), 50));
    }).listen(0, '127.0.0.1');
    await once(handing, 'listening');
    await lease?.announce(`http://127.0.0.1:${(handing.address() as AddressInfo).port}`);
    const standby = await member(cells);
    const answered = await standby.request('POST', '/v2/handover');
    handing.close();
    assert.equal(answered.status, 204, answered.text);
    await until(() => !isStandby(standby));
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
    const cells = new MemoryCells();
    const first = await member(cells);
    const { cell, failing } = failingOnce(cells);
    const second = await member(cells, { own: cell });
    await until(() => cells.standing.size > 0);
    assert.equal((await first.request('POST', '/v2/handover')).status, 204);
    await failing;
    await until(() => (cells.holder?.url ?? '') !== '' && isStandby(first) !== isStandby(second));
    await project(first, 'one');
    await project(second, 'two');
    await alike(first, second);
    assert.deepEqual(await namesAt(second), ['one', 'two']);
  });

  it('begins by standing by when its lease ends while it starts', async () => {
    const cells = new MemoryCells();
    const { cell, failing } = failingOnce(cells);
    const only = await member(cells, { own: cell });
    await failing;
    await until(() => !isStandby(only));
    await project(only, 'one');
    assert.deepEqual(await namesAt(only), ['one']);
  });

  it('takes over at once when the writer hands over', async () => {
    const cells = new MemoryCells();
    const first = await member(cells);
    await project(first, 'one');
    const alone = await first.request('POST', '/v2/handover');
    assert.equal(alone.status, 409);
    const second = await member(cells);
    await until(() => cells.standing.size > 0);
    const handed = await second.request('POST', '/v2/handover');
    assert.equal(handed.status, 204, handed.text);
    await until(() => !isStandby(second) && isStandby(first));
    await project(first, 'two');
    assert.deepEqual(await namesAt(second), ['one', 'two']);
  });

  it('keeps who connects while it takes over waiting, at both servers', async () => {
    const cells = new MemoryCells();
    const servers = [await member(cells), await member(cells)];
    const codes = new Set<string>();
    const over = new AbortController();
    const asking = servers.map(async ({ running }) => {
      for (; !over.signal.aborted; await sleep(2)) codes.add(await read(running.url));
    });
    for (let n = 0; n < 4; n++) {
      const [from, to] = n % 2 === 0 ? servers : servers.toReversed();
      assert.ok(from !== undefined && to !== undefined);
      await until(async () => (await from.request('POST', '/v2/handover')).status === 204);
      await until(() => isStandby(from) && !isStandby(to));
    }
    over.abort();
    await Promise.all(asking);
    assert.ok(codes.has('200'));
    assert.ok(!codes.has('ECONNREFUSED'), [...codes].join(', '));
  });

  it('is told by topolog handover who writes now, also when it asks for passwords', async () => {
    const cells = new MemoryCells();
    const users = await withUsers();
    const [first, second] = [await member(cells, users), await member(cells, users)];
    await until(() => cells.standing.size > 0);
    const { code, stdout, stderr } = await topolog('handover', '--data-dir', first.dataDir);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`writes now, at ${second.url}`));
  });

  it('takes over at once when the writer ends', async () => {
    const cells = new MemoryCells();
    const first = await member(cells);
    const second = await member(cells);
    await project(first, 'one');
    await first.running.close('end of test');
    await until(() => !isStandby(second));
    assert.deepEqual(await namesAt(second), ['one']);
    await project(second, 'two');
  });

  it('is left nothing that the writer has gathered and not written when it ends', async () => {
    const cells = new MemoryCells();
    const first = await member(cells, { fileIdleMs: 3_600_000 });
    const id = await project(first, 'one');
    await first.request('POST', `/v2/projects/${id}/drawings`, { svg: '<svg></svg>', x: 7 });
    for (let n = 0; n < 3; n++) await first.request('POST', `/v2/projects/${id}/nodes`, { n });
    const { path: home, filename } = (await first.request('GET', `/v2/projects/${id}`)).body as Record<string, string>;
    const second = await member(cells);
    await first.running.close('end of test');
    const { topology } = JSON.parse(await readFile(path.join(home ?? '', filename ?? ''), 'utf8')) as {
      topology: { drawings: { x: number }[] };
    };
    assert.deepEqual(
      topology.drawings.map(({ x }) => x),
      [7],
    );
    await until(() => !isStandby(second));
    const { events } = (await second.request('GET', `/v2/projects/${id}/events`)).body as {
      events: { type: string; data: { count: number } }[];
    };
    const counts = events.flatMap(({ type, data }) => (type === 'request.refused' ? [data.count] : []));
    assert.deepEqual(counts, [1, 2]);
  });

  it('writes at once when it has the data directory of the writer that was killed', async (t) => {
    const cells = new MemoryCells();
    const dir = await tempDir();
    t.after(dir.remove);
    const killed = await lockDirectory(path.join(dir.path, 'cell'), 'killed');
    const lease = await cells.cell().take({ owner: 'killed', url: 'http://nowhere' });
    await killed.release();
    const other = await member(cells);
    assert.ok(isStandby(other));
    const again = await member(cells, { dataDir: dir.path });
    assert.ok(!isStandby(again) && lease?.holds() === false);
    await project(again, 'one');
    await again.running.close('end of test');
  });

  it('is refused on the data directory of another one, which goes on', async () => {
    const cells = new MemoryCells();
    const first = await member(cells);
    const place = path.join(first.dataDir, 'cell');
    await assert.rejects(member(cells, { dataDir: first.dataDir }), {
      code: 'conflict',
      message: new RegExp(`another server uses ${place}`),
    });
    await project(first, 'one');
  });

  it('says when others can read the key of the cell, or the users', async () => {
    const cells = new MemoryCells();
    const { usersFile, needsUsers } = await withUsers();
    const keyFile = path.join(path.dirname(usersFile), 'key');
    await writeFile(keyFile, KEY.toString('base64'));
    const told = async (mode: number): Promise<string[]> => {
      for (const file of [keyFile, usersFile]) await chmod(file, mode);
      const { reports } = await member(cells, { keyFile, usersFile, needsUsers });
      return reports.filter((line) => line.includes('can be read by others'));
    };
    assert.deepEqual(await told(0o644), [
      `the key of the cell, ${keyFile}, can be read by others; chmod 600 ${keyFile}`,
      `${usersFile} can be read by others; chmod 600 ${usersFile}`,
    ]);
    assert.deepEqual(await told(0o600), []);
  });

  it('lets no server with a log of its own have its data directory, nor has one that such a server has', async () => {
    const cells = new MemoryCells();
    const first = await member(cells);
    const { dataDir } = first;
    const alone = { cell: null, dataDir };
    const place = path.join(dataDir, 'cell');
    const uses = { code: 'conflict', message: new RegExp(`another server uses ${place}`) };
    await assert.rejects(testServer([], alone), uses);
    await project(first, 'one');
    await first.running.close('end');
    await assert.rejects(testServer([], alone), { code: 'conflict', message: /its log is in a database: give --log/ });
    const lone = await testServer([], { cell: null });
    servers.push(lone);
    const taken = { code: 'conflict', message: new RegExp(`another server uses ${lone.dataDir}`) };
    await assert.rejects(member(cells, { dataDir: lone.dataDir }), taken);
    await project(lone, 'two');
  });
});

describe('nodes in the fabric of a server that hands over', () => {
  /** By its console, for which nobody has to control the fabric. */
  const running = ({ dataDir }: TestServer, id: string): Promise<boolean> =>
    readFabric(dataDir)
      .console(id)
      .then(
        (console) => {
          console.destroy();
          return true;
        },
        () => false,
      );

  const labOf = async (settings: object) => {
    const cells = new MemoryCells();
    const first = await member(cells);
    const made = await first.request('POST', '/v2/projects', { name: 'lab', ...settings });
    const { project_id } = made.body as { project_id: string };
    const nodes = `/v2/projects/${project_id}/nodes`;
    const pc = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
    const { node_id } = (await first.request('POST', nodes, pc)).body as { node_id: string };
    await first.request('POST', `${nodes}/${node_id}/start`);
    const second = await member(cells);
    const handOver = async (from: TestServer, to: TestServer): Promise<void> => {
      await until(async () => (await from.request('POST', '/v2/handover')).status === 204);
      await until(() => !isStandby(to) && isStandby(from));
    };
    const statusAt = async (server: TestServer): Promise<string> =>
      ((await server.request('GET', `${nodes}/${node_id}`)).body as { status: string }).status;
    return { cells, first, second, node: `${nodes}/${node_id}`, node_id, handOver, statusAt };
  };

  it('run on there, out of reach, until that server writes again', async () => {
    const { first, second, node, node_id, handOver, statusAt } = await labOf({});
    await handOver(first, second);
    assert.equal(await statusAt(second), 'started');
    assert.equal((await second.request('POST', `${node}/stop`)).status, 409);
    assert.ok(await running(first, node_id));
    // By what tells servers of one machine apart.
    const { owner } = (await healthOf(first)).cell;
    const [, told] =
      /it runs at ([^"]*), which wrote this log before/.exec((await second.request('GET', node)).text) ?? [];
    assert.equal(told, owner);
    assert.ok(second.reports.includes(`this server takes over from ${owner}, where 1 nodes run`));
    await handOver(second, first);
    await until(() => first.reports.some((line) => /^recovered 1 open project .*: 1 nodes adopted, 0 lost/.test(line)));
    assert.equal((await first.request('POST', `${node}/stop`)).status, 200);
  });

  it('run on while the server that has the lease has not said that it took over', async () => {
    const { first, second, node, node_id, cells, statusAt } = await labOf({});
    await second.close();
    cells.holder = { owner: 'silent', url: '', epoch: (cells.epoch += 1), until: Infinity };
    cells.changed.emit('change', 'lease');
    await until(() => isStandby(first) && cells.standing.size > 1);
    assert.ok(await running(first, node_id));
    cells.holder = null;
    cells.changed.emit('change', 'lease');
    await until(() => !isStandby(first));
    assert.equal(await statusAt(first), 'started');
    const { events } = (await first.request('GET', `${node.replace(/\/nodes.*/, '')}/events`)).body as {
      events: { type: string }[];
    };
    assert.ok(!events.some(({ type }) => type === 'node.lost'));
  });

  it('start at the new writer where the project wants that, and end at the one before', async () => {
    const { first, second, node_id, handOver, statusAt } = await labOf({ on_takeover: 'restart' });
    await handOver(first, second);
    await until(async () => (await statusAt(second)) === 'started' && running(second, node_id));
    await until(async () => !(await running(first, node_id)));
  });
});

describe('beside a server that writes', () => {
  it('feeds go on at another server where they were', async () => {
    const cells = new MemoryCells();
    const first = await member(cells);
    const second = await member(cells);
    const feed = await listen(second.url, '/v2/notifications/ws');
    const id = await project(first, 'one');
    const { position } = await feed.next('project.created');
    await until(() => cells.standing.size > 0);
    await first.request('POST', '/v2/handover');
    await feed.closed;
    await until(() => !isStandby(second) && isStandby(first));
    await first.request('PUT', `/v2/projects/${id}`, { name: 'two' });
    const next = await listen(first.url, `/v2/notifications/ws?since=${position}`);
    const frame = await next.next('project.updated');
    assert.equal(frame.event['name'], 'two');
    const positions = next.said().map((told) => told.position);
    assert.deepEqual(
      positions,
      positions.toSorted((a, b) => a - b),
    );
    await next.close();
  });

  it('consoles are reached through either, and a refusal is the same', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const standby = await member(cells);
    const id = await project(writer, 'one');
    const node = { name: 'PC1', node_type: 'simple_pc', compute_id: 'local' };
    const { body } = await writer.request('POST', `/v2/projects/${id}/nodes`, node);
    const { node_id } = body as { node_id: string };
    const path = `/v2/projects/${id}/nodes/${node_id}/console/ws`;
    const refused = await refusalOf(standby.url, path);
    assert.deepEqual(refused, await refusalOf(writer.url, path));
    await standby.request('POST', `/v2/projects/${id}/nodes/${node_id}/start`);
    const socket = new WebSocket(`${standby.url.replace('http', 'ws')}${path}`);
    let heard = '';
    socket.on('message', (data: Buffer) => (heard += data.toString()));
    await once(socket, 'open');
    socket.send('show ip\n');
    await until(() => /IP\/MASK/.test(heard));
    socket.terminate();
  });

  it('screens are reached through either', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const standby = await member(cells);
    const id = await project(writer, 'one');
    const properties = { engine: 'simulated' };
    const node = { name: 'VM1', node_type: 'machine_emulator', compute_id: 'local', console_type: 'vnc', properties };
    const { body } = await writer.request('POST', `/v2/projects/${id}/nodes`, node);
    const { node_id, console } = body as { node_id: string; console: number };
    const path = `/v2/projects/${id}/nodes/${node_id}`;
    await standby.request('POST', `${path}/start`);
    const screen = await startRfbServer(console);
    const socket = new WebSocket(`${standby.url.replace('http', 'ws')}${path}/console/ws`);
    assert.equal(await greetingOf(socket), GREETING);
    socket.terminate();
    await screen.close();
  });

  it('a write is answered with the address of the writer where that is wanted', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const standby = await member(cells, { redirect: true });
    const answer = await fetch(`${standby.url}/v2/projects`, {
      method: 'POST',
      body: '{"name":"x"}',
      redirect: 'manual',
    });
    assert.equal(answer.status, 307);
    assert.equal(answer.headers.get('location'), `${writer.url}/v2/projects`);
    await project(standby, 'followed');
    assert.deepEqual(await namesAt(writer), ['followed']);
  });

  it('logins hold, keyed requests are done once, and nobody is let in by words of his own', async () => {
    const cells = new MemoryCells();
    const first = await member(cells);
    const second = await member(cells);
    const key = { 'Idempotency-Key': 'once-and-for-all' };
    const made = await first.request('POST', '/v2/projects', { name: 'keyed' }, key);
    await until(() => cells.standing.size > 0);
    await first.request('POST', '/v2/handover');
    await until(() => !isStandby(second) && isStandby(first));
    const again = await second.request('POST', '/v2/projects', { name: 'keyed' }, key);
    assert.deepEqual([again.status, again.body], [made.status, made.body]);
    assert.deepEqual(await namesAt(first), ['keyed']);
    const forged = { 'X-Topolog-Forwarded': `${Buffer.from('{"principal":"root"}').toString('base64url')}.AAAA` };
    const refused = await second.request('POST', '/v2/projects', { name: 'forged' }, forged);
    assert.equal(refused.status, 403);
    assert.deepEqual(await namesAt(second), ['keyed']);
  });

  it('says where there is no writer, and answers reads', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    await project(writer, 'one');
    const standby = await member(cells);
    assert.equal((await standby.request('GET', '/v2/ready')).status, 200);
    cells.holder = { owner: 'nobody', url: 'http://127.0.0.1:1', epoch: 9, until: Infinity };
    const refused = await standby.request('POST', '/v2/projects', { name: 'two' });
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.match(refused.text, /connect ECONNREFUSED 127\.0\.0\.1:1; the request was not carried out;/);
    assert.deepEqual(await namesAt(standby), ['one']);
    const ready = await standby.request('GET', '/v2/ready?role=writer');
    assert.equal(ready.status, 503);
  });

  it('is not ready while the writer cannot be reached, and says so once', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const standby = await member(cells);
    const cut = `the server that writes cannot be reached at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1`;
    cells.holder = { owner: 'nobody', url: 'http://127.0.0.1:1', epoch: 9, until: Infinity };
    await until(async () => (await standby.request('GET', '/v2/ready')).status === 503);
    const { status, log, cell } = await healthOf(standby);
    assert.deepEqual([status, log.reason, cell.problem], ['read_only', cut, cut]);
    cells.holder.url = writer.url;
    await until(async () => (await standby.request('GET', '/v2/ready')).status === 200);
    assert.deepEqual(
      standby.reports.filter((line) => line.includes('the server that writes')),
      [cut, 'the server that writes can be reached again'],
    );
  });

  it('says that nobody writes, and keeps the epoch that it knows', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const own = cells.cell();
    own.take = () => Promise.resolve(null);
    const standby = await member(cells, { own });
    await until(async () => (await healthOf(standby)).cell.writer !== null);
    const { epoch } = (await healthOf(standby)).cell;
    await writer.close();
    await until(async () => (await healthOf(standby)).cell.writer === null);
    const { status, log } = await healthOf(standby);
    assert.deepEqual([status, log.reason], ['read_only', 'no server of the cell writes at the moment']);
    const { text } = await standby.request('GET', '/metrics');
    assert.match(text, new RegExp(`^topolog_cell_epoch ${epoch}$`, 'm'));
  });

  it('says one thing of how far it is', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    const own = cells.cell();
    const standsBy = own.standsBy.bind(own);
    own.standsBy = (me) => standsBy({ ...me, position: 0 });
    const standby = await member(cells, { own });
    await project(writer, 'one');
    await alike(writer, standby);
    await until(async () => (await healthOf(standby)).cell.standbys.length > 0);
    const { behind, standbys } = (await healthOf(standby)).cell;
    assert.deepEqual([behind, ...standbys.map((one) => one.behind)], [0, 0]);
  });

  it('hands nothing over to servers that do not answer', async () => {
    const cells = new MemoryCells();
    const writer = await member(cells);
    cells.standing.set('dead', { owner: 'dead', url: 'http://127.0.0.1:1', position: 0 });
    const refused = await writer.request('POST', '/v2/handover');
    assert.equal(refused.status, 409);
    assert.match(
      refused.text,
      /no other server of the cell that stands by answers: connect ECONNREFUSED 127\.0\.0\.1:1/,
    );
    await project(writer, 'one');
    assert.ok(!writer.reports.some((line) => line.includes('hands over')));
  });

  it('refuses to write where answered writes can be lost, unless that is accepted', async () => {
    const cells = new MemoryCells();
    cells.losses.push('fsync is off: a crash of the machine can take what was answered');
    await assert.rejects(member(cells), /fsync is off.*--accept-data-loss/);
    const server = await member(cells, { acceptDataLoss: true });
    assert.match(server.reports.join('\n'), /answered writes can be lost: fsync is off/);
  });
});

describe('the settings of the database of a cell', () => {
  const LOSS = 'synchronous_commit is off: a crash of the database takes what was answered last';
  const reported = ({ reports }: TestServer, words: RegExp): boolean => reports.some((line) => words.test(line));

  it('are looked at while servers run: nobody writes under what can lose answered writes', async () => {
    const cells = new MemoryCells();
    const both = [await member(cells), await member(cells)] as const;
    await until(() => cells.standing.size > 0);
    cells.losses.push(LOSS);
    await until(() => cells.holder === null && both.every(isStandby) && reported(both[1], /does not write: /));
    const lost = new RegExp(`answered writes can be lost: ${LOSS}`);
    const refused = await both[1].request('POST', '/v2/projects', { name: 'one' });
    assert.equal(refused.status, 503);
    assert.match(refused.text, lost);
    await until(() => reported(both[0], new RegExp(`writes no more and stands by: ${lost.source}`)));
    for (const server of both) {
      // Each looks for itself.
      await until(async () => (await healthOf(server)).status === 'read_only');
      assert.match((await healthOf(server)).cell.problem ?? '', lost);
    }
    cells.losses.pop();
    const made = () => both[1].request('POST', '/v2/projects', { name: 'one' });
    await until(async () => (await made()).status === 201);
    await until(() => reported(both[1], /answered writes are safe again/));
  });

  it('are told where that was accepted, and the server goes on', async () => {
    const cells = new MemoryCells();
    const only = await member(cells, { acceptDataLoss: true });
    cells.losses.push(LOSS);
    await until(() => reported(only, new RegExp(`answered writes can be lost: ${LOSS}$`)));
    await project(only, 'one');
  });

  it('say what an answered write has survived now, and what the database waits for', async () => {
    const cells = new MemoryCells();
    const both = [await member(cells), await member(cells)];
    cells.words = 'two disks';
    cells.waits = 'the database waits for its standby';
    for (const server of both) {
      await until(async () => (await healthOf(server)).cell.survived === 'two disks');
      await until(async () => (await healthOf(server)).cell.problem === cells.waits);
      await until(() => reported(server, /an answered write is on two disks from now on/));
    }
    cells.waits = null;
    for (const server of both) {
      await until(async () => (await healthOf(server)).cell.problem === null);
      await until(() => reported(server, /waits for its standby no more/));
    }
  });
});

const refusalOf = async (url: string, path: string): Promise<unknown> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
  socket.on('error', () => undefined);
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return [answer.statusCode, JSON.parse(Buffer.concat(pieces).toString())];
};
