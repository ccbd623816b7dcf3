// Lint and format of the files that differ from a commit (default: HEAD), and of those that git does not know yet.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\0').filter(Boolean);
const [base = 'HEAD'] = process.argv.slice(2);
const files = [
  ...git('diff', '--name-only', '-z', base),
  ...git('ls-files', '-z', '--others', '--exclude-standard'),
].filter((file) => existsSync(path.join(root, file)));
const code = files.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file));
const run = (program, args, over) =>
  over.length === 0 ||
  spawnSync(path.join('node_modules/.bin', program), [...args, ...over], { cwd: root, stdio: 'inherit' }).status === 0;
const clean = [run('oxlint', [], code), run('prettier', ['--check', '--ignore-unknown'], files)].every(Boolean);
process.exit(clean ? 0 : 1);
