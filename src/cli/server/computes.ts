import { readFile } from 'node:fs/promises';
import { ApiError, type Client, type Schemas } from '../../client/index.ts';
import { conflict, fileTroubleOf, invalid, messageOf, TopologError } from '../../common/errors.ts';
import { pick, verbIn } from '../names.ts';
import { knownPassword } from './password.ts';
import { printable } from '../printable.ts';
import { wrongUsage } from '../command.ts';
import { type Asked, type Done, labCommand, labCommandWith } from '../lab-command.ts';
import { needYes } from '../running-server.ts';
import { computesOf, counted, type NamedCompute, nodesIn, type NamedNode, nodesOf, projectsOf } from '../objects.ts';

type Compute = Schemas['Compute'];
type Engine = Schemas['Engine'];
type Moved = Schemas['Moved'];

const ONE = '/v2/computes/{compute_id}';

/** Stands for the best compute. */
const AUTO = 'auto';

export const computesCommand = labCommand(
  'computes',
  [0, 0],
  `Lists the computes, this server (local) first: state, load, nodes of all projects, and which kinds of nodes no engine there can run, or why the
compute is away.`,
  async ({ client }) => {
    const nodes = await nodesAnywhere(client);
    const found = await Promise.all(
      (await computesOf(client)).map(async ({ id, compute }) => {
        const count = nodes.filter(({ node }) => node.compute_id === id).length;
        return { ...compute, nodes: count, engines: compute.connected ? await enginesOf(client, id) : null };
      }),
    );
    return { records: found, rows: found.map(computeRow) };
  },
);

/** Nodes of all projects, also of closed ones. */
const nodesAnywhere = async (client: Client): Promise<NamedNode[]> =>
  (await Promise.all((await projectsOf(client)).map((project) => nodesIn(client, project)))).flat();

/** null if the compute went away in the meantime. */
const enginesOf = async (client: Client, compute_id: string): Promise<Engine[] | null> =>
  client.get(`${ONE}/engines`, { path: { compute_id } }).catch(() => null);

const computeRow = (compute: Compute & { nodes: number; engines: Engine[] | null }): string[] => {
  const { name, compute_id, connected, nodes, engines, last_error } = compute;
  const id = name === compute_id ? '' : compute_id;
  const last = connected ? lackOf(engines ?? []) : (last_error ?? 'it was not reached yet');
  return [name, connected ? 'connected' : 'away', loadOf(compute), counted(nodes, 'node'), id, last];
};

const loadOf = ({ cpu_usage_percent: cpu, memory_usage_percent: memory }: Compute): string =>
  cpu === null || memory === null ? '' : `cpu ${Math.round(cpu)} %, memory ${Math.round(memory)} %`;

/** Text about kinds that have no engine; empty if all have one. */
export const lackOf = (engines: readonly Engine[]): string => {
  const ready = new Set(engines.filter(({ available }) => available).map(({ node_type }) => node_type));
  const lacking = [...new Set(engines.map(({ node_type }) => node_type))].filter((type) => !ready.has(type));
  return lacking.length === 0 ? '' : `nothing for ${lacking.join(', ')}`;
};

const COMPUTE_FLAGS = {
  user: { type: 'string' },
  'password-file': { type: 'string' },
  certificate: { type: 'string' },
  take: { type: 'boolean' },
  to: { type: 'string' },
  restart: { type: 'boolean' },
} as const;

type ComputeAsked = Asked<typeof COMPUTE_FLAGS>;

export const computeCommand = labCommandWith(
  COMPUTE_FLAGS,
  {
    usage: 'compute add NAME URL | connect NAME | drain NAME | rm NAME',
    counts: [2, 3],
    does: `Computes beside this server: other machines that run nodes.

  add NAME URL   add one: http://lab2:3080, or https://…; without a port, 3080 for http and 443 for https. Exit code 1 if it cannot be reached
                 yet: it is added all the same, and connects once it answers
    --user U --password-file F   let this server in; without F the password is asked for, or is the first line of standard input
    --certificate F              trust this certificate (PEM) and no other
    --take                       take it from the controller that has it
  connect NAME   connect now, or say why not
  drain NAME     put its nodes elsewhere, one after another; those that run stay, unless
    --restart                    they are stopped, moved and started there
    --to NAME                    to that one instead of the best for each
  rm NAME        remove it; what runs there is stopped, after asking, or with --yes (-y)`,
  },
  async (asked) => {
    const [action = '', name = '', ...rest] = asked.wanted;
    const run = ACTIONS[verbIn('topolog compute', Object.keys(ACTIONS), action)];
    if (rest.length !== (action === 'add' ? 1 : 0))
      throw wrongUsage(`compute ${action} NAME${action === 'add' ? ' URL' : ''}`);
    return run?.(asked, name) ?? { records: [], rows: [] };
  },
);

const ACTIONS: Readonly<Record<string, (asked: ComputeAsked, name: string) => Promise<Done>>> = {
  add: (asked, name) => add(asked, name),
  connect: (asked, name) => connect(asked, name),
  drain: (asked, name) => drain(asked, name),
  rm: (asked, name) => remove(asked, name),
};

const computeNamed = async (client: Client, wanted: string): Promise<NamedCompute> =>
  pick('compute', await computesOf(client), wanted);

/** Id of a compute by its name, or `auto`. */
export const placeNamed = async (client: Client, wanted: string): Promise<string> =>
  wanted === AUTO ? AUTO : (await computeNamed(client, wanted)).id;

/** Scheme, host and port of a URL (RFC 3986, 3.1 and 3.2). */
const PLACE = /^(?:(https?):\/\/)?(\[[\da-f:.]+\]|[^/:@?#\s]+)(?::(\d{1,5}))?\/?$/i;

const placeOf = (url: string): { protocol: 'http' | 'https'; host: string; port: number } => {
  const [, scheme, host, port] = PLACE.exec(url) ?? [];
  if (host === undefined)
    throw invalid(`the URL must be like http://lab2:3080, without a user and a path, not ${printable(url)}`);
  const protocol = scheme?.toLowerCase() === 'https' ? 'https' : 'http';
  return { protocol, host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? (protocol === 'https' ? 443 : 3080)) };
};

const add = async ({ client, wanted, flags }: ComputeAsked, name: string): Promise<Done> => {
  const { user, certificate, take } = flags;
  if (user === undefined && flags['password-file'] !== undefined) throw invalid('--password-file needs --user');
  const place = placeOf(wanted[2] ?? '');
  const body = {
    ...place,
    name,
    ...(user === undefined ? {} : { user, password: await knownPassword(flags['password-file']) }),
    ...(certificate === undefined ? {} : { certificate: await textOf(certificate) }),
    ...(take === true ? { take } : {}),
  };
  const added = await client.post('/v2/computes', { body }).catch(namingFlags);
  if (added.connected) return doneWith(added);
  const path = { compute_id: added.compute_id };
  return doneWith(await client.post(`${ONE}/connect`, { path }).catch((error: unknown) => unreached(name, error)));
};

/** Conflict for a compute that was added but cannot be reached: the server keeps trying. */
const unreached = (name: string, error: unknown): never => {
  const next = `topolog compute connect ${name} tries now, topolog compute rm ${name} removes it`;
  throw conflict(
    `${name} was added, but cannot be reached yet: ${messageOf(error)}. It connects once it answers; ${next}`,
  );
};

/** Names the flags that provide a missing user. */
const namingFlags = (error: unknown): never => {
  if (!(error instanceof ApiError) || error.details['field'] !== 'user') throw error;
  throw TopologError.saying('conflict', `${error.message}: --user U --password-file F`);
};

const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw invalid(`the certificate cannot be read: ${fileTroubleOf(error)}`);
  });

const doneWith = (record: Compute): Done => {
  const { name, connected, compute_id, last_error } = record;
  return { records: record, rows: [[name, connected ? 'connected' : 'away', compute_id, last_error ?? '']] };
};

const connect = async ({ client }: ComputeAsked, name: string): Promise<Done> => {
  const { id } = await computeNamed(client, name);
  return doneWith(await client.post(`${ONE}/connect`, { path: { compute_id: id } }));
};

const drain = async ({ client, flags: { to = AUTO, restart } }: ComputeAsked, name: string): Promise<Done> => {
  const { id } = await computeNamed(client, name);
  const body = { to: await placeNamed(client, to), ...(restart === undefined ? {} : { restart }) };
  return movedDone(client, [await client.post(`${ONE}/drain`, { path: { compute_id: id }, body })]);
};

const remove = async ({ client, yes }: ComputeAsked, wanted: string): Promise<Done> => {
  const { id, compute } = await computeNamed(client, wanted);
  const running = (await nodesOf(client)).filter(
    ({ node }) => node.compute_id === id && node.status !== 'stopped',
  ).length;
  const what = `compute ${compute.name}, which stops ${counted(running, 'node')}`;
  if (running > 0 && !yes) await needYes(printable(`Remove ${what}?`), `not removed: ${what}`);
  await client.delete(ONE, { path: { compute_id: id } });
  return { records: [id], rows: [[`compute ${compute.name}`, 'removed']] };
};

/** Outcome of moving nodes; those that were there already are not named. */
const movedDone = async (client: Client, answers: readonly Moved[]): Promise<Done> => {
  const moved = answers.flatMap((answer) => answer.moved);
  const left = answers.flatMap((answer) => answer.left);
  const names = new Map((await computesOf(client)).map(({ id, names: [name] }) => [id, name]));
  const rows = [
    ...moved.map(({ name, compute_id, started, reason }) => {
      const place = names.get(compute_id) ?? compute_id;
      return [name, 'moved', `to ${place}${started ? ', started there' : ''}`, reason];
    }),
    ...left.map(({ name, reason }) => [name, 'left', reason]),
  ];
  return { records: { moved, left }, rows, failed: left.length > 0 };
};

export const moveCommand = labCommandWith(
  { to: { type: 'string' }, restart: { type: 'boolean' } },
  {
    usage: 'move PROJECT|NODE... --to COMPUTE|auto [--restart]',
    counts: [1, Infinity],
    does: `Puts nodes, or all of a project, on another compute with their files, one after another: to one by its name, or to the best for each (auto).
Those that run stay, unless --restart stops them, moves them and starts them there. Exit code 1 when some could not be moved.`,
  },
  async ({ client, wanted, flags: { to, restart } }) => {
    if (to === undefined) throw invalid('--to says where: the name of a compute, or auto');
    const body = { to: await placeNamed(client, to), ...(restart === undefined ? {} : { restart }) };
    const things = [...(await projectsOf(client)), ...(await nodesOf(client))];
    const answers: Moved[] = [];
    for (const target of wanted.map((one) => pick('project or node', things, one))) {
      const project_id = target.sort === 'project' ? target.id : target.node.project_id;
      const nodes = target.sort === 'project' ? {} : { nodes: [target.id] };
      const path = { project_id };
      answers.push(await client.post('/v2/projects/{project_id}/nodes/move', { path, body: { ...body, ...nodes } }));
    }
    return movedDone(client, answers);
  },
);
