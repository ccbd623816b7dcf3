import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { sealed, unsealed } from '../../src/common/sealed.ts';

const shape = z.strictObject({ name: z.string(), parts: z.record(z.string(), z.string()) });
const value = { name: 'ünï "quoted", {braces}', parts: { '2': 'two', '1': 'one' } };
const read = (text: string) => unsealed(text, shape, '/data/file.json', 'remove it');

describe('a sealed document', () => {
  it('is JSON, and is read as it was written, also by a name that is a number', () => {
    assert.deepEqual(Object.keys(JSON.parse(sealed(value)) as object), ['name', 'parts', 'crc32']);
    assert.deepEqual(read(sealed(value)), value);
  });

  it('is taken without a seal, as earlier versions wrote it', () => {
    assert.deepEqual(read(JSON.stringify(value)), value);
  });

  it('is refused by its name with any bit changed, or reads the same', () => {
    const octets = Buffer.from(sealed(value));
    let refused = 0;
    for (let bit = 0; bit < octets.length * 8; bit++) {
      const changed = Buffer.from(octets);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      try {
        assert.deepEqual(read(changed.toString('utf8')), value, `bit ${bit}`);
      } catch (error) {
        assert.match(
          String(error),
          /\/data\/file\.json is damaged, or was changed by hand: .*; remove it$/s,
          `bit ${bit}`,
        );
        refused++;
      }
    }
    assert.ok(refused > octets.length * 7, `${refused} of ${octets.length * 8}`);
  });

  it('says nothing of what it holds', () => {
    for (const text of [
      '{"name": secret',
      '{"name":"a","parts":{},"secret":1}'.slice(0, -3),
      sealed(value).replace('ünï', 'unu'),
    ])
      assert.throws(
        () => read(text),
        (error: Error) => !/secret|quoted/.test(error.message),
      );
  });
});
