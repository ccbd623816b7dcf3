// Starts a program of dist, making it and the page first when a source is newer.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import './bundle.mjs';
import { isOlder } from './older.mjs';

const root = path.resolve(import.meta.dirname, '..');
if (isOlder('dist/web/index.html', 'web/src', 'src/client')) {
  const vite = ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, vite, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
const [program, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], path.resolve(root, program), ...args];
await import(pathToFileURL(process.argv[1]).href);
