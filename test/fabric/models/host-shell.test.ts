import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PC } from '../../../src/fabric/models/host/shell/pc.ts';
import { Terminal } from './host-shell-fixture.ts';

describe('the shell of the embedded PC', () => {
  it('greets, then prompts with the name of the node', async () => {
    const terminal = new Terminal({ name: 'Lab PC' });
    await terminal.shell.runStartup();
    assert.equal(
      terminal.screen,
      "\r\nTopolog 1.2.3, embedded PC\r\nIts commands are compatible with those of VPCS.\r\nPress '?' to get help.\r\n\r\nLab PC> ",
    );
  });

  it('keeps what it prints before the console exists for the console', async () => {
    const early = new Terminal();
    const { sink } = early.shell;
    assert.equal(typeof sink.output, 'function');
    const { Shell } = await import('../../../src/fabric/models/host/shell/shell.ts');
    const shell = new Shell({
      kind: PC,
      ...{ name: 'PC1', host: early.host, directory: null, version: '1.2.3', now: () => 0, timer: early.clock.timer },
      exit: () => undefined,
    });
    await shell.runStartup();
    let printed = '';
    shell.sink.output = (bytes) => (printed += Buffer.from(bytes).toString());
    assert.match(printed, /^\r\nTopolog 1\.2\.3, .*\r\nPC1> $/s);
  });

  it('only prompts again on an empty line', () => {
    const terminal = new Terminal();
    terminal.type('\r');
    assert.equal(terminal.screen, '\r\nPC1> ');
  });

  it('says which command it does not know', async () => {
    const terminal = new Terminal();
    assert.deepEqual(await terminal.run('foo bar'), ['Bad command: "foo". Use ? for help.']);
  });

  it('takes abbreviated commands and lists what an ambiguous one could be', async () => {
    const terminal = new Terminal();
    assert.deepEqual(await terminal.run('sh arp'), ['', 'arp table is empty']);
    assert.deepEqual(await terminal.run('s'), ['save', 'set', 'show', 'sleep']);
  });

  it('lists every command for ? and explains one for "name ?" and "help name"', async () => {
    const terminal = new Terminal();
    const list = (await terminal.run('?')).join('\n');
    for (const name of ['arp', 'clear', 'dhcp', 'ip', 'load', 'ping', 'quit', 'save', 'set', 'show', 'trace']) {
      assert.match(list, new RegExp(`^${name} `, 'm'));
    }
    assert.deepEqual((await terminal.run('help')).join('\n'), list);
    const ping = await terminal.run('ping ?');
    assert.equal(ping[1], 'ping <host> [-options]');
    assert.deepEqual(await terminal.run('help ping'), ping);
    assert.deepEqual(await terminal.run('help nothing'), ['Bad command: "nothing". Use ? for help.']);
  });

  it('runs several lines pasted at once, one after the other', async () => {
    const terminal = new Terminal();
    terminal.type('ip 10.0.0.1/24\r\nping 10.0.0.2 -c 2\r\necho done\r\n');
    const seen = await terminal.until('done\r\n\r\nPC1> ');
    assert.equal(
      seen.replaceAll('\r\n', '\n'),
      `ip 10.0.0.1/24
Checking for duplicate address...
PC1 : 10.0.0.1 255.255.255.0

PC1> ping 10.0.0.2 -c 2

84 bytes from 10.0.0.2 icmp_seq=1 ttl=64 time=0.123 ms
84 bytes from 10.0.0.2 icmp_seq=2 ttl=64 time=0.123 ms

PC1> echo done
done

PC1> `,
    );
  });

  it('echoes what is typed during a command only after it', async () => {
    const terminal = new Terminal();
    terminal.clock.frozen = true;
    terminal.type('sleep 10\r');
    terminal.type('echo next');
    assert.equal(terminal.screen, 'sleep 10\r\n');
    terminal.type('\x03');
    await terminal.until('PC1> ');
    assert.doesNotMatch(terminal.screen, /next/);
    terminal.clock.frozen = false;
    terminal.type('sleep 10\r');
    terminal.type('echo next\r');
    await terminal.until('next\r\n\r\nPC1> ');
    assert.match(terminal.screen, /PC1> sleep 10\r\n\r\nPC1> echo next\r\nnext\r\n\r\nPC1> $/);
  });

  it('stops a running command with Ctrl-C and leaves no timer behind', async () => {
    const terminal = new Terminal();
    terminal.clock.frozen = true;
    terminal.type('sleep 100 wait\r');
    await terminal.until('\r\nwait\r\n');
    assert.equal(terminal.clock.pending, 1);
    terminal.type('\x03');
    assert.equal(await terminal.until('PC1> '), '^C\r\n\r\nPC1> ');
    assert.equal(terminal.clock.pending, 0);
  });

  it('prompts again on Ctrl-C between two commands that were typed ahead, and drops the rest', async () => {
    const terminal = new Terminal();
    const { sink } = terminal.shell;
    const { output } = sink;
    let isInterrupted = false;
    sink.output = (bytes) => {
      output(bytes);
      if (isInterrupted || !Buffer.from(bytes).toString().endsWith('PC1> ')) return;
      isInterrupted = true;
      setImmediate(() => terminal.type('\x03'));
    };
    terminal.type('echo one\recho two\recho three\r');
    await terminal.until('^C\r\nPC1> ');
    assert.equal(await terminal.run('echo four').then((lines) => lines.join()), 'four');
    assert.doesNotMatch(terminal.screen, /three/);
  });

  it('comes back on Ctrl-C even from a command that ignores it, and hides its late output', async () => {
    const terminal = new Terminal();
    let answer: (settled: { kind: 'timeout' }) => void = () => undefined;
    terminal.host.answer = () => new Promise((resolve) => (answer = resolve));
    terminal.host.settings = { address: '10.0.0.1', prefix: 24, gateway: null };
    terminal.type('ping 10.0.0.2 -c 1\r\n');
    await terminal.until('-c 1\r\n\r\n');
    terminal.type('\x03');
    await terminal.until('PC1> ');
    answer({ kind: 'timeout' });
    assert.deepEqual(await terminal.run('echo x'), ['x']);
    assert.doesNotMatch(terminal.screen, /timeout/);
  });

  it('prints a failure of the host instead of dying of it', async () => {
    const terminal = new Terminal();
    terminal.host.answer = () => Promise.reject(new Error('the cable is cut'));
    terminal.host.settings = { address: '10.0.0.1', prefix: 24, gateway: null };
    assert.deepEqual(await terminal.run('ping 10.0.0.2'), ['', 'failed: the cable is cut']);
  });

  it('sleep shows its text and waits; without a time it waits for a key that is not typed into the next line', async () => {
    const terminal = new Terminal();
    assert.deepEqual(await terminal.run('sleep 5 hello there'), ['hello there']);
    assert.equal(terminal.clock.ms, 5000);
    terminal.type('sleep\r');
    await terminal.until('Press any key to continue\r\n');
    terminal.type('xecho y\r');
    assert.equal(await terminal.until('\r\ny\r\n'), '\r\nPC1> echo y\r\ny\r\n');
  });

  it('quit ends the node and prints no further prompt', () => {
    const terminal = new Terminal();
    terminal.type('quit\recho x\r');
    assert.deepEqual(terminal.exits, ['"quit" was typed on the console']);
    assert.equal(terminal.screen, 'quit\r\n\r\n');
    terminal.type('echo y\r');
    assert.equal(terminal.screen, 'quit\r\n\r\n');
  });

  it('stop() ends a running command silently', async () => {
    const terminal = new Terminal();
    terminal.clock.frozen = true;
    terminal.type('sleep 9\r');
    terminal.shell.stop();
    await new Promise(setImmediate);
    assert.equal(terminal.screen, 'sleep 9\r\n');
    assert.equal(terminal.clock.pending, 0);
  });

  it('says of what a VPCS has and this PC has not that it is not there', async () => {
    const terminal = new Terminal();
    for (const line of [
      'relay show',
      'rlogin 2000',
      'set lport 2000',
      'set rhost 1.2.3.4',
      'set dump all',
      'disconnect',
    ]) {
      assert.match((await terminal.run(line)).join(' '), /this (PC|node)/i, line);
    }
  });

  it('takes a new name from the lab and from set pcname, without control characters', async () => {
    const terminal = new Terminal();
    terminal.shell.rename('A\x1b[2JB');
    assert.deepEqual(await terminal.run('echo x', 'A[2JB> '), ['x']);
    assert.deepEqual(await terminal.run('set pcname My PC', 'My PC> '), []);
    assert.deepEqual(await terminal.run('set pcname', 'My PC> '), ['Incomplete command.']);
    assert.deepEqual(await terminal.run(`set pcname ${'x'.repeat(65)}`, 'My PC> '), [
      'Hostname is too long. (Maximum 64 characters)',
    ]);
  });
});
