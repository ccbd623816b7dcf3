import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';

describe('modules that the bench names', () => {
  it('are there', () => {
    const files = readdirSync('bench', { recursive: true }).map(String);
    const named = files
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => [
        ...readFileSync(path.join('bench', name), 'utf8').matchAll(/(compiled|product)\('([\w./-]+)'\)/g),
      ])
      .map(([, by, name = '']) => `dist/${by === 'product' ? 'src/' : ''}${name}.js`);
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((file) => !existsSync(file)),
      [],
    );
  });
});
