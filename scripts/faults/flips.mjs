// Flips one bit of a data directory at a time and checks that none goes unnoticed.
//   npm run faults -- flips [--flips N] [--seed S] [--seconds T] [--only ROUND]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const options = { flips: text, seed: text, seconds: text, only: text, dist: text };
const { values } = parseArgs({ options, allowPositionals: true });
const whole = (name, fallback, least = 1) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value >= least) return value;
  console.error(`faults: --${name} must be a whole number from ${least}, not ${values[name]}`);
  process.exit(2);
};
const flips = whole('flips', 1000);
const seed = whole('seed', (Date.now() % 1_000_000) + 1);
const seconds = whole('seconds', 3600);
const only = values.only === undefined ? {} : { only: whole('only', 0, 0) };

const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../../dist'));
const { flipRounds } = await import(pathToFileURL(path.join(dist, 'test/faults/flips/harness.js')).href);
console.log(
  `${flips} flips, seed ${seed} (npm run faults -- flips --flips ${flips} --seed ${seed} makes the same choices again)`,
);
const begun = Date.now();
const summary = await flipRounds({ flips, seed, seconds, ...only, report: (line) => console.log(line) });
for (const [kind, [count, named]] of [...summary.kinds].sort()) console.log(`  ${kind}: ${named} of ${count} named`);
console.log(
  `${summary.flips} flips in ${Math.round((Date.now() - begun) / 1000)} s: ${summary.named} named, ` +
    `${summary.flips - summary.named - summary.problems.length} without effect, ${summary.problems.length} problems`,
);
process.exitCode = summary.problems.length === 0 ? 0 : 1;
