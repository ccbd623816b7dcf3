// Measures the compiled server: `npm run bench`, or some parts of it: `npm run bench -- http writes`. Prints a table and writes
// bench-results/<time>.json. Nothing is asserted: docs/performance.md says what the figures are good for.
//
// --runs N          how often each figure is taken (5)
// --profile DIR     runs the server under --cpu-prof and leaves the profiles in DIR (parts http and writes)
// TOPOLOG_BENCH_FACTS the length of the log of part history (1,000,000)
// TOPOLOG_BENCH_DIR where data goes (the temporary directory): writes measure its disk
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { engines } from './parts/engines.mjs';
import { fabric } from './parts/fabric.mjs';
import { history } from './parts/history.mjs';
import { http } from './parts/http.mjs';
import { lab } from './parts/lab.mjs';
import { ping } from './parts/ping.mjs';
import { web } from './parts/web.mjs';
import { writes } from './parts/writes.mjs';
import { shown, summary } from './statistics.mjs';

const PARTS = { lab, http, writes, ping, fabric, history, engines, web };

const { values: flags, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, profile: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  console.error(`there is no part ${unknown}; there are ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}
const options = {
  runs: Number(flags.runs),
  nodeFlags: flags.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(flags.profile)}`],
};

const spread = ({ median, least, most }, unit) => `${shown(median)} ${unit} (${shown(least)} to ${shown(most)})`;

const toRow = ({ what, unit, values, limit, limits, target }) => {
  if (values.length === 0) return { what, measured: 'not measured here', limit: '', ratio: '', target: '' };
  const own = summary(values);
  if (limits === undefined) return { what, measured: spread(own, unit), limit: '', ratio: '', target: '' };
  const bound = summary(limits);
  return {
    what,
    measured: spread(own, unit),
    limit: `${limit}: ${spread(bound, unit)}`,
    ratio: (own.median / bound.median).toFixed(2),
    target: target === undefined ? '' : `at least ${target.toFixed(2)}`,
  };
};

const table = (rows) => {
  const heads = { what: '', measured: 'Topolog', limit: 'beside', ratio: 'ratio', target: 'target' };
  const columns = Object.keys(heads);
  const widths = columns.map((c) => Math.max(...[heads, ...rows].map((row) => row[c].length)));
  const line = (row) => `| ${columns.map((c, i) => row[c].padEnd(widths[i])).join(' | ')} |`;
  return [line(heads), `| ${widths.map((w) => '-'.repeat(w)).join(' | ')} |`, ...rows.map(line)].join('\n');
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
