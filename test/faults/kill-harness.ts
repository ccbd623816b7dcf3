import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastPosition } from '../../src/events/read.ts';
import { firstProblem } from '../../src/events/log/startup.ts';
import { rebuild } from '../../src/projections/rebuild.ts';
import { fabricPid } from '../support/fabric-pid.ts';
import { readLog } from '../support/own-log.ts';
import { request, type ServerProcess, spawnServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';
import type { Thing } from './expectations.ts';
import { type Random, seeded } from './prng.ts';
import { Writer } from './writer.ts';

export interface KillOptions {
  rounds: number;
  seed: number;
  report: (line: string) => void;
}

export interface KillSummary {
  kills: number;
  answered: number;
  unanswered: number;
  events: number;
  problems: string[];
}

const WRITERS = 4;
/** Longest time from the first write to the kill. Milliseconds. */
const LONGEST_MS = 400;
/** One kill of so many takes the fabric with it, so that nothing is left to adopt. */
const FABRIC_TOO = 6;
/** Kills on one data directory before a fresh one is taken, which bounds how much is folded again after each. */
const ROUNDS_A_DIRECTORY = 25;

/**
 * Writes to a server from several sides, kills it in the middle, brings it back and compares: again and again. Every answered
 * write must be there, an unanswered one whole or not at all, the log must be without a gap and fold to the stored records.
 */
export const killRounds = async ({ rounds, seed, report }: KillOptions): Promise<KillSummary> => {
  const summary: KillSummary = { kills: 0, answered: 0, unanswered: 0, events: 0, problems: [] };
  for (let done = 0; done < rounds && summary.problems.length === 0; done += ROUNDS_A_DIRECTORY) {
    const dir = await tempDir();
    try {
      const count = Math.min(ROUNDS_A_DIRECTORY, rounds - done);
      await oneDirectory(path.join(dir.path, 'data'), seeded(seed + done), count, summary, report);
    } finally {
      await dir.remove();
    }
  }
  return summary;
};

const oneDirectory = async (
  dataDir: string,
  random: Random,
  rounds: number,
  summary: KillSummary,
  report: (line: string) => void,
): Promise<void> => {
  let server = await spawnServer(dataDir, ['--file-idle', '20']);
  try {
    const projectId = random.uuid();
    const created = await request(server.url, 'POST', '/v2/projects', { name: 'lab', project_id: projectId });
    assert.equal(created.status, 201, created.text);
    const writers = Array.from(
      { length: WRITERS },
      (_, n) => new Writer(`w${n}`, projectId, seeded(random.below(2 ** 31))),
    );
    for (let round = 0; round < rounds; round++) {
      const wait = random.below(LONGEST_MS);
      await killWhileWriting(server, writers, wait);
      const both = random.below(FABRIC_TOO) === 0;
      if (both) process.kill(await fabricPid(dataDir), 'SIGKILL');
      summary.kills++;
      const events = await checkLog(dataDir, summary.problems);
      server = await spawnServer(dataDir, ['--file-idle', '20']);
      summary.problems.push(...(await compare(server.url, projectId, writers)));
      report(
        `kill ${summary.kills}${both ? ', also of the fabric,' : ''} after ${wait} ms: ${events} events, ${countOf(writers)} writes answered`,
      );
      if (summary.problems.length > 0) return;
    }
    for (const { counts } of writers) {
      summary.answered += counts.answered;
      summary.unanswered += counts.unanswered;
    }
  } finally {
    await server.kill('SIGTERM');
  }
  summary.events += await checkLog(dataDir, summary.problems);
};

const countOf = (writers: Writer[]): number => writers.reduce((sum, w) => sum + w.counts.answered, 0);

const killWhileWriting = async (server: ServerProcess, writers: Writer[], wait: number): Promise<void> => {
  const writing = Promise.all(writers.map((writer) => writer.run(server.url)));
  await sleep(wait);
  await server.kill('SIGKILL');
  await writing;
};

/** Looks at a copy of the log, so that the server itself meets what the kill left. Returns the number of events. */
const checkLog = async (dataDir: string, problems: string[]): Promise<number> => {
  const store = await readLog(path.join(dataDir, 'log'));
  try {
    const { events, differences } = await rebuild(store, false);
    for (const { collection, id, problem } of differences)
      problems.push(`stored record ${collection} ${id} against the fold of the log: ${problem}`);
    const broken = await firstProblem(store, 0, await lastPosition(store));
    if (broken !== null) problems.push(`the log at position ${broken.position}: ${broken.message}`);
    return events;
  } finally {
    await store.close();
  }
};

/** What the server says now against what it has answered. */
const compare = async (url: string, projectId: string, writers: Writer[]): Promise<string[]> => {
  const actual = await read(url, projectId);
  const written = new Set(writers.flatMap((writer) => writer.expectations.keys()));
  const strays = [...actual.keys()]
    .filter((key) => !written.has(key))
    .map((key) => `${key} is there and nobody made it`);
  return [...strays, ...writers.flatMap((w) => [...w.problems, ...w.expectations.compare(actual)])];
};

const read = async (url: string, projectId: string): Promise<Map<string, Thing>> => {
  const things = new Map<string, Thing>();
  const list = async (name: string): Promise<Record<string, unknown>[]> => {
    const { status, body, text } = await request(url, 'GET', `/v2/projects/${projectId}/${name}s`);
    assert.equal(status, 200, text);
    return body as Record<string, unknown>[];
  };
  for (const name of ['node', 'link', 'drawing'])
    for (const thing of await list(name)) things.set(`${name}/${String(thing[`${name}_id`])}`, withEnds(thing));
  return things;
};

/** Which nodes a link joins, without labels. */
const withEnds = (thing: Record<string, unknown>): Thing =>
  'link_id' in thing ? { ...thing, ends: (thing['nodes'] as { node_id: string }[]).map((n) => n.node_id) } : thing;
