import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Terminal } from './host-shell-fixture.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'topolog-shell-'));
});
afterEach(() => rm(directory, { recursive: true }));

const stored = (name: string): Promise<string> => readFile(join(directory, name), 'utf8');

describe('save and load of the embedded PC', () => {
  it('a PC that starts with what was saved is what it was', async () => {
    const terminal = new Terminal({ directory });
    for (const line of ['ip 10.0.0.1/24 10.0.0.254', 'ip dns 10.0.0.53', 'ip domain lab', 'set mtu 1400']) {
      await terminal.run(line);
    }
    await terminal.run('set pcname Left PC', 'Left PC> ');
    assert.deepEqual(await terminal.run('save', 'Left PC> '), [
      ...['Saving startup configuration to startup.vpc', '.  done'],
    ]);
    assert.deepEqual(await readdir(directory), ['startup.vpc']);
    assert.equal(
      await stored('startup.vpc'),
      'set pcname Left PC\nip 10.0.0.1 10.0.0.254 24\nip domain lab\nip dns 10.0.0.53\nset mtu 1400\n',
    );
    const next = new Terminal({ directory });
    await next.shell.runStartup();
    assert.match(next.screen, /\r\nExecuting the startup file\r\nChecking for duplicate address\.\.\.\r\nLeft PC : 10/);
    assert.match(next.screen, /\r\n\r\nLeft PC> $/);
    assert.deepEqual(next.host.settings, terminal.host.settings);
    assert.deepEqual([next.host.dns, next.host.domain, next.host.mtu], [['10.0.0.53'], 'lab', 1400]);
  });

  it('saves that the address comes from DHCP, even when no server answered yet', async () => {
    const terminal = new Terminal({ directory });
    await terminal.run('dhcp');
    await terminal.run('save other');
    assert.equal(await stored('other.vpc'), 'set pcname PC1\ndhcp\n');
    await terminal.run('ip 10.0.0.1');
    await terminal.run('save other.vpc');
    assert.equal(await stored('other.vpc'), 'set pcname PC1\nip 10.0.0.1 24\n');
  });

  it('runs the lines of a script, without comments, and shows them when echo is on', async () => {
    await writeFile(join(directory, 'a.vpc'), '# one\r\n; two\r\n\r\necho  hello   there\r\nfoo\r\n');
    const terminal = new Terminal({ directory });
    const said = ['', 'Executing the file "a"', 'hello there', 'Bad command: "foo". Use ? for help.'];
    assert.deepEqual(await terminal.run('load a'), said);
    await terminal.run('set echo on');
    terminal.type('load a.vpc\r');
    await terminal.until('PC1> foo\r\nBad command: "foo". Use ? for help.\r\n\r\nPC1> ');
    assert.match(terminal.screen, /\r\nPC1> echo {2}hello {3}there\r\nhello there\r\n/);
  });

  it('Ctrl-C ends the script, not only the command of the script that runs', async () => {
    await writeFile(join(directory, 'a.vpc'), 'echo begin\nsleep 100\necho end\n');
    const terminal = new Terminal({ directory });
    terminal.clock.frozen = true;
    terminal.type('load a\r');
    await terminal.until('begin\r\n');
    terminal.type('\x03');
    await terminal.until('PC1> ');
    terminal.clock.frozen = false;
    assert.deepEqual(await terminal.run('echo x'), ['x']);
    assert.doesNotMatch(terminal.screen, /end/);
  });

  it('ends a script that loads itself', async () => {
    await writeFile(join(directory, 'a.vpc'), 'load a\n');
    const lines = await new Terminal({ directory }).run('load a');
    assert.equal(lines.filter((line) => line === 'Executing the file "a"').length, 5);
    assert.equal(lines.at(-1), 'failed: scripts load each other more than 5 deep');
  });

  it('types waiting lines after the startup script', async () => {
    await writeFile(join(directory, 'startup.vpc'), 'sleep 1\necho script\n');
    const terminal = new Terminal({ directory });
    const started = terminal.shell.runStartup();
    terminal.type('echo typed\r');
    await terminal.until('typed\r\ntyped\r\n\r\nPC1> ');
    await started;
    assert.match(terminal.screen, /script\r\n\r\nPC1> echo typed\r\ntyped\r\n\r\nPC1> $/);
  });

  it('starts until its startup script has ended, or until it may be one that never ends', async () => {
    await writeFile(join(directory, 'startup.vpc'), 'echo begun\nsleep 1000\n');
    const terminal = new Terminal({ directory });
    terminal.clock.frozen = true;
    const started = terminal.shell.runStartup();
    await terminal.until('begun\r\n');
    assert.equal(terminal.shell.isStarting, true);
    terminal.clock.ms += 60_000;
    assert.equal(terminal.shell.isStarting, false);
    terminal.clock.ms -= 60_000;
    assert.equal(terminal.shell.isStarting, true);
    terminal.type('\x03');
    await started;
    assert.equal(terminal.shell.isStarting, false);
  });

  for (const name of ['../x', '/etc/passwd', '..', 'a/b', 'a\\b', 'C:x', 'x'.repeat(200)]) {
    it(`neither writes nor reads outside of the directory: ${name.slice(0, 20)}`, async () => {
      const terminal = new Terminal({ directory });
      for (const verb of ['save', 'load']) {
        assert.match((await terminal.run(`${verb} ${name}`)).join(), /^failed: ".*" is not the name of a file in/);
      }
      assert.deepEqual(await readdir(directory), []);
    });
  }

  it('follows no link out of the directory, and replaces the link when it saves', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'topolog-outside-'));
    try {
      await writeFile(join(outside, 'secret'), 'echo secret\n');
      await symlink(join(outside, 'secret'), join(directory, 'a.vpc'));
      const terminal = new Terminal({ directory });
      assert.deepEqual(await terminal.run('load a'), ['Can\'t open "a"']);
      await terminal.run('save a');
      assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'echo secret\n');
      assert.equal(await stored('a.vpc'), 'set pcname PC1\n');
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('makes the directory that a new PC has not been given yet', async () => {
    const own = join(directory, 'project', 'project-files', 'vpcs', 'pc');
    await new Terminal({ directory: own }).run('save');
    assert.match(await readFile(join(own, 'startup.vpc'), 'utf8'), /^set pcname PC1\n/);
  });

  it('says that a file is missing, that there is no directory, and why nothing could be saved', async () => {
    assert.deepEqual(await new Terminal({ directory }).run('load nothing'), ['Can\'t open "nothing"']);
    assert.deepEqual(await new Terminal().run('save'), ['failed: this node has no directory for files']);
    const gone = new Terminal({ directory: join(directory, 'projects', 'project', 'project-files', 'vpcs', 'pc') });
    assert.deepEqual(await gone.run('save'), [
      "failed: startup.vpc cannot be written (the directory of this node's project is gone)",
    ]);
    const full = new Terminal({ directory: '/proc' });
    assert.deepEqual(await full.run('save'), ['failed: startup.vpc cannot be written (ENOENT)']);
  });
});
