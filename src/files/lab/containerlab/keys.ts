import { type ClabMap, type Findings, isMap, textOf, type Value } from './values.ts';

/** Keys of a topology file, with the type that containerlab decodes each into (types/, links/), and those that are not used here. */

type Type = 'text' | 'number' | 'truth' | 'texts' | 'pairs' | 'map' | 'list' | 'end';

const isText = (value: Value): boolean => typeof value === 'string';
const isList = (value: Value): value is Value[] => Array.isArray(value);

/** Scalars are texts here: a number is one that reads as such. */
const TYPES: Readonly<Record<Type, { words: string; is: (value: Value) => boolean }>> = {
  text: { words: 'a text', is: isText },
  number: { words: 'a number', is: (value) => isText(value) && Number.isFinite(Number(textOf(value))) },
  truth: { words: 'true or false', is: (value) => /^(?:true|yes|on|y|false|no|off|n)$/i.test(textOf(value)) },
  texts: { words: 'a list of texts, like [one, two]', is: (value) => isList(value) && value.every(isText) },
  pairs: {
    words: 'a map of texts, like {NAME: value}',
    is: (value) => isMap(value) && Object.values(value).every(isText),
  },
  map: { words: 'a map', is: isMap },
  list: { words: 'a list', is: isList },
  end: { words: 'a map, like {node: r1, interface: eth1}', is: (value) => isMap(value) || isText(value) },
};

interface Key {
  type: Type;
  /** Reason why it is refused at a node that runs: it would be something else without it. */
  refused?: string;
  /** Reason why it has no effect; empty: none is told. */
  unused?: string;
}

const of = (type: Type, unused?: string): Key => ({ type, ...(unused === undefined ? {} : { unused }) });
const refused = (type: Type, why: string): Key => ({ type, refused: why });

const OF_THE_SYSTEM = 'nothing reads it here; what a system needs of it belongs to the template that stands for it';
const NOT_OF_KIND = 'has no meaning for this kind';
const NOT_MOUNTED = 'nothing is mounted; what the node writes goes with it';
const OWN_SWITCH = 'the management network is a switch of the lab';
const NO_LOGIN = 'nobody logs in to it from here';

const NODE: Readonly<Record<string, Key>> = {
  kind: of('text'),
  group: of('text'),
  image: of('text', NOT_OF_KIND),
  cmd: of('text', NOT_OF_KIND),
  entrypoint: of('text', NOT_OF_KIND),
  user: of('text', NOT_OF_KIND),
  env: of('pairs', NOT_OF_KIND),
  'env-files': of('texts', NOT_OF_KIND),
  exec: of('texts', NOT_OF_KIND),
  binds: of('texts', NOT_OF_KIND),
  sysctls: of('pairs', NOT_OF_KIND),
  'cap-add': of('texts', NOT_OF_KIND),
  privileged: of('truth', NOT_OF_KIND),
  'network-mode': of('text', NOT_OF_KIND),
  'mgmt-ipv4': of('text', NOT_OF_KIND),
  'mgmt-ipv6': of('text', NOT_OF_KIND),
  mgmt_ipv4: of('text', NOT_OF_KIND),
  mgmt_ipv6: of('text', NOT_OF_KIND),
  ports: of('texts', 'only containers publish ports; the node has its console'),
  devices: refused('texts', 'devices of the machine are not given to nodes'),
  'security-opts': refused('texts', 'nodes run with the service’s own protection'),
  'pid-mode': refused('text', 'nodes have processes of their own'),
  'cgroup-parent': refused('text', 'nodes are not put below other control groups'),
  license: of('text', OF_THE_SYSTEM),
  components: of('list', OF_THE_SYSTEM),
  extras: of('map', OF_THE_SYSTEM),
  type: of('text', 'has no meaning here'),
  'image-pull-policy': of('text', 'an image is pulled when it is not there'),
  'startup-config': of('text', 'has no meaning for this kind, as in containerlab'),
  'enforce-startup-config': of('truth', 'has no meaning here'),
  'suppress-startup-config': of('truth', 'has no meaning here'),
  'startup-delay': of('number', 'nodes start at once'),
  'restart-policy': of('text', 'a node that ends stays stopped, and the log says why'),
  'auto-remove': of('truth', 'what is stopped is removed in any case'),
  hostname: of('text', 'the name of the node is its host name'),
  healthcheck: of('map', 'health is not watched; a check of the lab can say what must hold'),
  stages: of('map', 'nodes do not wait for one another'),
  dns: of('map', 'the image’s own servers of names are used'),
  certificate: of('map', 'no certificates are made'),
  labels: of('pairs', 'labels are not kept'),
  aliases: of('texts', NOT_OF_KIND),
  cpu: of('number', 'not limited'),
  'cpu-set': of('text', 'not limited'),
  memory: of('text', 'not limited'),
  'shm-size': of('text', 'that of the service is used'),
  tmpfs: of('pairs', NOT_MOUNTED),
  volumes: of('texts', NOT_MOUNTED),
  'cgroupns-mode': of('text', 'that of the service is used'),
  runtime: of('text', 'the service that the server has found is used'),
  'link-apply-mode': of('text', 'links change while nodes run'),
  credentials: of('map', NO_LOGIN),
  username: of('text', NO_LOGIN),
  password: of('text', NO_LOGIN),
  config: of('map', 'no templates of configurations are filled in'),
  position: of('text', 'not kept'),
};

/** Keys of each part of a file. */
const PARTS = {
  '': {
    name: of('text'),
    prefix: of('text'),
    mgmt: of('map'),
    settings: of('map', ''),
    debug: of('truth', ''),
    'certificate-authority': of('map', ''),
    topology: of('map'),
  },
  topology: { defaults: of('map'), kinds: of('map'), groups: of('map'), nodes: of('map'), links: of('list') },
  mgmt: {
    network: of('text'),
    'ipv4-subnet': of('text'),
    'ipv6-subnet': of('text'),
    ipv4_subnet: of('text'),
    ipv6_subnet: of('text'),
    bridge: of('text', OWN_SWITCH),
    mtu: of('number', OWN_SWITCH),
    'ipv4-gw': of('text', OWN_SWITCH),
    'ipv6-gw': of('text', OWN_SWITCH),
    'ipv4-range': of('text', OWN_SWITCH),
    'ipv6-range': of('text', OWN_SWITCH),
    'external-access': of('truth'),
    'skip-when-unused': of('truth', OWN_SWITCH),
    'driver-opts': of('map', OWN_SWITCH),
  },
  node: NODE,
  link: {
    endpoints: of('list'),
    type: of('text'),
    endpoint: of('end'),
    'host-interface': of('text'),
    mode: of('text'),
    mtu: of('number'),
    labels: of('pairs', ''),
    vars: of('map', ''),
    ipv4: of('texts', ''),
    ipv6: of('texts', ''),
    remote: of('text'),
    vni: of('number'),
    'dst-port': of('number'),
    'src-port': of('number'),
    'udp-port': of('number'),
    'parent-interface': of('text'),
  },
  end: {
    node: of('text'),
    interface: of('text'),
    mac: of('text', ''),
    ipv4: of('text', ''),
    ipv6: of('text', ''),
    vars: of('map', ''),
  },
} satisfies Record<string, Readonly<Record<string, Key>>>;

export type Part = keyof typeof PARTS;

/** Where each part is, for keys that are somewhere else. */
const PLACES: Readonly<Record<Part, string>> = {
  '': 'the top of the file',
  topology: 'topology',
  mgmt: 'mgmt',
  node: 'a node, its kind, its group or the defaults',
  link: 'a link',
  end: 'an end of a link',
};

const keysOf = (part: Part): Readonly<Record<string, Key>> => PARTS[part];
const keyOf = (part: Part, name: string): Key | undefined =>
  Object.hasOwn(keysOf(part), name) ? keysOf(part)[name] : undefined;

/**
 * Refuses values of a type that containerlab does not decode, and keys that belong to another part; the map without them.
 * Null counts as not given. Unknown keys stay.
 */
export const checkedKeys = (
  part: Part,
  path: readonly PropertyKey[],
  given: Value | undefined,
  findings: Findings,
): ClabMap => {
  if (given === undefined || given === '') return {};
  if (!isMap(given)) {
    findings.refuse(path, `must be ${TYPES.map.words}`);
    return {};
  }
  const taken: ClabMap = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === '') continue;
    const type = keyOf(part, name)?.type;
    if (type === undefined) refuseMisplaced(part, [...path, name], findings);
    else if (!TYPES[type].is(value)) {
      findings.refuse([...path, name], `must be ${TYPES[type].words}`);
      continue;
    }
    taken[name] = value;
  }
  return taken;
};

/** A key of another part: the lab would be another one without it. */
const refuseMisplaced = (part: Part, path: readonly PropertyKey[], findings: Findings): void => {
  const name = String(path.at(-1));
  const places = (Object.keys(PARTS) as Part[]).filter((one) => one !== part && keyOf(one, name) !== undefined);
  if (places.length > 0)
    findings.refuse(path, `belongs to ${places.map((one) => PLACES[one]).join(', or to ')}, and is not known here`);
};

/** Notes keys of a part that are not used, or not known. `where`: before each sentence. */
export const noteKeys = (part: Part, where: string, given: ClabMap, findings: Findings): void => {
  for (const name of Object.keys(given)) {
    const key = keyOf(part, name);
    if (key === undefined) findings.note(`${where}${name} is not known and not used`);
    else if (key.unused !== undefined)
      findings.note(`${where}${name} is not used${key.unused === '' ? '' : `: ${key.unused}`}`);
  }
};

/** As `noteKeys`, of a node. `runs`: what is refused has a meaning for it. */
export const noteKeysOfNode = (
  { name, keys, taken, runs }: { name: string; keys: ClabMap; taken: readonly string[]; runs: boolean },
  findings: Findings,
): void => {
  for (const one of Object.keys(keys)) {
    if (taken.includes(one) || ALWAYS_READ.includes(one)) continue;
    const key = keyOf('node', one);
    if (key?.refused !== undefined && runs)
      findings.refuse(['topology', 'nodes', name, one], `is not possible here: ${key.refused}`);
    else {
      const why = key?.unused ?? key?.refused;
      findings.noteOf(name, `${one} ${why === undefined ? 'is not known and not used' : `is not used: ${why}`}`);
    }
  }
};

const ALWAYS_READ = ['kind', 'group'];
/** Keys that nodes of managed kinds are mapped by, whatever the kind. */
export const OF_MANAGED = [
  'binds',
  'env-files',
  'network-mode',
  'privileged',
  'mgmt-ipv4',
  'mgmt-ipv6',
  'mgmt_ipv4',
  'mgmt_ipv6',
  'aliases',
];
