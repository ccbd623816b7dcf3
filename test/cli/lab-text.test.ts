import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text as textFrom } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { announce, serverFile } from '../../src/server/found-server.ts';
import { readGiven } from '../../src/cli/lab/read-text.ts';
import { request, testServer, type TestServer } from '../support/server.ts';
import { makeTemp } from '../support/temp.ts';
import { type Ended, topologIn } from './run.ts';

const TEXT = `# Ours: keep this line.
lab: Written
version: 1
nodes:
  SW: { kind: ethernet_switch, at: [0, 0] }
  PC1: { kind: simple_pc, at: [-100, 100], address: 10.0.0.1/24 } # the first
  PC2: { kind: simple_pc, at: [100, 100], address: 10.0.0.2/24 }
links:
  - [PC1:0, SW:0]
  - [PC2:0, SW:1]
weather:
  - { name: rain, at: 1s, for: 2s, links: [[PC1:0, SW:0]], filters: { delay: [20] } }
checks:
  - PC1 reaches PC2 within 10s
`;

/** Stands before a server, and does something before it passes a request on. */
const relayTo = async (
  url: string,
  before: (where: string) => Promise<void>,
): Promise<{ url: string; close: () => void }> => {
  const server = createServer((asked, answer) => {
    const pass = async (): Promise<void> => {
      const { method = 'GET', url: where = '/', headers } = asked;
      const body = await textFrom(asked);
      await before(where);
      const kept = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
      const init = { method, headers: Object.fromEntries(kept) as Record<string, string> };
      const got = await fetch(`${url}${where}`, body === '' ? init : { ...init, body });
      const etag = got.headers.get('etag');
      const type = got.headers.get('content-type') ?? 'text/plain';
      answer.writeHead(got.status, { 'content-type': type, ...(etag === null ? {} : { etag }) }).end(await got.text());
    };
    pass().catch((error: unknown) => answer.destroy(error as Error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

describe('the commands of a lab as a text', { timeout: 200_000 }, () => {
  let server: TestServer;
  let dir: string;
  let env: NodeJS.ProcessEnv;
  const topolog = (...args: string[]): Promise<Ended> => topologIn(env, ...args);
  const file = (name: string): string => path.join(dir, name);
  const timesApplied = async (): Promise<number> => {
    const { stdout } = await topolog('log', 'Written');
    return stdout.split('project.apply_requested').length - 1;
  };

  before(async () => {
    server = await testServer();
    dir = await makeTemp('topolog-lab-text');
    env = { TOPOLOG_DATA_DIR: server.dataDir, USER: 'ada' };
    await writeFile(file('lab.yaml'), TEXT);
  });
  after(() => server.close());

  it('send files as they are, with their permissions, from the repository around the text and no farther', async () => {
    const lab = path.join(dir, 'repository', 'lab');
    await mkdir(path.join(lab, '..', '.git'), { recursive: true });
    await mkdir(path.join(lab, 'sub'), { recursive: true });
    const octets = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    await writeFile(path.join(lab, 'data.bin'), octets);
    await writeFile(path.join(lab, 'sub', 'go.sh'), '#!/bin/sh\n', { mode: 0o755 });
    await writeFile(path.join(lab, '..', 'up.txt'), 'up');
    await writeFile(path.join(dir, 'out.txt'), 'out');
    await symlink('../up.txt', path.join(lab, 'link'));
    await symlink('../../../out.txt', path.join(lab, 'sub', 'away'));
    const binds = 'data.bin, sub, link, ../up.txt, ../../out.txt';
    const text = path.join(lab, 'x.clab.yml');
    const listed = binds.split(', ').map((name) => `"${name}:/x"`);
    await writeFile(text, `name: x\ntopology:\n  nodes: {n: {kind: linux, image: i, binds: [${listed.join(', ')}]}}\n`);
    const { files } = await readGiven(text);
    const inside = {
      'data.bin': { content: octets.toString('base64'), encoding: 'base64' },
      'sub/go.sh': { content: '#!/bin/sh\n', mode: '755' },
      link: 'up',
      '../up.txt': 'up',
    };
    assert.deepEqual(files, inside);
    const more = await readGiven(text, { below: dir });
    assert.deepEqual(more.files, { ...inside, 'sub/away': 'out', '../../out.txt': 'out' });
    const planned = await topolog('apply', text, '--plan');
    assert.match(planned.stderr, /x\.clab\.yml:\d+:\d+: .*binds has \.\.\/\.\.\/out\.txt, a file that did not come/);
    assert.equal(planned.code, 2);
    const wider = await topolog('apply', text, '--plan', '--files-below', dir);
    assert.match(wider.stdout, /\+ node n/, wider.stderr);
  });

  it('names labs of containerlab after the commit that is checked out', async (t) => {
    const dir = await makeTemp('topolog-lab-commit');
    t.after(() => rm(dir, { recursive: true }));
    const file = path.join(dir, 'a.clab.yml');
    await writeFile(file, 'name: x-__gitBranch__-__gitHash__\ntopology: {nodes: {}} # __gitHash__\n');
    const nameOf = async (): Promise<string> => (await readGiven(file)).text.split('\n')[0] ?? '';
    assert.equal(await nameOf(), 'name: x-none-none');
    const git = (...words: string[]) => promisify(execFile)('git', ['-C', dir, ...words]);
    await git('init', '--initial-branch', 'feature/one');
    await git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '--message', 'one');
    assert.equal(await nameOf(), `name: x-feature-one-${(await git('rev-parse', '--short', 'HEAD')).stdout.trim()}`);
  });

  it('say with 2 that there is something to do, do it, and then do nothing', async () => {
    const plan = await topolog('apply', file('lab.yaml'), '--plan');
    assert.equal(plan.code, 2, plan.stderr);
    assert.match(plan.stdout, /\+ .*PC1/);
    assert.equal((await topolog('ls')).stdout.includes('Written'), false);
    const applied = await topolog('apply', file('lab.yaml'), '--start');
    assert.equal(applied.code, 0, applied.stderr);
    assert.equal(await timesApplied(), 1);
    const again = await topolog('apply', file('lab.yaml'), '--start');
    assert.equal(again.code, 0, again.stderr);
    assert.equal(await timesApplied(), 1);
    assert.equal((await topolog('apply', file('lab.yaml'), '--plan')).code, 0);
  });

  it('change nothing where somebody was quicker than the yes', async () => {
    await writeFile(file('raced.yaml'), 'lab: Raced\nversion: 1\nnodes: { A: { kind: simple_pc } }\n');
    assert.equal((await topolog('apply', file('raced.yaml'))).code, 0);
    const projects = (await request(server.url, 'GET', '/v2/projects')).body as { name: string; project_id: string }[];
    const id = projects.find(({ name }) => name === 'Raced')?.project_id ?? '';
    const nodes = `/v2/projects/${id}/nodes`;
    await writeFile(
      file('raced.yaml'),
      'lab: Raced\nversion: 1\nnodes: { A: { kind: simple_pc }, B: { kind: simple_pc } }\n',
    );
    const dataDir = await makeTemp('topolog-raced');
    const add = { name: 'Z', node_type: 'simple_pc', compute_id: 'local' };
    const relay = await relayTo(server.url, async (where) => {
      if (where === '/v2/labs/apply') await request(server.url, 'POST', nodes, add);
    });
    const { pid, token } = JSON.parse(await readFile(serverFile(server.dataDir), 'utf8')) as {
      pid: number;
      token: string;
    };
    await announce(dataDir, { pid, token, url: relay.url });
    const raced = await topologIn({ TOPOLOG_DATA_DIR: dataDir }, 'apply', file('raced.yaml'));
    relay.close();
    assert.equal(raced.code, 1, raced.stderr);
    assert.match(
      raced.stderr,
      /^topolog: Raced has changed since the plan was made[^]*nothing was changed; topolog apply shows/,
    );
    const left = (await request(server.url, 'GET', nodes)).body as { name: string }[];
    assert.deepEqual(left.map(({ name }) => name).toSorted(), ['A', 'Z']);
  });

  it('say plainly what is wrong with a file, and which command reads it', async () => {
    const long = `lab: Long\nversion: 1\nnodes:\n  ${'x'.repeat(300)}: { kind: simple_pc }\n  PC1: { kind: simple_pc, seed: 7 }\n`;
    await writeFile(file('long.yaml'), long);
    for (const [args, says] of [
      [['apply', file('none.yaml')], `${file('none.yaml')} cannot be read: it does not exist`],
      [['apply', dir], `${dir} cannot be read: it is a directory`],
      [['apply', 'lab.gns3'], 'lab.gns3 is a project file, not a text: topolog load lab.gns3 loads it'],
      [['load', 'lab.yaml'], 'lab.yaml is a lab as a text: topolog apply lab.yaml makes it'],
    ] satisfies [string[], string][])
      assert.deepEqual(await topolog(...args), { code: 2, stdout: '', stderr: `topolog: ${says}\n` });
    const { stderr } = await topolog('apply', file('long.yaml'));
    assert.match(stderr, /: nodes\.x+ must have at most 255 characters\n/);
    // A key that is right in another place is no hint at itself.
    assert.match(stderr, /: nodes\.PC1\.seed is an unknown key; known are /);
  });

  it('say plainly which file cannot be written, and which ones were', async () => {
    const below = file(path.join('none', 'sheet.csv'));
    for (const args of [
      ['results', 'Written', '-o', below],
      ['export-session', 'Written', '-o', below],
      ['capture', 'PC1-SW', '-w', below],
    ])
      assert.deepEqual(await topolog(...args), {
        ...{ code: 2, stdout: '' },
        stderr: `topolog: ${below} cannot be written: there is no directory ${path.dirname(below)}\n`,
      });
    const sheet = file('sheet.csv');
    const { stdout } = await topolog('results', 'Written', '-o', sheet);
    assert.equal(stdout, `${sheet} written\n${sheet}.signature written\n`);
  });

  it('have network systems simulated by test as by apply, and say what else is not', async () => {
    const clab = file('sys.clab.yml');
    const nodes =
      'r1: {kind: arista_ceos, image: ceos}\n    r2: {kind: arista_ceos, image: ceos}\n    br: {kind: bridge}';
    const link = 'links:\n    - endpoints: ["r1:eth1", "br:p1"]\n    - endpoints: ["br:trunk", "r2:eth1"]';
    await writeFile(clab, `name: sys\ntopology:\n  nodes:\n    ${nodes}\n  ${link}\n`);
    const refused = await topolog('test', clab);
    assert.equal(refused.code, 2, refused.stdout);
    assert.match(refused.stderr, /simulated \(topolog apply or test --simulate\)/);
    const tested = await topolog('test', clab, '--simulate');
    assert.deepEqual([tested.code, tested.stdout], [2, ''], tested.stderr);
    assert.match(tested.stderr, /sys\.clab\.yml has no checks/);
    assert.match((await topolog('help', 'apply')).stdout, /--simulate .*[^]*topolog serve --simulate/);
  });

  it('name ports of links as the file and the plan do, and say what they start', async () => {
    const plan = await topolog('apply', file('sys.clab.yml'), '--simulate');
    assert.match(plan.stdout, /\+ link r1:eth1 – br:p1\n {2}\+ link br:trunk – r2:eth1\n/);
    const listed = (await topolog('ls', 'sys')).stdout;
    assert.match(listed, /^r1:eth1-br:p1 .*\nbr:trunk-r2:eth1 /m);
    const started = await topolog('apply', file('sys.clab.yml'), '--simulate', '--start');
    assert.match(started.stdout, /\nsys is as the text says: 2 started \(r1, r2\)\.\n$/);
  });

  it('show the lab as a text that makes it, weather and checks included', async () => {
    const shown = await topolog('show', 'Written');
    assert.equal(shown.code, 0, shown.stderr);
    for (const said of ['PC1:', 'rain', 'at: 1s', 'PC1:0', '10.0.0.1/24', 'PC1 reaches PC2 within 10s'])
      assert.ok(shown.stdout.includes(said), `${said} in ${shown.stdout}`);
    await writeFile(file('shown.yaml'), shown.stdout);
    const plan = await topolog('apply', file('shown.yaml'), '--plan');
    assert.equal(plan.code, 0, plan.stdout + plan.stderr);
    const other = await topolog('show', 'Written', '--as', 'containerlab');
    assert.match(other.stdout + other.stderr, /topology|containerlab/);
  });

  it('write what has changed into the text, and keep its comments', async () => {
    await writeFile(
      file('lab.yaml'),
      TEXT.replace('PC2: { kind: simple_pc, at: [100, 100]', 'PC2: { kind: simple_pc, at: [300, 100]'),
    );
    const moved = await topolog('show', 'Written', '--update', file('lab.yaml'));
    assert.equal(moved.code, 0, moved.stderr);
    const text = await readFile(file('lab.yaml'), 'utf8');
    assert.equal(text.includes('[ 300, 100 ]') || text.includes('[300, 100]'), false);
    assert.match(text, /^# Ours: keep this line\.$/m);
    assert.match(text, /# the first$/m);
  });

  it('look for mistakes, with a server that runs or without one, and change nothing', async () => {
    const wrong = TEXT.replace('10.0.0.2/24', '10.0.0.1/24').replace('lab: Written', 'lab: Linted');
    await writeFile(file('lint.yaml'), wrong.replace('nodes:', 'nodes:\n  PC3: { kind: simple_pc }'));
    await writeFile(file('right.yaml'), TEXT.replace('lab: Written', 'lab: Linted'));
    for (const where of [[], ['--data-dir', path.join(dir, 'nobody')]]) {
      const { code, stdout } = await topolog('lint', file('lint.yaml'), ...where);
      assert.equal(code, 1);
      assert.deepEqual(stdout.replaceAll(/^.*\/lint\.yaml:(\d+):\d+:/gm, '$1').split('\n'), [
        '5 nodes.PC3 has no link',
        '8 nodes.PC2.address has 10.0.0.1, which PC1 has too, on the same network',
        '',
      ]);
      const right = await topolog('lint', file('right.yaml'), ...where);
      assert.deepEqual([right.code, right.stdout], [0, '']);
    }
    await writeFile(file('lint.yaml'), TEXT.replace('address', 'adress'));
    const refused = await topolog('lint', file('lint.yaml'));
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /lint\.yaml:6:\d+: nodes\.PC1\.adress is an unknown key/);
    assert.equal((await topolog('ls')).stdout.includes('Linted'), false);
  });

  it('send what a text includes and what that names, and say in which of the files something is wrong', async () => {
    const parts = path.join(dir, 'sites', 'parts');
    await mkdir(parts, { recursive: true });
    const main = file('sites/lab.yaml');
    const pcs = '  "PC${i}": { for: { i: 1..3 }, kind: simple_pc, startup: { file: "pc${i}.vpc" } }';
    await writeFile(main, 'lab: Included\nversion: 1\ninclude: parts/pcs.yaml\n');
    await writeFile(path.join(parts, 'pcs.yaml'), `include: switch.yaml\nnodes:\n${pcs}\n`);
    await writeFile(path.join(parts, 'switch.yaml'), 'nodes:\n  SW: { kind: ethernet_switch }\n');
    for (const i of [1, 2, 3]) await writeFile(path.join(parts, `pc${i}.vpc`), `ip 10.0.0.${i}/24\n`);
    assert.deepEqual(Object.keys((await readGiven(main)).files).toSorted(), [
      ...['parts/pc1.vpc', 'parts/pc2.vpc', 'parts/pc3.vpc', 'parts/pcs.yaml', 'parts/switch.yaml'],
    ]);
    const plan = await topolog('apply', main, '--plan');
    assert.match(plan.stdout, /\+ node SW\n +\+ node PC1\n +\+ node PC2\n +\+ node PC3\n/);
    const lint = await topolog('lint', main);
    assert.match(lint.stdout, /\/sites\/parts\/switch\.yaml:2:\d+: nodes\.SW has no link$/m);
    const update = await topolog('show', 'Written', '--update', main);
    assert.match(update.stderr, /variables, loops or includes: it is not rewritten; change it by hand$/m);
    await writeFile(path.join(parts, 'switch.yaml'), 'nodes:\n  SW: { kind: ethernet_swich }\n');
    const wrong = await topolog('apply', main, '--plan');
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /\/sites\/parts\/switch\.yaml:2:\d+: nodes\.SW\.kind ethernet_swich is not one of/);
  });

  it('name the line, the field and what would be right', async () => {
    await writeFile(file('bad.yaml'), TEXT.replace('kind: ethernet_switch', 'kind: ethernet_swich'));
    const bad = await topolog('apply', file('bad.yaml'));
    assert.equal(bad.code, 2, bad.stdout);
    assert.match(bad.stderr, /bad\.yaml:5:\d+: .*ethernet_swich/);
    await writeFile(
      file('storm.yaml'),
      TEXT.replace('links: [[PC1:0, SW:0]], filters', 'links: [[PC9:0, SW:0]], filters'),
    );
    const nobody = await topolog('apply', file('storm.yaml'), '--plan');
    assert.match(nobody.stderr, /storm\.yaml:12:\d+: .*PC9/);
    assert.notEqual((await topolog('apply', file('none.yaml'))).code, 0);
    await writeFile(file('two.yaml'), TEXT.replace('version: 1', 'version: 2').replace('address:', 'adress:'));
    const two = await topolog('apply', file('two.yaml'), '--plan');
    assert.match(two.stderr, /two\.yaml:3:\d+: version must be 1$/m);
    assert.match(two.stderr, /two\.yaml:6:\d+: nodes\.PC1\.adress is an unknown key; did you mean address\?$/m);
  });
});
