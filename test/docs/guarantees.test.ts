import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { EVENTS } from '../../src/events/schemas.ts';

const page = readFileSync(path.resolve('docs/reference/guarantees.md'), 'utf8');
const scripts = Object.keys(
  (JSON.parse(readFileSync(path.resolve('package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts,
);
const files = readdirSync('test', { recursive: true }).map(String);

/** Cells of every row with a promise. */
const rows = [...page.matchAll(/^\| Promise .*\n\| -.*\n((?:\|.*\n)+)/gm)]
  .flatMap(([, table = '']) => table.trimEnd().split('\n'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

/** Why a proof is none; null: a suite that can be run, or tests that are there. */
const lacks = (proof: string): string | null => {
  const [, script, suite] = /^npm run (\S+)(?: -- (\w+))?/.exec(proof) ?? [];
  if (script !== undefined) {
    if (!scripts.includes(script)) return `there is no script ${script}`;
    const there = suite === undefined || readdirSync('scripts/faults').includes(`${suite}.mjs`);
    return there ? null : `there is no suite ${suite}`;
  }
  return files.some((file) => file.includes(proof) && /(\.test|-contract)\.ts$/.test(file))
    ? null
    : `there is no test ${proof}`;
};

describe('docs/reference/guarantees.md', () => {
  it('names for each promise what it holds under and a proof that can be run', () => {
    assert.ok(rows.length > 20, `${rows.length} promises were found`);
    for (const [promise = '', under = '', proof = '', ...more] of rows) {
      assert.ok(under !== '' && more.length === 1, promise);
      const proofs = [...proof.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
      assert.ok(proofs.length > 0, `${promise} has no proof`);
      for (const one of proofs) assert.equal(lacks(one), null, promise);
    }
  });

  it('says of each event what finishes its effect, or that it has none', () => {
    const [, effects = ''] = /^## Effects\n([\s\S]*?)(?=^## )/m.exec(page) ?? [];
    const [table = '', others = ''] = effects.split('These change records only:');
    const namesIn = (text: string): string[] => [...text.matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, name = '']) => name);
    const inTable = [...table.matchAll(/^\| (`.*?) \|.*\| (`.*?) \|$/gm)];
    assert.ok(inTable.length > 20, `${inTable.length} effects were found`);
    for (const [row, , proofs = ''] of inTable)
      for (const [, proof = ''] of proofs.matchAll(/`([^`]+)`/g)) assert.equal(lacks(proof), null, row);
    const named = [...inTable.flatMap(([, names = '']) => namesIn(names)), ...namesIn(others)];
    assert.deepEqual(named.toSorted(), Object.keys(EVENTS).toSorted());
  });
});
