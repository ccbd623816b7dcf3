import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../../src/common/slices.ts';
import { unifiedDiff } from '../../src/projections/past/text-diff.ts';

const diffOf = (before: string, after: string): string => atOnce(unifiedDiff(before, after, names));

const names = { before: 'a/x', after: 'b/x' };

/** What patch(1) does with a unified diff. */
const patched = (before: string, diff: string): string => {
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  let moved = 0;
  for (const hunk of diff.split(/^(?=@@ )/m).slice(1)) {
    const [head = '', ...body] = hunk.replace(/\n$/, '').split('\n');
    const [, from = '', count = '1'] = /^@@ -(\d+)(?:,(\d+))? /.exec(head) ?? [];
    const start = Number(from) - (count === '0' ? 0 : 1) + moved;
    const old = body.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
    const now = body.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
    assert.deepEqual(lines.slice(start, start + old.length), old);
    assert.equal(old.length, Number(count));
    lines.splice(start, old.length, ...now);
    moved += now.length - old.length;
  }
  return lines.map((line) => `${line}\n`).join('');
};

describe('a unified diff', () => {
  it('is what diff -u writes', () => {
    const before = 'hostname r1\n!\ninterface eth0\n ip address 10.0.0.1/24\n!\nend\n';
    assert.equal(
      diffOf(before, before.replace('10.0.0.1', '10.0.0.9')),
      '--- a/x\n+++ b/x\n@@ -1,6 +1,6 @@\n hostname r1\n !\n interface eth0\n- ip address 10.0.0.1/24\n+ ip address 10.0.0.9/24\n !\n end\n',
    );
    assert.equal(diffOf(before, before), '');
    assert.equal(diffOf('', 'one\n'), '--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+one\n');
  });

  it('makes the one text of the other, with as few changes as can be', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '!', ''), { maxLength: 40 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffOf(before, after);
        assert.equal(patched(before, diff), after);
        const changes = diff
          .split('\n')
          .slice(2)
          .filter((line) => /^[-+]/.test(line)).length;
        assert.equal(changes, fewest(before.split('\n'), after.split('\n')));
      }),
    );
  });

  it('tells texts that have nothing in common as a whole', () => {
    const [before, after] = ['a', 'b'].map((letter) =>
      Array.from({ length: 5_000 }, (_, n) => `${letter}${n}\n`).join(''),
    );
    assert.equal(patched(before ?? '', diffOf(before ?? '', after ?? '')), after);
  });

  it('is made in steps, a bounded number of them, also of lines that are all alike', () => {
    const before = 'a\n'.repeat(100_000);
    const after = before
      .split('\n')
      .map((line, n) => (n % 110 === 0 ? 'b' : line))
      .join('\n');
    const steps = unifiedDiff(before, after, names);
    let count = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) {
        assert.equal(patched(before, step.value), after);
        break;
      }
      count += 1;
    }
    assert.ok(count > 100 && count < 10_000, `${count} steps`);
  });
});

/** By the longest common subsequence. */
const fewest = (a: readonly string[], b: readonly string[]): number => {
  let row = Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (const [j, other] of b.entries())
      next.push(line === other ? (row[j] ?? 0) + 1 : Math.max(row[j + 1] ?? 0, next[j] ?? 0));
    row = next;
  }
  return a.length + b.length - 2 * (row.at(-1) ?? 0);
};
