import type { Findings } from './values.ts';

/** Keys of nodes that containerlab knows and that are not used here: what is done about each, and why. */

/** Refused, as the node would be something else without them. */
const REFUSED: Readonly<Record<string, string>> = {
  devices: 'devices of the machine are not given to nodes',
  'security-opts': 'nodes run with the service’s own protection',
  'pid-mode': 'nodes have processes of their own',
  'cgroup-parent': 'nodes are not put below other control groups',
  license: 'such files belong to the template that stands for the system',
  components: 'chassis belong to the template that stands for the system',
  extras: 'these belong to the template that stands for the system',
};

/** Ignored with a note. */
const UNUSED: Readonly<Record<string, string>> = {
  type: 'has no meaning here',
  'image-pull-policy': 'an image is pulled when it is not there',
  'startup-config': 'has no meaning for this kind, as in containerlab',
  'enforce-startup-config': 'has no meaning here',
  'suppress-startup-config': 'has no meaning here',
  'startup-delay': 'nodes start at once',
  'restart-policy': 'a node that ends stays stopped, and the log says why',
  'auto-remove': 'what is stopped is removed in any case',
  hostname: 'the name of the node is its host name',
  ports: 'only containers publish ports; the node has its console',
  healthcheck: 'health is not watched; a check of the lab can say what must hold',
  stages: 'nodes do not wait for one another',
  dns: 'the image’s own servers of names are used',
  certificate: 'no certificates are made',
  labels: 'labels are not kept',
  aliases: 'names are not resolved on the management network',
  cpu: 'not limited',
  'cpu-set': 'not limited',
  memory: 'not limited',
  'shm-size': 'that of the service is used',
  tmpfs: 'nothing is mounted; what the node writes goes with it',
  volumes: 'nothing is mounted; what the node writes goes with it',
  'cgroupns-mode': 'that of the service is used',
  runtime: 'the service that the server has found is used',
  'link-apply-mode': 'links change while nodes run',
  credentials: 'nobody logs in to it from here',
  username: 'nobody logs in to it from here',
  password: 'nobody logs in to it from here',
  config: 'no templates of configurations are filled in',
  position: 'not kept',
  exec: 'has no meaning for this kind',
  env: 'has no meaning for this kind',
  image: 'has no meaning for this kind',
  cmd: 'has no meaning for this kind',
  entrypoint: 'has no meaning for this kind',
  user: 'has no meaning for this kind',
  sysctls: 'has no meaning for this kind',
  'cap-add': 'has no meaning for this kind',
};

/** Used by the code that maps nodes. */
const READ = ['kind', 'group', 'binds', 'env-files', 'network-mode', 'privileged', 'mgmt-ipv4', 'mgmt-ipv6'];

export const noteUnusedKeys = (
  { name, keys, taken }: { name: string; keys: readonly string[]; taken: readonly string[] },
  findings: Findings,
): void => {
  for (const key of keys) {
    if (READ.includes(key) || taken.includes(key)) continue;
    const refused = REFUSED[key];
    const told = UNUSED[key];
    if (refused !== undefined) findings.refuse(['topology', 'nodes', name, key], `is not possible here: ${refused}`);
    else findings.noteOf(name, `${key} ${told === undefined ? 'is not known and not used' : `is not used: ${told}`}`);
  }
};

export const noteUnknownKeys = (
  where: string,
  given: readonly string[],
  known: readonly string[],
  findings: Findings,
): void => {
  for (const key of given) if (!known.includes(key)) findings.note(`${where}${key} is not known and not used`);
};
