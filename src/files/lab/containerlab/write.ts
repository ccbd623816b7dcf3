import { stringify } from 'yaml';
import { messageOf } from '../../../common/errors.ts';
import type { ContainerlabForm, Kind, Port } from '../../../emulators/kit/contract.ts';
import { portNamed } from '../ends.ts';
import type { Lab, LabEnd, LabNode } from '../model.ts';
import { gatewayKind, kindForms, LAB_NAME, LINK_WORDS, MANAGEMENT, PREFIX } from './lab.ts';
import { managementOf, managementText, ownAddresses } from './management.ts';

/** Writes a lab as a topology file of containerlab, with notes about what such a file cannot express. */

interface ExportedNode {
  node: LabNode;
  kind: Kind;
  form: ContainerlabForm;
  ports: readonly Port[];
}

interface Writing {
  lab: Lab;
  told: ReadonlyMap<string, ExportedNode>;
  /** Names that nodes know others by, by address. */
  names: ReadonlyMap<string, ReadonlySet<string>>;
  notes: string[];
}

/** Directory beside the topology for files of nodes that have no other name. */
const FOLDER = 'files';

export const writeContainerlab = (given: Lab): { text: string; notes: string[] } => {
  const notes: string[] = [];
  const { lab, gateway } = withoutGateway(given);
  const told = new Map(lab.nodes.flatMap((node) => exportedNode(node, notes) ?? []).map((one) => [one.node.name, one]));
  const writing = { lab, told, names: namesIn(told), notes };
  const network = networkOf(writing);
  const shared = [...told.values()].filter(
    ({ form, node }) => form.word !== undefined && (node.name === network || form.word === node.name),
  );
  const inNetwork = network === null ? [] : membersOf(writing, network);
  const addresses = new Map(inNetwork.map((name) => [name, addressesIn(writing, name)]));
  const external = network !== null && gateway?.to === network;
  if (gateway !== null && !external) notes.push(`${gateway.name}: it is left out`);
  const management = managementOf(network ?? undefined, [...addresses.values()].flat(), external);
  const own = ownAddresses(management, addresses);
  const nodes = [...told.values()].filter((one) => !shared.includes(one));
  const mgmt = network === null ? {} : managementText(management);
  for (const { node } of nodes)
    if (LINK_WORDS.includes(node.name.toLowerCase()))
      notes.push(`${node.name}: its name stands for something else in links there; rename it`);
  noteLosses(lab, notes);
  const topology = {
    nodes: Object.fromEntries(nodes.map((one) => [one.node.name, keysOf(writing, one, own.get(one.node.name))])),
    links: [...lab.links.flatMap(({ ends }) => endpointsOf(writing, ends, network) ?? []), ...dummies(writing, nodes)],
  };
  const prefix = prefixOf(lab.name, nodes);
  const file = {
    name: lab.name,
    ...(prefix === PREFIX ? {} : { prefix }),
    ...(Object.keys(mgmt).length === 0 ? {} : { mgmt }),
    topology,
  };
  // Written as YAML 1.1, so that ambiguous words are quoted for containerlab's parser.
  return { text: stringify(file, { version: '1.1', lineWidth: 0 }), notes };
};

/** A lab without the node that leads its management network out, and `to`, what this is linked to. */
const withoutGateway = (lab: Lab): { lab: Lab; gateway: { name: string; to: string | undefined } | null } => {
  const kind = gatewayKind();
  const keys = Object.keys(kind?.gateway?.('') ?? {});
  const found = lab.nodes.find(
    (node) => node.kind === kind?.name && keys.every((key) => node.properties[key] !== undefined),
  );
  if (found === undefined) return { lab, gateway: null };
  const { name } = found;
  const isOf = ({ ends }: Lab['links'][number]): boolean => ends.some(({ node }) => node === name);
  const to = lab.links.filter(isOf).flatMap(({ ends }) => ends.flatMap(({ node }) => (node === name ? [] : [node])));
  const rest = {
    ...lab,
    nodes: lab.nodes.filter((node) => node !== found),
    links: lab.links.filter((link) => !isOf(link)),
  };
  return { lab: rest, gateway: { name, to: to[0] } };
};

/** The prefix that gives the first container its name. */
const prefixOf = (lab: string, nodes: readonly ExportedNode[]): string => {
  for (const { node, form } of nodes) {
    const { longName } = form.node(node.properties);
    const long = `${lab}-${node.name}`;
    if (longName === node.name) return '';
    if (longName === long) return LAB_NAME;
    if (longName?.endsWith(`-${long}`) === true) return longName.slice(0, -long.length - 1);
  }
  return PREFIX;
};

const exportedNode = (node: LabNode, notes: string[]): ExportedNode | null => {
  const one = kindForms().find(({ kind }) => kind.name === node.kind || kind.alias === node.kind);
  if (one === undefined) {
    notes.push(
      node.template === undefined
        ? `${node.name}: containerlab has no kind for ${node.kind ?? 'it'}; it is left out`
        : `${node.name}: it is made of the template ${node.template}, which containerlab does not know; it is left out`,
    );
    return null;
  }
  try {
    one.form.node(node.properties);
    return { node, ...one, ports: portsOf(node, one.kind) };
  } catch (error) {
    notes.push(`${node.name}: ${messageOf(error)}; it is left out`);
    return null;
  }
};

const portsOf = (node: LabNode, kind: Kind): Port[] => {
  const identity = { node_id: '', name: node.name };
  return kind.ports(kind.complete(node.properties, identity), {
    node_id: '',
    port_name_format: node.port_name_format ?? kind.look.port_name_format,
    port_segment_size: node.port_segment_size ?? kind.look.port_segment_size,
    first_port_name: node.first_port_name ?? null,
    custom_adapters: [],
  });
};

const portOf = ({ told }: Writing, { node, port }: LabEnd): string | null => {
  const ports = told.get(node)?.ports ?? [];
  const found = port === undefined ? ports[0] : portNamed(ports, port);
  return found?.name ?? null;
};

/** The management network: a switch to which only first interfaces of containers are linked; null: none. */
const networkOf = (writing: Writing): string | null => {
  const { lab, told } = writing;
  const isFirst = (end: LabEnd): boolean =>
    told.get(end.node)?.form.managed === true && portOf(writing, end) === 'eth0';
  const found = [...told.values()].find(({ node, form }) => {
    const links = lab.links.filter(({ ends }) => ends.some((end) => end.node === node.name));
    const others = links.flatMap(({ ends }) => ends.filter((end) => end.node !== node.name));
    return form.word === MANAGEMENT && others.length > 0 && others.every(isFirst);
  });
  return found?.node.name ?? null;
};

const membersOf = ({ lab, told }: Writing, network: string): string[] => {
  const names = lab.links
    .filter(({ ends }) => ends.some(({ node }) => node === network))
    .flatMap(({ ends }) => ends.map(({ node }) => node).filter((node) => node !== network));
  return [...told.keys()].filter((name) => names.includes(name));
};

const addressesIn = ({ told }: Writing, name: string): readonly string[] => {
  const one = told.get(name);
  return one?.form.node(one.node.properties).addresses['eth0'] ?? [];
};

const namesIn = (told: Writing['told']): Writing['names'] => {
  const names = new Map<string, Set<string>>();
  for (const { node, form } of told.values())
    for (const [name, address] of Object.entries(form.node(node.properties).hosts ?? {}))
      names.set(address, (names.get(address) ?? new Set()).add(name));
  return names;
};

/** Other names of a member than its own, by which the others know it. */
const aliasesOf = (writing: Writing, { node, form }: ExportedNode): string[] => {
  const [address] = addressesIn(writing, node.name).map((one) => one.replace(/\/.*/, ''));
  const { longName } = form.node(node.properties);
  const names = address === undefined ? [] : (writing.names.get(address) ?? []);
  return [...names].filter((name) => name !== node.name && name !== longName);
};

/** `own`: addresses on the management network that the file has to state; undefined: the node is not in it. */
const keysOf = (writing: Writing, one: ExportedNode, own?: readonly string[]): Record<string, unknown> => {
  const { notes } = writing;
  const { node, form } = one;
  const aliases = own === undefined ? [] : aliasesOf(writing, one);
  const { keys, files, addresses } = form.node(node.properties);
  const binds = files.map(({ path, source }) => `${source === '' ? `${FOLDER}/${node.name}${path}` : source}:${path}`);
  for (const [name, given] of Object.entries(addresses))
    if (name !== 'eth0' || own === undefined)
      notes.push(`${node.name}: ${given.join(', ')} of ${name} has no place there; say it in exec`);
  return {
    kind: form.kinds[0],
    ...keys,
    ...(binds.length === 0 ? {} : { binds }),
    ...(form.managed && own === undefined ? { 'network-mode': 'none' } : {}),
    ...Object.fromEntries((own ?? []).map((text) => [text.includes(':') ? 'mgmt-ipv6' : 'mgmt-ipv4', text])),
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(node.x === undefined || node.y === undefined
      ? {}
      : { labels: { 'graph-posX': `${node.x}`, 'graph-posY': `${node.y}` } }),
  };
};

const endpointsOf = (writing: Writing, ends: readonly LabEnd[], network: string | null): object | null => {
  const { told, notes } = writing;
  if (ends.some(({ node }) => node === network)) return null;
  const texts = ends.map((end) => {
    const port = portOf(writing, end);
    const word = told.get(end.node)?.form.word;
    return port === null ? null : `${word === end.node ? word : end.node}:${port}`;
  });
  if (!texts.includes(null)) return { endpoints: texts };
  notes.push(`the link between ${ends.map(({ node }) => node).join(' and ')} is left out, as one of its ends is`);
  return null;
};

/** Interfaces without a link, except the one for management, which exists anyway. */
const dummies = (writing: Writing, nodes: readonly ExportedNode[]): object[] => {
  const linked = writing.lab.links.flatMap(({ ends }) => ends.map((end) => `${end.node}:${portOf(writing, end)}`));
  return nodes
    .filter(({ form }) => form.managed)
    .flatMap(({ node, ports }) => {
      // Interfaces with numbers below that of a used one exist anyway.
      const free = ports.filter(({ name }) => name !== 'eth0' && !linked.includes(`${node.name}:${name}`));
      const behind = ports.findLastIndex(({ name }) => linked.includes(`${node.name}:${name}`));
      return free
        .filter((port) => ports.indexOf(port) > behind || !/^eth\d+$/.test(port.name))
        .map(({ name }) => ({ type: 'dummy', endpoint: { node: node.name, interface: name } }));
    });
};

const noteLosses = ({ nodes, links, drawings, checks, weather, stages }: Lab, notes: string[]): void => {
  const filtered = links.filter(({ filters }) => Object.keys(filters).length > 0).length;
  const simulated = nodes.filter(({ properties }) => properties['engine'] === 'simulated').map(({ name }) => name);
  if (simulated.length > 0)
    notes.push(
      `${simulated.join(', ')}: simulated; of a network system its kind, type and startup-config are not kept, and it is written as any other node`,
    );
  if (filtered > 0) notes.push(`filters of ${filtered} link${filtered === 1 ? '' : 's'} have no place there`);
  for (const [what, list] of Object.entries({ drawings, checks, weather, stages }))
    if (list !== undefined && list.length > 0) notes.push(`${what} have no place there`);
};
