import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../../client/index.ts';
import { invalid } from '../../common/errors.ts';
import { shortName } from '../names.ts';
import { printable } from '../printable.ts';
import { cannotBe, type Command } from '../command.ts';
import { type Done, labCommand, labCommandWith } from '../lab-command.ts';
import { needYes } from '../running-server.ts';
import {
  counted,
  linkRow,
  linksIn,
  type NamedProject,
  nodeRows,
  nodesIn,
  nodesOf,
  noNodes,
  projectNamed,
  projectRow,
  projectsOf,
  refuseTaken,
  type Target,
  targetsOf,
} from '../objects.ts';

const PROJECT = '/v2/projects/{project_id}';
const NODE = `${PROJECT}/nodes/{node_id}`;

export const newCommand = labCommand(
  'new NAME',
  [1, 1],
  'Makes an empty project and opens it. topolog add makes its nodes.',
  async ({ client, wanted: [name = ''] }) => {
    const project = await client.post('/v2/projects', { body: { name } });
    return { records: project, rows: [projectRow(project)] };
  },
);

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

export const loadCommand = labCommandWith(
  { 'new-id': { type: 'boolean' } },
  {
    usage: 'load FILE [--new-id]',
    counts: [1, 1],
    does: `Loads a project file and opens the project. The server works with the file where it is, and writes to it.

  --new-id         as a project of its own, beside the one that has the id of the file`,
  },
  async ({ client, wanted: [file = ''], flags }): Promise<Done> => {
    if (/\.ya?ml$/.test(file)) throw invalid(`${file} is a lab as a text: topolog apply ${file} makes it`);
    const query = flags['new-id'] === true ? ({ new_id: 'true' } as const) : {};
    const loading = client.post('/v2/projects/load', { body: { path: path.resolve(file) }, query });
    // The server checks first, as it may see other files; a file that is not here either was mistyped.
    const project = await loading.catch(async (error: unknown) => {
      await access(file).catch(cannotBe('read', file));
      throw error;
    });
    return { records: project, rows: [projectRow(project)] };
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
    return { records: fork, rows: [projectRow(fork)] };
  },
);

export const openCommand = projectCommand('open', 'Opens a project: its nodes can be started.');
export const closeCommand = projectCommand('close', 'Closes a project: its nodes stop.');

export const renameCommand = labCommand(
  'rename PROJECT|NODE NAME',
  [2, 2],
  'Gives a project or a node another name.',
  async ({ client, wanted: [wanted = '', name = ''] }) => {
    const [target] = await targetsOf(client, [wanted]);
    if (target?.sort === 'node') {
      const path = { project_id: target.node.project_id, node_id: target.id };
      if (name !== target.node.name) refuseTaken(await client.get(`${PROJECT}/nodes`, { path }), name);
      const node = await client.put(NODE, { path, body: { name } });
      return { records: node, rows: await nodeRows(client, [{ ...target, node }]) };
    }
    const project = await client.put(PROJECT, { path: { project_id: target?.id ?? '' }, body: { name } });
    return { records: project, rows: [projectRow(project)] };
  },
);

export const rmCommand = labCommand(
  'rm PROJECT|NODE... [--yes]',
  [1, Infinity],
  `Deletes projects and nodes for good, after asking, or with --yes (-y). The files of a project that was loaded from outside the data
directory stay.`,
  async (asked) => {
    const targets = await targetsOf(asked.client, asked.wanted);
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

/** `topolog consoles` */
export const consolesCommand = labCommand(
  'consoles [PROJECT]',
  [0, 1],
  `Lists the consoles of a project, or of all that are opened, a line each: node, type, host, port. Nothing listens there while a node is stopped.`,
  async ({ client, wanted: [wanted] }) => {
    const nodes =
      wanted === undefined ? await nodesOf(client) : await nodesIn(client, await projectNamed(client, wanted));
    const found = nodes.flatMap((named) => {
      const { console, console_type, console_host, node_id } = named.node;
      if (console === null || console_type === 'none') return [];
      return [{ name: shortName(nodes, named), node_id, console_type, console_host, console }];
    });
    return {
      records: found,
      rows: found.map((one) => [one.name, one.console_type, one.console_host, String(one.console)]),
    };
  },
);
