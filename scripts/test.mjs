// Runs the compiled tests with node's own runner: everything, or the paths given as arguments (a part of the name is enough).
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const testsIn = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((f) => path.join(folder, String(f)))
    .filter((f) => f.endsWith('.test.js'));
const files = [...testsIn('dist/test'), ...testsIn('dist/page/web/test')]
  .filter((f) => wanted.length === 0 || wanted.some((w) => f.includes(w)))
  .sort();
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(' ')}`);
  process.exit(1);
}
/** One line for all that a run of before, or this one, has left. */
const tell = (left) => {
  if (left.length > 0) console.log(`ℹ left over by tests, taken away: ${left.join('; ')}`);
};
// By then dist is there; it knows processes as the server does.
const { beginRun, sweepRuns } = await import('../dist/test/support/test-run.js');
const { run: mark, swept, env } = await beginRun();
tell(swept);
const run = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    '--test-concurrency=2',
    '--test-timeout=240000',
    '--test-reporter=./scripts/test-reporter.mjs',
    '--test-reporter-destination=stdout',
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env },
);
tell(await sweepRuns(mark));
process.exit(run.status ?? 1);
