// Kills, stops and cuts off the servers of a cell and its databases, while clients write through both, and checks that every answered
// write is there once. Needs PostgreSQL.
//   npm run faults -- failover [--faults N] [--seed S] [--seconds N] [--only WORDS,WORDS]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const string = { type: 'string' };
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { faults: string, seed: string, seconds: string, only: string, dist: string },
});
const whole = (name, fallback) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`faults failover: --${name} must be a whole number above 0, not ${values[name]}`);
  process.exit(2);
};
const faults = whole('faults', 300);
const seconds = whole('seconds', 86_400);
const seed = whole('seed', (Date.now() % 1_000_000_000) + 1);

const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../../dist'));
const load = (file) => import(pathToFileURL(path.join(dist, 'test', file)).href);
const { noPostgres } = await load('support/postgres.js');
const { failoverFaults } = await load('faults/failover/rounds.js');
const reason = noPostgres();
if (reason !== false) {
  console.error(`faults failover: ${reason}`);
  process.exit(2);
}

console.log(`${faults} faults, seed ${seed}`);
const begun = Date.now();
// Asked to end, it ends what it runs as well.
const asked = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => asked.abort());
const only = values.only?.split(',') ?? [''];
const report = (line) => console.log(line);
const summary = await failoverFaults({ faults, seed, seconds, only, signal: asked.signal, report });

/** `share`: 0.5 is the median. */
const quantile = (times, share) => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
};
for (const problem of summary.problems) console.error(problem);
for (const [name, count] of Object.entries(summary.faults).toSorted()) console.log(`  ${count} x ${name}`);
for (const [name, times] of Object.entries(summary.without))
  if (times.length > 0)
    console.log(
      `without a writer once it was ${name}: ${quantile(times, 0.5)} ms (median), ${quantile(times, 0.9)} ms (p90), of ${times.length}`,
    );
const count = Object.values(summary.faults).reduce((sum, one) => sum + one, 0);
console.log(
  `${count} faults in ${Math.round((Date.now() - begun) / 1000)} s: ${summary.answered} answered writes; tries: ${summary.refused} refused, ` +
    `${summary.unanswered} cut off; ${summary.problems.length} problems`,
);
process.exitCode = summary.problems.length === 0 ? 0 : 1;
