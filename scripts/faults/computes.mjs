// Kills the controller, computes and fabrics of a lab over four machines, cuts and slows the ways between them, and checks that nothing is
// lost, doubled or left over. As root each compute has a network namespace of its own.
//   npm run faults -- computes [--faults N] [--seed S] [--no-namespaces]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const string = { type: 'string' };
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { faults: string, seed: string, dist: string, 'no-namespaces': { type: 'boolean' } },
});
const whole = (name, fallback) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`faults computes: --${name} must be a whole number above 0, not ${values[name]}`);
  process.exit(2);
};
const faults = whole('faults', 200);
const seed = whole('seed', (Date.now() % 1_000_000_000) + 1);

const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../../dist'));
const load = (file) => import(pathToFileURL(path.join(dist, 'test', file)).href);
const { whyNoMachines } = await load('support/machines.js');
const { computeFaults } = await load('faults/computes/rounds.js');
const reason = values['no-namespaces'] ? 'as asked for' : whyNoMachines();

console.log(
  `${faults} faults, seed ${seed}, ${reason === null ? 'each compute in a namespace' : `all on this machine (${reason})`}`,
);
const begun = Date.now();
// Asked to end, it ends what it runs as well.
const asked = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => asked.abort());
const summary = await computeFaults({
  faults,
  seed,
  namespaces: reason === null,
  timed: true,
  signal: asked.signal,
  report: (line) => console.log(line),
});
for (const problem of summary.problems) console.error(problem);
const counts = Object.entries(summary.faults).map(([name, count]) => `${count} of ${name.replace(/ of$/, '')}`);
console.log(
  `${counts.join(', ')} in ${Math.round((Date.now() - begun) / 1000)} s: ${summary.answered} answered writes, ${summary.refused} refused, ` +
    `${summary.unanswered} cut off; the longest about machines that had nothing took ${summary.longest} ms; ${summary.problems.length} problems`,
);
process.exitCode = summary.problems.length === 0 ? 0 : 1;
