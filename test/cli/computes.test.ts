import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Client } from '../../src/client/index.ts';
import { FakeCompute } from '../support/fake-compute.ts';
import { listen } from '../support/feed-client.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { type Ended, topologIn } from './run.ts';

/** Two servers: this one has the project, the other one runs nodes of it. */
describe('the commands of computes', { timeout: 400_000 }, () => {
  let here: TestServer;
  let there: TestServer;
  let client: Client;
  let project_id: string;
  const topolog = (...args: string[]): Promise<Ended> =>
    topologIn({ TOPOLOG_DATA_DIR: here.dataDir, USER: 'ada' }, ...args);
  const well = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await topolog(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  };
  const node = async (name: string) => {
    const nodes = await client.get('/v2/projects/{project_id}/nodes', { path: { project_id } });
    const found = nodes.find((one) => one.name === name);
    assert.ok(found, name);
    return found;
  };
  const create = (name: string, compute_id?: string) =>
    client.post('/v2/projects/{project_id}/nodes', {
      path: { project_id },
      body: { name, node_type: 'simple_pc', ...(compute_id === undefined ? {} : { compute_id }) },
    });

  before(async () => {
    [here, there] = await Promise.all([testServer(), testServer(['--names', 'gns3'])]);
    client = here.client();
    ({ project_id } = await client.post('/v2/projects', { body: { name: 'lab' } }));
  });
  after(() => Promise.all([here.close(), there.close()]));

  it('add one, and list it with its state', async () => {
    assert.match(await well('compute', 'add', 'lab2', there.url), /^lab2 +connected +[0-9a-f-]{36}\n$/);
    const listed = await well('computes');
    assert.match(listed, /^local +connected +cpu \d+ %, memory \d+ % +0 nodes/m);
    assert.match(listed, /^lab2 +connected .*0 nodes +[0-9a-f-]{36}/m);
    const records = JSON.parse(await well('computes', '--json')) as { name: string; nodes: number }[];
    assert.deepEqual(
      records.map(({ name, nodes }) => [name, nodes]),
      [
        ['local', 0],
        ['lab2', 0],
      ],
    );
  });

  it('refuse what cannot be, and say why', async () => {
    const passwords = path.join(here.dataDir, '..', 'password');
    await writeFile(passwords, 'secret\n');
    for (const [args, code, says] of [
      [['compute', 'add', 'lab2', there.url], 1, /"lab2" already exists/],
      [['compute', 'add', 'lab3', 'http://ada@lab3:3080'], 2, /the URL must be like http:\/\/lab2:3080/],
      [['compute', 'add', 'lab3', there.url, '--password-file', passwords], 2, /--password-file needs --user/],
      [['compute', 'add', 'lab3'], 2, /^usage: topolog compute add NAME URL\n$/],
      [['compute', 'frob', 'lab2'], 2, /topolog compute takes add, connect, drain, rm, not frob$/m],
      [['compute', 'rm', 'nothing'], 1, /Compute nothing does not exist/],
      [['compute', 'rm', 'local'], 1, /this server itself cannot be removed/],
      [['move', 'lab'], 2, /--to says where/],
      [['move', 'lab', '--to', 'nothing'], 1, /Compute nothing does not exist/],
      [['doctor', '--compute', 'nothing'], 1, /Compute nothing does not exist/],
      [['doctor', '--compute', 'lab2', '--clean'], 2, /take one of them/],
    ] as [string[], number, RegExp][]) {
      const ended = await topolog(...args);
      assert.deepEqual([ended.code, ended.stdout], [code, ''], `${args.join(' ')}: ${ended.stderr}`);
      assert.match(ended.stderr, says);
    }
  });

  it('end with 1 where nobody answers at the address of one that is added, and say what to do', async () => {
    const { code, stdout, stderr } = await topolog('compute', 'add', 'dead', 'http://127.0.0.1:9');
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, /dead was added, but cannot be reached yet: .*compute rm dead removes it\n$/);
    assert.match(await well('computes'), /^dead +away/m);
    await well('compute', 'rm', 'dead');
  });

  it('say which flags give the user that one needs', async () => {
    const fake = await FakeCompute.start({ user: 'admin', password: 'secret' });
    try {
      const { code, stderr } = await topolog('compute', 'add', 'lab3', fake.url);
      assert.match(stderr, /needs a user and a password, and was given none: --user U --password-file F\n$/);
      assert.equal(code, 1);
    } finally {
      await fake.close();
    }
  });

  it('start a node there, and say where it runs', async () => {
    const { compute_id } = (await client.get('/v2/computes'))[1] ?? {};
    assert.ok(compute_id);
    await create('PC1', compute_id);
    await create('PC2');
    await create('PC3', 'auto');
    const started = await well('start', 'lab/PC1', 'PC2');
    assert.match(started, /^PC1 +started +simple_pc +telnet 127\.0\.0\.1 \d+ +at lab2$/m);
    assert.match(started, /^PC2 +started +simple_pc +telnet 127\.0\.0\.1 \d+$/m);
    assert.match(await well('ls', 'lab'), /^PC1 .* at lab2$/m);
    // Where `auto` leads to depends on the load of the machine.
    const at = (await node('PC3')).compute_id === compute_id ? 2 : 1;
    assert.match(await well('computes'), new RegExp(`^lab2 .* ${at === 1 ? '1 node' : '2 nodes'} `, 'm'));
    assert.match(await well('doctor', '--compute', 'lab2'), /^reachable +yes[^]*^addresses [^]*All is well/m);
  });

  it('tell by how much clocks are apart, and what is too much', async () => {
    assert.match(await well('doctor', '--compute', 'lab2'), /^clock +as that of this server$/m);
    const fake = await FakeCompute.start();
    try {
      await well('compute', 'add', 'old', fake.url);
      fake.faults.clockAhead = -120;
      const told = await well('doctor', '--compute', 'old');
      assert.match(told, /^clock +1(?:19|20|21) s behind that of this server$/m);
      assert.match(told, /more than 2 s apart, which is too much[^]*NTP\.\n$/);
      assert.doesNotMatch(told, /All is well/);
      await well('compute', 'rm', 'old', '--yes');
    } finally {
      await fake.close();
    }
  });

  it('move nodes, those that run only when asked to', async () => {
    const left = await topolog('move', 'PC1', '--to', 'local');
    assert.deepEqual([left.code, left.stderr], [1, '']);
    assert.match(left.stdout, /^PC1 +left +PC1 runs; stop it first$/m);
    assert.match(
      await well('move', 'PC1', 'PC2', '--to', 'local', '--restart'),
      /^PC1 +moved +to local, started there/m,
    );
    const pc1 = await node('PC1');
    assert.deepEqual([pc1.compute_id, pc1.status], ['local', 'started']);
    const all = JSON.parse(await well('move', 'lab', '--to', 'lab2', '--restart', '--json')) as {
      moved: { name: string; started: boolean }[];
      left: unknown[];
    };
    assert.deepEqual(all.left, []);
    assert.equal((await node('PC2')).status, 'started');
    assert.notEqual((await node('PC2')).compute_id, 'local');
  });

  it('empty a compute', async () => {
    const drained = await well('compute', 'drain', 'lab2', '--restart');
    assert.match(drained, /^PC1 +moved +to local, started there/m);
    assert.match(await well('computes'), /^lab2 .* 0 nodes /m);
  });

  it('complete their names', async () => {
    const offered = async (...words: string[]) => (await well('completion', '--', ...words)).split('\n').slice(0, -1);
    assert.deepEqual(await offered('compute', 'dr'), ['drain']);
    assert.deepEqual(await offered('compute', 'drain', 'l'), ['local', 'lab2']);
    assert.deepEqual(await offered('move', 'PC1', '--to', ''), ['local', 'lab2', 'auto']);
    assert.deepEqual(await offered('doctor', '--compute', 'lab'), ['lab2']);
    assert.deepEqual(await offered('move', '--re'), ['--restart']);
  });

  it('say that nodes cannot be reached, and remove what is away', async () => {
    await well('move', 'PC1', '--to', 'lab2', '--restart');
    const feed = await listen(here.url, `/v2/projects/${project_id}/notifications/ws`);
    try {
      await there.running.close('it goes away');
      await feed.next(({ event: { properties } }) => Object.hasOwn(properties ?? {}, 'unreachable'));
    } finally {
      await feed.close();
    }
    assert.match(await well('ls', 'lab'), /^PC1 +started .* at lab2, unreachable: \S+/m);
    assert.match(await well('computes'), /^lab2 +away +1 node /m);
    const sick = await topolog('doctor', '--compute', 'lab2');
    assert.equal(sick.code, 1);
    assert.match(sick.stdout, /^reachable +no: \S+/m);
    assert.match(
      (await topolog('compute', 'rm', 'lab2')).stderr,
      /not removed: compute lab2, which stops 1 node; add --yes, or confirm at a terminal\n/,
    );
    assert.match(await well('compute', 'rm', 'lab2', '--yes'), /^compute lab2 +removed$/m);
    assert.match(await well('ls', 'lab'), /^PC1 +stopped .* which is no compute of this server$/m);
    assert.match(await well('move', 'PC1', '--to', 'auto'), /^PC1 +moved +to local/m);
    assert.match(await well('start', 'PC1'), /^PC1 +started +simple_pc +telnet 127\.0\.0\.1 \d+$/m);
  });
});
