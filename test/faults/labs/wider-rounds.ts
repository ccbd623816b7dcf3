import assert from 'node:assert/strict';
import { until } from '../../../src/common/promises.ts';
import type { AnyEvent } from '../../../src/events/schemas.ts';
import type { WhyAnswer } from '../../../src/why/contract.ts';
import { openConsole } from '../../support/console.ts';
import { startPodman } from '../../support/podman.ts';
import { spawnServer, testServer, type TestServer } from '../../support/server.ts';
import { tempDir } from '../../support/temp.ts';
import { type Random, seeded } from '../prng.ts';
import { type Broken, type Ground, WIDER, type WiderLab } from './wider.ts';

export interface WiderOptions {
  faults: number;
  seed: number;
  /** Leaves out labs that need them. */
  without: readonly NonNullable<WiderLab['needs']>[];
  signal: AbortSignal;
  report: (line: string) => void;
}

/** Faults by what `why` said of them. `problems`: what it said wrong. */
export interface WiderSummary {
  named: number;
  unknown: number;
  wrong: number;
  problems: string[];
}

interface Node {
  node_id: string;
  name: string;
  console: number;
}
interface Link {
  link_id: string;
  nodes: { node_id: string }[];
}

const BREAKS = 'mallory';
/** Busybox asks for the place of the cursor behind it. */
const PROMPT = /[#>$] ?(?:\u001B\[6n)?$/;
const LAST = 'server away';
/** Longest until a lab answers, or does no more. Milliseconds. */
const PATIENCE_MS = 30_000;

/** Breaks labs of containers, of IPv6, of two computes and of routers, one fault at a time, and asks why. */
export const widerFaults = async (options: WiderOptions): Promise<WiderSummary> => {
  const labs = Object.entries(WIDER).filter(([, { needs }]) => needs === undefined || !options.without.includes(needs));
  const needs = new Set(labs.map(([, lab]) => lab.needs));
  const podman = needs.has('containers') ? await startPodman() : null;
  const far = needs.has('computes') ? await startFar() : null;
  const server = await testServer([
    '--compute-silence',
    '3',
    ...(podman === null ? [] : ['--docker-host', `unix://${podman.socket}`]),
  ]);
  const summary: WiderSummary = { named: 0, unknown: 0, wrong: 0, problems: [] };
  try {
    if (far !== null) await server.request('POST', '/v2/computes', far.compute);
    const image = podman?.image ?? '';
    const random = seeded(options.seed);
    const all = labs.reduce((sum, [, { breaks }]) => sum + Object.keys(breaks).length, 0);
    let [done, share] = [0, 0];
    for (const [name, lab] of labs) {
      share += Object.keys(lab.breaks).length;
      const faults = Math.round((share * options.faults) / all) - done;
      done += faults;
      const text = lab.text.replaceAll('IMAGE', image);
      const world = await makeWorld(server, random, { name, lab: { ...lab, text }, leave: () => far?.leave() });
      await breakWorld(world, { ...options, faults, summary });
    }
  } finally {
    await server.close();
    await far?.close();
    await podman?.close();
  }
  return summary;
};

/** A server whose nodes outlive it. */
const startFar = async () => {
  const dir = await tempDir();
  const far = await spawnServer(dir.path);
  const port = Number(new URL(far.url).port);
  return {
    compute: { compute_id: 'far', name: 'far', protocol: 'http', host: '127.0.0.1', port },
    leave: () => far.kill('SIGKILL'),
    async close(): Promise<void> {
      await far.kill('SIGKILL');
      // Ends what it left.
      await (await spawnServer(dir.path)).kill('SIGTERM');
      await dir.remove();
    },
  };
};

interface World {
  name: string;
  lab: WiderLab;
  ground: Ground;
  ask: (method: string, path: string, body?: unknown, user?: string) => Promise<unknown>;
  from: string;
  to: string;
}

const makeWorld = async (
  server: TestServer,
  random: Random,
  { name, lab, leave }: { name: string; lab: WiderLab; leave: () => Promise<void> | undefined },
): Promise<World> => {
  const send = async (method: string, path: string, body: unknown, user: string): Promise<unknown> => {
    const answer = await server.request(method, path, body, { 'x-topolog-user': user });
    assert.ok(answer.status < 300, `${name}: ${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const text = `lab: ${name}\nversion: 1${lab.text}\n`;
  const applied = await send('POST', '/v2/labs/apply', { text, start: true }, 'ada');
  const project = `/v2/projects/${(applied as { project_id: string }).project_id}`;
  const ask: World['ask'] = (method, path, body = {}, user = BREAKS) =>
    send(method, `${project}${path}`, method === 'GET' ? undefined : body, user);
  const nodes = (await ask('GET', '/nodes')) as Node[];
  const found = (wanted: string): Node => {
    const node = nodes.find((one) => one.name === wanted);
    assert.ok(node, `${name} has no ${wanted}`);
    return node;
  };
  let links = (await ask('GET', '/links')) as Link[];
  const linkOf = (a: string, b: string): Link => {
    const ends = [found(a).node_id, found(b).node_id];
    const link = links.find((one) => one.nodes.every(({ node_id }) => ends.includes(node_id)));
    assert.ok(link, `${name} has no link from ${a} to ${b}`);
    return link;
  };
  const ground: Ground = {
    random,
    put: (path, body, user) => ask('PUT', path, body, user),
    post: (path, body, user) => ask('POST', path, body, user),
    remove: (path) => ask('DELETE', path),
    node: (wanted) => `/nodes/${found(wanted).node_id}`,
    link: (a, b) => `/links/${linkOf(a, b).link_id}`,
    async relink(user, a, b) {
      await ask('POST', '/links', { nodes: linkOf(a, b).nodes.map((end) => ({ ...end, label: undefined })) }, user);
      links = (await ask('GET', '/links')) as Link[];
    },
    async type(wanted, line) {
      const screen = await openConsole(((await ask('GET', `/nodes/${found(wanted).node_id}`)) as Node).console);
      await screen.type(line, PROMPT);
      screen.close();
    },
    leave: async () => leave(),
  };
  const from = nodes.find((one) => one.name === 'a')?.name ?? '';
  const to = lab.to ?? nodes.find((one) => one.name === 'c')?.name ?? '';
  const { breaks } = lab;
  if ('typed route lost by a reload' in breaks) await ground.type('r1', 'route 10.2.0.0/24 10.0.0.2');
  return { name, lab, ground, ask, from, to };
};

/** Whether a ping is answered, really; null: nobody can say. */
const answered = async ({ ask, from, to }: World, size?: number): Promise<boolean | null> => {
  const body = { from, to, ...(size === undefined ? {} : { size }) };
  const { tried } = (await ask('POST', '/why', body, 'ada')) as WhyAnswer;
  return tried?.reaches ?? null;
};

const untilAnswered = async (world: World, wanted: boolean, size?: number): Promise<void> => {
  const holds = async (): Promise<boolean> => (await answered(world, size)) === wanted;
  const isSo = await until(holds, { every: 100, within: PATIENCE_MS });
  assert.ok(isSo, `${world.name}: a ping is ${wanted ? 'not' : 'still'} answered`);
};

/** Start-up texts run once their nodes have started. */
const untilSet = async (world: World): Promise<void> => {
  const isSet = async (): Promise<boolean> =>
    !/ has no address, and its text says| still runs its start-up text/.test(JSON.stringify(await why(world, {})));
  assert.ok(await until(isSet, { every: 50, within: PATIENCE_MS }), `${world.name}: a node does not get its address`);
};

const positionIn = async ({ ask }: World): Promise<number> => {
  const { position } = (await ask('GET', `/why?from=a&to=192.0.2.77`)) as WhyAnswer;
  return position;
};

const breakWorld = async (
  world: World,
  {
    faults,
    summary,
    signal,
    report,
  }: Pick<WiderOptions, 'signal' | 'report'> & { faults: number; summary: WiderSummary },
): Promise<void> => {
  const all = Object.entries(world.lab.breaks);
  // The one after which a lab cannot go on comes last.
  const turns = Array.from({ length: faults }, (_, n) => all[n % all.length]);
  const inTurn = turns.toSorted((a, b) => Number(a?.[0] === LAST) - Number(b?.[0] === LAST));
  for (const turn of inTurn) {
    if (turn === undefined || signal.aborted) continue;
    const [fault, plant] = turn;
    await untilAnswered(world, true);
    const well = await why(world, {});
    const before = await positionIn(world);
    const broken = await plant(world.ground);
    if (broken.passes !== true) await untilAnswered(world, false, broken.size);
    await untilSet(world);
    const [verdict, said] = await judge(world, broken, before);
    const isAccused = well.reaches === false;
    const what = isAccused ? 'wrong' : verdict;
    summary[what] += 1;
    const line = `${world.name}: ${fault}: ${what}`;
    report(line);
    if (what === 'wrong') summary.problems.push(`${line}: ${isAccused ? `before it, ${well.sentence}` : said}`);
    await broken.repair();
    if (fault === LAST) break;
  }
  if (!inTurn.some((turn) => turn?.[0] === LAST)) await world.ask('POST', '/close', {}, 'ada');
};

const why = ({ ask, from, to }: World, { size, port }: Pick<Broken, 'size' | 'port'>): Promise<WhyAnswer> => {
  const more = Object.entries({ size, port }).flatMap(([key, value]) =>
    value === undefined ? [] : `&${key}=${value}`,
  );
  return ask('GET', `/why?from=${from}&to=${to}${more.join('')}`) as Promise<WhyAnswer>;
};

type Verdict = 'named' | 'unknown' | 'wrong';

/** Compares what is said with who did it, and with what a ping meets. */
const judge = async (world: World, broken: Broken, before: number): Promise<[Verdict, string]> => {
  const type = typeof broken.guilty === 'string' ? broken.guilty : null;
  const guilty =
    broken.guilty === null
      ? null
      : await until(() => guiltyIn(world, before, type), { every: 50, within: PATIENCE_MS });
  const { reaches, obstacle, sentence } = await why(world, broken);
  const isReal = broken.passes === true || reaches !== true;
  if (!isReal) return ['wrong', sentence];
  const since = obstacle?.since ?? null;
  if (since !== null)
    return [since.position === guilty ? 'named' : 'wrong', `event ${guilty} did it, and why says ${sentence}`];
  const place = obstacle?.node_id ?? obstacle?.link_id;
  if (guilty === null && place !== undefined && broken.place?.endsWith(place) === true) return ['named', sentence];
  return [reaches === null ? 'unknown' : 'wrong', sentence];
};

/** Position of the event that did it; null: it is not there yet. */
const guiltyIn = async ({ ask }: World, before: number, type: string | null): Promise<number | null> => {
  const query = type === null ? `principal=${BREAKS}&` : '';
  const { events } = (await ask('GET', `/events?${query}from=${before + 1}`)) as { events: AnyEvent[] };
  const found =
    type === null ? events.find(({ cause }) => cause === null) : events.findLast((event) => event.type === type);
  return found?.position ?? null;
};
