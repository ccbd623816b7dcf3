import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { programFile } from '../../src/common/package.ts';
import type { Client } from '../../src/client/index.ts';
import { findServer } from '../../src/server/found-server.ts';
import { testServer, type TestServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import { type Ended, topologIn } from './run.ts';
import { atTerminal, noTerminal, running } from './terminal.ts';
import { waitFor } from '../support/wait-for.ts';

const LAB = '59f3e2f5-5991-4bf4-aac6-4fc4afa513fe';
const inLab = { path: { project_id: LAB } };

const isMissing = (program: string): Promise<false | string> =>
  promisify(execFile)(program, ['-c', 'true']).then(
    () => false,
    () => `${program} is not installed`,
  );
const missing = { bash: await isMissing('bash'), zsh: await isMissing('zsh'), fish: await isMissing('fish') };

describe('the commands of a lab', { timeout: 600_000 }, () => {
  let server: TestServer;
  let client: Client;
  let env: NodeJS.ProcessEnv;
  const topolog = (...args: string[]): Promise<Ended> => topologIn(env, ...args);
  const well = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await topolog(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  before(async () => {
    server = await testServer();
    client = server.client();
    env = { TOPOLOG_DATA_DIR: server.dataDir, USER: 'ada' };
    const lab = path.join(server.dataDir, '../first-lab');
    await cp(path.resolve('examples/labs/first-lab'), lab, { recursive: true });
    const loaded = await well('load', path.join(lab, 'first-lab.gns3'));
    assert.match(loaded, new RegExp(`^first-lab +opened +${LAB}\n$`));
  });
  after(() => server.close());

  it('start, stop and list by names, and say who asked', async () => {
    const started = await well('start', 'first');
    assert.match(started, /^PC1 +started +simple_pc +telnet 127\.0\.0\.1 \d+$/m);
    assert.match(await well('ls'), /^first-lab +opened +5 nodes +5 started +\S+first-lab$/m);
    const stopped = await well('stop', 'first-lab/PC1', 'PC2');
    assert.deepEqual(stopped.match(/^PC\d +stopped/gm)?.length, 2);
    const inside = await well('ls', 'first-lab');
    assert.match(inside, /^PC1 +stopped[^]*^PC3 +started[^]*^PC1:e0-Switch1:e0 +linked +ethernet$/m);
    assert.doesNotMatch(inside, /\u001b/);
    const { by } = JSON.parse((await well('log', 'first-lab', '--json')).trimEnd().split('\n').at(-2) ?? '') as {
      by: { principal: string };
    };
    assert.equal(by.principal, 'ada');
    await well('start', 'first-lab');
  });

  it('make a fork, and say how one is opened that is to start', async () => {
    assert.match(await well('fork', 'first-lab', 'Exam Anna'), /^Exam Anna +closed +[0-9a-f-]{36}\n$/);
    const closed = `topolog: Exam Anna is not opened: topolog open 'Exam Anna' opens it\n`;
    assert.deepEqual(await topolog('start', 'Exam Anna'), { code: 1, stdout: '', stderr: closed });
    assert.match(await well('open', 'Exam Anna'), /^Exam Anna +opened/);
    assert.match(await well('start', 'Exam Anna'), /^PC1 +started/m);
    await well('rm', 'Exam Anna', '--yes');
    const never = await topolog('fork', 'first-lab', 'Never', '--at', '2001-01-01T00:00:00Z');
    assert.notEqual(never.code, 0);
  });

  it('say whose account it is where no variable does, as in a container', async () => {
    const unsaid = { ...env, USER: undefined, USERNAME: undefined };
    assert.equal((await topologIn(unsaid, 'start', 'first-lab')).code, 0);
    const by: string[] = [];
    const query = { type: 'project.nodes_requested' };
    for await (const line of client.lines('/v2/projects/{project_id}/events', { ...inLab, query }))
      by.push((JSON.parse(line) as { by: { principal: string } }).by.principal);
    assert.equal(by.at(-1), userInfo().username);
  });

  it('answer with the records as JSON', async () => {
    const projects = await client.get('/v2/projects');
    assert.deepEqual(JSON.parse(await well('ls', '--json')), projects);
    const inside = JSON.parse(await well('ls', 'first-lab', '--json')) as { nodes: unknown; links: unknown };
    assert.deepEqual(inside, {
      nodes: await client.get('/v2/projects/{project_id}/nodes', inLab),
      links: await client.get('/v2/projects/{project_id}/links', inLab),
    });
    const [node] = JSON.parse(await well('start', 'PC1', '--json')) as { name: string; status: string }[];
    assert.deepEqual([node?.name, node?.status], ['PC1', 'started']);
  });

  it('end with 1 or 2 and a sentence when that is not possible', async () => {
    for (const [args, code, says] of [
      [['start', 'PC9'], 1, /Project or node PC9 does not exist$/m],
      [['checks', 'First-Lab'], 1, /Project First-Lab does not exist; did you mean first-lab\?/],
      [['show', 'frist-lab'], 1, /Project frist-lab does not exist; did you mean first-lab\?/],
      [['stop', 'PC'], 2, /PC matches several projects or nodes: first-lab\/PC1, first-lab\/PC2, first-lab\/PC3/],
      [['load', '/no/such.gns3'], 2, /\/no\/such\.gns3 cannot be read: it does not exist/],
      [['checks', 'first-lab'], 1, /first-lab has no checks/],
      [['open'], 2, /^usage: topolog open PROJECT\n$/],
      [['ls', '--', 'nolab'], 1, /^topolog: Project nolab does not exist$/m],
      [['log', 'first-lab', 'PC1'], 2, /^usage: topolog log PROJECT\n$/],
      [['capture'], 2, /^usage: topolog capture LINK\n$/],
      [['start', 'FIRST'], 1, /Project or node FIRST does not exist; did you mean first-lab\?$/m],
      [['rm', 'PC3'], 2, /not deleted: node first-lab\/PC3; add --yes, or confirm at a terminal/],
      [['capture', 'Switch1', '-w', '/dev/null'], 2, /first-lab\/PC1:e0-Switch1:e0, first-lab\/PC2:e0-Switch1:e1/],
      [['console', 'Hub1'], 1, /Hub1/],
    ] as const) {
      const ended = await topolog(...args);
      assert.deepEqual([ended.code, ended.stdout], [code, ''], ended.stderr);
      assert.match(ended.stderr, says);
    }
  });

  it('open a console for a program, which leaves it at the end of its input', async () => {
    const console = running(env, 'console', 'PC1');
    await console.until(/PC1> $/);
    console.type('echo a line\n');
    await console.until(/^a line$/m);
    console.child.stdin?.end();
    assert.equal(await console.ended, 0);
  });

  it('open a console at the terminal, until Ctrl+]', { skip: noTerminal }, async () => {
    const console = atTerminal(env, 'console', 'PC2');
    await console.until(/first-lab\/PC2: Ctrl\+] leaves[^]*PC2> $/);
    // Not a line: every key goes to the node.
    console.type('arp ?');
    await console.until(/arp \?/);
    console.type('\u0003\u001d');
    assert.equal(await console.ended, 0);
    const node = (await client.get('/v2/projects/{project_id}/nodes', inLab)).find(({ name }) => name === 'PC2');
    assert.equal(node?.status, 'started');
  });

  it('say that a console was closed by the node', async () => {
    const console = running(env, 'console', 'PC3');
    await console.until(/PC3> $/);
    await well('stop', 'PC3');
    await console.until(/the console of first-lab\/PC3 was closed/);
    assert.equal(await console.ended, 1);
    await well('start', 'PC3');
  });

  it('capture a link into a file until they are interrupted', async () => {
    const file = path.join(server.dataDir, '../a.pcap');
    const capture = running(env, 'capture', 'Switch1-PC2', '-w', file);
    await capture.until(/capturing first-lab\/PC2:e0-Switch1:e1/);
    await pinged();
    capture.child.kill('SIGINT');
    assert.equal(await capture.ended, 0);
    const packets = await readFile(file);
    assert.equal(packets.readUInt32LE(0), 0xa1b2c3d4);
    assert.ok(packets.includes(Buffer.from('0a0000010a000002', 'hex')), 'an address pair of the ping');
    assert.ok(await nothingCaptured());
  });

  it('capture a link into a pipe, and end what they began when nobody reads it', async () => {
    const capture = running(env, 'capture', 'PC2-Switch1');
    await capture.until(/capturing/);
    capture.child.stdout?.destroy();
    const typing = running(env, 'console', 'PC1');
    await typing.until(/PC1> $/);
    typing.type('ping 10.0.0.2 -t\n');
    assert.equal(await capture.ended, 0);
    typing.type('\u0003');
    typing.child.stdin?.end();
    await typing.ended;
    assert.ok(await nothingCaptured());
  });

  it('follow a capture of somebody else, which goes on', async () => {
    const link = (await client.get('/v2/projects/{project_id}/links', inLab))[0];
    const at = { path: { project_id: LAB, link_id: link?.link_id ?? '' } };
    await client.post('/v2/projects/{project_id}/links/{link_id}/start_capture', at);
    const capture = running(env, 'capture', at.path.link_id, '-w', '/dev/null');
    await capture.until(/capturing/);
    capture.child.kill('SIGINT');
    assert.equal(await capture.ended, 0);
    const now = await client.get('/v2/projects/{project_id}/links/{link_id}', at);
    assert.equal(now.capturing, true);
    await client.post('/v2/projects/{project_id}/links/{link_id}/stop_capture', at);
  });

  it('are coloured at a terminal, unless NO_COLOR is set', { skip: noTerminal }, async () => {
    assert.match(await atTerminal(env, 'ls').until(/started/), /\u001b\[32mopened *\u001b\[0m/);
    assert.doesNotMatch(await atTerminal({ ...env, NO_COLOR: '1' }, 'ls').until(/5 nodes[^\n]*\n/), /\u001b/);
  });

  it('are completed with what there is', async () => {
    const offered = async (...words: string[]): Promise<string[]> =>
      (await well('completion', '--', ...words)).split('\n').slice(0, -1);
    assert.deepEqual(await offered('st'), ['status', 'start', 'stop']);
    assert.deepEqual(await offered('help', 'ver'), ['verify']);
    assert.deepEqual(await offered('start', ''), ['first-lab', 'PC1', 'PC2', 'PC3', 'Switch1', 'Hub1']);
    assert.deepEqual(await offered('close', ''), ['first-lab']);
    assert.deepEqual(await offered('capture', 'PC'), ['PC1-Switch1', 'PC2-Switch1', 'PC3-Hub1']);
    assert.deepEqual(await offered('replay', '--k'), ['--keep']);
    assert.deepEqual(await offered('user', 're'), ['remove']);
    assert.deepEqual(await offered('snapshot', ''), ['ls', 'restore', 'rm', 'first-lab']);
    assert.deepEqual(await offered('snapshot', 'ls', ''), ['first-lab']);
    assert.deepEqual(await offered('fork', 'first-lab', ''), []);
    assert.deepEqual(await offered('fork', '--data-dir', server.dataDir, ''), ['first-lab']);
    assert.deepEqual(await offered('wait', 'first-lab', 'S'), ['Switch1']);
    assert.deepEqual(await offered('add', 'first-lab', 'simple_'), ['simple_pc', 'simple_router']);
    assert.deepEqual(await offered('templates', 'show', 'Ethernet '), ['Ethernet switch', 'Ethernet hub']);
    assert.deepEqual(await offered('filter', 'PC1', 'Switch1', 'del'), ['delay=']);
    assert.deepEqual(await offered('nothing', ''), []);
  });

  for (const [shell, ask] of [
    [
      'bash',
      'source <(topolog completion bash); COMP_WORDS=(topolog console P); COMP_CWORD=2; _topolog; printf "%s\\n" "${COMPREPLY[@]}"',
    ],
    [
      'zsh',
      'autoload -U compinit; compinit -D; source <(topolog completion zsh); CURRENT=3; words=(topolog console P); compadd() { print -l $found }; _topolog',
    ],
    ['fish', 'topolog completion fish | source; complete -C "topolog console P"'],
  ] as const)
    it(`are completed in ${shell}`, { skip: missing[shell] }, async () => {
      const program = programFile('cli/topolog');
      const topologHere = `topolog() { '${process.execPath}' '${program}' "$@"; }`;
      const fish = `function topolog; '${process.execPath}' '${program}' $argv; end`;
      const script = `${shell === 'fish' ? fish : topologHere}\n${ask}`;
      const { stdout } = await promisify(execFile)(shell, ['-c', script], { env: { ...process.env, ...env } });
      assert.deepEqual(stdout.trim().split('\n'), ['PC1', 'PC2', 'PC3']);
    });

  it('close, open and delete', async () => {
    assert.match(await well('close', 'first-lab'), /^first-lab +closed\n$/);
    assert.match((await topolog('start', 'first-lab')).stderr, /not opened/);
    assert.match(await well('open', 'first-lab'), /^first-lab +opened\n$/);
    assert.match(await well('rm', 'PC3', '--yes'), /^node first-lab\/PC3 +deleted\n$/);
    assert.doesNotMatch(await well('ls', 'first-lab'), /PC3/);
    assert.match(await well('rm', 'first-lab', '-y'), /^project first-lab +deleted\n$/);
    const { code, stderr } = await topolog('collect');
    assert.deepEqual([code, /nothing was collected/.test(stderr)], [1, true], stderr);
    assert.deepEqual(JSON.parse(await well('ls', '--json')), []);
  });

  const pinged = async (): Promise<void> => {
    const console = running(env, 'console', 'PC1');
    await console.until(/PC1> $/);
    console.type('ping 10.0.0.2 -c 1\n');
    await console.until(/icmp_seq=1 ttl=64/);
    console.child.stdin?.end();
    await console.ended;
  };
  const nothingCaptured = async (): Promise<boolean> =>
    (await client.get('/v2/projects/{project_id}/links', inLab)).every(({ capturing }) => !capturing);
});

describe('a command without a server', () => {
  it('says how to start one, and makes nothing', async () => {
    const dir = await tempDir();
    const data = path.join(dir.path, 'data');
    const { code, stdout, stderr } = await topologIn({ TOPOLOG_DATA_DIR: data }, 'ls');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, new RegExp(`no server runs on ${data}; start it with: topolog serve --data-dir ${data}`));
    await assert.rejects(readFile(data), { code: 'ENOENT' });
    await dir.remove();
  });

  it('offers at a terminal to start one, which goes on', { skip: noTerminal }, async (t) => {
    const dir = await tempDir();
    let pid = 0;
    t.after(async () => {
      if (pid > 0) await endOf(pid);
      await dir.remove();
    });
    const env = { TOPOLOG_DATA_DIR: dir.path, TOPOLOG_PORT: '0' };
    const refused = atTerminal(env, 'ls');
    await refused.until(/No server runs on .*Start one\? \[Y\/n] /);
    refused.type('n\r');
    await refused.until(/start it with: topolog serve/);
    assert.equal(await findServer(dir.path), null);
    const asked = atTerminal(env, 'ls', '--json');
    await asked.until(/Start one\?/);
    asked.type('\r');
    const output = await asked.until(/^\[]/m);
    assert.equal(await asked.ended, 0);
    pid = Number(/kill (\d+) ends it/.exec(output)?.[1] ?? 0);
    const found = await findServer(dir.path);
    assert.deepEqual(await found?.client.get('/v2/projects'), []);
  });
});

/** Ends a server that is no child of this process. */
const endOf = async (pid: number): Promise<void> => {
  try {
    process.kill(pid, 'SIGTERM');
    await waitFor('it ends', () => !process.kill(pid, 0));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
  }
};
