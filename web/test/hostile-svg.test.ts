import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readShape, resizeShape } from '../src/map/draw/edit-shape.ts';
import { withoutHandlers } from '../src/map/draw/without-handlers.ts';

const MOST = 1024 * 1024;
const PICTURE = (inner: string): string => `<svg width="10" height="10">${inner}</svg>`;

describe('handlers in a picture', () => {
  it('are no attributes any more, wherever they stand in a tag', () => {
    const svg = `<svg onload="a()"><rect x="1"onclick = 'b()' title="<" ONMOVE=c/></svg>`;
    assert.doesNotMatch(withoutHandlers(svg), /\son\w+\s*=|["']on\w+\s*=/i);
    assert.equal(withoutHandlers('<text>on = 1, once=2</text>'), '<text>on = 1, once=2</text>');
  });

  /** Of this size they took a quarter of an hour where each beginning was looked at to the end. */
  it('are found in one reading of a picture of tags without an end', () => {
    for (const piece of ['<a', '<a ', '<a on', '<', '<a "on', ' ona '])
      assert.equal(withoutHandlers(piece.repeat(MOST / piece.length)).length > MOST / 2, true);
  });
});

describe('a shape in a picture', () => {
  it('is one that ends itself or has an end, and not both', () => {
    const shape = '<rect x="1" y="1" width="8" height="8" fill="#ffffff" stroke="#000000" stroke-width="2"';
    for (const end of ['/>', ' />', '></rect>', ' > </rect>'])
      assert.notEqual(readShape(PICTURE(shape + end)), null, end);
    for (const end of ['>', '/></rect>', '></line>']) assert.equal(readShape(PICTURE(shape + end)), null, end);
  });

  it('is looked for in one reading of a tag without an end', () => {
    const spaces = ' '.repeat(99_000);
    for (const inner of [`<rect${spaces}`, `<rect${spaces}x>`, `<rect ${'/ '.repeat(49_000)}>`])
      assert.equal(readShape(PICTURE(inner)), null);
    const size = { width: 10, height: 10 };
    const open = '<svg '.repeat(MOST / 5);
    assert.equal(resizeShape(open, size, size), open);
  });
});
