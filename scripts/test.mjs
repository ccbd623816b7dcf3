// Runs the compiled tests with node's own runner: those that Node is enough for; with --engines those that need installed programs
// (emulators, analysers, a browser: *.engine.test.ts); with --all both; or those of either sort whose paths have an argument in them,
// with --bare those of the first sort alone.
// With --log memory or --log postgres the tests of what a log does to everything above it, each server with a log of that kind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** Most tests wait for something most of the time. */
const CONCURRENCY = 2 * availableParallelism();

/** A file that takes longer hangs: the longest takes 35 s of processor, of which a loaded machine gives it a tenth. */
const HUNG_MS = 600_000;

/** Test files of one process, with and without installed programs: to load what they test takes a process three seconds of processor. */
const FILES_A_PROCESS = { engines: 4, plain: 14 };

/** Tests that depend on the kind of log: the interface, folds, recovery after a kill. Others make up their logs, or do not need one. */
const ABOVE_THE_LOG = ['test/api/', 'test/projections/', 'test/faults/kills', 'test/faults/restore-kills'];

/** Tests about LevelDB's files, and about servers whose log is in their data directory, which another kind of log does not have. */
const ABOUT_FILES = new RegExp(
  [
    'test/(actors/take-over|cli|durable|open-log|simulation|view-log)',
    'test/events/(level-|long-log|view)',
    'test/faults/(crash-states|data-directory|flips|full-disk|kept-space|mixed|read-only|states)',
  ].join('|'),
);

const root = path.resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean' },
    bare: { type: 'boolean' },
    engines: { type: 'boolean' },
    log: { type: 'string' },
  },
  allowPositionals: true,
});
const isOther = values.log !== undefined && values.log !== 'leveldb';
const wanted = isOther && positionals.length === 0 ? ABOVE_THE_LOG : positionals;
const isWanted = (file) => {
  if ((wanted === ABOVE_THE_LOG || values.bare === true) && file.endsWith('.engine.test.js')) return false;
  if (wanted.length > 0) return wanted.some((word) => file.includes(word));
  return values.all === true || (values.engines === true) === file.endsWith('.engine.test.js');
};
const testsIn = (folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((f) => path.join(folder, String(f)))
    .filter((f) => f.endsWith('.test.js'));
// The page's are there once it was built, which a single test of the server need not wait for.
const folders = ['dist/test', 'dist/page/web/test'].filter(
  (f) => wanted.length === 0 || existsSync(path.join(root, f)),
);
const found = folders.flatMap(testsIn).filter(isWanted).sort();
const files = found.filter((file) => !isOther || !ABOUT_FILES.test(file));
if (files.length < found.length)
  console.log(`ℹ left out, as they are about LevelDB and its files: ${found.length - files.length} test files`);
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
const { beginLog, noLog } = await import('../dist/test/support/own-log.js');
const kind = values.log ?? 'leveldb';
const missing = noLog(kind);
if (missing !== false) {
  console.log(`﹣ tests with their logs in ${kind}: skipped, ${missing}`);
  process.exit(0);
}
const { run: mark, swept, env } = await beginRun();
tell(swept);
// Children that are started here end with the run as well.
Object.assign(process.env, env);
const log = await beginLog(kind);

/** The path of its source. */
const nameOf = (file) => file.replace(/^dist\/(page\/)?/, '').replace(/js$/, 'ts');

/**
 * A process whose tests wait for what does not keep it alive ends before them. Files are loaded one after another: what two of them wait for
 * would go on in the suite of the first.
 */
const HEAD = `import { after, describe } from 'node:test';
import { AsyncResource } from 'node:async_hooks';
const alive = setInterval(() => undefined, ${HUNG_MS});
after(() => clearInterval(alive));
let loaded = Promise.resolve();
const load = (url) => (loaded = loaded.then(AsyncResource.bind(() => import(url))));
`;

/**
 * Groups in the order in which they begin; the runner goes by names. Long ones first; and between those of the browser and those of other
 * programs, which make interfaces of this machine, some that make none: the browser drops its requests when one comes or goes.
 */
const FIRST = ['engines-test-browser', 'plain-page', 'plain-test-actors', 'plain-test-api', 'engines'];
const rankOf = (name) => {
  const rank = FIRST.findIndex((first) => name.startsWith(first));
  return rank === -1 ? FIRST.length : rank;
};

/** Programs that run files one after another, those of one folder together. Answers their places. */
const programsOf = (tests, folder) => {
  const byFolder = new Map();
  for (const file of tests) {
    const sort = file.endsWith('.engine.test.js') ? 'engines' : 'plain';
    const name = `${sort}-${path.dirname(file).split('/').slice(1, 3).join('-')}`;
    byFolder.set(name, [...(byFolder.get(name) ?? []), file]);
  }
  const programs = [];
  for (const [name, all] of byFolder) {
    const size = name.startsWith('engines') ? FILES_A_PROCESS.engines : FILES_A_PROCESS.plain;
    for (let from = 0; from < all.length; from += size) {
      const program = path.join(folder, `${rankOf(name)}-${name}-${1 + from / size}.mjs`);
      const suites = all.slice(from, from + size).map((file) => {
        const url = pathToFileURL(path.join(root, file)).href;
        return `describe('${nameOf(file)}', { timeout: ${HUNG_MS} }, () => load('${url}'));\n`;
      });
      writeFileSync(program, HEAD + suites.join(''));
      programs.push(program);
    }
  }
  return programs;
};
const folder = mkdtempSync(path.join(tmpdir(), 'programs-'));
const run = spawn(
  process.execPath,
  [
    '--test',
    // Timers of tests are experimental in Node 20; servers and commands are processes without this.
    '--disable-warning=ExperimentalWarning',
    `--test-concurrency=${CONCURRENCY}`,
    `--test-timeout=${HUNG_MS * FILES_A_PROCESS.plain}`,
    '--test-reporter=./scripts/test-reporter.mjs',
    '--test-reporter-destination=stdout',
    ...programsOf(files, folder),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...log.env } },
);
const [code] = await once(run, 'exit');
rmSync(folder, { recursive: true });
await log.end();
tell(await sweepRuns(mark));
process.exit(code ?? 1);
