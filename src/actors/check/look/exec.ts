import { spawn } from 'node:child_process';
import { type CheckRecord, type Evidence, type ExecForm, execOf } from '../../../common/forms/check.ts';
import { BOUNDS, boundedJson } from '../../../common/json.ts';
import { duration } from '../../../common/forms/duration.ts';
import { valuesAt } from '../../../common/forms/json-path.ts';
import { isFoundIn, patternProblem } from '../../../common/pattern.ts';
import type { Ran } from '../../../emulators/kit/contract.ts';
import { projectOf, toKindNode } from '../../context.ts';
import { engineOf } from '../../node/engine.ts';
import type { Finding } from '../decide.ts';
import type { Eyes } from './eyes.ts';
import { type Login, runTyped, type Typed } from './shell.ts';
import { movesNothing, notRunning } from './state.ts';

const TIMEOUT_MS = 10_000;
/** Characters of an output that are evidence, and that conditions are held against. */
const KEPT = 2_000;
const MOST_OUTPUT = 256 * 1024;
/** Values that are compared. */
const MOST_VALUES = 10_000;
/** Variables of the server's environment that the command gets. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'TOPOLOG_TEST_RUN'];

/** It was not run: nobody can say, or it cannot hold. */
interface NotRun {
  holds: false | null;
  problem: string;
}

export const lookAtExec = async (eyes: Eyes, check: CheckRecord): Promise<Finding> => {
  const exec = execOf(check);
  if (exec === undefined) throw new Error('the check is of another sort');
  // It was recorded by a server that took any pattern.
  const refused = exec.matches === undefined ? null : patternProblem(exec.matches);
  if (refused !== null) return { holds: null, text: `it is not carried out: matches ${refused}`, evidence: {} };
  const ms = exec.timeout === undefined ? TIMEOUT_MS : duration.parse(exec.timeout);
  const { node, run } = exec;
  const ran = await (node === undefined ? runHere(eyes, run, ms) : runAt(eyes, node, run, { ...exec, ms }));
  if ('problem' in ran) return { holds: ran.holds, text: ran.problem, evidence: {} };
  const { holds, how } = await judged(exec, ran, ms);
  return { holds, text: how, evidence: { ...withCode(ran), output: ran.output.slice(-KEPT) } };
};

const withCode = ({ code }: Typed): Pick<Evidence, 'code'> => (code === undefined ? {} : { code });

type Judged = Pick<Finding, 'holds'> & { how: string };

const judged = async (exec: ExecForm, ran: Typed, ms: number): Promise<Judged> => {
  const { code: wanted = 0, json, shows, matches, not = false } = exec;
  if (ran.isLate === true) return { holds: false, how: `${exec.run} was not done within ${ms} ms` };
  const ended = ran.code === null ? `${exec.run} was ended` : `${exec.run} ended with ${ran.code}`;
  const asked = shows ?? matches;
  // Conditions on the output do without the code where there is none.
  const isUntold = ran.code === undefined && (exec.code !== undefined || (json ?? asked) === undefined);
  if (isUntold)
    return { holds: null, how: `the console does not tell how ${exec.run} ended; the check can ask for what it shows` };
  if (ran.code !== undefined && ran.code !== wanted) return { holds: false, how: ended };
  if (json !== undefined) return valuesJudged(exec, json, ran.stdout);
  if (asked === undefined) return { holds: true, how: ended };
  const isThere = await fits(exec, ran.output);
  if (isThere === null) return tooMuch(exec);
  return { holds: isThere !== not, how: `${outputOf(exec)} ${isThere ? 'shows' : 'does not show'} ${asked}` };
};

const outputOf = ({ run }: ExecForm): string => `the output of ${run}`;

const tooMuch = (exec: ExecForm): Judged => ({
  holds: null,
  how: `${outputOf(exec)} is too long for its pattern`,
});

/** null: the pattern is too much work. */
const fits = async ({ shows, matches, is }: ExecForm, value: unknown): Promise<boolean | null> => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (is !== undefined) return text === String(is);
  if (matches !== undefined) return isFoundIn(matches, text);
  return shows === undefined || text.includes(shows);
};

const valuesJudged = async (exec: ExecForm, json: string, stdout: string): Promise<Judged> => {
  const value = jsonIn(stdout);
  if (value === undefined) return { holds: false, how: `${outputOf(exec)} is no JSON` };
  const values = valuesAt(value, json);
  if (values.length > MOST_VALUES)
    return { holds: null, how: `${outputOf(exec)} has more than ${MOST_VALUES} values at ${json}` };
  let count = 0;
  for (const one of values) {
    const isFit = await fits(exec, one);
    if (isFit === null) return tooMuch(exec);
    if (isFit) count += 1;
  }
  const { is, shows, matches, count: wanted, not = false } = exec;
  const condition = is ?? shows ?? matches;
  const some = values.slice(0, 8).map((one) => JSON.stringify(one)?.slice(0, 80));
  const found = values.length === 0 ? 'nothing' : `${some.join(', ')}${values.length > some.length ? ' …' : ''}`;
  const fit = condition === undefined ? '' : `; ${count} of ${values.length} as ${String(condition)}`;
  return {
    holds: wanted === undefined ? count > 0 !== not : count === wanted,
    how: `${outputOf(exec)} has ${found} at ${json}${fit}`,
  };
};

const jsonIn = (text: string): unknown => {
  try {
    return boundedJson(text, BOUNDS.message);
  } catch {
    return undefined;
  }
};

/** Its engine runs commands inside of it. */
export const takesCommands = ({ context }: Eyes, nodeId: string): boolean => {
  const record = context.committed.get('node', nodeId);
  return record !== undefined && engineOf(context, record)?.run !== undefined;
};

/** Runs a line inside a node: by its engine, or at the prompt of its console. */
export const runAt = async (
  eyes: Eyes,
  nodeId: string,
  line: string,
  how: { ms: number; root?: boolean } & Login,
): Promise<Ran | Typed | NotRun> => {
  const { context, signal } = eyes;
  const problem = notRunning(eyes, nodeId);
  const record = context.committed.get('node', nodeId);
  if (problem !== null || record === undefined) return { holds: false, problem: problem ?? '' };
  const simulated = movesNothing(eyes, nodeId);
  if (simulated !== null) return { holds: null, problem: simulated };
  const engine = engineOf(context, record);
  if (engine?.run === undefined) return runTyped(eyes, nodeId, { line, ...how });
  return engine.run(toKindNode(context, record), line, how, signal);
};

/** On the machine of the server: only where the server was told that it may. */
const runHere = async (eyes: Eyes, line: string, ms: number): Promise<Ran | NotRun> => {
  const { context, projectId, signal } = eyes;
  if (!context.settings.allowScripts)
    return {
      holds: false,
      problem: 'this server runs no commands of checks; start it with --allow-scripts',
    };
  const { path } = projectOf(context.committed, projectId);
  return run(line, path, environment(eyes), { ms, signal });
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
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { output: '', stdout: '' };
    const take =
      (...to: ('output' | 'stdout')[]) =>
      (chunk: Buffer): void => {
        for (const key of to) said[key] = (said[key] + chunk.toString('utf8')).slice(-MOST_OUTPUT);
      };
    child.stdout.on('data', take('output', 'stdout'));
    child.stderr.on('data', take('output'));
    // Until it is closed its group has its number.
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      end();
    }, ms);
    signal.addEventListener('abort', end, { once: true });
    child.once('error', (error) => {
      clearTimeout(late);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(late);
      signal.removeEventListener('abort', end);
      resolve({ code, ...(isLate ? { isLate } : {}), ...said });
    });
  });
