import assert from 'node:assert/strict';
import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../src/cli/commands.ts';
import { VERSION } from '../../src/common/package.ts';
import { tempDir } from '../support/temp.ts';
import { topolog, topologIn, topologUnread } from './run.ts';

describe('arguments of topolog', () => {
  for (const [args, says] of [
    [['frobnicate'], /^topolog: there is no command frobnicate; topolog help lists those there are\n$/],
    [['strat'], /^topolog: there is no command strat; did you mean start\?\n$/],
    [['help', 'Status'], /^topolog: there is no command Status; did you mean status\?\n$/],
    [['snap'], /there is no command snap; did you mean snapshot\?$/m],
    [['delete'], /there is no command delete; did you mean rm\?$/m],
    [['stat'], /there is no command stat; did you mean start or status\?$/m],
    [['replay'], /^usage: topolog replay SESSION-FILE\|PROJECT\n$/],
    [['user', 'frob'], /^usage: topolog user add NAME \| remove NAME \| list\n$/],
    [['completion', 'tcsh'], /^usage: topolog completion bash\|zsh\|fish\n$/],
    [['new', 'lab', '--yes'], /^topolog: Unknown option '--yes'; see topolog help new\n$/],
    [['ls', '--frob'], /^topolog: Unknown option '--frob'; see topolog help ls\n$/],
    [['serve', '--prot', '3'], /^topolog: Unknown option '--prot'; did you mean --port\?\n$/],
    [['ls', '--jsno'], /^topolog: Unknown option '--jsno'; did you mean --json\?\n$/],
    [['constructor'], /there is no command constructor/],
    [['serve', '--frob'], /--frob/],
    [['serve', 'here'], /here/],
    [['serve', '--port', 'http'], /--port must be a number from 0 to 65535, not http/],
    [['serve', '--told-version', '2.2.60'], /--told-version needs --names gns3 or --gns3-port/],
    [['serve', '--names', 'gns3', '--told-version', '3.0.1'], /--told-version must be like 2\.2\.60, not 3\.0\.1/],
    [['serve', '--allow-interface', 'eth0,eth1'], /--allow-interface must be the name of one interface such as eth1/],
    [['serve', '--port', '70000'], /--port must be a number from 0 to 65535/],
    [['serve', '--names', 'old'], /--names must be neutral or gns3/],
    [['serve', '--engine', 'simple_pc'], /--engine must be KIND=NAME/],
    [['serve', '--console-ports', '5'], /--console-ports must be two ports, A-B, not 5$/m],
    [['serve', '--udp-ports', '5-'], /--udp-ports must be two ports, A-B, not 5-$/m],
    [['serve', '--console-ports', '10-5'], /--console-ports: 10-5 ends before it begins/],
    [['serve', '--local', '--no-local'], /--local and --no-local contradict/],
    [['log'], /^usage: topolog log PROJECT\n$/],
    [['log', 'lab', '--frob'], /--frob/],
    [['rebuild', '--frob'], /--frob/],
  ] satisfies [string[], RegExp][])
    it(`ends with 2 and says why: ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await topolog(...args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, says);
      assert.equal(stdout, '');
    });

  it('tells the version, by either word', async () => {
    for (const word of ['version', '--version'])
      assert.deepEqual(await topolog(word), { code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('names in the help of a command what that takes, and nothing else', async () => {
    const help = async (name: string): Promise<string> => (await topolog('help', name)).stdout;
    assert.doesNotMatch(await help('new'), /topolog ls names them|PROJECT\/NODE|topolog computes/);
    assert.match(await help('open'), /^Projects are named as topolog ls names them/m);
    assert.doesNotMatch(await help('open'), /PROJECT\/NODE|omputes/);
    assert.match(await help('start'), /^Projects and nodes are named as topolog ls names them[^]*is PROJECT\/NODE/m);
    assert.match(
      await help('move'),
      /^Projects, nodes and computes are named as topolog ls and topolog computes name them/m,
    );
  });

  it('makes no data directory where serve is refused', async () => {
    const dir = await tempDir();
    const data = path.join(dir.path, 'over', 'data');
    const { code, stderr } = await topolog('serve', '--port', '0', '--data-dir', data, '--web-ui', dir.path);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /--web-ui: /);
    await assert.rejects(access(path.dirname(data)), { code: 'ENOENT' });
    await dir.remove();
  });

  it('says at once that nothing here reads the captures of a test', async () => {
    const dir = await tempDir();
    const file = path.join(dir.path, 'lab.yaml');
    const check = '{ capture: { link: [A, B], filter: icmp, is: never } }';
    const nodes = '{ A: { kind: simple_pc }, B: { kind: simple_pc } }';
    await writeFile(file, `lab: L\nversion: 1\nnodes: ${nodes}\nlinks: [[A, B]]\nchecks: [${check}]\n`);
    const { code, stdout, stderr } = await topologIn({ PATH: dir.path }, 'test', file);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^topolog: [^\n]*tcpdump[^\n]*\n$/);
    await dir.remove();
  });

  for (const args of [['--help'], [], ['serve', '--help'], ['log', '--help'], ['rebuild', '--help']])
    it(`prints help: ${args.join(' ') || '(nothing)'}`, async () => {
      const { code, stdout, stderr } = await topolog(...args);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /topolog (serve|log|rebuild)/);
    });

  it('prints the help of a command, asked in any way', async () => {
    const [asked, ...others] = await Promise.all([
      topolog('help', 'capture'),
      topolog('capture', '--help'),
      topolog('capture', '-h'),
    ]);
    assert.match(asked.stdout, /^topolog capture LINK/);
    for (const other of others) assert.deepEqual(other, asked);
    const none = await topolog('help', 'frobnicate');
    assert.deepEqual([none.code, none.stdout], [2, '']);
  });

  it('says plainly which file cannot be read', async () => {
    const directory = path.resolve('test');
    for (const [args, says] of [
      [['verify', 'nope'], 'nope cannot be read: it does not exist'],
      [['verify', directory], `${directory} cannot be read: it is a directory`],
      [['results', '--verify', 'nope'], 'nope cannot be read: it does not exist'],
      [['test', 'nope'], 'nope cannot be read: it does not exist'],
      [
        ['verify', '--log', 'postgres://x/y', '--cell-key', 'nope'],
        '--cell-key nope cannot be read: it does not exist',
      ],
    ] satisfies [string[], string][])
      assert.deepEqual(await topolog(...args), { code: 2, stdout: '', stderr: `topolog: ${says}\n` });
  });

  it('prints its version', async () => {
    assert.deepEqual(await topolog('--version'), { code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('lists the commands in groups, and no word that stands for one is another', async () => {
    const { stdout } = await topolog('help');
    const groups = stdout.split('\n\n').slice(1, -1);
    assert.ok(groups.length > 4);
    for (const group of groups) {
      const [title = '', ...rows] = group.trimEnd().split('\n');
      assert.match(title, /^[A-Z][^:]+$/);
      assert.ok(rows.length > 0 && rows.length < 16 && rows.every((row) => row.startsWith('  topolog ')), group);
    }
    const names = COMMANDS.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    );
    assert.deepEqual(
      COMMANDS.flatMap(({ also }) => also).filter((word) => names.includes(word)),
      [],
    );
  });

  it('lists every command, and each has help that begins with its name', async () => {
    const { stdout } = await topolog('help');
    for (const { name, load } of COMMANDS) {
      assert.match(stdout, new RegExp(`^  topolog ${name} `, 'm'));
      assert.match((await load()).help, new RegExp(`^topolog ${name}\\b`));
    }
  });

  it('ends without a word when nobody reads what it prints', async () => {
    const { code, stderr } = await topologUnread('doctor', '--help');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('refuses an engine or a kind that there is not', async () => {
    const dir = await tempDir();
    try {
      const engine = await topolog('serve', '--port', '0', '--data-dir', dir.path, '--engine', 'simple_pc=warp');
      assert.equal(engine.code, 2, engine.stderr);
      assert.match(engine.stderr, /warp is not an engine of simple_pc; possible: embedded, /);
      const kind = await topolog('serve', '--port', '0', '--data-dir', dir.path, '--engine', 'toaster=embedded');
      assert.equal(kind.code, 2, kind.stderr);
      assert.match(kind.stderr, /toaster is not a kind of node/);
    } finally {
      await dir.remove();
    }
  });

  it('does not begin a log in a directory that was mistyped', async () => {
    const dir = await tempDir();
    const wrong = path.join(dir.path, 'typo');
    try {
      for (const command of [['log', 'lab'], ['rebuild'], ['verify'], ['export-session', 'lab']]) {
        const { code, stderr } = await topolog(...command, '--data-dir', wrong);
        assert.equal(code, 1);
        assert.match(stderr, /The log .*typo.* does not exist/);
      }
      await assert.rejects(access(wrong));
    } finally {
      await dir.remove();
    }
  });
});
