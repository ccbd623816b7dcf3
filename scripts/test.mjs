// Runs the compiled tests with node's own runner: those that Node is enough for; with --engines those that need installed programs
// (emulators, analysers, a browser: *.engine.test.ts); with --all both; or those of either sort whose paths have an argument in them.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';

/** Most tests wait for something most of the time. */
const CONCURRENCY = 2 * availableParallelism();

/** A file that takes longer hangs: the longest takes 35 s of processor, of which a loaded machine gives it a tenth. */
const HUNG_MS = 600_000;

const root = path.resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);
const wanted = given.filter((word) => !word.startsWith('--'));
const isWanted = (file) => {
  if (wanted.length > 0) return wanted.some((word) => file.includes(word));
  return given.includes('--all') || given.includes('--engines') === file.endsWith('.engine.test.js');
};
const testsIn = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((f) => path.join(folder, String(f)))
    .filter((f) => f.endsWith('.test.js'));
// The page's are there once it was built, which a single test of the server need not wait for.
const folders = ['dist/test', 'dist/page/web/test'].filter(
  (f) => wanted.length === 0 || existsSync(path.join(root, f)),
);
const files = folders.flatMap(testsIn).filter(isWanted).sort();
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
    `--test-timeout=${HUNG_MS}`,
    '--test-reporter=./scripts/test-reporter.mjs',
    '--test-reporter-destination=stdout',
    ...files,
  ],
  { cwd: root, stdio: 'inherit', env },
);
tell(await sweepRuns(mark));
process.exit(run.status ?? 1);
