// A server of its own for a measurement: a process as its users start it, on a fresh data directory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const program = path.resolve(import.meta.dirname, '../dist/bin/cli/topolog.js');

/**
 * Resolves once it listens. `stop` ends it, its fabric and its data. `nodeFlags` go to node itself (`--cpu-prof`), `more` to the
 * server. `prefix`: words before the program, which keep its process, such as `ip netns exec NAME`.
 */
export const startServer = async (nodeFlags = [], more = [], prefix = []) => {
  const directory = await mkdtemp(path.join(process.env.TOPOLOG_BENCH_DIR ?? tmpdir(), 'topolog-bench-'));
  const dataDir = path.join(directory, 'data');
  const flags = ['serve', '--port', '0', '--data-dir', dataDir, '--console-ports', '11000-19999', ...more];
  const [command, ...args] = [...prefix, process.execPath, ...nodeFlags, program, ...flags];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /listens on (\S+),/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code, signal) => reject(new Error(`the server ended (${code ?? signal}): ${output}`)));
  });
  return {
    url,
    directory,
    pid: child.pid,
    port: Number(new URL(url).port),
    call: (method, where, body) => call(url, method, where, body),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

/** One request; anything but a success is an error of the measurement. */
const call = async (url, method, where, body) => {
  const answer = await fetch(`${url}${where}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${where} answers ${answer.status}: ${text}`);
  return text === '' ? null : JSON.parse(text);
};

/** Resident memory in MiB of the server and its fabric together; null where there is no /proc. */
export const memoryOf = async ({ pid, directory }) => {
  try {
    const fabric = await fabricOf(directory);
    return (await residentMiB(pid)) + (await residentMiB(fabric));
  } catch (error) {
    if (process.platform === 'linux') throw error;
    return null;
  }
};

/** Processor time in seconds that the server and its fabric have used; null where there is no /proc. */
export const processorOf = async ({ pid, directory }) => {
  try {
    return (await processorSeconds(pid)) + (await processorSeconds(await fabricOf(directory)));
  } catch (error) {
    if (process.platform === 'linux') throw error;
    return null;
  }
};

/** Fields 14 and 15 of proc(5)'s stat, in hundredths of a second; the name before them may hold spaces. */
const processorSeconds = async (pid) => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Processor time in microseconds that a process's main thread has used; null where there is no /proc. schedstat: nanoseconds. */
export const mainThreadOf = async (pid) => {
  const text = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').catch(() => null);
  return text === null ? null : Number(text.split(' ')[0]) / 1000;
};

/** Resident memory in MiB of each of its two processes. */
export const memoryOfEach = async ({ pid, directory }) => ({
  server: await residentMiB(pid),
  fabric: await residentMiB(await fabricOf(directory)),
});

const residentMiB = async (pid) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)[1]) / 1024;
};

/** The fabric is no child: its title names the data directory. */
export const fabricOf = async (directory) => {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.startsWith('topolog-fabric') && line.includes(directory)) return Number(pid);
  }
  throw new Error('there is no fabric process');
};
