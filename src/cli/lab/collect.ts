import type { Client, Schemas } from '../../client/index.ts';
import { conflict, invalid } from '../../common/errors.ts';
import { pick } from '../names.ts';
import { printable } from '../printable.ts';
import { labCommandWith } from '../lab-command.ts';
import { type NamedNode, nodesIn, nodesOf, pickWithin, projectsOf } from '../objects.ts';

const PROJECT = '/v2/projects/{project_id}';
const NONE_YET = 'no configuration was collected yet: topolog collect';
const CONFIGS = `${PROJECT}/nodes/{node_id}/configs`;

/** `topolog collect` */
export const collectCommand = labCommandWith(
  { diff: { type: 'boolean' }, list: { type: 'boolean' }, print: { type: 'boolean' } },
  {
    usage: 'collect [PROJECT] [NODE...] [--diff|--list|--print]',
    counts: [0, Infinity],
    does: `Reads the configurations of nodes, from their directories and from running nodes that can tell them, and keeps a new version of each
that has changed.

  --diff           then print what has changed since the version before
  --list           collect nothing; list the versions that there are
  --print          collect nothing; print the last version of each`,
  },
  async ({ client, wanted, flags }) => {
    const nodes = await nodesWanted(client, wanted);
    if (flags.list === true) return listed(client, nodes);
    if (flags.print === true) return printed(client, nodes);
    const done = await collectFrom(client, nodes);
    if (done.length === 0) throw conflict('nothing was collected: no node that is opened keeps a configuration');
    const rows = done.map((one) => [one.name, stateOf(one), one.problem ?? one.files.join(', ')]);
    const failed = done.some(({ problem }) => problem !== null);
    if (flags.diff !== true) return { records: done, rows, failed };
    const diffs = await Promise.all(done.map((one) => diffOf(client, nodes, one)));
    process.stdout.write(diffs.map(printableText).join(''));
    return {
      records: done,
      rows: done.filter(({ problem }) => problem !== null).map((one) => [one.name, 'failed', one.problem ?? '']),
      failed,
    };
  },
);

type Collected = Schemas['Collected'];

/** Nodes that are named, those of a named project, or all. */
const nodesWanted = async (client: Client, wanted: readonly string[]): Promise<NamedNode[]> => {
  if (wanted.length === 0) return nodesOf(client);
  const [projects, nodes] = [await projectsOf(client), await nodesOf(client)];
  const [first, ...names] = wanted;
  const found = pick('project or node', [...projects, ...nodes], first ?? '');
  if (found.sort === 'node') return [found, ...names.map((name) => pick('node', nodes, name))];
  const own = await nodesIn(client, found);
  const all = [...own, ...nodes.filter(({ node }) => node.project_id !== found.id)];
  const otherwise = (elsewhere: string): string => `${elsewhere}, and not in ${found.names[0]}`;
  return names.length === 0 ? own : names.map((wanted) => pickWithin(all, { within: found.id, wanted, otherwise }));
};

/** Sends one request for each project. For a whole project, the server leaves out nodes that keep no configuration. */
const collectFrom = async (client: Client, nodes: readonly NamedNode[]): Promise<Collected[]> => {
  const projects = [...new Set(nodes.map(({ node }) => node.project_id))];
  const done: Collected[] = [];
  for (const project_id of projects) {
    const own = nodes.filter(({ node }) => node.project_id === project_id).map(({ id }) => id);
    const all = await client.get(`${PROJECT}/nodes`, { path: { project_id } });
    const body = all.length === own.length ? {} : { nodes: own };
    done.push(...(await client.post(`${PROJECT}/configs/collect`, { path: { project_id }, body })));
  }
  return done;
};

const stateOf = ({ position, problem, files }: Collected): string => {
  if (problem !== null) return 'failed';
  return position === null ? (files.length === 0 ? 'nothing' : 'as before') : `version ${position}`;
};

const diffOf = async (
  client: Client,
  nodes: readonly NamedNode[],
  { node_id, position }: Collected,
): Promise<string> => {
  const node = nodes.find(({ id }) => id === node_id)?.node;
  if (position === null || node === undefined) return '';
  const path = { project_id: node.project_id, node_id, position };
  return (await client.get(`${CONFIGS}/{position}`, { path })).diff;
};

const versionsOf = (client: Client, { node }: NamedNode) =>
  client.get(CONFIGS, { path: { project_id: node.project_id, node_id: node.node_id } });

const listed = async (client: Client, nodes: readonly NamedNode[]) => {
  const all = await Promise.all(nodes.map(async (named) => ({ named, versions: await versionsOf(client, named) })));
  const rows = all.flatMap(({ named, versions }) =>
    versions.map(({ position, at, by, files }) => [
      named.node.name,
      `${position}`,
      at,
      by,
      files.map(({ name }) => name).join(', '),
    ]),
  );
  const records = all.map(({ named, versions }) => ({ node_id: named.id, versions }));
  return { records, rows, none: NONE_YET };
};

const printed = async (client: Client, nodes: readonly NamedNode[]) => {
  const records = [];
  for (const named of nodes) {
    const last = (await versionsOf(client, named)).at(-1);
    if (last === undefined) continue;
    const path = { project_id: named.node.project_id, node_id: named.id, position: last.position };
    records.push({
      node_id: named.id,
      name: named.node.name,
      ...(await client.get(`${CONFIGS}/{position}`, { path })),
    });
  }
  if (records.length === 0) throw invalid(NONE_YET);
  const rows = records.flatMap(({ name, files }) =>
    files.flatMap((file) => [[`==> ${name}: ${file.name} <==`], ...file.content.split('\n').map((line) => [line])]),
  );
  return { records, rows };
};

const printableText = (text: string): string => text.split('\n').map(printable).join('\n');
