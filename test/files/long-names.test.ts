import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainName, projectFileName } from '../../src/actors/project/names.ts';
import { safeName } from '../../src/files/archive/entry-names.ts';
import { plainPath } from '../../src/files/project/files.ts';

const deep = (parts: number): string => `${'a/'.repeat(parts - 1)}a`;

describe('a name that is long', () => {
  it('of a project has a file, which takes 255 octets', () => {
    for (const name of ['€', '😀', 'ä', 'a'].map((one) => one.repeat(255))) {
      assert.ok(Buffer.byteLength(projectFileName(name)) <= 255);
      assert.ok(plainName(name).length >= 50 && !plainName(name).includes('\ufffd'), plainName(name));
    }
    assert.equal(plainName('a\ud800b'), 'a_b');
  });

  it('of a file in a project, or in an archive, has 64 parts and 1,024 octets at most', () => {
    assert.equal(plainPath(deep(64)), deep(64));
    assert.throws(() => plainPath(deep(65)), /has more than 64 parts/);
    assert.throws(() => plainPath(`${'b'.repeat(200)}/`.repeat(6)), /octets/);
    assert.equal(safeName(deep(64)), deep(64));
    assert.throws(() => safeName(deep(65)), /has more than 64 parts/);
    assert.throws(() => safeName(`${'b'.repeat(200)}/`.repeat(6)), /is too long/);
  });
});
