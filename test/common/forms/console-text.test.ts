import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  behindEcho,
  isPager,
  isPrompt,
  lastLine,
  pagersIn,
  plainText,
  withoutPagers,
} from '../../../src/common/forms/console-text.ts';

describe('the text of a console', () => {
  it('ends with a prompt of a PC, a shell or a router, and with nothing else', () => {
    for (const line of [
      'PC1> ',
      '/ # ',
      '~ $ ',
      'root@web:~# ',
      'R1#',
      'R1(config-if)#',
      'R1>',
      '[admin@x] > ',
      '$ ',
      '%',
    ])
      assert.equal(isPrompt(line), true, line);
    for (const line of [
      '',
      'PC1> pin',
      ' #',
      'login: ',
      'Password: ',
      'Press RETURN to get started',
      `${'x'.repeat(200)}>`,
    ])
      assert.equal(isPrompt(line), false, line);
  });

  it('is read without sequences, echoes and pagers', () => {
    assert.equal(plainText('\u001b[2K\rPC1> \u001b[1mx\u001b[0m\r\n\u0007'), 'PC1> x\n');
    assert.equal(behindEcho('echo a\na\nPC1> '), 'a\nPC1> ');
    assert.equal(behindEcho('echo a'), '');
    // A shell breaks a long line where the terminal ends.
    assert.equal(behindEcho('echo \naaa \nbbb\nout\n', 'echo aaa bbb'), 'out\n');
    assert.equal(behindEcho('echo \naaa \n', 'echo aaa bbb'), '');
    assert.equal(behindEcho('eececho a\na\n', 'echo a'), 'a\n');
    assert.equal(lastLine('a\nPC1> '), 'PC1> ');
    assert.equal(isPager(' --More-- '), true);
    assert.equal(isPager('--more'), false);
    assert.equal(isPager(''), false);
    assert.equal(pagersIn('a\n --More-- \nb\n --More-- '), 2);
    assert.equal(withoutPagers('a\n --More-- b\n'), 'a\nb\n');
  });
});
