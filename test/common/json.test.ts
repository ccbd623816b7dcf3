import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { BOUNDS, boundedJson, boundedLines, boundedText, checkJson, TooMuch } from '../../src/common/json.ts';
import { atOnce } from '../../src/common/slices.ts';
import { parseJson } from '../../src/files/fields/json.ts';
import { parseJsonBody } from '../../src/http/server/request-body.ts';

const bounds = { size: 1_000, depth: 3, values: 10 };

describe('a document from outside', () => {
  it('is refused beyond its size, its depth or its number of values', () => {
    assert.throws(() => boundedJson(`"${'x'.repeat(999)}"`, bounds), /has more than 1000 characters/);
    assert.throws(() => boundedJson('[[[[]]]]', bounds), /is nested deeper than 3 levels/);
    assert.throws(() => boundedJson('[[{"a":{}}]]', bounds), /is nested deeper than 3 levels/);
    assert.throws(() => boundedJson('[0,1,2,3,4,5,6,7,8,9]', bounds), /has more than 10 values/);
    assert.deepEqual(boundedJson('[[[]],[[]],[[]]]', bounds), [[[]], [[]], [[]]]);
    assert.deepEqual(boundedJson('[0,1,2,3,4,5,6,7,8]', bounds), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('may have all of it in its texts', () => {
    const values = ['[[[[,,,,,,,,,,,,', '\\', '\\"', '"[[[[[', '\\\\"{', '\u2028[[[['];
    for (const value of values)
      assert.deepEqual(boundedJson(JSON.stringify({ [value]: value }), bounds), { [value]: value });
    for (const wrong of ['"[[[[', '"\\"', '[', ']', '']) assert.throws(() => boundedJson(wrong, bounds), SyntaxError);
  });

  it('of millions of brackets is refused before anything is made of it', async (t) => {
    const parse = t.mock.method(JSON, 'parse');
    const [deep, flat] = [`${'['.repeat(15e6)}${']'.repeat(15e6)}`, `[${'[],'.repeat(15e6)}[]]`];
    for (const text of [deep, `{"topology":${deep}}`, flat, `{"topology":{"nodes":${flat}}}`]) {
      assert.throws(() => atOnce(parseJson(text)), {
        code: 'conflict',
        message: /^The project file (is nested|has more than)/,
      });
      await assert.rejects(async () => parseJsonBody(Buffer.from(text)), {
        code: 'invalid_request',
        message: /the body (is nested|has more than)/,
      });
    }
    assert.equal(parse.mock.callCount(), 0);
  });

  it('is looked at in steps', () => {
    const text = `[${'"0123456789",'.repeat(1e6)}0]`;
    const steps = [...checkJson(text, BOUNDS.projectFile)].length;
    assert.ok(steps > 10, `${steps} steps`);
  });

  it('that comes as a stream is read no further than its bound, as a whole and in lines', async () => {
    let sent = 0;
    const endless = (): Readable =>
      Readable.from(
        (function* () {
          for (;;) {
            sent += 1_000;
            yield Buffer.alloc(1_000, 'x');
          }
        })(),
      );
    const whole = endless();
    await assert.rejects(boundedText(whole, 10_000), TooMuch);
    const lines = endless();
    await assert.rejects(async () => {
      for await (const line of boundedLines(lines, 10_000)) assert.fail(line);
    }, /has more than 10000 octets/);
    assert.ok(whole.destroyed && lines.destroyed);
    assert.ok(sent < 100_000, `${sent} octets were read`);
  });

  it('has its lines whole, wherever the pieces of the stream end', async () => {
    const text = Buffer.from('ä\n\nb\nzu lang');
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.subarray(i * size, (i + 1) * size),
      );
      const lines: string[] = [];
      for await (const line of boundedLines(Readable.from(pieces), 100)) lines.push(line);
      assert.deepEqual(lines, ['ä', '', 'b']);
    }
  });
});
