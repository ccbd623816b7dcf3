// Runs the compiled tests with node's own runner: those that Node is enough for, with --engines those that need installed programs
// (emulators, analysers, a browser: *.engine.test.ts), or those of either sort whose paths have one of the arguments in them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/** Most tests wait for something most of the time. */
const CONCURRENCY = 2 * availableParallelism();

const root = path.resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);
const wanted = given.filter((word) => word !== '--engines');
const engines = given.includes('--engines');
const testsIn = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((f) => path.join(folder, String(f)))
    .filter((f) => f.endsWith('.test.js'));
// The page's are there once it was built, which a single test of the server need not wait for.
const folders = ['dist/test', 'dist/page/web/test'].filter(
  (f) => wanted.length === 0 || existsSync(path.join(root, f)),
);
const files = folders
  .flatMap(testsIn)
  .filter((f) => (wanted.length === 0 ? engines === f.endsWith('.engine.test.js') : wanted.some((w) => f.includes(w))))
  .sort();
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(' ')}`);
  process.exit(1);
}
/** One line for all that a run of before, or this one, has left. */
const tell = (left) => {
  if (left.length > 0) console.log(`ℹ left over by tests, taken away: ${left.join('; ')}`);
};
// Tests start programs, which have to be those of the sources.
await import('./bundle.mjs');
// It knows processes as the server does.
const { beginRun, sweepRuns } = await import('../dist/test/support/test-run.js');
const { run: mark, swept, env } = await beginRun();
tell(swept);
const run = spawnSync(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    `--test-concurrency=${CONCURRENCY}`,
    '--test-timeout=240000',
    '--test-reporter=./scripts/test-reporter.mjs',
    '--test-reporter-destination=stdout',
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env },
);
tell(await sweepRuns(mark));
process.exit(run.status ?? 1);
