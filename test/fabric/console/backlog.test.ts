import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Backlog } from '../../../src/fabric/console/broker.ts';

const LIMIT = 8 * 1024;
const text = (backlog: Backlog): string => Buffer.from(backlog.read()).toString();

describe('the backlog of a console', () => {
  it('returns short output whole', () => {
    const backlog = new Backlog();
    assert.equal(text(backlog), '');
    backlog.append(Buffer.from('Welcome\r\n'));
    backlog.append(Buffer.from('PC1> '));
    assert.equal(text(backlog), 'Welcome\r\nPC1> ');
  });

  it('begins at a line once there is more than it keeps', () => {
    const backlog = new Backlog();
    for (let i = 0; i < 5000; i += 1) backlog.append(Buffer.from(`line ${i}\r\n`));
    backlog.append(Buffer.from('PC1> '));
    const kept = text(backlog);
    assert.match(kept, /^line \d+\r\n/);
    assert.ok(kept.endsWith('line 4999\r\nPC1> '));
    assert.ok(kept.length > LIMIT - 20 && kept.length <= LIMIT);
  });

  it('does not begin in the middle of a character in an endless line', () => {
    const backlog = new Backlog();
    backlog.append(Buffer.from('日'.repeat(10_000)));
    assert.match(text(backlog), /^日+$/);
  });

  it('has the last 24 lines of it as a screen, from where that was cleared last', () => {
    const screen = (output: string): string => {
      const backlog = new Backlog();
      backlog.append(Buffer.from(output));
      return Buffer.from(backlog.screen()).toString();
    };
    const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i}\r\n`).join('');
    assert.equal(screen(''), '');
    assert.equal(screen('\nPC1> '), '\nPC1> ');
    assert.equal(screen(`${lines(23)}PC1> `), `${lines(23)}PC1> `);
    assert.equal(screen(`old\r\n${lines(23)}PC1> `), `${lines(23)}PC1> `);
    for (const clear of ['\u001b[2J', '\u001b[3J', '\u001bc'])
      assert.equal(screen(`old\r\n${clear}PC1> `), `${clear}PC1> `);
  });

  it('is always an end of all output, and bounded', () => {
    const chunk = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'ü'), maxLength: 3000 });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 30 }), (chunks) => {
        const backlog = new Backlog();
        for (const c of chunks) backlog.append(Buffer.from(c));
        const all = chunks.join('');
        assert.ok(all.endsWith(text(backlog)));
        assert.ok(backlog.read().length <= LIMIT);
        if (Buffer.byteLength(all) <= LIMIT) assert.equal(text(backlog), all);
      }),
      { numRuns: 200 },
    );
  });
});
