// Kills the server, its fabric, or both under a mixed load of real emulators, and checks that nothing is lost, doubled or left over.
//   npm run faults -- mixed [--kills N] [--seconds N] [--seed S]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const string = { type: 'string' };
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { kills: string, seconds: string, seed: string, dist: string },
});
const whole = (name, fallback) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`faults mixed: --${name} must be a whole number above 0, not ${values[name]}`);
  process.exit(2);
};
const kills = whole('kills', 1000);
const seconds = whole('seconds', 86_400);
const seed = whole('seed', (Date.now() % 1_000_000_000) + 1);

const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../../dist'));
const load = (file) => import(pathToFileURL(path.join(dist, 'test', file)).href);
const { findNeeds } = await load('joint/needs.js');
const guest = await findNeeds();
if (typeof guest === 'string') {
  console.error(`faults mixed needs real emulators: ${guest}`);
  process.exit(2);
}
const { mixedRounds } = await load('faults/mixed/rounds.js');

console.log(`${kills} kills, seed ${seed}`);
const begun = Date.now();
// Asked to end, it ends what it runs as well.
const asked = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => asked.abort());
const summary = await mixedRounds({
  guest,
  kills,
  seconds,
  seed,
  signal: asked.signal,
  report: (line) => console.log(line),
});
for (const problem of summary.problems) console.error(problem);
const { server, fabric, both } = summary.kills;
const answered = Object.entries(summary.answered).map(([name, count]) => `${name} ${count}`);
console.log(
  `${server + fabric + both} kills (server ${server}, fabric ${fabric}, both ${both}) in ${Math.round((Date.now() - begun) / 1000)} s: ` +
    `answered ${answered.join(', ')}; ${summary.unanswered} cut off; ${summary.problems.length} problems`,
);
process.exitCode = summary.problems.length === 0 ? 0 : 1;
