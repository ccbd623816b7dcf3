import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { uniqueName } from '../../src/actors/node/fields.ts';

const unique = (wished: string, ...taken: string[]): string => uniqueName(wished, new Set(taken));

describe('names of nodes', () => {
  it('are as wished while nobody has them', () => {
    assert.equal(unique('PC1', 'PC2'), 'PC1');
    assert.equal(unique('core'), 'core');
  });

  it('go on counting where the wish ends in a number', () => {
    assert.equal(unique('PC1', 'PC1'), 'PC2');
    assert.equal(unique('PC1', 'PC1', 'PC2', 'PC3'), 'PC4');
    assert.equal(unique('R9', 'R9'), 'R10');
  });

  it('get a number where the wish has none', () => {
    assert.equal(unique('core', 'core'), 'core-1');
    assert.equal(unique('core', 'core', 'core-1'), 'core-2');
  });

  it('have the number where the pattern says', () => {
    assert.equal(unique('PC{0}'), 'PC1');
    assert.equal(unique('PC{0}-lab', 'PC1-lab'), 'PC2-lab');
    assert.equal(unique('{id}x', '1x', '2x'), '3x');
  });

  it('that many wish for are each looked for once', () => {
    const taken = new Set<string>();
    let asked = 0;
    const held = { has: (name: string) => (asked++, taken.has(name)) };
    const numbers = new Map<string, number>();
    const names = Array.from({ length: 1_000 }, () => {
      const name = uniqueName('PC1', held, numbers);
      taken.add(name);
      return name;
    });
    assert.deepEqual(
      names,
      Array.from({ length: 1_000 }, (_, n) => `PC${n + 1}`),
    );
    assert.ok(asked < 4_000, `it was asked ${asked} times`);
  });

  it('are never one that is taken', () => {
    const names = fc.oneof(fc.constantFrom('PC', 'PC1', 'PC2', 'PC-1', 'PC{0}', '{id}', '0', '007'), fc.string());
    fc.assert(
      fc.property(names, fc.array(names), (wished, taken) => {
        const set = new Set(taken);
        const first = uniqueName(wished, set);
        assert.ok(!set.has(first));
        assert.notEqual(uniqueName(wished, new Set([...set, first])), first);
      }),
    );
  });
});
