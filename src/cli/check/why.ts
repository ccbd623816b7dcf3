import type { Client, Schemas } from '../../client/index.ts';
import { invalid } from '../../common/errors.ts';
import { pick } from '../names.ts';
import { labCommandWith } from '../lab-command.ts';
import { nodesOf, pickWithin, projectIn, projectsOf } from '../objects.ts';

type Answer = Schemas['Why'];
type Hop = Answer['request']['hops'][number];

const WHY = '/v2/projects/{project_id}/why';

/** `topolog why` */
export const whyCommand = labCommandWith(
  {
    at: { type: 'string' },
    size: { type: 'string' },
    port: { type: 'string' },
    project: { type: 'string' },
    try: { type: 'boolean' },
  },
  {
    usage: 'why NODE NODE|ADDRESS [--at MOMENT] [--size OCTETS] [--port PORT] [--try] [--project PROJECT]',
    counts: [2, 2],
    does: `Follows a ping from one node to another as far as the server knows the lab, without sending one: over cables, switches, VLANs, filters and
routers, there and back. Prints where it ends, and the event that caused it.

  --at MOMENT        a position of the log or an ISO time: the lab as it was then
  --size OCTETS      of data in the ping (56)
  --port PORT        follows a packet to that port in place of a ping: 80, tcp/80, udp/53
  --try              lets the node send a ping, by itself or at its console: what becomes of it counts
  --project PROJECT  the project of the nodes, which may be closed; names must be exact then

Exit code 0 if it arrives, or if what is between is not known; 1 if something is in its way.`,
  },
  async ({ client, wanted: [from = '', to = ''], flags: { at, size, port, project, try: isTried } }) => {
    const ends = project === undefined ? await endsOf(client, from, to) : await endsIn(client, project, from, to);
    const given = Object.entries({ at, size, port }).filter(([, value]) => value !== undefined);
    const more: { at?: string; size?: string; port?: string } = Object.fromEntries(given);
    const { project_id, ...nodes } = ends;
    if (isTried === true && (at ?? port) !== undefined)
      throw invalid('--try sends a ping now; leave out --at and --port');
    const path = { project_id };
    const answer =
      isTried === true
        ? await client.post(WHY, { path, body: { ...nodes, ...(size === undefined ? {} : { size: Number(size) }) } })
        : await client.get(WHY, { path, query: { ...nodes, ...more } });
    return { records: answer, rows: linesOf(answer).map((line) => [line]), failed: answer.reaches === false };
  },
);

interface Ends {
  project_id: string;
  from: string;
  to: string;
}

const endsIn = async (client: Client, project: string, from: string, to: string): Promise<Ends> => ({
  project_id: pick('project', await projectsOf(client), project).id,
  from,
  to,
});

const endsOf = async (client: Client, from: string, to: string): Promise<Ends> => {
  const nodes = await nodesOf(client);
  const found = pick('node', nodes, from);
  const { project_id, node_id, name } = found.node;
  if (isAddress(to)) return { project_id, from: node_id, to };
  const otherwise = (elsewhere: string): string =>
    `${elsewhere}, and ${name} in ${projectIn(found)}: a ping stays in its project`;
  return { project_id, from: node_id, to: pickWithin(nodes, { within: project_id, wanted: to, otherwise }).id };
};

const isAddress = (text: string): boolean => /^[\d.]+$|:/.test(text);

const linesOf = ({ sentence, obstacle, request, reply, notes, settled_by }: Answer): string[] => {
  const others = new Map([...reply.obstacles, ...request.obstacles].map((one) => [one.key, one.sentence]));
  others.delete(obstacle?.key ?? '');
  const also = [...others.values()];
  return [
    sentence,
    '',
    `there  ${wayText(request.hops)}`,
    ...(reply.hops.length === 0 ? [] : [`back   ${wayText(reply.hops)}`]),
    ...also.map((one) => `also   ${one}`),
    ...notes.map((one) => `note   ${one}`),
    ...settled_by.map((one) => `do     ${one}`),
  ];
};

/** `PC1 Ethernet0 → Ethernet1 SW1 Ethernet2 (VLAN 10) → Ethernet0 PC2` */
const wayText = (hops: readonly Hop[]): string => hops.map(hopText).join(' → ');

const hopText = ({ name, in: into, out, vlan, unknown }: Hop): string => {
  const shown = [into, unknown ? `${name} (?)` : name, out].filter((part) => part !== null).join(' ');
  return vlan === null || out === null ? shown : `${shown} (VLAN ${vlan})`;
};
