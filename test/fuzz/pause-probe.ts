import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { programFile } from '../../src/common/package.ts';

/**
 * Loaded into a server that is watched and into its fabric: writes down how long their event loops stood still. What the thread
 * waited for a processor is left out: that is what other programs of the machine took.
 */

/** Programs by the names of their files, a pause in milliseconds a line. */
export const PROGRAMS = { server: programFile('cli/topolog'), fabric: programFile('fabric/process/main') } as const;
/** In the environment: the directory of the files. */
export const PAUSES = 'TOPOLOG_PAUSES';

const TICK_MS = 5;
/** Shorter ones are not told. */
const WORTH_MS = 5;

/** Milliseconds that this thread could have run and did not; 0 where the system does not tell. */
const waitedMs = (): number => {
  try {
    const [, waited = '0'] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0;
  }
};

const watch = (file: string): void => {
  let last = performance.now();
  let waited = waitedMs();
  setInterval(() => {
    const pause = performance.now() - last - TICK_MS - (waitedMs() - waited);
    if (pause > WORTH_MS) appendFileSync(file, `${pause.toFixed(1)}\n`);
    last = performance.now();
    waited = waitedMs();
  }, TICK_MS).unref();
};

const directory = process.env[PAUSES];
const program = Object.entries(PROGRAMS).find(([, file]) => file === process.argv[1])?.[0];
if (isMainThread && directory !== undefined && program !== undefined) watch(path.join(directory, program));
