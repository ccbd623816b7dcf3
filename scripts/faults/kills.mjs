// Kills the server in the middle of writing, again and again, and checks that nothing answered is lost.
//   npm run faults -- [kills] [--rounds N] [--seed S]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const options = { rounds: { type: 'string' }, seed: { type: 'string' }, dist: { type: 'string' } };
const { values } = parseArgs({ options, allowPositionals: true });

const whole = (name, fallback) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`faults: --${name} must be a whole number above 0, not ${values[name]}`);
  process.exit(2);
};
const rounds = whole('rounds', 200);
const seed = whole('seed', (Date.now() % 1_000_000_000) + 1);

const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../../dist'));
const harness = path.join(dist, 'test/faults/kill-harness.js');
const { killRounds } = await import(pathToFileURL(harness).href);

console.log(
  `${rounds} kills, seed ${seed} (npm run faults -- --rounds ${rounds} --seed ${seed} makes the same choices again)`,
);
const begun = Date.now();
const summary = await killRounds({ rounds, seed, report: (line) => console.log(line) });
const { kills, answered, unanswered, events, problems } = summary;
for (const problem of problems) console.error(problem);
console.log(
  `${kills} kills in ${Math.round((Date.now() - begun) / 1000)} s: ${answered} answered writes, ${unanswered} cut off, ` +
    `${events} events in whole streams, ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
