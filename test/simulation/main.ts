import { register } from 'node:module';
import { parseArgs } from 'node:util';
import { replaceGlobals } from './globals.ts';
import type { HookOptions } from './hooks.ts';
import { PLANTED } from './planted.ts';
import { setWorld, World, world } from './world.ts';

/** One process of the simulation: seeds FIRST to LAST, one after another, each printed as a line of JSON. */
const { values } = parseArgs({
  options: {
    first: { type: 'string' },
    every: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    planted: { type: 'string' },
    aim: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

const planted = PLANTED.find(({ name }) => name === values.planted) ?? null;
if (values.planted !== undefined && planted === null) throw new Error(`there is no planted fault ${values.planted}`);
const options: HookOptions = {
  product: new URL('../../src/', import.meta.url).href,
  simulation: new URL('./', import.meta.url).href,
  planted,
};
register('./hooks.js', import.meta.url, { data: options });
// Modules may want a number while they are loaded.
setWorld(new World(0));
replaceGlobals();

const { Simulation } = await import('./simulation.ts');

for (const event of ['unhandledRejection', 'uncaughtException'] as const)
  process.on(event, (error: unknown) => {
    world().problem(`${event}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  });

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const first = Number(values.first ?? 1);
for (let n = 0; n < Number(values.seeds); n++) {
  const seed = first + n * Number(values.every);
  const outcome = await new Simulation(seed, {
    tell: values.verbose ? print : null,
    aim: planted?.aim ?? values.aim ?? null,
  }).run();
  print(JSON.stringify(outcome));
  // A planted fault needs to be found once.
  if (planted !== null && outcome.problems.length > 0) break;
}
process.exit(0);
