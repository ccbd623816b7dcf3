import type { Client } from '../../client/index.ts';
import { conflict, invalid, notFound, TopologError } from '../../common/errors.ts';
import { partsOf, reverseFilters } from '../../common/forms/filters.ts';
import { FILTER_DESCRIPTIONS } from '../../fabric/filters/filters.ts';
import { endOf, portNamed, portText } from '../../files/lab/ends.ts';
import { labCommand, labCommandWith } from '../lab-command.ts';
import { linkRow, linksIn, linksOf, type NamedLink, type NamedNode, nodesIn, nodesOf, projectsOf } from '../objects.ts';
import { didYouMean, pick, wordsNear } from '../names.ts';
import { wrongUsage } from '../command.ts';

const LINKS = '/v2/projects/{project_id}/links';

type Port = NamedNode['node']['ports'][number];

/** A node and one of its ports, as `PC1:0` names them. */
interface End {
  named: NamedNode;
  /** undefined for any port. */
  port: Port | undefined;
}

export const ENDS_HELP = `A port stands behind the last colon of its node: its name, its short name (e0), adapter/port (1/0), or its place from 0 (PC1:0).`;

const endNamed = (nodes: readonly NamedNode[], text: string): End => {
  const whole = nodes.some(({ names }) => names.includes(text));
  const { node, port } = whole ? { node: text, port: undefined } : endOf(text);
  const named = pick('node', nodes, node);
  return { named, port: port === undefined ? undefined : portOf(named, port) };
};

const portOf = ({ node: { name, ports } }: NamedNode, wanted: string): Port => {
  const port = portNamed(ports, wanted);
  const found = ports.find((one) => one === port);
  if (found !== undefined) return found;
  const near = wordsNear(wanted, [...ports.map((one) => one.name), ...ports.map((one) => one.short_name)]);
  const told = near.length > 0 ? didYouMean(near) : `; its ports: ${portsTold(ports) || 'none'}`;
  throw TopologError.saying('not_found', `${name} has no port ${wanted}${told}`);
};

const portsTold = (ports: readonly Port[]): string => {
  const texts = ports.slice(0, MOST_TOLD).map((one) => portText(ports, one));
  return [...texts, ...(ports.length > MOST_TOLD ? ['...'] : [])].join(', ');
};

const MOST_TOLD = 16;

/** Two ends in one project. */
const endsNamed = async (client: Client, a: string, b: string): Promise<[End, End]> => {
  const nodes = await nodesOf(client);
  const first = endNamed(nodes, a);
  const own = nodes.filter(({ node }) => node.project_id === first.named.node.project_id);
  return [first, endNamed(own, b)];
};

export const linkCommand = labCommand(
  'link NODE[:PORT] NODE[:PORT]',
  [2, 2],
  `Links two nodes of a project, also while they run. ${ENDS_HELP}
A node without one is linked at its first free port that fits the other end.`,
  async ({ client, wanted: [a = '', b = ''] }) => {
    const [one, other] = await endsNamed(client, a, b);
    const { project_id } = one.named.node;
    const path = { project_id };
    const [from, to] = portsFor(await client.get(LINKS, { path }), one, other);
    const nodes = [endAt(one, from), endAt(other, to)];
    const { link_id } = await client.post(LINKS, { path, body: { nodes } });
    const link = (await linksOfProject(client, project_id)).find(({ id }) => id === link_id);
    if (link === undefined) throw notFound('Link', link_id);
    return { records: link.link, rows: [linkRow(link)] };
  },
);

const endAt = ({ named }: End, { adapter_number, port_number }: Port) => ({
  node_id: named.id,
  adapter_number,
  port_number,
});

/** Two ports of one link type: those that were named, otherwise the first free ones. */
const portsFor = (links: readonly NamedLink['link'][], a: End, b: End): [Port, Port] => {
  const [mine, yours] = [candidates(links, a), candidates(links, b)];
  for (const port of mine) {
    const other = yours.find((one) => one.link_type === port.link_type);
    if (other !== undefined) return [port, other];
  }
  const full = mine.length === 0 ? a : yours.length === 0 ? b : undefined;
  if (full !== undefined) throw conflict(`${full.named.node.name} has no port that is free`);
  const [first, second] = [mine[0], yours[0]];
  // Both were named: the server explains why they do not fit.
  if (a.port !== undefined && b.port !== undefined && first !== undefined && second !== undefined)
    return [first, second];
  throw conflict(`${a.named.node.name} and ${b.named.node.name} have no free ports that fit each other`);
};

const candidates = (links: readonly NamedLink['link'][], { named: { id, node }, port }: End): readonly Port[] =>
  port !== undefined
    ? [port]
    : node.ports.filter(({ adapter_number, port_number }) =>
        links.every(({ nodes }) =>
          nodes.every(
            (end) => end.node_id !== id || end.adapter_number !== adapter_number || end.port_number !== port_number,
          ),
        ),
      );

const linksOfProject = async (client: Client, project_id: string): Promise<NamedLink[]> => {
  const project = (await projectsOf(client)).find(({ id }) => id === project_id);
  return project === undefined ? [] : linksIn(client, project, await nodesIn(client, project));
};

/** A link that a command names. */
export interface WantedLink {
  named: NamedLink;
  /** Whether it was named from its second end. */
  isTurned: boolean;
}

/** Finds a link by its name, or by its two ends. */
export const linkNamed = async (client: Client, [first, second]: readonly string[]): Promise<WantedLink> => {
  if (second === undefined) return linkByName(await linksOf(client), first ?? '');
  const ends = await endsNamed(client, first ?? '', second);
  const [a, b] = ends;
  const between = (await linksOfProject(client, a.named.node.project_id)).flatMap((named): WantedLink[] => {
    const [one, other] = named.link.nodes;
    if (isAt(one, a) && isAt(other, b)) return [{ named, isTurned: false }];
    return isAt(one, b) && isAt(other, a) ? [{ named, isTurned: true }] : [];
  });
  const [found, more] = between;
  const what = `${a.named.node.name} and ${b.named.node.name}`;
  if (found === undefined) throw TopologError.saying('not_found', `${what} are not linked${atPorts(ends)}`);
  if (more === undefined) return found;
  const names = between.map(
    ({
      named: {
        names: [whole, short],
      },
    }) => short ?? whole,
  );
  throw invalid(`${what} have several links; say which port: ${names.join(', ')}`);
};

const linkByName = (links: readonly NamedLink[], wanted: string): WantedLink => {
  const named = pick('link', links, wanted);
  const project = named.names[0].slice(0, -(named.forward[0] ?? '').length);
  const bare = wanted.startsWith(project) ? wanted.slice(project.length) : wanted;
  return { named, isTurned: named.id !== wanted && !named.forward.some((name) => name.startsWith(bare)) };
};

const isAt = (end: NamedLink['link']['nodes'][number] | undefined, { named, port }: End): boolean =>
  end?.node_id === named.id &&
  (port === undefined || (port.adapter_number === end.adapter_number && port.port_number === end.port_number));

const atPorts = (ends: readonly End[]): string =>
  ends.some(({ port }) => port !== undefined) ? ' at these ports' : '';

export const unlinkCommand = labCommand(
  'unlink NODE[:PORT] NODE[:PORT] | LINK',
  [1, 2],
  `Deletes the link between two nodes, or one that is named as topolog ls names it (PC1-Switch1), also while they run. Where there are several, say a port.
${ENDS_HELP}`,
  async ({ client, wanted }) => {
    const { named } = await linkNamed(client, wanted);
    const path = { project_id: named.link.project_id, link_id: named.id };
    await client.delete(`${LINKS}/{link_id}`, { path });
    return { records: named.link, rows: [[named.names[1] ?? named.names[0], 'unlinked']] };
  },
);

type Filters = Record<string, (string | number)[]>;

const USAGE = 'filter NODE[:PORT] NODE[:PORT] | LINK [FILTER=VALUE...] [--clear]';

const listed = FILTER_DESCRIPTIONS.map(({ type, description, parameters }) => {
  const values = parameters.map(({ name, unit }) => (unit === undefined ? name : `${name} ${unit}`)).join(', ');
  return `  ${type.padEnd(15)}${description} (${values})`;
}).join('\n');

/** `topolog filter` */
export const filterCommand = labCommandWith(
  { clear: { type: 'boolean' } },
  {
    usage: USAGE,
    counts: [1, Infinity],
    does: `Puts filters on a link, also while its nodes run; those that are not named stay as they are, and 0 takes one away. Without a filter it tells those there are.
${ENDS_HELP}

  --clear          first take all away

${listed}

A filter acts both ways. With > it acts from the first node that was named to the second alone, with < back; quote that for the shell:

  topolog filter PC1 Switch1 delay=50,10 packet_loss=5
  topolog filter PC1 Switch1 'delay>=50'`,
  },
  async ({ client, wanted, flags: { clear = false } }) => {
    const first = wanted.findIndex((word) => FILTER.test(word));
    const [ends, given] = first < 0 ? [wanted, []] : [wanted.slice(0, first), wanted.slice(first)];
    const stray = [...ends.slice(2), ...given.filter((word) => !FILTER.test(word))];
    if (stray.length > 0)
      throw invalid(`${stray[0] ?? ''} says no value: delay=50, or quoted for the shell: 'delay>=50'`);
    if (ends.length === 0) throw wrongUsage(USAGE);
    const { named, isTurned } = await linkNamed(client, ends);
    const filters = filtersOf(given);
    const kept = clear ? {} : named.link.filters;
    const path = { project_id: named.link.project_id, link_id: named.id };
    const body = { filters: { ...kept, ...(isTurned ? reverseFilters(filters) : filters) } };
    const isChange = clear || given.length > 0;
    const link = isChange ? await client.put('/v2/projects/{project_id}/links/{link_id}', { path, body }) : named.link;
    return { records: link, rows: [linkRow({ ...named, link })] };
  },
);

/** `delay=50,10`, `delay>=50` */
const FILTER = /^([a-z_]+[<>]?)=([^]*)$/;

const filtersOf = (given: readonly string[]): Filters =>
  Object.fromEntries(
    given.map((word) => {
      const [, name = '', value = ''] = FILTER.exec(word) ?? [];
      const [plain] = partsOf(name);
      const takes = FILTER_DESCRIPTIONS.find(({ type }) => type === plain)?.parameters.length ?? 2;
      // The value of a filter with one parameter may contain commas, as an expression does.
      return [name, takes === 1 ? [value] : value.split(',')];
    }),
  );
