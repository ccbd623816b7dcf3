// Measures the compiled server: `npm run bench`, or some parts of it: `npm run bench -- http writes`. Prints a table and writes
// bench-results/<time>.json. Nothing is asserted: docs/reference/performance.md says what the figures are good for.
//
// --runs N          how often each figure is taken (5)
// --quick           tiny sizes, to see that parts log and scale run: their figures mean nothing
// --worst           of the results named (bench-results/*.json) the worst of each line is printed; nothing is measured
// --profile DIR     runs the server under --cpu-prof and leaves the profiles in DIR (parts http, writes and computes)
// TOPOLOG_BENCH_EVENTS the length of the log of parts history and web (1,000,000)
// TOPOLOG_BENCH_LABS how many labs part scale runs (240)
// TOPOLOG_BENCH_DIR where data goes (the temporary directory): writes measure its disk
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { computes } from './parts/computes.mjs';
import { engines } from './parts/engines.mjs';
import { fabric } from './parts/fabric.mjs';
import { history } from './parts/history.mjs';
import { http } from './parts/http.mjs';
import { lab } from './parts/lab.mjs';
import { log } from './parts/log.mjs';
import { ping } from './parts/ping.mjs';
import { scale } from './parts/scale.mjs';
import { weather } from './parts/weather.mjs';
import { why } from './parts/why.mjs';
import { web } from './parts/web.mjs';
import { writes } from './parts/writes.mjs';
import { table, toRow, worstOf } from './table.mjs';

const PARTS = { lab, http, writes, ping, fabric, history, log, engines, web, computes, scale, weather, why };

const { values: flags, positionals } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    profile: { type: 'string' },
    worst: { type: 'boolean' },
    quick: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (flags.worst) {
  const runs = positionals.map((file) => JSON.parse(readFileSync(file, 'utf8')));
  console.log(table(worstOf(runs.flatMap(({ results }) => results)).map(toRow)));
  process.exit();
}
const unknown = positionals.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  console.error(`there is no part ${unknown}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const options = {
  runs: Number(flags.runs),
  quick: flags.quick,
  nodeFlags: flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(flags.profile)}`],
};

const machine = {
  node: process.version,
  system: `${process.platform} ${release()}`,
  processors: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
  memory_gib: Math.round(totalmem() / 2 ** 30),
};
const results = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
  process.stderr.write(`${name} ...\n`);
  results.push(...(await PARTS[name](options)));
}
console.log(`${machine.processors}, ${machine.memory_gib} GiB, ${machine.system}, node ${machine.node}`);
console.log(`Median of ${options.runs} runs (least to most)\n`);
console.log(table(results.map(toRow)));

const folder = path.resolve(import.meta.dirname, '../bench-results');
const at = new Date().toISOString();
mkdirSync(folder, { recursive: true });
const file = path.join(folder, `${at.replaceAll(':', '-')}.json`);
writeFileSync(file, `${JSON.stringify({ at, machine, runs: options.runs, results }, null, 2)}\n`);
console.log(`\n${path.relative(process.cwd(), file)}`);
