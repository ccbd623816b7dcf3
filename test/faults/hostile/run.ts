import { Client } from '../../fuzz/client.ts';
import { type Document, operationsOf, Schemas, sharedStatuses } from '../../fuzz/document.ts';
import { judgeOf } from '../../fuzz/judge.ts';
import { type WatchedServer, watchedServer } from '../../fuzz/watched-server.ts';
import { tempDir } from '../../support/temp.ts';
import { seeded } from '../prng.ts';
import { archives } from './archives.ts';
import type { Attack, Figures, Phase } from './attack.ts';
import { clients } from './clients.ts';
import { consoles } from './consoles.ts';
import { costs } from './costs/costs.ts';
import { fields } from './fields.ts';
import { FrameAttack } from './frames.ts';
import { images } from './images.ts';
import { neighbours } from './neighbours.ts';
import { LongestOfAll, MOST_PAUSE_MS, pauseFigures, Pauses, programs } from './pauses.ts';
import { type Latency, probe } from './probe.ts';

export const PHASES = { costs, fields, archives, images, consoles, neighbours, clients, frames: null } as const;
export type PhaseName = keyof typeof PHASES;

export interface HostileOptions {
  seed: number;
  /** Of all phases together. */
  seconds: number;
  frames: number;
  only: readonly PhaseName[];
  /** Whether it is a problem what others waited: on a machine where nothing else runs. */
  isTimed: boolean;
  report(line: string): void;
}

/** What somebody else's small read may take while all this goes on, for 99 of 100. Milliseconds. */
const MOST_P99_MS = 1_000;
/** Octets that the server's process may hold afterwards. */
const MOST_HELD = 1_000e6;
/** Anything that a server writes when it has not seen something coming. */
const DEFECT = /uncaught|unhandled|at \S+ \(?\S+\.[jt]s:\d+|request [\w-]+ \(/i;

/** Every phase against a server of its own; what was wrong, in sentences. */
export const attackAll = async (options: HostileOptions): Promise<string[]> => {
  /** Each with how often it was seen: what is wrong is mostly wrong again and again. */
  const problems = new Map<string, number>();
  const longest = new LongestOfAll();
  const each = options.seconds / options.only.length;
  for (const [index, name] of options.only.entries()) {
    const seconds = each;
    const blame = (what: string): void =>
      void problems.set(`${name}: ${what}`, (problems.get(`${name}: ${what}`) ?? 0) + 1);
    const phase = PHASES[name];
    const figures =
      phase === null
        ? await sendFrames(options, seconds, blame)
        : await against(phase, { ...options, name, longest, seed: options.seed + index, seconds }, blame).catch(
            (error: unknown) => {
              blame(error instanceof Error ? (error.stack ?? error.message) : String(error));
              return {};
            },
          );
    options.report(`${name}: ${JSON.stringify(figures)}`);
  }
  options.report(String(longest));
  return [...problems].map(([what, times]) => `${what}${times > 1 ? ` (${times} times)` : ''}`);
};

const sendFrames = async (
  { seed, frames }: HostileOptions,
  seconds: number,
  blame: Attack['blame'],
): Promise<object> => {
  const until = performance.now() + seconds * 1000;
  const { problems, ...figures } = await new FrameAttack(seed).run(frames, () => performance.now() > until);
  problems.forEach(blame);
  return figures;
};

const against = async (
  phase: Phase,
  options: HostileOptions & { name: PhaseName; longest: LongestOfAll },
  blame: Attack['blame'],
): Promise<object> => {
  const { name, longest, seed, seconds, isTimed } = options;
  const dir = await tempDir();
  const server = await watchedServer(dir.path, phase === images ? ['--local'] : ['--no-local']);
  const client = new Client(server.url, 16);
  try {
    const document = (await client.get('/v2/openapi.json')) as Document;
    const operations = operationsOf(document);
    const judge = judgeOf(operations, sharedStatuses(document));
    const until = performance.now() + seconds * 1000;
    const isOver = (): boolean => performance.now() > until || server.child.exitCode !== null;
    const lab = await labOf(client, seeded(seed).uuid());
    const pauses = new Pauses(server.pauses);
    // A server that begins reads its programs, and nobody waits for it yet.
    await pauses.longest();
    const paused = async (attack: string): Promise<Figures> => {
      const under = await pauses.longest();
      longest.take(attack, under);
      for (const program of programs)
        if (isTimed && under[program] > MOST_PAUSE_MS)
          blame(`the ${program} paused for ${Math.round(under[program])} ms under ${attack}`);
      return pauseFigures(under);
    };
    const during: Attack['during'] = async (what, work) => {
      const from = performance.now();
      await work();
      const took = Math.round(performance.now() - from);
      options.report(`${name}: ${what}: ${JSON.stringify({ ...(await paused(what)), 'took ms': took })}`);
    };
    const attack = { server, client, document, operations, judge, isOver, blame, lab, during };
    const watch = await probe(server.url);
    const figures = await phase({ ...attack, schemas: new Schemas(document), random: seeded(seed) }).catch(
      // A worker that is left keeps the process from its end.
      (error: unknown) => watch.stop().then(() => Promise.reject(error as Error)),
    );
    const latency = await watch.stop();
    const pause = await paused(name);
    await inspect(server, client, latency, blame);
    if (isTimed && latency.p99 > MOST_P99_MS) blame(`others waited ${Math.round(latency.p99)} ms (p99)`);
    return { ...figures, ...rounded(latency), ...pause, 'MB held': Math.round((await server.memory()).process / 1e6) };
  } finally {
    client.close();
    const code = await server.end();
    if (code !== 0) blame(`the server ended with ${String(code)}: ${server.stderr().slice(-2000)}`);
    await dir.remove();
  }
};

const rounded = ({ median, p99, worst }: Latency): Figures => ({
  'median ms': Math.round(median),
  'p99 ms': Math.round(p99),
  'worst ms': Math.round(worst),
});

/** The server after a phase: it lives, is well, its log is whole, others were answered, its memory is bounded. */
const inspect = async (
  server: WatchedServer,
  client: Client,
  latency: Latency,
  blame: Attack['blame'],
): Promise<void> => {
  if (server.child.exitCode !== null) return blame(`the server ended: ${server.stderr().slice(-2000)}`);
  const health = (await client.get('/v2/health')) as { status: string };
  if (health.status !== 'ok') blame(`health says ${JSON.stringify(health)}`);
  const verdict = (await client.get('/v2/verify')) as { ok: boolean };
  if (!verdict.ok) blame(`the log: ${JSON.stringify(verdict)}`);
  if (latency.failed > 0) blame(`${latency.failed} reads of others failed`);
  const held = await server.memory();
  if (held.process > MOST_HELD) blame(`the server holds ${held.process} octets`);
  if (DEFECT.test(server.stderr())) blame(`the server said ${server.stderr().slice(0, 2000)}`);
};

const labOf = async (client: Client, project_id: string): Promise<Attack['lab']> => {
  const ask = async (url: string, body: object): Promise<Record<string, unknown>> => {
    const bytes = Buffer.from(JSON.stringify(body));
    const reply = await client.send({ method: 'POST', url, headers: {}, body: bytes, hangUp: null }, true);
    if (typeof reply === 'string' || reply.status >= 300) throw new Error(`${url}: ${JSON.stringify(reply)}`);
    return reply.text === '' ? {} : (JSON.parse(reply.text) as Record<string, unknown>);
  };
  await ask('/v2/projects', { name: 'lab', project_id });
  const nodes: Record<string, unknown>[] = [];
  for (const name of ['PC1', 'PC2', 'PC3'])
    nodes.push(await ask(`/v2/projects/${project_id}/nodes`, { name, node_type: 'simple_pc', compute_id: 'local' }));
  await ask(`/v2/projects/${project_id}/nodes/start`, {});
  const [a, b] = nodes.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const made = {
    ...(await ask(`/v2/projects/${project_id}/links`, { nodes: [a, b] })),
    ...(await ask(`/v2/projects/${project_id}/drawings`, {})),
    ...(await ask('/v2/templates', { name: 'mine', template_type: 'simple_pc' })),
  };
  const ids = ['link_id', 'drawing_id', 'template_id'].map((key) => [key, String(made[key as keyof typeof made])]);
  return {
    ...{ project_id, ids: Object.fromEntries(ids) as Record<string, string> },
    ...{ nodes: nodes.map((n) => String(n['node_id'])), consoles: nodes.map((n) => Number(n['console'])) },
  };
};
