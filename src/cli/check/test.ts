import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client, Schemas } from '../../client/index.ts';
import { invalid, messageOf, TopologError } from '../../common/errors.ts';
import type { CheckForm } from '../../common/forms/check.ts';
import { until } from '../../common/promises.ts';
import { checkFilters } from '../../fabric/client/plumbing.ts';
import { LAB_FORMATS } from '../../files/lab/formats.ts';
import { type GivenText, inFile, readChecksOf, readGiven } from '../lab/read-text.ts';
import { createLogger } from '../logger.ts';
import { printable } from '../printable.ts';
import { cannotBe, command, parse } from '../command.ts';
import { printRows } from '../table.ts';
import { exportSession } from '../verify/export-session.ts';
import { isOpen, junitOf, NO_WEATHER, type Outcome, outcomeOf, type Weather } from './outcome.ts';
import { openOwnServer, type OwnServer } from '../own-server.ts';

const HELP = `topolog test FILE [--checks FILE] [--junit FILE] [--session FILE] [--keep] [--allow-scripts] [--simulate] [--files-below DIR]

Runs the checks of a lab that is a text (lab.yaml, *.clab.yml): makes it on a server of its own, starts it and its weather, waits for the
checks, prints their results, and removes everything. Any number of tests can run at once.

  --checks FILE      checks: of a text that has no place for them, such as *.clab.yml, beside its own
  --junit FILE       write the results of the checks as JUnit XML
  --session FILE     where the session goes if a check fails (the text's name with .topolog-session, in this directory)
  --keep             keep the data of the server, and say where they are
  --allow-scripts    checks may run commands on this machine
  --simulate         kinds without an engine here get the simulated one, and so do network systems that nothing here stands for
  --files-below DIR  files that the text names are read below this directory too; otherwise below its own and the repository around it

Exit codes: 0 all checks were met, 1 one was not, a node did not start or a command of its start failed, 2 the text or a flag is not right, or the text has no checks.
`;

const OPTIONS = {
  checks: { type: 'string' },
  junit: { type: 'string' },
  session: { type: 'string' },
  keep: { type: 'boolean' },
  'allow-scripts': { type: 'boolean' },
  simulate: { type: 'boolean' },
  'files-below': { type: 'string' },
} as const;

/** `topolog test` */
export const testCommand = command(HELP, async (args) => {
  const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
  const [file, more] = positionals;
  if (file === undefined || more !== undefined) throw invalid('topolog test needs one text of a lab');
  const given = await readGiven(file, { below: values['files-below'] });
  const flags = (['allow-scripts', 'simulate'] as const).flatMap((name) =>
    values[name] === true ? [`--${name}`] : [],
  );
  const checks = values.checks === undefined ? [] : await readChecksOf(values.checks);
  await checkReader(given, checks);
  const began = Date.now();
  const server = await openOwnServer('test', createLogger({ format: 'text', level: 'error' }), flags);
  try {
    const tested = await testIn(server.found.client, file, { ...given, simulate: values.simulate === true }, checks);
    const took = Date.now() - began;
    const isGood = tested.outcomes.every(({ state }) => state === 'passed');
    print(tested.outcomes, took);
    if (!isGood) await keepSession(server, tested.project_id, values.session ?? sessionOf(file));
    const { junit } = values;
    if (junit !== undefined)
      await writeFile(junit, junitOf({ ...tested, began: new Date(began).toISOString(), took })).catch(
        cannotBe('written', junit),
      );
    return isGood ? 0 : 1;
  } finally {
    await server.close(values.keep === true);
    if (values.keep === true) process.stdout.write(`kept: topolog serve --data-dir ${printable(server.directory)}\n`);
  }
});

/** Throws early if no program is installed that reads the captures of a check. */
const checkReader = async ({ text, format, files }: GivenText, more: readonly CheckForm[]): Promise<void> => {
  const filter = captureFilterIn(() => [
    ...(LAB_FORMATS[format].read({ text, files }, () => []).lab.checks ?? []),
    ...more,
  ]);
  if (filter === undefined) return;
  // The server reports other mistakes, with their lines.
  await checkFilters({ bpf: [filter] }).catch((error: unknown) => {
    if (error instanceof TopologError && error.code === 'engine_missing') throw error;
  });
};

const captureFilterIn = (read: () => readonly CheckForm[]): string | undefined => {
  try {
    return read().find(({ capture }) => capture !== undefined)?.capture?.filter;
  } catch {
    return undefined;
  }
};

interface Tested {
  project_id: string;
  name: string;
  outcomes: Outcome[];
}

const CHECKS = '/v2/projects/{project_id}/checks';
/** Pause between two queries of the verdicts. Milliseconds. */
const LOOK_MS = 50;

const testIn = async (
  client: Client,
  file: string,
  given: GivenText & { simulate: boolean },
  more: readonly CheckForm[],
): Promise<Tested> => {
  const { project_id, name } = await inFile(file, client.post('/v2/labs/apply', { body: { ...given, start: false } }));
  const at = { path: { project_id } };
  for (const body of more) await client.post(CHECKS, { ...at, body });
  if ((await client.get(CHECKS, at)).length === 0)
    throw invalid(
      `${file} has no checks, so there is nothing to test: the lab was not started; checks: lists what must hold, in the text or in a file for --checks`,
    );
  const starting = await startLab(client, project_id);
  const began = Date.now();
  const weatherNow = await startWeather(client, project_id);
  // Checks must hold during all of the weather, if that ends.
  const ends = await endsItself(client, project_id);
  let checks: Schemas['Check'][] = [];
  let weather = NO_WEATHER;
  const isOver = async (): Promise<boolean> => {
    checks = await client.get(CHECKS, at);
    const now = Date.now() - began;
    weather = await weatherNow(now);
    return !(ends && weather.goesOn) && !checks.some((check) => isOpen(check, now, weather));
  };
  await until(isOver, { every: LOOK_MS });
  const query = { type: 'check.broken', limit: 1000 };
  const { events } = await client.get('/v2/projects/{project_id}/events', { ...at, query });
  const outcomes = checks.map(async (check): Promise<Outcome> => {
    const outcome = outcomeOf(check, events, weather);
    return outcome.state === 'error' ? withSight(client, { project_id, check_id: check.check_id }, outcome) : outcome;
  });
  return { project_id, name, outcomes: [...starting, ...(await Promise.all(outcomes))] };
};

/** Adds the present observation to an outcome without a verdict. */
const withSight = async (
  client: Client,
  path: { project_id: string; check_id: string },
  outcome: Outcome,
): Promise<Outcome> => {
  const { text } = await client.post(`${CHECKS}/{check_id}/look`, { path, body: {} });
  return { ...outcome, text: `${outcome.text}; now: ${text}` };
};

const SIGNS = { passed: 'ok', failed: 'FAILED', error: 'ERROR' } as const;

const print = (outcomes: readonly Outcome[], took: number): void => {
  printRows(
    outcomes.map(({ name, state, after_ms, text }) => [
      SIGNS[state],
      name,
      after_ms === null ? '' : `${(after_ms / 1000).toFixed(2)} s`,
      state === 'passed' ? '' : text,
    ]),
  );
  const passed = outcomes.filter(({ state }) => state === 'passed').length;
  process.stdout.write(`${passed} of ${outcomes.length} passed, ${(took / 1000).toFixed(1)} s\n`);
};

const sessionOf = (file: string): string =>
  `${path.basename(file === '-' ? 'lab' : file).replace(/\.[^.]*$/, '')}.topolog-session`;

const keepSession = async ({ directory }: OwnServer, project: string, to: string): Promise<void> => {
  const place = { dataDir: directory, filesDir: directory, cell: null };
  await exportSession(place, project, {}, to);
  process.stdout.write(`what happened: ${printable(to)} (topolog verify, topolog replay)\n`);
};

const PROJECT = '/v2/projects/{project_id}';

/** Starts the weather, if there is any; returns a function for its state at a time in milliseconds since the start of the lab. */
const startWeather = async (client: Client, project_id: string): Promise<(nowMs: number) => Promise<Weather>> => {
  const at = { path: { project_id } };
  const look = () => client.get(`${PROJECT}/weather`, at);
  const { entries, state } = await look();
  if (entries.length === 0) return () => Promise.resolve(NO_WEATHER);
  if (state === 'off') await client.post(`${PROJECT}/weather/start`, { ...at, body: {} });
  const seen = new Map<string, number>();
  return async (nowMs) => {
    const { storms, next } = await look();
    for (const name of storms) if (next !== null || !seen.has(name)) seen.set(name, nowMs);
    return { storms, goesOn: next !== null, seen };
  };
};

/** Whether the weather ends by itself. */
const endsItself = async (client: Client, project_id: string): Promise<boolean> => {
  const { entries } = await client.get(`${PROJECT}/weather`, { path: { project_id } });
  return entries.every(({ repeat }) => repeat === undefined || repeat.times !== undefined);
};

const failure = (name: string, text: string): Outcome => ({
  name,
  state: 'failed',
  after_ms: null,
  text,
  evidence: null,
});

/** Starts the lab. A node that does not start, or whose commands fail, is an outcome like a broken check. */
const startLab = async (client: Client, project_id: string): Promise<Outcome[]> => {
  const at = { path: { project_id } };
  const outcomes: Outcome[] = [];
  await client
    .post(`${PROJECT}/nodes/start`, { ...at, body: {} })
    .catch((error: unknown) => outcomes.push(failure('all nodes start', messageOf(error))));
  const { events } = await client.get(`${PROJECT}/events`, { ...at, query: { type: 'node.started', limit: 1000 } });
  const names = new Map((await client.get(`${PROJECT}/nodes`, at)).map(({ node_id, name }) => [node_id, name]));
  for (const { data } of events)
    for (const text of (data['failed_commands'] as string[] | undefined) ?? [])
      outcomes.push(failure(`commands of ${names.get(String(data['node_id'])) ?? ''} end well`, text));
  return outcomes;
};
