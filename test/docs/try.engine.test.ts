import { spawn } from 'node:child_process';
import { once } from 'node:events';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

/** What the script ends with where a program is missing. */
const NOT_INSTALLED = 77;

describe('the command blocks of the pages', () => {
  it('do what the pages say, to the letter', { timeout: 240_000 }, async (t) => {
    const child = spawn(process.execPath, ['scripts/docs-try.mjs'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === NOT_INSTALLED) return t.skip(output.trim());
    assert.equal(code, 0, output);
    assert.match(output, /^ran +README\.md:/m);
  });
});
