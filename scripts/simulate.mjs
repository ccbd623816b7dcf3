// The simulation: a server with its fabric, disk, programs and clients in one process, where everything that happens follows from a seed.
//   npm run simulate -- [--seed N] [--seeds COUNT] [--seconds N] [--planted NAME|all] [--verbose]
// Exits with 1 when a seed finds something (or, with --planted, when a planted fault is not found).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const program = path.join(root, 'dist/test/simulation/main.js');
const { PLANTED } = await import('../dist/test/simulation/planted.js');

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '3600' },
    planted: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const number = (name) => {
  const given = Number(values[name]);
  if (Number.isInteger(given) && given > 0) return given;
  console.error(`--${name} must be a whole number above 0, not ${values[name]}`);
  process.exit(2);
};
const [seed, seeds, seconds] = [number('seed'), number('seeds'), number('seconds')];
const until = Date.now() + seconds * 1000;
const workers = Math.min(availableParallelism(), seeds);

/** Runs seeds from `first` on in one process; `on` gets each and answers whether to go on. */
const run = async (first, count, every, more, on) => {
  const flags = ['--first', String(first), '--seeds', String(count), '--every', String(every), ...more];
  if (values.verbose) flags.push('--verbose');
  const child = spawn(process.execPath, ['--enable-source-maps', program, ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let stopped = false;
  const timer = setTimeout(() => child.kill('SIGKILL'), Math.max(0, until - Date.now()));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{"seed"')) {
      console.log(line);
      continue;
    }
    if (on(JSON.parse(line))) continue;
    stopped = true;
    child.kill('SIGKILL');
    break;
  }
  clearTimeout(timer);
  const [code] = await ended;
  if (code !== 0 && !stopped && Date.now() < until) throw new Error(`the process of the simulation ended with ${code}`);
};

const showFailure = ({ seed: failed, problems, lastSteps }) => {
  console.log(`\nseed ${failed}: what has happened last:`);
  for (const line of lastSteps) console.log(`  ${line.slice(0, 240)}`);
  console.log(`seed ${failed} has found:`);
  for (const problem of problems) console.log(`  ${problem}`);
  console.log(`again: npm run simulate -- --seed ${failed} --seeds 1 --verbose\n`);
};

const explore = async () => {
  const begun = Date.now();
  const total = { seeds: 0, failed: [], steps: 0, events: 0, starts: 0, asked: 0, answered: 0 };
  const heard = (outcome) => {
    total.seeds++;
    for (const what of ['steps', 'events', 'starts', 'asked', 'answered']) total[what] += outcome[what];
    if (outcome.problems.length > 0) {
      total.failed.push(outcome.seed);
      showFailure(outcome);
    }
    return true;
  };
  const share = (n) => Math.ceil((seeds - n) / workers);
  await Promise.all(Array.from({ length: workers }, (_, n) => run(seed + n, share(n), workers, [], heard)));
  const took = ((Date.now() - begun) / 1000).toFixed(1);
  console.log(
    `${total.seeds} seeds in ${took} s: ${total.steps} steps, ${total.starts} starts, ${total.events} events, ` +
      `${total.asked} requests, ${total.answered} of them done; ${total.failed.length} seeds found something` +
      (total.failed.length === 0 ? '' : `: ${total.failed.sort((a, b) => a - b).join(', ')}`),
  );
  return total.failed.length === 0;
};

/** Whether a seed finds something also where nothing is planted. */
const findsAnyway = async (first, aim) => {
  let finds = false;
  await run(first, 1, 1, aim === undefined ? [] : ['--aim', aim], ({ problems }) => (finds = problems.length > 0));
  return finds;
};

const findPlanted = async ({ name, aim }) => {
  let tried = 0;
  let found = null;
  while (tried < seeds && found === null) {
    await run(seed + tried, seeds - tried, 1, ['--planted', name], (outcome) => {
      tried++;
      if (outcome.problems.length > 0) found = outcome;
      return found === null;
    });
    if (found !== null && (await findsAnyway(found.seed, aim))) {
      console.log(`seed ${found.seed} finds something without ${name}, too: ${found.problems[0].slice(0, 140)}`);
      found = null;
    }
  }
  if (found === null) console.log(`${name.padEnd(32)} NOT FOUND in ${tried} seeds`);
  else
    console.log(`${name.padEnd(32)} found by seed ${found.seed} (${tried} tried): ${found.problems[0].slice(0, 140)}`);
  return found !== null;
};

const hunt = async () => {
  const wanted = PLANTED.filter(({ name }) => values.planted === 'all' || values.planted.split(',').includes(name));
  if (wanted.length === 0) {
    console.error(`--planted must be all or one of ${PLANTED.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const left = [...wanted];
  let missed = 0;
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) if (!(await findPlanted(next))) missed++;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(`${wanted.length - missed} of ${wanted.length} planted faults found`);
  return missed === 0;
};

process.exitCode = (await (values.planted === undefined ? explore() : hunt())) ? 0 : 1;
