import path from 'node:path';
import type { Client } from '../../client/index.ts';
import { invalid } from '../../common/errors.ts';
import { pick } from '../names.ts';
import { printable, printableJson } from '../printable.ts';
import { isYes, runningServer } from './running-server.ts';
import { COMMON, type Command, command, dataDirOf, parse } from '../source.ts';
import { linksIn, type NamedLink, type NamedNode, type NamedProject, nodesIn, nodesOf, projectsOf } from './things.ts';
import { printRows } from '../timeline.ts';

const REST = `
Projects and nodes are named as topolog ls names them, by a beginning that no other has, or by their id. A node of which there is another of
that name is PROJECT/NODE.

  --json           print the records as JSON
  --data-dir DIR   where the server's data are
`;

const OPTIONS = { ...COMMON, json: { type: 'boolean' }, yes: { type: 'boolean', short: 'y' } } as const;

/** What a command is asked to do. */
interface Asked {
  client: Client;
  /** Its arguments. */
  wanted: readonly [string, ...string[]] | readonly [];
  /** It need not ask whether that is meant. */
  yes: boolean;
}

/** What it did: records, as JSON prints them, and lines, as others are to read them. */
interface Done {
  records: unknown;
  rows: string[][];
}

const labCommand = (
  usage: string,
  [least, most]: readonly [number, number],
  does: string,
  run: (asked: Asked) => Promise<Done>,
): Command =>
  command(`topolog ${usage} [--json] [--data-dir DIR]\n\n${does}\n${REST}`, async (args) => {
    const { values, positionals } = parse({ args, options: OPTIONS, allowPositionals: true });
    if (positionals.length < least || positionals.length > most) throw invalid(`the command is topolog ${usage}`);
    const { client } = await runningServer(dataDirOf(values['data-dir']));
    const wanted = positionals as [string, ...string[]];
    const { records, rows } = await run({ client, wanted, yes: values.yes === true });
    if (values.json === true) process.stdout.write(`${printableJson(JSON.stringify(records, null, 2))}\n`);
    else printRows(rows);
    return 0;
  });

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
        return [names[0], project.status, `${nodes.length} nodes`, `${running} started`, project.path ?? ''];
      }),
    );
    return { records: projects.map(({ project }) => project), rows };
  },
);

const insideOf = async (client: Client, project: NamedProject): Promise<Done> => {
  const nodes = await nodesIn(client, project);
  const links = await linksIn(client, project, nodes);
  return {
    records: { nodes: nodes.map(({ node }) => node), links: links.map(({ link }) => link) },
    rows: [...nodes.map(nodeRow), ...links.map(linkRow)],
  };
};

const nodeRow = ({ node }: NamedNode): string[] => {
  const { name, status, node_type, console, console_type, console_host } = node;
  return [name, status, node_type, console === null ? '' : `${console_type} ${console_host} ${console}`];
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
    const project = await client.post('/v2/projects/load', { body: { path: path.resolve(file) } });
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

export const openCommand = projectCommand('open', 'Opens a project: its nodes can be started.');
export const closeCommand = projectCommand('close', 'Closes a project: its nodes stop.');

type Target = NamedProject | NamedNode;

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
    for (const target of await targetsOf(asked)) {
      const nodes =
        target.sort === 'project' ? await actOnAll(client, action, target) : [await actOn(client, action, target)];
      records.push(...nodes.map(({ node }) => node));
      rows.push(...nodes.map(nodeRow));
    }
    return { records, rows };
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
  `Deletes projects and nodes for good, once that was confirmed, or with --yes (-y). The files of a project that was loaded from elsewhere than
the data directory stay.`,
  async (asked) => {
    const targets = await targetsOf(asked);
    const what = targets.map(({ sort, names }) => `${sort} ${names[0]}`);
    if (!asked.yes && !process.stdin.isTTY) throw invalid(`--yes deletes ${what.join(', ')} for good`);
    if (!asked.yes && !(await isYes(printable(`Delete ${what.join(', ')} for good?`), false)))
      return { records: [], rows: [] };
    for (const target of targets) await remove(asked.client, target);
    return { records: targets.map(({ id }) => id), rows: what.map((one) => [one, 'deleted']) };
  },
);

const remove = async (client: Client, target: Target): Promise<void> => {
  if (target.sort === 'project') await client.delete(PROJECT, { path: { project_id: target.id } });
  else await client.delete(NODE, { path: { project_id: target.node.project_id, node_id: target.id } });
};
