// Kills the server, its fabric, or both, under a lab of processes outside and embedded PCs, and checks that it goes on.
//   npm run recovery -- [--server N] [--fabric N] [--both N] [--nodes N] [--seed S]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const string = { type: 'string' };
const options = { server: string, fabric: string, both: string, nodes: string, seed: string, dist: string };
const { values } = parseArgs({ options });

const whole = (name, fallback) => {
  const value = Number(values[name] ?? fallback);
  if (Number.isInteger(value) && value >= 0) return value;
  console.error(`recovery: --${name} must be a whole number, not ${values[name]}`);
  process.exit(2);
};
const wanted = {
  server: whole('server', 50),
  fabric: whole('fabric', 20),
  both: whole('both', 20),
  nodes: whole('nodes', 10),
};
const seed = whole('seed', (Date.now() % 1_000_000_000) + 1);

const dist = path.resolve(values.dist ?? path.join(import.meta.dirname, '../dist'));
const { recoveryRounds } = await import(pathToFileURL(path.join(dist, 'test/actors/recovery-harness.js')).href);

console.log(
  `${wanted.server} kills of the server, ${wanted.fabric} of the fabric, ${wanted.both} of both; seed ${seed}`,
);
const begun = Date.now();
const { rounds, slowest, replies, beats, problems } = await recoveryRounds({ ...wanted, seed, report: console.log });
for (const problem of problems) console.error(problem);
console.log(
  `${rounds} rounds in ${Math.round((Date.now() - begun) / 1000)} s. While only the server was killed, ${replies} ping replies ` +
    `and ${beats} frames went through${problems.length === 0 ? ' without one missing' : ''}. All ran again after at most ${slowest.server} ms (server), ` +
    `${slowest.fabric} ms (fabric), ${slowest.both} ms (both). ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
