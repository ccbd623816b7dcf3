import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { MemoryCells } from '../support/memory-cell.ts';
import { type TestServer, testServer } from '../support/server.ts';
import type { Bag } from './two-servers.ts';

const KEY = randomBytes(32);

const member = (cells: MemoryCells, flags: string[] = []): Promise<TestServer> => {
  const place = { log: 'postgres://nowhere/labs', name: 'lab', key: KEY, leaseMs: 600_000 };
  const cell = { ...place, advertise: null, redirect: false, acceptDataLoss: false };
  return testServer(flags, { cell }, { cell: cells.cell() });
};

/** As it is now, with the secrets. */
const copyOf = async (cells: MemoryCells): Promise<MemoryCells> => {
  const copy = new MemoryCells();
  for await (const [key, value] of cells.level.iterator()) await copy.level.put(key, value);
  for (const [name, text] of cells.secrets) copy.secrets.set(name, text);
  return copy;
};

describe('a restored copy beside the server that runs, with --no-computes', () => {
  let live: TestServer;
  let far: TestServer;
  let copy: TestServer;
  let node: string;

  const ask = async (of: TestServer, code: number, method: string, path: string, body?: unknown): Promise<Bag> => {
    const answer = await of.request(method, `/v2${path}`, body);
    assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
    return answer.body as Bag;
  };

  before(async () => {
    const cells = new MemoryCells();
    [live, far] = await Promise.all([member(cells), testServer()]);
    const { hostname: host, port } = new URL(far.url);
    await ask(live, 201, 'POST', '/computes', { compute_id: 'far', protocol: 'http', host, port: Number(port) });
    const { project_id } = await ask(live, 201, 'POST', '/projects', { name: 'lab', auto_close: false });
    const pc = { node_type: 'simple_pc', compute_id: 'far' };
    const made = async (name: string): Promise<string> =>
      String((await ask(live, 201, 'POST', `/projects/${String(project_id)}/nodes`, { ...pc, name }))['node_id']);
    await made('OLD');
    const copied = await copyOf(cells);
    node = `/projects/${String(project_id)}/nodes/${await made('NEW')}`;
    await ask(live, 200, 'POST', `${node}/start`);
    copy = await member(copied, ['--no-computes', '--no-resume']);
  });
  after(async () => {
    await copy.close();
    await live.close();
    await far.close();
  });

  it('shows its nodes there as unreachable, with the reason', async () => {
    const projects = (await ask(copy, 200, 'GET', '/projects')) as unknown as Bag[];
    const id = String(projects[0]?.['project_id']);
    for (;;) {
      const [old] = (await ask(copy, 200, 'GET', `/projects/${id}/nodes`)) as unknown as Bag[];
      const { unreachable } = old?.['properties'] as { unreachable?: string };
      if (unreachable === undefined) continue;
      assert.match(unreachable, /started with --no-computes/);
      break;
    }
  });

  it('connects to none, and adds none', async () => {
    const connected = await ask(copy, 409, 'POST', '/computes/far/connect');
    assert.match(String(connected['message']), /started with --no-computes/);
    const { hostname: host, port } = new URL(far.url);
    await ask(copy, 409, 'POST', '/computes', { compute_id: 'more', protocol: 'http', host, port: Number(port) });
    await ask(copy, 409, 'PUT', '/computes/far', { host: 'localhost' });
  });

  it('leaves the running server what it has there', async () => {
    assert.equal((await ask(far, 200, 'GET', node))['status'], 'started');
    await ask(live, 200, 'POST', `${node}/stop`);
    assert.equal((await ask(live, 200, 'GET', '/computes/far'))['connected'], true);
  });
});
