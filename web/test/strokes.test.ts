import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strokesOf } from '../src/consoles/vnc/strokes.ts';

describe('strokes of a text that is typed into a screen', () => {
  const down = (text: string): number[] => strokesOf(text).flatMap(([keysym, isDown]) => (isDown ? [keysym] : []));

  it('press each key and let it go', () => {
    assert.deepEqual(strokesOf('a1'), [
      [0x61, true],
      [0x61, false],
      [0x31, true],
      [0x31, false],
    ]);
  });

  it('hold Shift for what needs it', () => {
    assert.deepEqual(strokesOf('A'), [
      [0xffe1, true],
      [0x41, true],
      [0x41, false],
      [0xffe1, false],
    ]);
    assert.deepEqual(down('_-'), [0xffe1, 0x5f, 0x2d]);
  });

  it('know Enter however a line ends, Tab, and letters of all scripts', () => {
    assert.deepEqual(down('\r\n\n\r\t'), [0xff0d, 0xff0d, 0xff0d, 0xff09]);
    assert.deepEqual(down('üя😀'), [0xfc, 0x0100_044f, 0x0101_f600]);
  });

  it('leave out what is no key', () => {
    assert.deepEqual(strokesOf('\u001b\u0000\u0085'), []);
  });
});
