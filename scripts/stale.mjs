// Before a build: takes away what was compiled from files that are gone, so that no test runs it.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const compiled = { 'dist/src': 'src', 'dist/test': 'test', 'dist/page/web': 'web' };
for (const [folder, source] of Object.entries(compiled)) {
  if (!existsSync(path.join(root, folder))) continue;
  for (const name of readdirSync(path.join(root, folder), { recursive: true }).map(String)) {
    const [, stem] = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(name) ?? [];
    if (stem === undefined) continue;
    const isThere = ['.ts', '.tsx'].some((ending) => existsSync(path.join(root, source, stem + ending)));
    if (!isThere) rmSync(path.join(root, folder, name));
  }
}
