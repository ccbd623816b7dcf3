import type { Client } from '../../client/index.ts';
import { conflict, messageOf } from '../../common/errors.ts';
import { printable, printableMessage } from '../printable.ts';
import { type Command, wrongUsage } from '../source.ts';
import { labCommandWith } from '../lab/lab-command.ts';
import { nodeRows } from '../lab/rows.ts';
import {
  type NamedNode,
  type NamedProject,
  nodesIn,
  noNodes,
  openedProjects,
  type Target,
  targetsOf,
} from '../lab/things.ts';

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

/** Nodes of a closed project neither start nor stop. */
const refuseClosed = (targets: readonly Target[]): void => {
  for (const target of targets)
    if (target.sort === 'project' && target.project.status !== 'opened')
      throw conflict(`${target.names[0]} is not opened: topolog open ${inShell(target.names[0])} opens it`);
};

/** As one word for a shell. */
const inShell = (name: string): string =>
  /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

interface Acted {
  nodes: NamedNode[];
  problems: string[];
}

/** Each is tried, also when one before it could not be done. What only one was asked for is thrown. */
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
  // A reload leaves alone what is stopped.
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
