import { createKinds } from '../../../emulators/registry.ts';
import type { ContainerlabForm, Kind, Properties } from '../../../emulators/kit/contract.ts';
import { givenFile, textOfFile } from '../given-files.ts';
import type { Lab, LabEnd, LabInput, LabLink, LabNode } from '../model.ts';
import { copiesOf, environmentOf, startUpOf } from './files.ts';
import { noteKeysOfNode, OF_MANAGED } from './keys.ts';
import { type ClabEnd, type ClabLink, interfacesIn, readLinks } from './links.ts';
import { addressesOf, externalOf, type Management, readManagement } from './management.ts';
import { readDocument } from '../yaml/document.ts';
import { isSystem, placeOfInterface, SYSTEMS_FILE, templatesOf } from './systems.ts';
import { type ClabMap, type Findings, isTrue, mapOf, textOf, textsOf, type Value } from './values.ts';

export interface ClabNode {
  name: string;
  kind: string;
  /** Own and inherited keys. */
  keys: ClabMap;
}

export interface ClabFile {
  name: string;
  /** Begins names of containers; empty: they have those of the nodes. */
  prefix: string;
  file: ClabMap;
  nodes: readonly ClabNode[];
  given: LabInput;
  findings: Findings;
}

export interface KindForm {
  kind: Kind;
  form: ContainerlabForm;
}

export const kindForms = (): KindForm[] =>
  createKinds()
    .all()
    .flatMap((kind) => (kind.containerlab === undefined ? [] : [{ kind, form: kind.containerlab }]));

/** Word for the management network in links. */
export const MANAGEMENT = 'mgmt-net';

/** Context of mapping nodes. */
interface Reading extends ClabFile {
  forms: readonly KindForm[];
  /** Keys are names of nodes. */
  interfaces: ReadonlyMap<string, readonly string[]>;
  addresses: ReadonlyMap<string, readonly string[]>;
  /** Names of each member of the management network with its address. */
  hosts: ReadonlyMap<string, readonly [name: string, address: string][]>;
  /** Where the management network leads out of the lab; null: it does not. */
  external: { network: string; gateway: string } | null;
  templates: ClabMap;
}

/** A mapped node, and the port of each of its interfaces. */
interface MappedNode {
  node: LabNode;
  port(name: string): string;
}

/** `places`: index of each link in the text's list; undefined: a link that the text does not have. */
export const labOf = (given: ClabFile): { lab: Lab; places: (number | undefined)[] } => {
  const { file, nodes, findings } = given;
  const forms = kindForms();
  const words = forms.flatMap(({ form }) => form.word ?? []);
  refuseWords(given);
  const links = readLinks(mapOf(file['topology'])['links'], words, findings);
  refuseEnds(given, links);
  const management = readManagement(mapOf(file['mgmt']), findings);
  const members = nodes.filter((node) => isMember(forms, node));
  const addresses = addressesOf(
    management,
    members.map(({ name, keys }) => ({ name, ...ownAddresses(keys) })),
    findings,
  );
  const templates = templatesOf(systemsIn(given));
  const external = members.length === 0 ? null : externalOf(management);
  if (external !== null && given.given.local !== true)
    findings.refuse(
      ['mgmt', 'external-access'],
      'takes a network of the server’s machine; only a server started with --local does that',
    );
  const hosts = hostsOf(given, members, addresses);
  const reading = { ...given, forms, interfaces: interfacesIn(links), addresses, hosts, external, templates };
  const made = nodes.flatMap((node) => mapNode(reading, node) ?? []);
  const shared = sharedNodes(reading, management, members);
  const all = [...made, ...shared.map(({ made: one }) => one), ...gatewayNodes(reading, shared)];
  const byName = new Map(all.map((one) => [one.node.name, one]));
  const said = links.flatMap((one) => {
    const link = linkOf(byName, shared, one);
    return link === null ? [] : [{ link, place: one.index }];
  });
  const wired = [...said.map(({ link }) => link), ...managementLinks(reading, shared, members)];
  const lab = { name: given.name, settings: {}, nodes: all.map(({ node }) => node), links: wired };
  return { lab, places: said.map(({ place }) => place) };
};

/** Most members of a management network that know each other by name: each has a line for each other one. */
const MOST_HOSTS = 64;

const hostsOf = (
  given: ClabFile,
  members: readonly ClabNode[],
  addresses: ReadonlyMap<string, readonly string[]>,
): Reading['hosts'] => {
  if (members.length > MOST_HOSTS) {
    given.findings.note(`nodes do not know each other by name: only up to ${MOST_HOSTS} on a management network do`);
    return new Map();
  }
  return new Map(
    members.map(({ name, keys }) => {
      const names = [name, longNameOf(given, name), ...textsOf(keys['aliases'])].filter((one) => /^[^\s:]+$/.test(one));
      const address = addresses.get(name)?.[0]?.replace(/\/.*/, '');
      return [name, address === undefined ? [] : [...new Set(names)].map((one) => [one, address] as const)] as const;
    }),
  );
};

const ownAddresses = (keys: ClabMap) => ({
  ipv4: textOf(keys['mgmt-ipv4'] ?? keys['mgmt_ipv4']),
  ipv6: textOf(keys['mgmt-ipv6'] ?? keys['mgmt_ipv6']),
});

const formOf = (forms: readonly KindForm[], kind: string): KindForm | undefined =>
  forms.find(({ form }) => form.kinds.includes(kind));

const isMember = (forms: readonly KindForm[], { kind, keys }: ClabNode): boolean =>
  formOf(forms, kind)?.form.managed === true && textOf(keys['network-mode']) === '';

const systemsIn = ({ given }: ClabFile): Value | undefined => {
  const file = givenFile(given.files, SYSTEMS_FILE);
  const text = file === undefined ? null : textOfFile(file);
  return text === null ? undefined : (readDocument(text, { textsOnly: true }).value as Value);
};

/** Names that links have for something else than a node, in either case. */
export const LINK_WORDS = ['host', MANAGEMENT, 'macvlan'];

const refuseWords = ({ nodes, findings }: ClabFile): void => {
  for (const { name, kind } of nodes)
    if (LINK_WORDS.includes(name.toLowerCase()) && !(name === 'host' && kind === 'host'))
      findings.refuse(
        ['topology', 'nodes', name],
        'has a name that stands for something else in links; give it another',
      );
};

const refuseEnds = ({ nodes, findings }: ClabFile, links: readonly ClabLink[]): void => {
  const names = new Set(nodes.map(({ name }) => name));
  for (const { index, a, b } of links)
    for (const end of [a, b])
      if (end !== null && end.word === undefined && !names.has(end.node))
        findings.refuse(
          ['topology', 'links', index],
          `has ${end.node}:${end.interface}, and there is no node ${end.node}`,
        );
};

const mapNode = (reading: Reading, node: ClabNode): MappedNode | null => {
  const { forms, findings } = reading;
  const path = ['topology', 'nodes', node.name];
  const found = formOf(forms, node.kind);
  if (found !== undefined) return kindNode(reading, node, found);
  if (node.kind === '') findings.refuse(path, 'has no kind, neither of its own nor by its group or the defaults');
  else if (isSystem(node.kind)) return systemNode(reading, node);
  else findings.refuse(path, `is of kind ${node.kind}, which is not known`);
  return null;
};

const kindNode = (reading: Reading, node: ClabNode, { kind, form }: KindForm): MappedNode | null => {
  const { findings, interfaces, addresses, hosts, external, given } = reading;
  const { name, keys } = node;
  const path = ['topology', 'nodes', name];
  const taken = form.managed ? [...form.keys, ...OF_MANAGED] : form.keys;
  noteKeysOfNode({ name, keys, taken, runs: form.managed }, findings);
  for (const sentence of form.unused?.(keys) ?? []) findings.noteOf(name, sentence);
  refuseModes(reading, node, form);
  if (!form.managed)
    findings.noteOf(name, `${article(kind.name)} of the lab stands for the ${node.kind} of the machine`);
  const isIn = addresses.has(name);
  const used = interfaces.get(name) ?? [];
  if (isIn && used.includes('eth0'))
    findings.refuse(path, 'has a link at eth0, which is for the management network; network-mode: none frees it');
  if (form.keys.includes('image') && textOf(keys['image']) === '') findings.refuse(path, 'has no image');
  const env = form.managed ? environmentOf(keys, name, given.files, findings) : {};
  const properties = form.properties({
    keys: { ...keys, env },
    interfaces: isIn ? ['eth0', ...used] : used,
    addresses: isIn ? { eth0: addresses.get(name) ?? [] } : {},
    ...(isIn ? { hosts: hostsFor(name, hosts) } : {}),
    ...(isIn && external !== null ? { gateway: external.gateway } : {}),
    privileged: isPrivileged(reading, node),
    ...(form.managed ? { longName: longNameOf(reading, name) } : {}),
    files: form.managed ? copiesOf(keys, name, given.files, findings) : [],
  });
  return { node: { name, kind: kind.name, ...placeOf(keys), properties }, port: (one) => one };
};

const hostsFor = (name: string, hosts: Reading['hosts']): Record<string, string> =>
  Object.fromEntries([...hosts].flatMap(([member, names]) => (member === name ? [] : names)));

/** Empty where nothing that runs can be called so. */
const longNameOf = ({ name: lab, prefix }: ClabFile, node: string): string => {
  const parts = prefix === LAB_NAME ? [lab, node] : [prefix, lab, node];
  const name = prefix === '' ? node : parts.join('-');
  return /^[A-Za-z0-9][\w.-]+$/.test(name) ? name : '';
};

/** Prefix for the name of the lab alone. */
export const LAB_NAME = '__lab-name';
/** Prefix where none is given. */
export const PREFIX = 'clab';

const article = (word: string): string => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

/** Nodes of containerlab are, unless they say otherwise. Not every server here lets them. */
const isPrivileged = ({ given }: ClabFile, { keys }: ClabNode): boolean =>
  given.local === true && (keys['privileged'] === undefined || isTrue(keys['privileged']));

const refuseModes = ({ findings, given }: ClabFile, { name, keys }: ClabNode, form: ContainerlabForm): void => {
  const path = ['topology', 'nodes', name];
  const mode = textOf(keys['network-mode']);
  if (mode !== '' && mode !== 'none')
    findings.refuse([...path, 'network-mode'], `${mode} is not possible here: a node has a network of its own`);
  if (given.local === true) return;
  if (isTrue(keys['privileged']))
    findings.refuse(
      [...path, 'privileged'],
      'reaches the server’s machine; only a server started with --local does that',
    );
  else if (form.managed && keys['privileged'] === undefined)
    findings.note(
      'nodes run without privileges, which containerlab gives by default: only a server started with --local does that',
    );
};

/** Place from the labels of containerlab's graph. */
const placeOf = (keys: ClabMap): { x?: number; y?: number } => {
  const labels = mapOf(keys['labels']);
  const [x, y] = [textOf(labels['graph-posX']), textOf(labels['graph-posY'])].map((one) =>
    one === '' ? NaN : Number(one),
  );
  return x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y)
    ? { x: Math.round(x), y: Math.round(y) }
    : {};
};

/** Maps a network system to its template, or simulates it. */
const systemNode = (reading: Reading, node: ClabNode): MappedNode | null => {
  const { forms, findings, given, templates } = reading;
  const { name, kind: system } = node;
  const template = textOf(templates[system]);
  if (template !== '') return templateNode(reading, node, template);
  const stand = forms.find(({ form }) => form.managed);
  if (given.simulate === true && stand !== undefined) return simulatedNode(reading, node, stand);
  findings.refuseNode(
    name,
    `is of kind ${system}, which nothing here stands for: name a template in ${SYSTEMS_FILE} (${system}: NAME), or have it simulated (topolog apply or test --simulate)`,
  );
  return null;
};

/** Keys that stand for a network system are about. */
const OF_SYSTEMS = ['image', 'type', 'startup-config'];

const templateNode = ({ findings, given }: Reading, { name, keys }: ClabNode, template: string): MappedNode => {
  noteKeysOfNode({ name, keys, taken: OF_SYSTEMS, runs: false }, findings);
  const startup = startUpOf(keys, name, given.files, findings);
  const properties: Properties = {};
  const node = { name, template, ...placeOf(keys), properties, ...(startup === null ? {} : { startup }) };
  return { node, port: (one) => String(placeOfInterface(one) ?? one) };
};

const simulatedNode = (
  { findings, interfaces }: Reading,
  { name, kind: system, keys }: ClabNode,
  stand: KindForm,
): MappedNode => {
  // The configuration itself is not read.
  noteKeysOfNode({ name, keys, taken: OF_SYSTEMS, runs: false }, findings);
  findings.noteOf(
    name,
    `${system} is simulated: it has its ports and states, reads no configuration and moves no frames`,
  );
  const plain = (one: string): string => one.replaceAll(/[\s/:]/g, '-');
  const properties = stand.form.properties({
    keys: { image: textOf(keys['image']) || system },
    interfaces: (interfaces.get(name) ?? []).map(plain),
    addresses: {},
    files: [],
  });
  const node = { name, kind: stand.kind.name, ...placeOf(keys), properties: { ...properties, engine: 'simulated' } };
  return { node, port: plain };
};

/** A node that links refer to by a word, without a node in the file. */
interface Shared {
  word: string;
  made: MappedNode;
}

const sharedNodes = (reading: Reading, management: Management, members: readonly ClabNode[]): Shared[] =>
  reading.forms.flatMap(({ kind, form }): Shared[] => {
    const { word } = form;
    if (word === undefined || reading.nodes.some(({ name }) => name === word)) return [];
    const ends = reading.interfaces.get(word) ?? [];
    // The management network has a port for each member, with the member's name.
    const wanted = form.word === MANAGEMENT ? management.name : word;
    const name = reading.nodes.some((node) => node.name === wanted) ? `${wanted}-mgmt` : wanted;
    const gateway = reading.external === null ? [] : [gatewayOf(name)];
    const interfaces = form.word === MANAGEMENT ? [...members.map((one) => one.name), ...gateway, ...ends] : ends;
    if (interfaces.length === 0) return [];
    const properties = form.properties({ keys: {}, interfaces, addresses: {}, files: [] });
    return [{ word, made: { node: { name, kind: kind.name, properties }, port: (one) => one } }];
  });

const networkIn = (shared: readonly Shared[]): string | undefined =>
  shared.find(({ word }) => word === MANAGEMENT)?.made.node.name;

/** The kind whose nodes lead a network out of a lab. */
export const gatewayKind = (): Kind | undefined =>
  createKinds()
    .all()
    .find((kind) => kind.gateway !== undefined);

/** Name of the node that leads a network out, and of its port there. */
const gatewayOf = (network: string): string => `${network}-gateway`;

const gatewayNodes = ({ external }: Reading, shared: readonly Shared[]): MappedNode[] => {
  const network = networkIn(shared);
  const kind = gatewayKind();
  if (external === null || network === undefined || kind?.gateway === undefined) return [];
  const properties = kind.gateway(external.network);
  return [{ node: { name: gatewayOf(network), kind: kind.name, properties }, port: (one) => one }];
};

const managementLinks = ({ external }: Reading, shared: readonly Shared[], members: readonly ClabNode[]): LabLink[] => {
  const network = networkIn(shared);
  if (network === undefined) return [];
  const link = (end: LabEnd, port: string): LabLink => ({ ends: [end, { node: network, port }], filters: {} });
  const gateway = gatewayOf(network);
  return [
    ...members.map(({ name }) => link({ node: name, port: 'eth0' }, name)),
    ...(external === null ? [] : [link({ node: gateway }, gateway)]),
  ];
};

const linkOf = (
  all: ReadonlyMap<string, MappedNode>,
  shared: readonly Shared[],
  { a, b }: ClabLink,
): LabLink | null => {
  const end = (one: ClabEnd): LabEnd | null => {
    const of = one.word === undefined ? undefined : shared.find(({ word }) => word === one.word)?.made;
    const made = of ?? all.get(one.node);
    return made === undefined ? null : { node: made.node.name, port: made.port(one.interface) };
  };
  if (b === null) return null;
  const [first, second] = [end(a), end(b)];
  return first === null || second === null ? null : { ends: [first, second], filters: {} };
};
