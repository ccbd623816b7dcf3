// Starts a compiled program, compiling first when a source is newer than what was compiled.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.resolve(import.meta.dirname, '..');
const newestIn = (folder) =>
  Math.max(
    ...readdirSync(path.join(root, folder), { recursive: true })
      .map((f) => statSync(path.join(root, folder, String(f))))
      .filter((stat) => stat.isFile())
      .map((stat) => stat.mtimeMs),
  );
const isOlder = (made, ...sources) => {
  const file = path.join(root, made);
  return !existsSync(file) || statSync(file).mtimeMs < Math.max(...sources.map(newestIn));
};
const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};
if (isOlder('dist/.tsbuildinfo', 'src')) run('node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json');
// An installed package has the page and nothing that it is made of.
if (existsSync(path.join(root, 'web')) && isOlder('dist/web/index.html', 'web/src', 'src/client'))
  run('node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn');
const [program, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], path.resolve(root, program), ...args];
await import(pathToFileURL(process.argv[1]).href);
