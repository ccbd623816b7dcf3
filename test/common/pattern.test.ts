import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { patternProblem, Search } from '../../src/common/pattern.ts';

/** Reads all of it, in pieces of the text and in those of the search. */
const searched = (pattern: string, ...pieces: string[]): Search => {
  const search = new Search(pattern);
  for (const piece of pieces) for (let at = 0; at < piece.length;) at = search.read(piece, at);
  return search;
};

/** What patterns are written of, whether it fits together or not. */
const WORDS =
  String.raw`a b ab . \d \w \S [ab] [^a] [\]b] [^] [] ^ $ \b \B ( (?: (?<n> ) | * + ? *? +? ?? {2} {1,2} {0,} { } ] \n \x61 \u0062 \c \cJ \012 \0 \_ \/ -`
    .split(' ')
    .concat('\n', ' ');
const LETTERS = ['a', 'b', '1', ' ', '\n', '_', 'c', '\0', '/', '-', '{', '}', ']', '\\', 'J', 'é', '\r'];

const isExpression = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, 'm') instanceof RegExp;
  } catch {
    return false;
  }
};

describe('a pattern', () => {
  it('is found where JavaScript finds it, however the text comes', () => {
    const pattern = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }).map((words) => words.join(''));
    const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 9 }).map((letters) => letters.join(''));
    let [compared, found] = [0, 0];
    fc.assert(
      fc.property(pattern, text, fc.nat(9), (wanted, shown, cut) => {
        if (!isExpression(wanted) || patternProblem(wanted) !== null) return;
        const isThere = new RegExp(wanted, 'm').test(shown);
        compared += 1;
        found += isThere ? 1 : 0;
        const halves = [shown.slice(0, cut), shown.slice(cut)];
        assert.equal(searched(wanted, ...halves).isFound(), isThere, JSON.stringify([wanted, halves]));
      }),
      { numRuns: 20_000 },
    );
    assert.ok(found > 1_000 && compared - found > 1_000, `${found} of ${compared} are found`);
  });

  it('costs each character no more steps than it has states, whatever a search that goes back would do', () => {
    const text = 'a'.repeat(10_000);
    for (const [pattern, states] of [
      ['(a|a)*b', 6],
      ['(a+)+$b', 8],
      ['(?:a?){100}b', 201],
      ['(a*)*(a*)*(a*)*b', 20],
    ] as const) {
      const search = searched(pattern, text);
      assert.equal(search.isFound(), false);
      assert.ok(search.steps <= states * (text.length + 1), `${pattern}: ${search.steps}`);
    }
  });

  it('is read on in pieces of a bounded number of steps', () => {
    const [search, text] = [new Search('(?:a?){1000}b'), 'a'.repeat(1_000)];
    let [at, pieces] = [0, 0];
    for (; at < text.length; pieces += 1) {
      const before = search.steps;
      at = search.read(text, at);
      assert.ok(search.steps - before <= 10_000 + 2_001);
    }
    assert.ok(pieces > 50, `${pieces} pieces`);
  });

  it('is refused with the reason where it cannot be found in one pass, or has too many states', () => {
    for (const pattern of ['(?=a)', '(?!a)', '(?<=a)b', '(?<!a)b', String.raw`(a)\1`, String.raw`(?<n>a)\k<n>`])
      assert.match(
        patternProblem(pattern) ?? '',
        /^must be a regular expression without lookahead, lookbehind/,
        pattern,
      );
    for (const pattern of ['(', '[b-a]', '*'])
      assert.equal(patternProblem(pattern), 'must be a regular expression', pattern);
    for (const pattern of ['(?:a{100}){100}', '((((){100}){100}){100}){100}', 'a{99999999999}'])
      assert.match(patternProblem(pattern) ?? '', /at most 4096 characters/, pattern);
    for (const pattern of ['a'.repeat(4_000), `${'('.repeat(1_300)}a${')*'.repeat(1_300)}`])
      assert.equal(patternProblem(pattern), null);
  });
});
