import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../../client/index.ts';
import { conflict, invalid } from '../../common/errors.ts';
import { pick } from '../names.ts';
import { printable } from '../printable.ts';
import { needYes } from './running-server.ts';
import { cannotBe, type Command } from '../source.ts';
import { type Asked, type Done, labCommand, labCommandWith } from './lab-command.ts';
import { placesOf } from './places.ts';
import {
  counted,
  linksIn,
  type NamedLink,
  type NamedNode,
  type NamedProject,
  nodesIn,
  nodesOf,
  projectsOf,
} from './things.ts';

const PROJECT = '/v2/projects/{project_id}';
const NODE = `${PROJECT}/nodes/{node_id}`;

const projectNamed = async (client: Client, wanted = ''): Promise<NamedProject> =>
  pick('project', await projectsOf(client), wanted);

export const lsCommand = labCommand(
  'ls [PROJECT]',
  [0, 1],
  'Lists the projects, or the nodes and links of one.',
  async ({ client, wanted: [wanted] }) => {
    if (wanted !== undefined) return insideOf(client, await projectNamed(client, wanted));
    const projects = await projectsOf(client);
    const rows = await Promise.all(
      projects.map(async (named) => {
        const { project, names } = named;
        const nodes = await nodesIn(client, named);
        const running = nodes.filter(({ node }) => node.status === 'started').length;
        return [names[0], project.status, counted(nodes.length, 'node'), `${running} started`, project.path ?? ''];
      }),
    );
    return {
      records: projects.map(({ project }) => project),
      rows,
      none: 'there are no projects yet: topolog apply FILE or topolog load FILE makes one',
    };
  },
);

const insideOf = async (client: Client, project: NamedProject): Promise<Done> => {
  const nodes = await nodesIn(client, project);
  const links = await linksIn(client, project, nodes);
  return {
    records: { nodes: nodes.map(({ node }) => node), links: links.map(({ link }) => link) },
    rows: [...(await nodeRows(client, nodes)), ...links.map(linkRow)],
    none: noNodes([project]),
  };
};

const noNodes = (targets: readonly Target[]): string => {
  const names = targets.map(({ names: [name] }) => name);
  return `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no nodes`;
};

const nodeRows = async (client: Client, nodes: readonly NamedNode[]): Promise<string[][]> => {
  const placeOf = await placesOf(client, nodes);
  return nodes.map(({ node }) => {
    const { name, status, node_type, console, console_type, console_host } = node;
    const at = console === null ? '' : `${console_type} ${console_host} ${console}`;
    return [name, status, node_type, at, placeOf(node)];
  });
};

const linkRow = ({ link, names }: NamedLink): string[] => {
  const filters = Object.keys(link.filters);
  const state = link.suspend ? 'suspended' : link.capturing ? 'capturing' : 'linked';
  return [names[1] ?? names[0], state, link.link_type, filters.length === 0 ? '' : JSON.stringify(link.filters)];
};

export const loadCommand = labCommand(
  'load FILE',
  [1, 1],
  'Loads a project file and opens the project. The server works with the file where it is, and writes to it.',
  async ({ client, wanted: [file = ''] }) => {
    if (/\.ya?ml$/.test(file)) throw invalid(`${file} is a lab as a text: topolog apply ${file} makes it`);
    const loading = client.post('/v2/projects/load', { body: { path: path.resolve(file) } });
    // The server looks first, as the file is where it is; what is not here either was mistyped.
    const project = await loading.catch(async (error: unknown) => {
      await access(file).catch(cannotBe('read', file));
      throw error;
    });
    return { records: project, rows: [[project.name ?? project.project_id, project.status, project.project_id]] };
  },
);

const projectCommand = (action: 'open' | 'close', does: string): Command =>
  labCommand(`${action} PROJECT`, [1, 1], does, async ({ client, wanted: [wanted] }) => {
    const at = { path: { project_id: (await projectNamed(client, wanted)).id } };
    await (action === 'open' ? client.post(`${PROJECT}/open`, at) : client.post(`${PROJECT}/close`, at));
    const project = await client.get(PROJECT, at);
    return { records: project, rows: [[project.name ?? project.project_id, project.status]] };
  });

export const forkCommand = labCommandWith(
  { at: { type: 'string' } },
  {
    usage: 'fork PROJECT NAME [--at MOMENT]',
    counts: [2, 2],
    does: `Makes a new project with a lab as it is, or as it was. It is closed: topolog open opens it.

  --at MOMENT      a position of the log or an ISO time: the lab as it was then`,
  },
  async ({ client, wanted: [wanted, name = ''], flags: { at } }) => {
    const path = { project_id: (await projectNamed(client, wanted)).id };
    const fork = await client.post(`${PROJECT}/fork`, { path, body: { name, ...(at === undefined ? {} : { at }) } });
    return { records: fork, rows: [[fork.name ?? fork.project_id, fork.status, fork.project_id]] };
  },
);

export const openCommand = projectCommand('open', 'Opens a project: its nodes can be started.');
export const closeCommand = projectCommand('close', 'Closes a project: its nodes stop.');

type Target = NamedProject | NamedNode;

/** Nodes of a closed project neither start nor stop. */
const refuseClosed = (targets: readonly Target[]): void => {
  for (const target of targets)
    if (target.sort === 'project' && target.project.status !== 'opened')
      throw conflict(`${target.names[0]} is not opened: topolog open ${inShell(target.names[0])} opens it`);
};

/** As one word for a shell. */
const inShell = (name: string): string =>
  /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;

/** All of them, before anything is done to the first. */
const targetsOf = async ({ client, wanted }: Asked): Promise<Target[]> => {
  const things: Target[] = [...(await projectsOf(client)), ...(await nodesOf(client))];
  return wanted.map((one) => pick('project or node', things, one));
};

const nodeCommand = (action: 'start' | 'stop', does: string): Command =>
  labCommand(`${action} PROJECT|NODE...`, [1, Infinity], does, async (asked) => {
    const { client } = asked;
    const records: unknown[] = [];
    const rows: string[][] = [];
    const targets = await targetsOf(asked);
    refuseClosed(targets);
    for (const target of targets) {
      const nodes =
        target.sort === 'project' ? await actOnAll(client, action, target) : [await actOn(client, action, target)];
      records.push(...nodes.map(({ node }) => node));
      rows.push(...(await nodeRows(client, nodes)));
    }
    return { records, rows, none: noNodes(targets) };
  });

const actOnAll = async (client: Client, action: 'start' | 'stop', project: NamedProject): Promise<NamedNode[]> => {
  const at = { path: { project_id: project.id } };
  await (action === 'start' ? client.post(`${PROJECT}/nodes/start`, at) : client.post(`${PROJECT}/nodes/stop`, at));
  return nodesIn(client, project);
};

const actOn = async (client: Client, action: 'start' | 'stop', named: NamedNode): Promise<NamedNode> => {
  const { node_id, project_id } = named.node;
  const at = { path: { project_id, node_id } };
  await (action === 'start' ? client.post(`${NODE}/start`, at) : client.post(`${NODE}/stop`, at));
  return { ...named, node: await client.get(NODE, at) };
};

export const startCommand = nodeCommand('start', 'Starts nodes: those named, or all of a project.');
export const stopCommand = nodeCommand('stop', 'Stops nodes: those named, or all of a project.');

export const rmCommand = labCommand(
  'rm PROJECT|NODE... [--yes]',
  [1, Infinity],
  `Deletes projects and nodes for good, after asking, or with --yes (-y). The files of a project that was loaded from outside the data
directory stay.`,
  async (asked) => {
    const targets = await targetsOf(asked);
    const what = targets.map(({ sort, names }) => `${sort} ${names[0]}`);
    const all = printable(what.join(', '));
    if (!asked.yes) await needYes(`Delete ${all} for good?`, `not deleted: ${all}`);
    for (const target of targets) await remove(asked.client, target);
    return { records: targets.map(({ id }) => id), rows: what.map((one) => [one, 'deleted']) };
  },
);

const remove = async (client: Client, target: Target): Promise<void> => {
  if (target.sort === 'project') await client.delete(PROJECT, { path: { project_id: target.id } });
  else await client.delete(NODE, { path: { project_id: target.node.project_id, node_id: target.id } });
};
