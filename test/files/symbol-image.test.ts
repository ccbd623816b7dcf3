import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sizedSvg, symbolInfo } from '../../src/files/symbols/symbols.ts';

const info = (text: string): unknown => symbolInfo(Buffer.from(text));
const svg = (width: number, height: number) => ({ type: 'image/svg+xml', width, height });

describe('what a picture is', () => {
  it('is told by what it begins with, and its size by its first tag or its view box', () => {
    assert.deepEqual(info('<svg width="10" height="20"/>'), svg(10, 20));
    assert.deepEqual(
      info(`\ufeff<?xml version='1.0'?>\n<!DOCTYPE svg>\n<!-- <svg> -->\n<svg width='1.6px' height='2'>`),
      svg(2, 2),
    );
    assert.deepEqual(info('<svg viewBox="0, 0, 30 40" stroke-width="5" width="50%"/>'), svg(30, 40));
    assert.deepEqual(info('<svg\nwidth="7cm"/>'), svg(65, 65));
    assert.deepEqual(info('<svg width="99999999" height="0"/>'), svg(10_000, 1));
    for (const none of [
      '',
      'svg',
      '<svgx/>',
      '<svg',
      '<!-- <svg/>',
      '<html><svg/></html>',
      '<!ENTITY x><svg/>',
      '\u0000<svg/>',
    ])
      assert.equal(info(none), undefined, none);
  });

  it('gets its size into its first tag, once, and nothing else is changed', () => {
    assert.equal(
      sizedSvg(Buffer.from('<svg width="1" height="2">x</svg>')).toString(),
      '<svg width="1" height="2">x</svg>',
    );
    assert.equal(
      sizedSvg(Buffer.from('<svg width="100%" height="9" viewBox="0 0 3 4">x</svg>')).toString(),
      '<svg width="3" height="9" viewBox="0 0 3 4">x</svg>',
    );
    const sizes = fc.record({ w: fc.integer({ min: 1, max: 10_000 }), h: fc.integer({ min: 1, max: 10_000 }) });
    fc.assert(
      fc.property(sizes, fc.string(), ({ w, h }, tail) => {
        const sized = sizedSvg(Buffer.from(`<svg viewBox="0 0 ${w} ${h}">${tail}`));
        assert.deepEqual(symbolInfo(sized)?.width, tail.includes('<!ENTITY') ? undefined : w);
        assert.ok(sized.toString().endsWith(Buffer.from(`>${tail}`).toString()));
      }),
      { numRuns: 100 },
    );
  });

  it('is found out about bytes of any sort without an error, also of long rows of comments', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void symbolInfo(Buffer.from(bytes))));
    const parts = fc.constantFrom('<!--', '-->', '<?', '?>', '<!DOCTYPE', '>', ' ', '<svg', ' width="', '"', '<!-');
    fc.assert(fc.property(fc.array(parts, { maxLength: 60 }), (row) => void info(row.join(''))));
    assert.equal(info('<!---->'.repeat(50_000)), undefined);
  });
});
