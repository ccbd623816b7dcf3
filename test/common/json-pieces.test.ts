import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parsePieces, TooMuch } from '../../src/common/json.ts';
import { atOnce } from '../../src/common/slices.ts';

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const parsed = (text: string): unknown => atOnce(parsePieces(text));

/** Large in every way that a document can be. */
const LARGE: unknown[] = [
  many(200_000, (n) => n),
  many(20_000, (n) => ({ [`a${n}`]: [n, { b: '],}{["\\' }, []] })),
  { steps: many(20_000, (n) => ({ action: 'update', id: `${n}`, record: { x: n } })), text: 'x'.repeat(100_000) },
  Object.fromEntries(many(19_000, (n) => [`key ${n}`, { n, '"': null }])),
  { a: { b: { c: [many(50_000, () => [[]]), 'x'.repeat(50_000), many(9, () => 'y'.repeat(40_000))] }, d: true } },
];

describe('a large document that is parsed in pieces', () => {
  it('is the same value as in one piece, however it is written', () => {
    for (const value of LARGE)
      for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, null, 1)}\n`])
        assert.deepEqual(parsed(text), JSON.parse(text));
    const padding = 'p'.repeat(40_000);
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 20 }), (values) => {
        const text = JSON.stringify(values.map((value) => ({ padding, value, list: [value, value, padding] })));
        assert.deepEqual(parsed(text), JSON.parse(text));
      }),
      { numRuns: 50 },
    );
  });

  it('keeps the last of two keys, and a key __proto__ as one of its own', () => {
    const padding = `"padding":[${'1,'.repeat(50_000)}1]`;
    const value = parsed(`{"a":1,${padding},"a":2,"__proto__":{"x":1}}`) as Record<string, unknown>;
    assert.equal(value['a'], 2);
    assert.ok(Object.hasOwn(value, '__proto__') && !('x' in value));
  });

  it('is no JSON where it is none in one piece', () => {
    const list = `[${'{"a":1},'.repeat(20_000)}{"a":1}]`;
    const wrong = [
      ...[`${list}x`, list.slice(0, -1), `${list.slice(0, -1)}}`, `${list.slice(0, -1)},]`, `[${list}${list}]`],
      ...[`{"a" ${list}}`, `{a:${list}}`, `{"a":${list},}`, `{"a":${list}"b":1}`, `{"a":${list}]`, `[,${list}]`],
      ...[`{${list}}`, `{"a":${list},"b"}`, `[${list},,1]`, list.replace('{"a":1}', '{"a":1'), '['.repeat(60)],
    ];
    for (const text of wrong) {
      assert.throws(() => JSON.parse(text), SyntaxError);
      assert.throws(() => parsed(text), SyntaxError, text.slice(0, 30));
    }
  });

  it('is parsed a little in each step', (t) => {
    const text = JSON.stringify(LARGE[2]).repeat(1);
    const parse = t.mock.method(JSON, 'parse');
    const steps = [...parsePieces(JSON.stringify([LARGE[1], text, LARGE[2]]))].length;
    assert.ok(steps > 50, `${steps} steps`);
    const lengths = parse.mock.calls.map(({ arguments: [given] }) => given.length).sort((a, b) => b - a);
    // One text is a piece, however long it is.
    assert.ok((lengths[0] ?? 0) > text.length);
    assert.ok((lengths[2] ?? 0) < 100_000 + 40_000, lengths.slice(0, 5).join(' '));
  });

  it('has no object of any number of keys', () => {
    const text = JSON.stringify(Object.fromEntries(many(30_000, (n) => [`key ${n}`, n])));
    assert.throws(() => parsed(text), new TooMuch('has an object with more than 20000 keys'));
  });
});
