// Attacks a server and its embedded nodes: texts of every class, archives, images, consoles, frames, other users of the machine, clients.
//   npm run faults -- hostile [--seed S] [--seconds N] [--frames N] [--only fields,archives,…]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const options = Object.fromEntries(
  ['seed', 'seconds', 'frames', 'only', 'dist'].map((name) => [name, { type: 'string' }]),
);
const { values } = parseArgs({ options, args: process.argv.slice(2), allowPositionals: true });
const whole = (name, fallback) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`faults: --${name} must be a whole number above 0, not ${values[name]}`);
  process.exit(2);
};
const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../../dist'));
const { attackAll, PHASES } = await import(pathToFileURL(path.join(dist, 'test/faults/hostile/run.js')).href);

const only = values.only?.split(',') ?? Object.keys(PHASES);
const unknown = only.find((name) => !(name in PHASES));
if (unknown !== undefined) {
  console.error(`faults: --only takes ${Object.keys(PHASES).join(', ')}, not ${unknown}`);
  process.exit(2);
}
const seed = whole('seed', (Date.now() % 1_000_000_000) + 1);
const seconds = whole('seconds', 3600);
const frames = whole('frames', 2_000_000);
console.log(
  `seed ${seed} (npm run faults -- hostile --seed ${seed} --seconds ${seconds} makes the same choices again)`,
);
const problems = await attackAll({ seed, seconds, frames, only, isTimed: true, report: (line) => console.log(line) });
for (const problem of problems) console.error(problem);
console.log(`${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
