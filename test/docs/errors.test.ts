import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ERRORS } from '../../src/common/errors.ts';

const page = readFileSync(path.resolve('docs/reference/errors.md'), 'utf8');
const documented = new Map(
  [...page.matchAll(/^### `(\w+)` \((\d+)\)\n\n> (.+)\n\n([\s\S]*?)(?=\n#|$(?![\s\S]))/gm)].map(
    ([, code = '', status, sentence = '', text = '']) => [code, { status: Number(status), sentence, text }],
  ),
);

describe('docs/reference/errors.md', () => {
  it('documents every code of the table with its status and sentence, and no other, in the same order', () => {
    const found = [...documented].map(([code, { status, sentence }]) => ({ code, status, sentence }));
    const wanted = Object.entries(ERRORS).map(([code, error]) => ({ code, ...error }));
    assert.deepEqual(found, wanted);
  });

  it('says of each code when it comes and what to do', () => {
    for (const [code, { text }] of documented) {
      assert.match(text, /^When: \S/m, code);
      assert.match(text, /^What to do: \S/m, code);
    }
  });

  it('has no heading that only looks like a code', () => {
    const headings = [...page.matchAll(/^### .*$/gm)].map(([line]) => line);
    assert.equal(headings.length, documented.size);
  });
});
