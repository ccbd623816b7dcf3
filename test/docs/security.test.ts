import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

const [, table = ''] = readFileSync(path.resolve('docs/reference/security.md'), 'utf8').split('\n## Threats\n');
const lines = (table.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2);
const threats = lines.map((line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
);

/** Titles of all tests and groups of tests as they are written; quotes inside them are typographic. */
const titles = new Set(
  readdirSync('test', { recursive: true })
    .map(String)
    .filter((file) => /(\.test|-contract)\.ts$/.test(file))
    .flatMap((file) => [
      ...readFileSync(path.join('test', file), 'utf8').matchAll(/^ *(?:it|describe)\(\s*(['"`])(.+?)\1,/gm),
    ])
    .map(([, , title = '']) => title),
);

describe('docs/reference/security.md', () => {
  it('says of each threat what is done, and names a test that there is', () => {
    assert.ok(threats.length > 30, `${threats.length} threats were found`);
    for (const [threat = '', done = '', test = '', ...more] of threats) {
      assert.deepEqual(more, [], threat);
      assert.ok(threat !== '' && done !== '', test);
      assert.ok(titles.has(test), `${threat}: there is no test named ${test}`);
    }
  });

  it('has each test for one threat', () => {
    const named = threats.map(([, , test]) => test);
    assert.deepEqual([...new Set(named)], named);
  });
});
