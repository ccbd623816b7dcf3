import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { programFile } from '../../common/package.ts';

/** Characters of what it says. */
const TOLD = 200;

/** Decodes an entry of an archive from its octets there; ends when its reader does. Throws what the decoder says. */
export async function* decoded(octets: Readable, method: number): AsyncGenerator<Buffer> {
  const program = [programFile('files/archive/decoder'), String(method)];
  const child = spawn(process.execPath, program, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told = (told + chunk.toString()).slice(0, TOLD)));
  // A decoder that has found a fault reads no further; that it has is told below.
  const fed = pipeline(octets, child.stdin).catch(() => undefined);
  ended.catch(() => undefined);
  try {
    for await (const block of child.stdout) yield block as Buffer;
    const [[code]] = await Promise.all([ended, fed]);
    if (code !== 0) throw new Error(told === '' ? 'its decoder has ended' : told);
  } finally {
    child.kill('SIGKILL');
    octets.destroy();
  }
}
