import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testServer, type TestServer } from '../support/server.ts';
import { makeTemp } from '../support/temp.ts';
import { type Ended, topologIn } from './run.ts';

const LAB = 'lab: T\nversion: 1\n';

describe('what topolog says where something is wrong', { timeout: 400_000 }, () => {
  let server: TestServer;
  let dir: string;
  let env: NodeJS.ProcessEnv;
  const topolog = (...args: string[]): Promise<Ended> => topologIn(env, ...args);
  const file = (name: string): string => path.join(dir, name);
  const written = async (name: string, text: string): Promise<string> => {
    await writeFile(file(name), text);
    return file(name);
  };
  /** What is said by a text that is refused, without the name of its file. */
  const saidOf = async (text: string): Promise<string> => {
    const { stderr } = await topolog('apply', await written('lab.yaml', text));
    return stderr.replaceAll(`topolog: ${file('lab.yaml')}:`, '');
  };
  const refuses = async (code: number, says: RegExp | string, ...args: string[]): Promise<void> => {
    const ended = await topolog(...args);
    assert.deepEqual([ended.code, ended.stdout], [code, ''], ended.stderr);
    if (typeof says === 'string') assert.equal(ended.stderr, `topolog: ${says}\n`);
    else assert.match(ended.stderr, says);
  };

  before(async () => {
    server = await testServer();
    dir = await makeTemp('topolog-sentences');
    env = { TOPOLOG_DATA_DIR: server.dataDir, USER: 'ada' };
    await cp(path.resolve('examples/labs/first-lab'), file('first-lab'), { recursive: true });
    await topolog('load', file('first-lab/first-lab.gns3'));
    const other = `lab: other\nversion: 1\nnodes:\n  host1: { kind: simple_pc }\n  host2: { kind: simple_pc }\n`;
    await topolog('apply', await written('other.yaml', other));
    await topolog('apply', await written('empty.yaml', 'lab: empty\nversion: 1\n'));
  });
  after(() => server.close());

  it('asks for the key that a mistyped one may have been meant for, at its place', async () => {
    const said = await saidOf(
      `${LAB}settings: { snaptogrid: true }\nnodes:\n  A: { kind: simple_pc, adress: 10.0.0.1/24 }\nlinks:\n  - { ends: [A:0, A:1], filter: {} }\n`,
    );
    assert.match(said, /^3:13: settings\.snaptogrid is an unknown key; did you mean snap_to_grid\?$/m);
    assert.match(said, /^5:25: nodes\.A\.adress is an unknown key; did you mean address\?$/m);
    assert.match(said, /^7:25: links\[0\]\.filter is an unknown key; did you mean filters\?$/m);
  });

  it('lists the keys that there are, where none is near, and says where those of the kind go', async () => {
    const said = await saidOf(
      `${LAB}colour: red\nnodes:\n  A: { kind: qemu, image: x }\ndrawings:\n  - { svg: <svg/>, x: 3 }\n`,
    );
    const top = 'lab, version, settings, nodes, links, drawings, checks, weather, stages';
    assert.match(said, new RegExp(`^3:1: colour is an unknown key; known are ${top}$`, 'm'));
    const settings = 'what only this kind has goes under properties';
    assert.match(said, new RegExp(`: nodes\\.A\\.image is an unknown key; known are kind, .*; ${settings}$`, 'm'));
    assert.match(said, /: drawings\[0\]\.x is an unknown key; known are svg, at, z, rotation, locked$/m);
  });

  it('asks for the setting of a kind that a mistyped one may have been meant for', async () => {
    const said = await saidOf(`${LAB}nodes:\n  A: { kind: qemu, properties: { hda_disk_imag: x } }\n`);
    assert.match(said, /hda_disk_imag is no setting of this kind; did you mean hda_disk_image\?$/m);
  });

  it('says that a text is not YAML, and why', async () => {
    assert.equal(
      await saidOf('lab: t\nnodes:\n\tA: {}\n'),
      '3:1: the text is not valid YAML: tabs are not allowed as indentation\n',
    );
    assert.match(await saidOf(`${LAB}nodes: { A: [\n`), /^\d+:\d+: the text is not valid YAML: flow /);
    assert.match(await saidOf('root:x:0:0\n'), /^1:1: the text must be a map/);
    assert.match(await saidOf(`${LAB}---\n${LAB}`), /^3:1: the text has another document: a lab is one/);
    // That key is a key.
    assert.match(await saidOf(`${LAB}text: 1\n`), /^3:1: text is an unknown key; known are /);
  });

  it('says of a node elsewhere in which project it is', async () => {
    const says = 'host2 is in the project other, and PC1 in first-lab: a ping stays in its project';
    await refuses(1, says, 'why', 'PC1', 'host2');
    await refuses(1, 'host2 is in the project other, and not in first-lab', 'collect', 'first-lab', 'host2');
    await refuses(1, 'Node nobody does not exist', 'why', 'PC1', 'nobody');
  });

  it('says that nothing was deleted, and how it would be', async () => {
    const how = 'add --yes, or confirm at a terminal';
    await refuses(2, `not deleted: project first-lab; ${how}`, 'rm', 'first-lab');
    await refuses(2, `not deleted: node first-lab/PC1, node first-lab/PC2; ${how}`, 'rm', 'PC1', 'PC2');
    assert.equal((await topolog('ls', 'first-lab')).code, 0);
  });

  it('names the verbs of the weather where there is another one', async () => {
    const verbs = 'ls, start, pause, resume, skip or end';
    await refuses(2, `topolog weather takes ${verbs}, not foo`, 'weather', 'foo', 'first-lab');
    await refuses(2, `topolog weather takes ${verbs}, not strat; did you mean start?`, 'weather', 'strat', 'first-lab');
  });

  it('says where weather is written, of a project that has none', async () => {
    const says = 'the project has no weather yet: add some, or write it in the text of the lab, under weather';
    await refuses(1, says, 'weather', 'start', 'first-lab');
  });

  it('says that what is to be replayed is neither a file nor a project', async () => {
    const neither = 'nofile is neither a session file nor a project';
    await refuses(2, neither, 'replay', 'nofile');
    await refuses(2, neither, 'bisect', 'nofile', '--expect', 'PC1 reaches PC2');
    const near = 'frist-lab is neither a session file nor a project; did you mean first-lab?';
    await refuses(2, near, 'replay', 'frist-lab');
    await refuses(2, `${dir} is neither a session file nor a project`, 'replay', dir);
  });

  it('says why a directory or a file cannot be made', { skip: process.platform !== 'linux' }, async () => {
    const none = 'its file system takes no new directories';
    await refuses(2, `the data directory /proc/x cannot be made: ${none}`, 'serve', '--data-dir', '/proc/x');
    const files = ['serve', '--data-dir', file('data'), '--port', '0', '--files', '/proc/x'];
    await refuses(2, `--files /proc/x cannot be made or written: ${none}`, ...files);
    const below = file('none/sheet.csv');
    const says = `${below} cannot be written: there is no directory ${file('none')}`;
    await refuses(2, says, 'results', 'first-lab', '-o', below);
    await refuses(2, says, 'export-session', 'first-lab', '-o', below);
    await refuses(2, says, 'capture', 'PC1-Switch1', '-w', below);
  });

  it('names the flag that has a value which cannot be, and ends with 2', async () => {
    const last = /^topolog: --at must be a position up to \d+, the last one of the log, not 99999\n$/;
    await refuses(2, last, 'fork', 'first-lab', 'x', '--at', '99999');
    await refuses(2, last, 'why', 'PC1', 'PC2', '--at=99999');
    await refuses(2, '--at must be a position or an ISO time, not soon', 'why', 'PC1', 'PC2', '--at', 'soon');
    await refuses(2, '--size must be digits only', 'why', 'PC1', 'PC2', '--size', 'large');
    await refuses(2, 'to must be a node of the lab or an address, not 300.1.1.1', 'why', 'PC1', '300.1.1.1');
    await refuses(
      2,
      /^topolog: --from must be a version from 1 to \d+, not 99999\n/,
      'export-session',
      'first-lab',
      '--from',
      '99999',
    );
    await refuses(
      2,
      /^topolog: --from must be a position up to \d+, the last one of the session, not 99999\n/,
      'replay',
      'first-lab',
      '--from',
      '99999',
    );
    await refuses(2, /^usage: topolog log PROJECT\n/, 'log', 'first-lab', 'more');
  });

  it('says that there is nothing, where it would print nothing', async () => {
    for (const [says, ...args] of [
      ['no configuration was collected yet: topolog collect', 'collect', '--list'],
      ['empty has no nodes', 'ls', 'empty'],
      ['empty has no nodes', 'start', 'empty'],
      ['empty has no nodes', 'stop', 'empty'],
      [`there are no users in ${file('users')}`, 'user', 'list', '--users', file('users')],
    ])
      assert.deepEqual(await topolog(...args), { code: 0, stdout: '', stderr: `topolog: ${says}\n` });
    assert.deepEqual(await topolog('checks', 'first-lab', '--json'), { code: 1, stdout: '[]\n', stderr: '' });
    const bare = await testServer();
    try {
      const says = 'topolog: there are no projects yet: topolog apply FILE or topolog load FILE makes one\n';
      const listed = await topologIn({ TOPOLOG_DATA_DIR: bare.dataDir }, 'ls');
      assert.deepEqual(listed, { code: 0, stdout: '', stderr: says });
    } finally {
      await bare.close();
    }
  });

  it('names the help of the command beside a flag that there is not', async () => {
    await refuses(2, "Unknown option '--frobnicate'; see topolog help apply", 'apply', '--frobnicate');
    await refuses(2, "Unknown option '-z'; see topolog help ls", 'ls', '-z');
    await refuses(2, "Unknown option '--frobnicate'; see topolog help serve", 'serve', '--frobnicate');
    await refuses(
      2,
      /^topolog: Option '--at <value>' argument missing; see topolog help why\n$/,
      'why',
      'PC1',
      'PC2',
      '--at',
    );
    await refuses(2, /^topolog: Unexpected argument 'x'.*; see topolog help doctor\n$/, 'doctor', 'x');
    await refuses(2, "Unknown option '--jsno'; did you mean --json?", 'ls', '--jsno');
  });

  it('shows nothing of a file that is none of a project or a sheet', async () => {
    const secret = await written('secret', 'root:x:0:0:root:/root:/bin/sh\n');
    await refuses(1, 'The project file is not JSON: unexpected character near line 1', 'load', secret);
    const broken = await written('broken.gns3', `{\n  "name": "x",\n  "topology": { nodes: [] }\n}\n`);
    await refuses(1, /^topolog: The project file is not JSON: .*(?:line 3|position)/, 'load', broken);
    await writeFile(file('secret.signature'), 'root:x:0:0:root:/root:/bin/sh\n');
    const says = `${secret}.signature is not the signature of a sheet`;
    await refuses(2, says, 'results', '--verify', secret);
  });

  it('ends with 2 for every file that is not there', async () => {
    await mkdir(file('nothing'), { recursive: true });
    const none = file('nothing/none');
    for (const args of [
      ...[['apply'], ['test'], ['verify'], ['load'], ['replay'], ['results', '--verify']],
      ...[
        ['show', 'first-lab', '--update'],
        ['bisect', '--expect', 'PC1 reaches PC2'],
      ],
      ['compute', 'add', 'x', 'http://127.0.0.1:1', '--certificate'],
      ['compute', 'add', 'x', 'http://127.0.0.1:1', '--user', 'u', '--password-file'],
    ]) {
      const { code, stdout, stderr } = await topolog(...args, none);
      assert.deepEqual([args, code, stdout], [args, 2, '']);
      assert.match(stderr, /does not exist|is neither a session file nor a project/);
    }
    await refuses(2, `${none} cannot be read: it does not exist`, 'load', none);
  });
});
