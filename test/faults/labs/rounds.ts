import assert from 'node:assert/strict';
import type { WhyAnswer } from '../../../src/why/contract.ts';
import { bisect } from '../../../src/replay/bisect.ts';
import { hostOf, sessionOf } from '../../replay/lab.ts';
import { testServer, type TestServer } from '../../support/server.ts';
import { type Random, seeded } from '../prng.ts';
import { BREAKS, PLANTS, type Planted } from './faults.ts';
import { Expectations, type Found } from './expectations.ts';
import { makeLab, type MadeLab } from './made-lab.ts';
import { LABS, type LabSpec } from './specs.ts';
import { until } from '../../../src/common/promises.ts';

export interface FaultsOptions {
  faults: number;
  seed: number;
  /** Of the ten, the first so many. */
  labs?: number;
  /** Whether bisect is asked as well: it makes each lab again several times. */
  bisects: boolean;
  signal: AbortSignal;
  report: (line: string) => void;
}

export interface FaultsSummary {
  planted: number;
  /** An expectation told it in time, at the time that the capture has. */
  found: Found[];
  /** `why` named the event that did it. */
  named: number;
  /** `bisect` found it. */
  bisected: number;
  problems: string[];
}

/** Breaks labs in ways that people do, one fault at a time, and asks why. */
export const labFaults = async (options: FaultsOptions): Promise<FaultsSummary> => {
  const server = await testServer();
  const random = seeded(options.seed);
  const summary: FaultsSummary = { planted: 0, found: [], named: 0, bisected: 0, problems: [] };
  try {
    const specs = LABS.slice(0, options.labs);
    for (const [n, spec] of specs.entries()) {
      const share =
        Math.floor(((n + 1) * options.faults) / specs.length) - Math.floor((n * options.faults) / specs.length);
      if (share > 0) await breakLab({ server, random, summary, ...options, faults: share }, spec);
    }
  } finally {
    await server.close();
  }
  return summary;
};

interface Rounds extends FaultsOptions {
  server: TestServer;
  random: Random;
  summary: FaultsSummary;
}

const breakLab = async (rounds: Rounds, spec: LabSpec): Promise<void> => {
  const { server, random, summary, signal, report } = rounds;
  const lab = await makeLab(server, spec, spec.name);
  await allReach(lab);
  const expectations = new Expectations(server, lab);
  await expectations.begin();
  for (let n = 0; n < rounds.faults && !signal.aborted; n++) {
    await noise(lab, random);
    await expectations.hold();
    const taps = await expectations.tap();
    const before = await lab.position();
    const planted = await plantOne(lab, random, summary.planted);
    const [guilty] = await lab.rootsOf(BREAKS, before);
    assert.ok(guilty !== undefined, `${planted.what} left no event`);
    const found = await expectations.found(planted, taps, await lab.eventAt(guilty));
    summary.found.push(found);
    await noise(lab, random);
    summary.planted++;
    const problems = [found.problem, await lookAt(rounds, lab, planted, guilty)].filter((one) => one !== null);
    const what = `${spec.name}: ${planted.what}`;
    report([what, ...problems].join(': '));
    summary.problems.push(...problems.map((problem) => `${what}: ${problem}`));
    await planted.repair();
    await allReach(lab);
  }
  await lab.ask('ada', 'POST', '/close');
};

const lookAt = async (
  { server, summary, bisects }: Rounds,
  lab: MadeLab,
  planted: Planted,
  guilty: number,
): Promise<string | null> => {
  const { from, to, size } = planted;
  const query = `from=${from}&to=${to}${size === undefined ? '' : `&size=${size}`}`;
  const { body, text } = await server.request('GET', `/v2/projects/${lab.id}/why?${query}`);
  const answer = body as WhyAnswer;
  const named = answer.obstacle?.since?.position;
  if (named !== guilty) return `event ${guilty} did it, and why says ${answer.sentence ?? text}`;
  summary.named++;
  if (!bisects) return null;
  const found = await bisectIn(server, lab, planted);
  if (found !== guilty) return `event ${guilty} did it, and bisect says ${found}`;
  summary.bisected++;
  return null;
};

/** Longest that a lab which was just made may take. Milliseconds. */
const MAKING_MS = 3000;

const bisectIn = async (server: TestServer, lab: MadeLab, { from, to, size }: Planted): Promise<number> => {
  const address = lab.spec.pcs.find(({ name }) => name === to)?.address ?? '';
  const expect = { reach: { from, to: address, ...(size === undefined ? {} : { size }) } };
  const session = await sessionOf(server, lab.id);
  const options = { expect, patienceMs: MAKING_MS };
  const { signal } = new AbortController();
  const { event } = await bisect(hostOf(server), session, options, { signal, tried: () => undefined });
  return event.position;
};

/** The sorts come in turn, and where a lab has nothing for one the next is taken. */
const plantOne = async (lab: MadeLab, random: Random, turn: number): Promise<Planted> => {
  const plants = Object.values(PLANTS);
  for (let n = 0; n < plants.length; n++) {
    const planted = await plants[(turn + n) % plants.length]?.(lab, random);
    if (planted != null) return planted;
  }
  throw new Error(`nothing can be broken in ${lab.spec.name}`);
};

/** What people do meanwhile, and what breaks nothing. */
const noise = async (lab: MadeLab, random: Random): Promise<void> => {
  const name = random.pick([...lab.nodes.keys()]) ?? '';
  await lab.ask('ben', 'PUT', `/nodes/${lab.nodes.get(name) ?? ''}`, { x: random.below(500), y: random.below(500) });
  await lab.ask('ben', 'POST', '/drawings', { svg: '<svg/>', x: random.below(500) });
};

/** Longest until a lab is well again: PCs look for a duplicate of their address first. */
const PATIENCE_MS = 30_000;

const allReach = async (lab: MadeLab): Promise<void> => {
  for (const [from, to] of lab.spec.pairs)
    assert.ok(
      await answersWithin(lab, { from, to }, PATIENCE_MS),
      `${lab.spec.name}: ${from} does not reach ${to} before anything is broken`,
    );
};

const answersWithin = (
  lab: MadeLab,
  { from, to, size }: Pick<Planted, 'from' | 'to' | 'size'>,
  within: number,
): Promise<boolean> => until(() => lab.ping(from, to, size), { every: 100, within });
