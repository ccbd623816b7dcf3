// Reads by wrk (https://github.com/wg/wrk), which costs a third of what our own generator does, where it is installed.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether there is a wrk here. */
export const hasWrk = () =>
  run('wrk', ['-v']).then(
    () => true,
    // It prints its version and ends with 1.
    (error) => error.code === 1,
  );

/** Whole seconds only. Resolves with requests a second, how many there were, and the time of 99 of 100 in milliseconds. */
export const wrkReads = async ({ url, connections, seconds }) => {
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}`, '--latency', url]);
  const failed = /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(stdout)?.[0];
  if (failed !== undefined) throw new Error(`wrk ${url}: ${failed}`);
  const [, time, unit] = /99%\s+([\d.]+)(us|ms|s)\b/.exec(stdout);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]),
    count: Number(/(\d+) requests in/.exec(stdout)[1]),
    p99: Number(time) * { us: 0.001, ms: 1, s: 1000 }[unit],
  };
};
