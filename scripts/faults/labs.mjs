// Breaks ten labs in ways that people do (cuts, VLANs, filters, addresses, loops), waits for an expectation to tell it, and asks why: the event that did it has to be named.
// Then breaks wider labs (containers, IPv6, two computes, filters, reloads): the event has to be named, or why has to say that it does not know. Nobody else may be blamed.
//   npm run faults -- labs [--faults N] [--wider N] [--seed S] [--no-bisect]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const string = { type: 'string' };
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { faults: string, wider: string, seed: string, dist: string, 'no-bisect': { type: 'boolean' } },
});
const whole = (name, fallback) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`faults labs: --${name} must be a whole number, not ${values[name]}`);
  process.exit(2);
};
const faults = whole('faults', 50);
const wider = whole('wider', 40);
const seed = whole('seed', (Date.now() % 1_000_000_000) + 1);

const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../../dist'));
const { labFaults } = await import(pathToFileURL(path.join(dist, 'test/faults/labs/rounds.js')).href);

const { podmanLacks } = await import(pathToFileURL(path.join(dist, 'test/support/podman.js')).href);
const { widerFaults } = await import(pathToFileURL(path.join(dist, 'test/faults/labs/wider-rounds.js')).href);

console.log(`${faults} faults and ${wider} wider ones, seed ${seed}`);
const begun = Date.now();
// Asked to end, it ends what it runs as well.
const asked = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => asked.abort());
const summary = await labFaults({
  faults,
  seed,
  bisects: values['no-bisect'] !== true,
  signal: asked.signal,
  report: (line) => console.log(line),
});
for (const problem of summary.problems) console.error(problem);
const { planted, found, named, bisected } = summary;
const inTime = found.filter(({ isSoon }) => isSoon);
const offs = found.flatMap(({ off }) => (off === null ? [] : [off])).sort((a, b) => a - b);
const ms = (value) => `${(value ?? 0).toFixed(1)} ms`;
console.log(
  `${planted} faults in ${Math.round((Date.now() - begun) / 1000)} s: ${inTime.length} were found by an expectation in time, why named the event of ${named}, bisect that of ${bisected}; ` +
    `${summary.problems.length} problems`,
);
console.log(
  `in ${offs.length} the capture has a request that nobody answered: the expectation was ${ms(offs[offs.length >>> 1])} beside it in the median, ` +
    `${ms(offs.at(-1))} at most; found ${ms(Math.max(...found.map(({ after }) => after)))} after the fault at most`,
);
const lacks = await podmanLacks();
if (lacks !== null) console.log(`containers are left out: ${lacks}`);
const more = await widerFaults({
  faults: wider,
  seed,
  without: lacks === null ? [] : ['containers'],
  signal: asked.signal,
  report: (line) => console.log(line),
});
for (const problem of more.problems) console.error(problem);
const rows = [
  ['', 'named', 'unknown', 'wrong'],
  ['embedded labs', named, 0, planted - named],
  ['wider labs', more.named, more.unknown, more.wrong],
  ['all', named + more.named, more.unknown, planted - named + more.wrong],
];
for (const [title, ...cells] of rows)
  console.log(title.padEnd(16) + cells.map((cell) => String(cell).padStart(9)).join(''));
const isGood = summary.problems.length === 0 && inTime.length === planted && more.wrong === 0;
process.exitCode = isGood ? 0 : 1;
