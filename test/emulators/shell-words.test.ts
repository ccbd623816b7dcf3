import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { joinWords, splitWords } from '../../src/emulators/shared/process/shell-words.ts';

describe('words of a command line', () => {
  it('are what a shell makes of them, without expanding anything', () => {
    const cases: [string, string[]][] = [
      ['', []],
      ['  -a   b\t-c\n', ['-a', 'b', '-c']],
      [`-x 'a b' "c d"e f\\ g`, ['-x', 'a b', 'c de', 'f g']],
      [`'' ""`, ['', '']],
      [String.raw`"a\"b" "c\d" 'e\f'`, ['a"b', String.raw`c\d`, String.raw`e\f`]],
      ['$HOME `ls` *', ['$HOME', '`ls`', '*']],
    ];
    for (const [line, words] of cases) assert.deepEqual(splitWords(line, 'options'), words, line);
  });

  it('come back as they were, whatever is in them', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => assert.deepEqual(splitWords(joinWords(words), 'x'), words)),
    );
  });

  it('need an end to every quote', () => {
    for (const line of [`a "b`, `'c`])
      assert.throws(() => splitWords(line, 'options'), { status: 409, message: /options/ });
  });
});
