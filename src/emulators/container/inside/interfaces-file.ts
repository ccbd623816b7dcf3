import { isIP } from 'node:net';
import { MOST_ITEMS } from '../../../common/bounds.ts';
import type { NodeFile } from '../../kit/contract.ts';

/** The file by which nodes set up their adapters: interfaces(5) of ifupdown, the part that a container can do. */

export const NETWORK_DIRECTORY = '/etc/network';
export const INTERFACES_FILE = `${NETWORK_DIRECTORY}/interfaces`;

/** The file of a node until somebody writes in it. `names`: of its adapters. */
export const sampleFile = (names: readonly string[]): NodeFile => ({
  name: INTERFACES_FILE.slice(1),
  content: [
    '# How the adapters are set up before the first program of the container starts.\n# Without the # a line counts from the next start on.\n',
    ...names.map(
      (name, n) => `
# Fixed address:
#auto ${name}
#iface ${name} inet static
#\taddress 192.168.${n}.2
#\tnetmask 255.255.255.0
#\tgateway 192.168.${n}.1
#\tup echo nameserver 192.168.${n}.1 > /etc/resolv.conf

# Address by DHCP:
#auto ${name}
#iface ${name} inet dhcp
`,
    ),
  ].join(''),
});

/** Whether nothing in it counts. */
export const saysNothing = (text: string): boolean => /^(?:[ \t]*(?:#.*)?(?:\r?\n|$))*$/.test(text);

/** A command of ip(8), a hook for a shell of the container, or a sentence about what is left out. */
export type Step =
  | { do: 'ip'; line: string }
  | { do: 'hook'; line: string; phase: string; environment: Readonly<Record<string, string>> }
  | { do: 'dhcp'; name: string }
  | { do: 'tell'; line: string };

interface Stanza {
  name: string;
  family: string;
  method: string;
  options: [key: string, value: string][];
}

interface Found {
  /** Names that come up by themselves, in their order. */
  auto: Set<string>;
  stanzas: Stanza[];
  told: Step[];
}

/** Files below the directory, by their paths in the container. */
export type NetworkFiles = ReadonlyMap<string, string>;

/** Steps that bring up what the file says. */
export const stepsOf = (files: NetworkFiles): Step[] => {
  const found: Found = { auto: new Set(), stanzas: [], told: [] };
  read(INTERFACES_FILE, files, found, new Set());
  const up = [...found.auto].flatMap((name) => found.stanzas.filter((stanza) => stanza.name === name));
  return [...found.told, ...up.slice(0, MOST_ITEMS).flatMap((stanza) => stepsFor(stanza, files))];
};

const read = (file: string, files: NetworkFiles, found: Found, seen: Set<string>): void => {
  if (seen.has(file)) return;
  seen.add(file);
  let current: Stanza | null = null;
  for (const line of linesOf(files.get(file) ?? '')) {
    const [word = '', ...rest] = line.split(/\s+/);
    if (/^(?:auto|allow-.+)$/.test(word)) {
      current = null;
      for (const name of rest) found.auto.add(name);
    } else if (word === 'iface') {
      const [name = '', family = '', method = ''] = rest;
      current = { name, family, method, options: [] };
      found.stanzas.push(current);
    } else if (word === 'source' || word === 'source-directory') {
      current = null;
      for (const other of sourced(word, rest[0] ?? '', [...files.keys()])) read(other, files, found, seen);
    } else if (/^(?:mapping|rename|template|no-auto-down|no-scripts)$/.test(word)) {
      current = null;
      found.told.push(tell(`${line} is left out`));
    } else current?.options.push([word.replaceAll('_', '-'), line.slice(word.length).trim()]);
  }
};

/** A line may go on behind a backslash at its end. */
const linesOf = (text: string): string[] =>
  text
    .replace(/\r\n/g, '\n')
    .split(/(?<!\\)\n/)
    .map((line) => line.replaceAll('\\\n', ' ').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** `*` stands for any part of a file's name. */
const sourced = (word: string, given: string, all: readonly string[]): string[] => {
  const wanted = given.startsWith('/') ? given : `${NETWORK_DIRECTORY}/${given}`;
  const pattern = word === 'source' ? wanted : `${wanted.replace(/\/$/, '')}/*`;
  const [before = '', after, ...more] = pattern.split('*');
  if (after === undefined) return all.filter((file) => file === pattern);
  const isOne = (file: string): boolean =>
    more.length === 0 &&
    file.length >= before.length + after.length &&
    file.startsWith(before) &&
    file.endsWith(after) &&
    !file.slice(before.length, file.length - after.length).includes('/');
  return all.filter(isOne).sort();
};

const tell = (line: string): Step => ({ do: 'tell', line });
const ip = (line: string): Step => ({ do: 'ip', line });

/** One word of ip(8) that is no option. */
const isWord = (value: string): boolean => /^[\w.:][\w.:@/-]*$/.test(value);

const stepsFor = (stanza: Stanza, files: NetworkFiles): Step[] => {
  const { name, family, method } = stanza;
  const [device = ''] = name.split(':');
  if (!isWord(name) || name.includes('/') || device.length > 15) return [tell(`iface ${name}: it is no name`)];
  if (!['inet', 'inet6'].includes(family)) return [tell(`iface ${name} ${family}: only inet and inet6 are known`)];
  const set = methodSteps(stanza, device);
  if (set === null) return [tell(`iface ${name} ${family} ${method}: this method is not known`)];
  return [
    ...hooks(stanza, 'pre-up'),
    ...scripts(stanza, files, 'pre-up'),
    ...made(stanza, device),
    ...values(stanza, 'hwaddress', (value) => `link set dev ${device} address ${value}`),
    ...values(stanza, 'mtu', (value) => `link set dev ${device} mtu ${value}`),
    ip(`link set dev ${device} up`),
    ...set,
    ...names(stanza),
    ...hooks(stanza, 'up', 'post-up'),
    ...scripts(stanza, files, 'up'),
  ];
};

const optionsOf = ({ options }: Stanza, ...keys: readonly string[]): string[] =>
  options.flatMap(([key, value]) => (keys.includes(key) ? [value] : []));

/** A line for each value, which is one word. */
const values = (stanza: Stanza, key: string, line: (value: string) => string): Step[] =>
  optionsOf(stanza, key).map((given) => {
    const value = given.replace(/^ether\s+/, '');
    return isWord(value) ? ip(line(value)) : tell(`iface ${stanza.name}: ${key} ${given} is left out`);
  });

/** VLANs and bridges, which are no adapters. */
const made = (stanza: Stanza, device: string): Step[] => {
  const [, under = '', tag] = /^(.+)\.(\d{1,4})$/.exec(device) ?? [];
  const [raw = under] = optionsOf(stanza, 'vlan-raw-device');
  const id = tag ?? /^vlan(\d{1,4})$/.exec(device)?.[1];
  const ports = optionsOf(stanza, 'bridge-ports')
    .flatMap((all) => all.split(/\s+/))
    .filter((port) => port !== 'none');
  return [
    ...(id !== undefined && isWord(raw)
      ? [ip(`link set dev ${raw} up`), ip(`link add link ${raw} name ${device} type vlan id ${Number(id)}`)]
      : []),
    ...(optionsOf(stanza, 'bridge-ports').length > 0 ? [ip(`link add name ${device} type bridge`)] : []),
    ...ports
      .filter(isWord)
      .flatMap((port) => [ip(`link set dev ${port} master ${device}`), ip(`link set dev ${port} up`)]),
  ];
};

/** null: the method is not known. */
const methodSteps = (stanza: Stanza, device: string): Step[] | null => {
  switch (`${stanza.family} ${stanza.method}`) {
    case 'inet dhcp':
      return [{ do: 'dhcp', name: device }];
    case 'inet static':
    case 'inet6 static':
    case 'inet loopback':
    case 'inet6 loopback':
      return addressSteps(stanza, device);
    case 'inet manual':
    case 'inet6 manual':
    // The kernel itself hears router advertisements.
    case 'inet6 auto':
      return [];
    default:
      return null;
  }
};

const addressSteps = (stanza: Stanza, device: string): Step[] => {
  const { name, family } = stanza;
  const version = family === 'inet' ? 4 : 6;
  const one = (key: string): string | undefined => optionsOf(stanza, key)[0];
  const extra = (key: string, word = key): string => {
    const value = one(key);
    return value !== undefined && isWord(value) ? ` ${word} ${value}` : '';
  };
  const label = name === device || !name.includes(':') ? '' : ` label ${name}`;
  const addresses = optionsOf(stanza, 'address').map((given): Step => {
    const [address = '', prefix = prefixOf(one('netmask') ?? (version === 6 ? '64' : ''))] = given.split('/');
    if (isIP(address) !== version || !/^\d{1,3}$/.test(prefix))
      return tell(`iface ${name}: address ${given} has no prefix length or netmask, or is no address of ${family}`);
    return ip(
      `address replace ${address}${extra('pointopoint', 'peer')}/${prefix}${extra('broadcast')}${extra('scope')} dev ${device}${label}`,
    );
  });
  const gateways = values(
    stanza,
    'gateway',
    (value) => `route add default via ${value} dev ${device}${extra('metric')}`,
  );
  return [...addresses, ...gateways];
};

/** `255.255.255.0` and `24` are the same; empty: neither. */
const prefixOf = (mask: string): string => {
  if (isIP(mask) !== 4) return /^\d+$/.test(mask) ? mask : '';
  const bits = mask
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
  return /^1*0*$/.test(bits) ? String(bits.replaceAll('0', '').length) : '';
};

const NAMES = [
  ['dns-nameservers', 'nameserver'],
  ['dns-nameserver', 'nameserver'],
  ['dns-search', 'search'],
  ['dns-domain', 'domain'],
] as const;

/** Lines of resolv.conf, as resolvconf would write them. */
const names = (stanza: Stanza): Step[] =>
  NAMES.flatMap(([key, word]) =>
    optionsOf(stanza, key).flatMap((all) =>
      (word === 'nameserver' ? all.split(/\s+/) : [all]).map((value) => `${word} ${value}`),
    ),
  ).map((line) => hook(stanza, 'up', `echo ${quoted(line)} >> /etc/resolv.conf`));

const hooks = (stanza: Stanza, ...phases: readonly string[]): Step[] =>
  stanza.options.flatMap(([key, line]) => (phases.includes(key) ? [hook(stanza, key, line)] : []));

/** Executable files of `if-up.d` and `if-pre-up.d`. */
const scripts = (stanza: Stanza, files: NetworkFiles, phase: string): Step[] => {
  const directory = `${NETWORK_DIRECTORY}/if-${phase}.d/`;
  if (![...files.keys()].some((file) => file.startsWith(directory))) return [];
  return [hook(stanza, phase, `for f in ${directory}*; do [ ! -x "$f" ] || "$f" || exit; done`)];
};

/** Its environment is that of interfaces(5). */
const hook = ({ name, family, method, options }: Stanza, phase: string, line: string): Step => ({
  do: 'hook',
  line,
  phase,
  environment: {
    ...Object.fromEntries(
      options.map(([key, value]) => [`IF_${key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`, value]),
    ),
    IFACE: name,
    LOGICAL: name,
    ADDRFAM: family,
    METHOD: method,
    MODE: 'start',
    PHASE: phase,
  },
});

/** One word for a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
