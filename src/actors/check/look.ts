import { spawn } from 'node:child_process';
import { messageOf } from '../../common/errors.ts';
import { type CheckRecord, type Subject, subjectOf } from '../../common/forms/check.ts';
import { duration } from '../../common/forms/duration.ts';
import { linkName } from '../../projections/check-names.ts';
import type { LinkRecord } from '../../projections/records.ts';
import { projectOf } from '../context.ts';
import type { Finding } from './decide.ts';
import { lookAtConsole } from './look/console.ts';
import type { Eyes } from './look/eyes.ts';
import { lookAtState } from './look/state.ts';
import { lookAtLoss, lookAtReach } from './reach.ts';

const TIMEOUT_MS = 10_000;
/** Characters of its output that are kept. */
const KEPT = 2_000;
/** Variables of the server's environment that the command gets. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'TOPOLOG_TEST_RUN'];

interface Ended {
  code: number | null;
  output: string;
  isLate: boolean;
}

/** Only where the server was told that it may. */
const runCommand = async (eyes: Eyes, { exec }: CheckRecord): Promise<Finding> => {
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

const KEYS = { frames: 'frames', octets: 'bytes', dropped: 'dropped' } as const;

/** Since the project was opened, as the fabric counts. */
const lookAtCounter = async ({ context, projectId }: Eyes, { counter }: CheckRecord): Promise<Finding> => {
  if (counter === undefined) throw new Error('the check is of another sort');
  const { link, of, from, over = -Infinity, under = Infinity } = counter;
  const record = typeof link === 'string' ? context.committed.get('link', link) : undefined;
  const name = linkName(context.committed, link);
  if (record === undefined) return { holds: false, text: 'the link is not in the lab any more', evidence: {} };
  const counts = (await context.plumbing.traffic(projectId)).find(({ cable_id }) => cable_id === record.link_id);
  const directions = counts?.directions.filter((_, index) => isFrom(record, index, from)) ?? [];
  const count = directions.reduce((sum, direction) => sum + direction[KEYS[of]], 0);
  const holds = count > over && count < under;
  return { holds, text: `${count} ${of} at ${name}`, evidence: { count } };
};

/** The first direction leads away from the first end. */
const isFrom = ({ nodes }: LinkRecord, direction: number, from: string | undefined): boolean =>
  from === undefined || nodes[direction]?.node_id === from;

type Look = (eyes: Eyes, check: CheckRecord) => Promise<Finding>;

const LOOKS: Record<Exclude<Subject, 'capture'>, Look> = {
  reach: lookAtReach,
  loss: lookAtLoss,
  console: lookAtConsole,
  counter: lookAtCounter,
  state: lookAtState,
  exec: runCommand,
};

/** Looks once at what a check is about; frames of a capture are waited for instead (watch.ts). Never throws. */
export const look = async (eyes: Eyes, check: CheckRecord): Promise<Finding> => {
  const subject = subjectOf(check);
  if (subject === 'capture') return { holds: null, text: 'frames are waited for', evidence: {} };
  try {
    const starting = isNegative(check) ? await startingIn(eyes) : undefined;
    const finding = await LOOKS[subject](eyes, check);
    return starting === undefined || finding.holds !== true ? finding : untold(finding, starting);
  } catch (error) {
    return { holds: null, text: `it could not be looked at: ${messageOf(error)}`, evidence: {} };
  }
};

/** It says that something is not so: what is still being made of the lab may have it so. */
const isNegative = ({ reach, console }: CheckRecord): boolean => (reach ?? console)?.not === true;

/** The first node that still ran its start-up text when the look began. */
const startingIn = async ({ context, projectId }: Eyes): Promise<string | undefined> => {
  const starting = await context.plumbing.starting(projectId);
  return context.committed.ofProject('node', projectId).find(({ node_id }) => starting.includes(node_id))?.name;
};

const untold = ({ evidence }: Finding, name: string): Finding => ({
  ...{ holds: null, evidence },
  text: `it cannot be told yet: ${name} still runs its start-up text`,
});
