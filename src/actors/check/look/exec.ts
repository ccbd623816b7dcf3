import { spawn } from 'node:child_process';
import type { CheckRecord } from '../../../common/forms/check.ts';
import { duration } from '../../../common/forms/duration.ts';
import { projectOf } from '../../context.ts';
import type { Finding } from '../decide.ts';
import type { Eyes } from './eyes.ts';

const TIMEOUT_MS = 10_000;
/** Characters of its output that are kept. */
const KEPT = 2_000;
/** What it has of the server's own environment. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'TOPOLOG_TEST_RUN'];

interface Ended {
  code: number | null;
  output: string;
  isLate: boolean;
}

/** Only where the server was told that it may. */
export const runCommand = async (eyes: Eyes, { exec }: CheckRecord): Promise<Finding> => {
  if (exec === undefined) throw new Error('the check is of another sort');
  const { context, projectId } = eyes;
  if (!context.settings.allowScripts)
    return {
      holds: false,
      text: 'this server runs no commands of checks; start it with --allow-scripts',
      evidence: {},
    };
  const timeout = exec.timeout === undefined ? TIMEOUT_MS : duration.parse(exec.timeout);
  const { path } = projectOf(context.committed, projectId);
  const { code, output, isLate } = await run(exec.run, path, environment(eyes), { timeout, signal: eyes.signal });
  const how = isLate ? `was not done within ${timeout} ms` : code === null ? 'was ended' : `ended with ${code}`;
  return { holds: code === 0 && !isLate, text: `${exec.run} ${how}`, evidence: { code, output } };
};

/** Consoles by the names of their nodes: `TOPOLOG_CONSOLE_PC1=127.0.0.1:5000`. */
const environment = ({ context, projectId }: Eyes): NodeJS.ProcessEnv => {
  const own = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const consoles = context.committed
    .ofProject('node', projectId)
    .flatMap(({ name, console }) =>
      console === null
        ? []
        : [[`TOPOLOG_CONSOLE_${name.replace(/\W/g, '_')}`, `${context.settings.consoleHost}:${console}`]],
    );
  return { ...(Object.fromEntries([...own, ...consoles]) as NodeJS.ProcessEnv), TOPOLOG_PROJECT: projectId };
};

const run = (
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  { timeout, signal }: { timeout: number; signal: AbortSignal },
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let isLate = false;
    const take = (chunk: Buffer): void => void (output = (output + chunk.toString('utf8')).slice(-KEPT));
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    // Until it is closed its group has its number.
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const late = setTimeout(() => {
      isLate = true;
      end();
    }, timeout);
    signal.addEventListener('abort', end, { once: true });
    child.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      signal.removeEventListener('abort', end);
      resolve({ code, output, isLate });
    });
  });
