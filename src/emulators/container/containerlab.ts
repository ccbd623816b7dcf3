import type { ContainerlabForm, ContainerlabNode, Properties } from '../kit/contract.ts';

/** Nodes of containerlab's kind `linux` (https://containerlab.dev/manual/nodes). All of a node's values there are texts. */
export const containerlab: ContainerlabForm = {
  kinds: ['linux'],
  keys: ['image', 'cmd', 'entrypoint', 'env', 'exec', 'user', 'cap-add', 'sysctls', 'ports', 'privileged'],
  managed: true,
  properties({ keys, interfaces, addresses, gateway, hosts = {}, files, longName, privileged = false }) {
    const named = adaptersOf(interfaces);
    const { commands, sysctls } = commandsOf(listOf(keys['exec']), mapOf(keys['sysctls']));
    const environment = Object.entries(mapOf(keys['env'])).map(([name, value]) => `${name}=${value}`);
    const settings = named
      .map(([adapter, name]) => ({
        adapter,
        ...(name === `eth${adapter}` ? {} : { name }),
        ...(addresses[name] === undefined ? {} : { addresses: [...addresses[name]] }),
        ...(gateway === undefined || addresses[name] === undefined ? {} : { gateway, nameserver: gateway }),
      }))
      .filter((one) => Object.keys(one).length > 1);
    return {
      image: textOf(keys['image']),
      ...filled('container_name', textOf(longName)),
      ...(privileged ? { network_system: true } : {}),
      adapters: Math.max(0, ...named.map(([adapter]) => adapter + 1)),
      ...filled('start_command', textOf(keys['cmd'])),
      ...filled('entrypoint', textOf(keys['entrypoint'])),
      ...filled('user', textOf(keys['user'])),
      ...filled('environment', environment.join('\n')),
      ...filled(
        'extra_hosts',
        Object.entries(hosts)
          .map((pair) => pair.join(':'))
          .join('\n'),
      ),
      ...some('commands', commands),
      ...some(
        'files',
        files.map((file) => ({ ...file })),
      ),
      ...some('interfaces', settings),
      ...some(
        'published',
        listOf(keys['ports']).flatMap((text) => publishedIn(text) ?? []),
      ),
      ...some('capabilities', [
        ...new Set(listOf(keys['cap-add']).map((name) => name.toUpperCase().replace(/^CAP_/, ''))),
      ]),
      ...(Object.keys(sysctls).length === 0 ? {} : { sysctls }),
    };
  },
  unused: ({ ports }) =>
    listOf(ports)
      .filter((text) => publishedIn(text) === null)
      .map((text) => `port ${text} is not published: only HOST:CONTAINER over TCP or UDP is`),
  node(properties) {
    const lines = textOf(properties['environment'])
      .split('\n')
      .filter((line) => line.includes('='));
    const env = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const keys: Properties = {
      ...filled('image', textOf(properties['image'])),
      ...filled('entrypoint', textOf(properties['entrypoint'])),
      ...filled('cmd', textOf(properties['start_command'])),
      ...filled('user', textOf(properties['user'])),
      ...(Object.keys(env).length === 0 ? {} : { env }),
      // Its nodes are privileged where nothing is said.
      ...(properties['network_system'] === true ? {} : { privileged: false }),
      ...some('cap-add', listOf(properties['capabilities'])),
      ...(Object.keys(mapOf(properties['sysctls'])).length === 0 ? {} : { sysctls: mapOf(properties['sysctls']) }),
      ...some('exec', listOf(properties['commands'])),
      ...some(
        'ports',
        ((properties['published'] ?? []) as Published[]).map(
          ({ port, to, protocol }) => `${port}:${to}${protocol === 'udp' ? '/udp' : ''}`,
        ),
      ),
    };
    const interfaces = (properties['interfaces'] as InterfaceOfNode[] | undefined) ?? [];
    const addressed = interfaces.filter(({ addresses }) => addresses !== undefined);
    const files = (properties['files'] as { path: string; content: string; source?: string }[] | undefined) ?? [];
    return {
      keys,
      ...filled('longName', textOf(properties['container_name'])),
      hosts: Object.fromEntries(
        textOf(properties['extra_hosts'])
          .split('\n')
          .flatMap((line) => {
            const [, name, address] = /^\s*([^\s:]+)\s*:\s*(\S+)\s*$/.exec(line) ?? [];
            return name === undefined || address === undefined ? [] : [[name, address]];
          }),
      ),
      addresses: Object.fromEntries(
        addressed.map(({ adapter, name, addresses = [] }) => [name ?? `eth${adapter}`, addresses]),
      ),
      files: files.map(({ path, content, source = '' }) => ({ path, content, source })),
    };
  },
};

interface Published {
  port: number;
  to: number;
  protocol?: 'tcp' | 'udp';
}

/** `8080:80`, `53:53/udp`; null: something else. */
const publishedIn = (text: string): Published | null => {
  const [, here, there, protocol] = /^(\d{1,5}):(\d{1,5})(?:\/(tcp|udp))?$/.exec(text) ?? [];
  const [port, to] = [Number(here), Number(there)];
  if (![port, to].every((one) => one >= 1 && one <= 65_535)) return null;
  return { port, to, ...(protocol === 'udp' ? { protocol } : {}) };
};

interface InterfaceOfNode {
  adapter: number;
  name?: string;
  addresses?: string[];
}

/** The most adapters that a container has. */
const MOST = 99;

/** `eth<n>` is adapter n; any other name takes the first adapter behind eth0 that is free. */
const adaptersOf = (names: ContainerlabNode['interfaces']): [number, string][] => {
  const numbered = names.flatMap((name): [number, string][] => {
    const number = /^eth(0|[1-9]\d*)$/.exec(name)?.[1];
    return number !== undefined && Number(number) < MOST ? [[Number(number), name]] : [];
  });
  const taken = new Map<number, string>(numbered);
  for (const name of names) {
    if (numbered.some(([, one]) => one === name)) continue;
    let adapter = 1;
    while (taken.has(adapter)) adapter += 1;
    taken.set(adapter, name);
  }
  return [...taken].sort(([a], [b]) => a - b);
};

/** Its settings of the kernel's network are made with the container: it may not write them itself. */
const commandsOf = (lines: readonly string[], given: Readonly<Record<string, string>>) => {
  const sysctls = { ...given };
  const commands = lines.filter((line) => {
    const [, name, value] = /^\s*sysctl\s+(?:-[wq]+\s+)*["']?(net\.[\w./-]+)\s*=\s*([\w.-]+)["']?\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined || /\.(?:eth|lo)/.test(name)) return true;
    sysctls[name] = value;
    return false;
  });
  return { commands, sysctls };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one !== '') : [];
const mapOf = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, String(one)]))
    : {};
const filled = (key: string, value: string): Properties => (value === '' ? {} : { [key]: value });
const some = (key: string, list: readonly unknown[]): Properties => (list.length === 0 ? {} : { [key]: list });
