import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ShownInput } from '../../../src/fabric/console/shown-input.ts';

/** `> ` typed, `< ` printed. What is recorded of the input, a `~` where something was left out. */
const recorded = (...talk: string[]): string => {
  const shown = new ShownInput();
  const parts = talk.map((said) => (said.startsWith('> ') ? shown.typed(said.slice(2)) : shown.printed(said.slice(2))));
  return [...parts, shown.end()].map(({ input, hidden }) => (hidden ? '~' : '') + input).join('');
};
/** Key by key, as a terminal sends it. */
const keys = (text: string, echo: (key: string) => string): string[] =>
  Array.from(text).flatMap((key) => [`> ${key}`, ...(echo(key) === '' ? [] : [`< ${echo(key)}`])]);
const itself = (key: string): string => (key === '\r' ? '\r\n' : key);
const nothing = (key: string): string => (key === '\r' ? '\r\n' : '');

describe('what is recorded of what is typed', () => {
  it('is all that a node shows, key by key or a line at once', () => {
    assert.equal(recorded('< $ ', ...keys('ls -l\r', itself), '< bin\r\n$ ', ...keys('id\r', itself)), 'ls -l\rid\r');
    assert.equal(recorded('< $ ', '> ls -l\r', '< ls -l\r\nbin etc\r\n$ '), 'ls -l\r');
    assert.equal(recorded('< $ ', '> ls -l\r', '< ls', '<  -l\r\nbin etc\r\n$ '), 'ls -l\r');
    assert.equal(recorded('< PC1> ', '> ip 10.0.0.1/24\r', '< ip 10.0.0.1/24\r\n'), 'ip 10.0.0.1/24\r');
  });

  it('is not a password at a prompt, but the end of its line and all around it', () => {
    const login = ['< login: ', ...keys('ada\r', itself), '< Password: ', ...keys('hunter2\r', nothing)];
    assert.equal(recorded(...login, '< \r\n$ ', ...keys('id\r', itself)), 'ada\r~\rid\r');
    assert.equal(recorded('< Password: ', '> hunter2\r', '< \r\nLogin incorrect\r\nlogin: '), '~\r');
    assert.equal(recorded('< Password: ', ...keys('hunter2\r', (key) => (key === '\r' ? '\r\n' : '*'))), '~\r');
    assert.equal(recorded('< Password: ', ...keys('hunter2', nothing)), '~');
    assert.equal(recorded('< Password: ', ...keys('hun\u007f\u007ft\r', nothing)), '~\u007f\u007f\r');
  });

  it('is not a password that was printed before, nor twice what was printed once', () => {
    assert.equal(recorded('< Enter secret: ', '> secret\r', '< \r\n$ '), '~\r');
    assert.equal(recorded('> abcd\rabcd\r', '< abcd', '< \r\n', '< $ '), 'abcd\r~\r');
    assert.equal(recorded('> aa', '< a', '> b\r', '< b'), 'a~\r');
  });

  it('is not a password where the node prints something else meanwhile', () => {
    const talk = ['< Password: ', '> hunt', '< \r\n[ 12.3] usb 1-1: new device\r\n', '> er2\r', '< \r\n$ '];
    assert.equal(recorded(...talk), '~\r');
  });

  it('are keys that print nothing of their own: arrows, Tab, Ctrl-C', () => {
    assert.equal(recorded('< $ ', '> \u001b[A', '< ls', '> \t', '> \u0003', '< ^C\r\n'), '\u001b[A\t\u0003');
    assert.equal(recorded('< $ ', '> l', '< \u001b[32ml\u001b[0m', '> s', '< \u001b[31ms\u001b[0m'), 'ls');
  });

  it('goes on behind keys that a program takes without showing them', () => {
    assert.equal(recorded('< --More--', '> q', '< \r        \r$ ', ...keys('id\r', itself)), '~id\r');
  });

  it('is every line of several that were sent at once, as each is shown', () => {
    assert.equal(
      recorded('< > ', '> conf t\rint e0\rexit\r', '< conf t\r\nEnter commands.\r\n# ', '< int e0\r\n# exit\r\n> '),
      'conf t\rint e0\rexit\r',
    );
    assert.equal(
      recorded('< $ ', '> su\rhunter2\rid\r', '< su\r\nPassword: ', '< \r\n# ', '< id\r\nuid=0\r\n'),
      'su\r~\rid\r',
    );
  });

  it('has no text that the node has not printed, and waits for no more than a bound', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\r', '\n', '\u001b[A', ' ') });
    fc.assert(
      fc.property(fc.array(fc.record({ typed: fc.boolean(), text })), (talk) => {
        const shown = new ShownInput();
        let [input, output] = ['', ''];
        for (const said of talk) {
          if (!said.typed) output += said.text;
          input += (said.typed ? shown.typed(said.text) : shown.printed(said.text)).input;
        }
        input += shown.end().input;
        for (const letter of ['a', 'b', 'c'])
          assert.ok(input.split(letter).length <= output.split(letter).length, JSON.stringify({ talk, input }));
      }),
    );
    const shown = new ShownInput();
    assert.deepEqual(shown.typed('x'.repeat(5000)), { input: '', hidden: true });
    assert.deepEqual(shown.end(), { input: '', hidden: false });
  });
});
