import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listen } from '../support/feed-client.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { address, type Bag } from './two-servers.ts';
import { waitFor } from '../support/wait-for.ts';

/** Two servers in processes that can be killed, and come back at their ports. */
describe('a compute that is killed, and a controller', { timeout: 120_000 }, () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let far: ServerProcess;
  let here: ServerProcess;
  let project: string;
  let near: Bag;
  let node: Bag;

  const ask = async (code: number, method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await request(here.url, method, `/v2${path}`, body);
    assert.equal(answer.status, code, `${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const start = (name: string, flags: string[] = []): Promise<ServerProcess> =>
    spawnServer(`${dir.path}/${name}`, ['--compute-silence', '2', ...flags]);
  const again = (server: ServerProcess, name: string): Promise<ServerProcess> =>
    start(name, ['--port', new URL(server.url).port]);
  const at = ({ node_id }: Bag): string => `/projects/${project}/nodes/${String(node_id)}`;
  const read = async (of: Bag): Promise<Bag> => (await ask(200, 'GET', at(of))) as Bag;
  /** Waits for a node's record. */
  const until = async (of: Bag, fits: (record: Bag) => boolean): Promise<Bag> => {
    const feed = await listen(here.url, `/v2/projects/${project}/notifications/ws`);
    try {
      const now = await read(of);
      if (fits(now)) return now;
      const frame = await feed.next(
        ({ action, event }) => action === 'node.updated' && event['node_id'] === of['node_id'] && fits(event),
      );
      return frame.event;
    } finally {
      await feed.close();
    }
  };
  /** Waits until an event of the project is on record, and answers all of nodes. */
  const told = (type: string): Promise<Bag[]> =>
    waitFor(`${type} is on record`, async () => {
      const { events } = (await ask(200, 'GET', `/projects/${project}/events?type=node.`)) as { events: Bag[] };
      return events.some((event) => event['type'] === type) && events;
    });
  /** Has the near PC ping the far one until it answers. */
  const reach = async (): Promise<void> => {
    const { console } = await read(near);
    try {
      await address(console, '10.0.0.1', '10.0.0.2');
    } catch (error) {
      const records = JSON.stringify([await read(near), await read(node)]);
      throw new Error(`${records}\nhere: ${here.output()}\nfar: ${far.output()}`, { cause: error });
    }
  };
  const isAway = ({ properties }: Bag): boolean => (properties as Bag)['unreachable'] !== undefined;

  before(async () => {
    dir = await tempDir();
    [here, far] = await Promise.all([start('here'), start('far')]);
    const { hostname: host, port } = new URL(far.url);
    await ask(201, 'POST', '/computes', { compute_id: 'far', name: 'far', protocol: 'http', host, port: Number(port) });
    project = String(((await ask(201, 'POST', '/projects', { name: 'lab' })) as Bag)['project_id']);
    const pc = (name: string, compute_id: string): Promise<unknown> =>
      ask(201, 'POST', `/projects/${project}/nodes`, { name, node_type: 'simple_pc', compute_id });
    [near, node] = [(await pc('PC1', 'local')) as Bag, (await pc('PC2', 'far')) as Bag];
    const nodes = [near, node].map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    await ask(201, 'POST', `/projects/${project}/links`, { nodes });
    await ask(204, 'POST', `/projects/${project}/nodes/start`);
    await address((await read(node))['console'], '10.0.0.2');
    await reach();
  });
  after(async () => {
    await here.kill('SIGTERM');
    await far.kill('SIGTERM');
    await dir.remove();
  });

  it('leaves its nodes as they were, marked unreachable, and the others at work', async () => {
    await far.kill('SIGKILL');
    const refused = (await ask(409, 'POST', `${at(node)}/stop`)) as Bag;
    assert.equal(refused['code'], 'compute_unreachable');
    const again = (await ask(409, 'POST', `${at(node)}/start`)) as Bag;
    assert.equal(again['code'], 'compute_unreachable');
    const away = await until(node, isAway);
    assert.equal(away['status'], 'started');
    await ask(200, 'POST', `${at(near)}/stop`);
    await ask(200, 'POST', `${at(near)}/start`);
    const computes = (await ask(200, 'GET', '/computes')) as Bag[];
    assert.deepEqual(computes.map(({ compute_id, connected }) => [compute_id, connected]).at(-1), ['far', false]);
  });

  it('is adopted with what runs there when it is back', async () => {
    far = await again(far, 'far');
    const back = await until(node, (record) => !isAway(record));
    assert.equal(back['status'], 'started');
    const events = await told('node.adopted');
    const types = events.filter(({ data }) => (data as Bag)['node_id'] === node['node_id']).map(({ type }) => type);
    assert.deepEqual(
      types.filter((type) => /unreachable|reachable|adopted|lost/.test(String(type))),
      ['node.unreachable', 'node.reachable', 'node.adopted'],
    );
    await reach();
  });

  it('goes on while the controller is killed, which adopts it again', async () => {
    await here.kill('SIGKILL');
    here = await again(here, 'here');
    await until(
      node,
      ({ status, properties }) => status === 'started' && (properties as Bag)['unreachable'] === undefined,
    );
    await reach();
    await ask(204, 'POST', `/projects/${project}/nodes/stop`);
    const there = await request(far.url, 'GET', `/v2${at(node)}`);
    assert.equal((there.body as Bag)['status'], 'stopped');
  });

  it('gets a file that the end of the controller has kept from it', async () => {
    const file = `${at(node)}/files/notes.txt`;
    await ask(201, 'POST', file, { said: 'before' });
    const { events } = (await ask(200, 'GET', `/projects/${project}/events?type=file.written`)) as { events: Bag[] };
    const { version, data } = events.at(-1) as { version: number; data: { upload: string } };
    const { node_directory } = await read(node);
    const { path: directory } = (await ask(200, 'GET', `/projects/${project}`)) as { path: string };
    await here.kill('SIGKILL');
    // As it is after its event and its place here, and before it was sent.
    const staged = join(directory, '.topolog', `upload-${data.upload}`);
    await mkdir(staged, { recursive: true });
    const owed = { node_id: node['node_id'], path: 'notes.txt' };
    await writeFile(
      join(staged, 'plan.json'),
      JSON.stringify({ upload: data.upload, version: version - 1, node: owed }),
    );
    await writeFile(join(String(node_directory), 'notes.txt'), 'after');
    here = await again(here, 'here');
    const text = async (): Promise<string> => (await request(far.url, 'GET', `/v2${file}`)).text;
    await waitFor('the file is there', async () => (await text()) === 'after');
    await waitFor('nothing is left', async () => (await readdir(join(directory, '.topolog'))).length === 0);
  });

  it('ends what was deleted here while it was away', async () => {
    await far.kill('SIGKILL');
    await until(node, isAway);
    await ask(204, 'DELETE', at(node));
    far = await again(far, 'far');
    const status = async (): Promise<number> => (await request(far.url, 'GET', `/v2${at(node)}`)).status;
    await waitFor('it is deleted there', async () => (await status()) === 404);
  });
});
