import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { printable, printableJson, printableMessage } from '../../src/cli/printable.ts';
import { layOut } from '../../src/cli/table.ts';

const HOSTILE = 'PC1\n9999 2026-01-01T00:00:00.000Z  ada  node.deleted\u001b[2J\u009b31m\u202e\u0000\u2028\u007f\r\t';
const DRIVES = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

describe('what is printed of names and messages of others', () => {
  it('is one line that drives no terminal, whatever they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(printable(text), DRIVES);
        assert.doesNotMatch(
          layOut([
            ['1', text],
            ['2', HOSTILE + text, 'x'],
          ]).join(''),
          DRIVES,
        );
      }),
    );
    assert.equal(printable('a\nb\u001b[2J\u202e\ud800'), 'a\\nb\\u001b[2J\\u202e\\ud800');
  });

  it('is as it was where it drives none: other scripts, signs and emoji', () => {
    for (const text of ['Zürich 東京 مرحبا שלום', '🧪👩‍🔬 lab', 'a\\n "b"']) assert.equal(printable(text), text);
  });

  it('keeps the lines of a stack, and no others', () => {
    assert.equal(printableMessage('a\nb\n    at f (x.ts:1)'), 'a\\nb\n    at f (x.ts:1)');
  });

  it('is the same value as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, name) => {
        const shown = printableJson(JSON.stringify({ value, [name]: HOSTILE }));
        assert.doesNotMatch(shown, DRIVES);
        assert.deepEqual(JSON.parse(shown), JSON.parse(JSON.stringify({ value, [name]: HOSTILE })));
      }),
    );
  });
});
