import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '../../../src/server/config.ts';
import { messageOf } from '../../../src/common/errors.ts';
import { levelStore } from '../../../src/events/store/level-store.ts';
import { eachEvent } from '../../../src/events/read.ts';
import { firstProblem } from '../../../src/events/log/startup.ts';
import { createConsole } from '../../../src/fabric/console/broker.ts';
import { createFabric } from '../../../src/fabric/process/fabric.ts';
import { models } from '../../../src/fabric/models/index.ts';
import { makePrivate, socketPaths } from '../../../src/fabric/client/runtime-directory.ts';
import { serveFabric } from '../../../src/fabric/process/server.ts';
import { type RunningServer, startServer } from '../../../src/main.ts';
import { rebuild } from '../../../src/projections/rebuild.ts';
import { loggerTo } from '../../support/logger.ts';
import { ownPlaces, request } from '../../support/server.ts';
import { brokenSnapshots, namesIn, type Shown, showAll } from './observe.ts';
import type { Expected, Story } from './steps.ts';

export interface Verdict {
  problems: string[];
  /** The server names damage and does not write: what it said. */
  refused: string | null;
  /** What was reported for the operator, in both starts. */
  reports: string[];
}

/** Starts the product on a data directory, twice, and compares it with what was answered. */
export const checkState = async (
  story: Story,
  expected: Expected,
  projectFiles: readonly Buffer[],
): Promise<Verdict> => {
  const verdict: Verdict = { problems: brokenProjectFiles(story.root, projectFiles), refused: null, reports: [] };
  const first = await look(story.root, verdict);
  if (first === null) return verdict;
  verdict.problems.push(...expected.compare(first), ...brokenSnapshots(story.root, first));
  verdict.problems.push(...(await logProblems(story, expected)));
  const second = await look(story.root, verdict);
  if (second === null) return verdict;
  for (const part of new Set([...first.keys(), ...second.keys()]))
    if (first.get(part) !== second.get(part))
      verdict.problems.push(`the second start has ${part} ${second.get(part)}, the first ${first.get(part)}`);
  verdict.problems.push(...leftOvers(story.root, second));
  return verdict;
};

/** What a server shows that is started here; null: it refuses, which is in the verdict. */
const look = async (root: string, verdict: Verdict): Promise<Shown | null> => {
  try {
    return await started(root, verdict, async ({ url }) => {
      const { body } = await request(url, 'GET', '/v2/health');
      const { status, log } = body as { status: string; log: { reason: string } };
      if (status !== 'ok') verdict.refused = log.reason;
      return status === 'ok' ? showAll(url, root) : null;
    });
  } catch (error) {
    const said = messageOf(error);
    if (/damage|position \d/.test(said)) verdict.refused = said;
    else verdict.problems.push(`it does not start or answer: ${said}`);
    return null;
  }
};

const PATIENCE_MS = 60_000;

/** The server with its own fabric served in this process: nothing is spawned, and no node is started again. */
const started = async <T>(
  root: string,
  { reports }: Verdict,
  use: (server: RunningServer) => Promise<T>,
): Promise<T> => {
  const [socketPath = ''] = await socketPaths(root);
  await makePrivate(path.dirname(socketPath));
  await rm(socketPath, { force: true });
  const log = (): void => undefined;
  const fabric = createFabric({ models, openConsole: createConsole, log });
  const served = await serveFabric({ fabric, socketPath, log, onShutdown: log });
  try {
    const config = readConfig([...(await ownPlaces(root)), '--no-resume', '--file-idle', '20'], {});
    if (config === null) throw new Error('the flags ask for help');
    const server = await inTime(
      startServer(
        config,
        loggerTo((line) => reports.push(line)),
      ),
    );
    try {
      return await inTime(use(server));
    } finally {
      await inTime(server.close('looked at'));
    }
  } finally {
    await served.close();
    await fabric.close();
  }
};

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done in ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** Project files in their places that are not, whole, what the server once put on disk. */
const brokenProjectFiles = (root: string, known: readonly Buffer[]): string[] => {
  const problems: string[] = [];
  for (const id of namesIn(path.join(root, 'projects')))
    for (const name of namesIn(path.join(root, 'projects', id)).filter((n) => n.endsWith('.gns3'))) {
      const content = readFileSync(path.join(root, 'projects', id, name));
      if (!known.some((k) => k.equals(content)))
        problems.push(`the project file of ${id}, ${content.length} octets, is none that was ever written whole`);
    }
  return problems;
};

const logProblems = async ({ root, hashes }: Story, { position }: Expected): Promise<string[]> => {
  const problems: string[] = [];
  const store = await levelStore(path.join(root, 'log'))();
  try {
    let last = 0;
    await eachEvent(store, (event) => {
      last = event.position;
      if (event.position <= position && event.hash !== hashes[event.position])
        problems.push(`the event at position ${event.position} is another one`);
    });
    if (last < position) problems.push(`the log ends at ${last}, and ${position} was told`);
    const broken = await firstProblem(store, 0, last);
    if (broken !== null) problems.push(`the log at position ${broken.position}: ${broken.message}`);
    for (const { collection, id, problem } of (await rebuild(store, false)).differences)
      problems.push(`stored record ${collection} ${id} against the fold of the log: ${problem}`);
    return problems;
  } finally {
    await store.close();
  }
};

/** What is left over after a start. */
const leftOvers = (root: string, shown: Shown): string[] => {
  const found = namesIn(path.join(root, 'staging')).map((name) => `staging/${name}`);
  for (const id of namesIn(path.join(root, 'projects'))) {
    if (!shown.has(`project/${id}`)) found.push(`projects/${id}`);
    found.push(
      ...namesIn(path.join(root, 'projects', id, '.topolog')).map((name) => `projects/${id}/.topolog/${name}`),
    );
  }
  return found.map((place) => `left over: ${place}`);
};

export const emptyRoot = async (root: string): Promise<void> => {
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
};
