import type { Client, Schemas } from '../../client/index.ts';
import { conflict, invalid, messageOf, TopologError } from '../../common/errors.ts';
import { duration } from '../../common/forms/duration.ts';
import { until } from '../../common/promises.ts';
import { type Done, labCommandWith } from '../lab-command.ts';
import {
  type NamedNode,
  type NamedProject,
  nodeRows,
  nodesIn,
  noNodes,
  openedProjects,
  projectNamed,
  type Target,
  targetsOf,
} from '../objects.ts';
import { didYouMean, pick, wordsNear } from '../names.ts';
import { printable, printableMessage } from '../printable.ts';
import { type Command, wrongUsage } from '../command.ts';

const NODES = '/v2/projects/{project_id}/nodes';

/** Routes of the interface. A start resumes a suspended node. */
const ACTIONS = { start: 'start', stop: 'stop', restart: 'reload', suspend: 'suspend', resume: 'start' } as const;
type Action = keyof typeof ACTIONS;

const nodeCommand = (action: Action, does: string): Command => {
  const usage = `${action} PROJECT|NODE...|--all`;
  return labCommandWith(
    { all: { type: 'boolean' } },
    {
      usage,
      counts: [0, Infinity],
      does: `${does}: those named, or all of a project.

  --all            all nodes of all projects that are opened`,
    },
    async ({ client, wanted, flags: { all = false } }) => {
      if (all === wanted.length > 0) throw wrongUsage(usage);
      const targets = all ? await openedProjects(client) : await targetsOf(client, wanted);
      refuseClosed(targets);
      const { nodes, problems } = await actOnEach(client, action, targets);
      for (const problem of problems) process.stderr.write(`topolog: ${printableMessage(problem)}\n`);
      return {
        records: nodes.map(({ node }) => node),
        rows: await nodeRows(client, nodes),
        none: targets.length === 0 ? 'no project is opened' : noNodes(targets),
        failed: problems.length > 0,
      };
    },
  );
};

/** Throws for a closed project, whose nodes neither start nor stop. */
const refuseClosed = (targets: readonly Target[]): void => {
  for (const target of targets)
    if (target.sort === 'project' && target.project.status !== 'opened')
      throw conflict(`${target.names[0]} is not opened: topolog open ${inShell(target.names[0])} opens it`);
};

/** Quotes a name as one word of a shell. */
const inShell = (name: string): string =>
  /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

interface Acted {
  nodes: NamedNode[];
  problems: string[];
}

/** Acts on each target, also after a failure of one before it. The failure of a single target is thrown. */
const actOnEach = async (client: Client, action: Action, targets: readonly Target[]): Promise<Acted> => {
  const done: Acted = { nodes: [], problems: [] };
  for (const target of targets)
    try {
      done.nodes.push(...(await actOn(client, action, target)));
    } catch (error) {
      if (targets.length === 1) throw error;
      done.problems.push(`${printable(target.names[0])}: ${messageOf(error)}`);
    }
  return done;
};

const actOn = async (client: Client, action: Action, target: Target): Promise<NamedNode[]> => {
  if (target.sort === 'node') return [await actOnOne(client, action, target)];
  return action === 'resume' ? resumeAll(client, target) : actOnAll(client, action, target);
};

const actOnAll = async (client: Client, action: Action, project: NamedProject): Promise<NamedNode[]> => {
  const at = { path: { project_id: project.id } };
  await client.post(`${NODES}/${ACTIONS[action]}`, at);
  // A reload leaves stopped nodes alone.
  if (action === 'restart') await client.post(`${NODES}/start`, at);
  return nodesIn(client, project);
};

/** Resumes suspended nodes; the others stay as they are. */
const resumeAll = async (client: Client, project: NamedProject): Promise<NamedNode[]> => {
  const suspended = (await nodesIn(client, project)).filter(({ node }) => node.status === 'suspended');
  return Promise.all(suspended.map((named) => actOnOne(client, 'resume', named)));
};

const actOnOne = async (client: Client, action: Action, named: NamedNode): Promise<NamedNode> => {
  const { node_id, project_id, status, name } = named.node;
  if (action === 'resume' && status !== 'suspended') throw conflict(`${name} is ${status}, not suspended`);
  const at = { path: { project_id, node_id } };
  const isStopped = action === 'restart' && status === 'stopped';
  await client.post(`${NODES}/{node_id}/${isStopped ? 'start' : ACTIONS[action]}`, at);
  return { ...named, node: await client.get(`${NODES}/{node_id}`, at) };
};

export const startCommand = nodeCommand('start', 'Starts nodes');
export const stopCommand = nodeCommand('stop', 'Stops nodes');
export const restartCommand = nodeCommand('restart', 'Stops nodes and starts them again');
export const suspendCommand = nodeCommand(
  'suspend',
  'Suspends nodes: they stand still and keep what is in their memory',
);
export const resumeCommand = nodeCommand('resume', 'Lets nodes that are suspended go on');

const PROJECT = '/v2/projects/{project_id}';

const STATES = ['started', 'stopped', 'suspended'] as const;
type State = (typeof STATES)[number];
const WISHES = [...STATES, 'checks'] as const;

/** Default of `--timeout`. Milliseconds. */
const PATIENCE_MS = 60_000;
/** Longest wait of the server in one request. Seconds. */
const MOST_OF_REQUEST = 600;
/** Pause between two queries of the checks. Milliseconds. */
const LOOK_MS = 250;

/** `topolog wait` */
export const waitCommand = labCommandWith(
  { for: { type: 'string' }, timeout: { type: 'string' } },
  {
    usage: 'wait PROJECT [NODE...] [--for started|stopped|suspended|checks] [--timeout TIME]',
    counts: [1, Infinity],
    does: `Waits until nodes of a project, or all of it, are in a state, or until all of its checks are met. It starts nothing.

  --for WHAT       started, stopped, suspended, or checks (started)
  --timeout TIME   no longer than that: 500ms, 90s, 5m (60s)

Exit code 0 when it is so; 1 when it was not in time, or cannot come: a node could not be started.`,
  },
  async ({ client, wanted: [wanted, ...names], flags }) => {
    const { for: what = 'started', timeout } = flags;
    const wish = WISHES.find((one) => one === what);
    if (wish === undefined)
      throw invalid(`--for takes ${WISHES.join(', ')}, not ${what}${didYouMean(wordsNear(what, WISHES))}`);
    const ms = timeout === undefined ? PATIENCE_MS : durationOf(timeout);
    const project = await projectNamed(client, wanted);
    if (wish !== 'checks') return untilState(client, project, { names, state: wish, ms });
    if (names.length > 0) throw invalid('--for checks waits for a whole project, not for nodes');
    return untilMet(client, project, ms);
  },
);

const durationOf = (text: string): number => {
  const { success, data } = duration.safeParse(/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text);
  if (!success) throw invalid(`--timeout takes a time such as 500ms, 90s or 5m, or a number of seconds, not ${text}`);
  return data;
};

interface Wish {
  names: readonly string[];
  state: State;
  ms: number;
}

const untilState = async (client: Client, project: NamedProject, { names, state, ms }: Wish): Promise<Done> => {
  const nodes = await nodesIn(client, project);
  const node = names.map((name) => pick('node', nodes, name).id);
  const which = node.length === 0 ? { all: 'true' as const } : { node };
  const end = performance.now() + ms;
  for (;;) {
    const left = Math.max(0, end - performance.now());
    const seconds = Math.min(MOST_OF_REQUEST, Math.ceil(left / 1000));
    try {
      const query = { ...which, status: state, timeout: seconds };
      const found = await client.get(`${PROJECT}/wait`, { path: { project_id: project.id }, query });
      const ids = new Set(found.map(({ node_id }) => node_id));
      const there = (await nodesIn(client, project)).filter(({ id }) => ids.has(id));
      return { records: found, rows: await nodeRows(client, there) };
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'deadline' || performance.now() >= end) throw error;
    }
  }
};

const untilMet = async (client: Client, { id, names }: NamedProject, ms: number): Promise<Done> => {
  let checks: Schemas['Check'][] = [];
  const open = (): Schemas['Check'][] => checks.filter(({ result }) => result.verdict !== 'met');
  const areMet = async (): Promise<boolean> => {
    checks = await client.get(`${PROJECT}/checks`, { path: { project_id: id } });
    if (checks.length === 0) throw conflict(`${names[0]} has no checks`);
    return open().length === 0;
  };
  if (!(await until(areMet, { every: LOOK_MS, within: ms }))) {
    const titles = open().map(({ title }) => title);
    const message = `${titles.length} of ${checks.length} checks were not met within ${ms / 1000} s: ${titles.join(', ')}`;
    throw TopologError.saying('deadline', message);
  }
  const rows = checks.map(({ title, result: { verdict, text, last } }) => [verdict, title, last?.text ?? text ?? '']);
  return { records: checks, rows };
};
