// Starts a compiled program, compiling first when a source is newer than what was compiled.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '..');
const stamp = path.join(root, 'dist/.tsbuildinfo');
const newest = Math.max(
  ...readdirSync(path.join(root, 'src'), { recursive: true })
    .map(String)
    .filter((f) => f.endsWith('.ts'))
    .map((f) => statSync(path.join(root, 'src', f)).mtimeMs),
);
if (!existsSync(stamp) || statSync(stamp).mtimeMs < newest) {
  const tsc = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (tsc.status !== 0) process.exit(tsc.status ?? 1);
}
const [program, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], path.resolve(root, program), ...args];
await import(pathToFileURL(process.argv[1]).href);
