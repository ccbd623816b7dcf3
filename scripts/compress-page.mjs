// Lays a compressed variant beside each file of the built page that gains by it: the server sends those to browsers that take them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = path.resolve(import.meta.dirname, '../dist/web');
const WORTH = /\.(?:js|css|html|svg|json|wasm)$/;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

for (const name of readdirSync(root, { recursive: true }).map(String)) {
  if (!WORTH.test(name)) continue;
  const file = path.join(root, name);
  const content = readFileSync(file);
  for (const [end, made] of [
    ['.br', brotliCompressSync(content, brotli)],
    ['.gz', gzipSync(content, { level: 9 })],
  ])
    if (made.length < content.length * 0.9) writeFileSync(file + end, made);
}
