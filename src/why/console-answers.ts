import type { Addressed, Port } from '../emulators/kit/contract.ts';

/** Addresses and routes of a real system, read from the lines that its console has shown. */

/** A line of a console. */
export interface ConsoleLine {
  /** Milliseconds since 1970. */
  at: number;
  line: string;
}

interface InterfaceAnswer {
  addresses: string[];
  /** Address without its prefix, as in tables of Cisco's systems. */
  bare: string | null;
  mac: string | null;
  mtu: number;
}

/** Interfaces and routes that a console has shown; `routes` is null if no command for them was typed. */
export interface Answers {
  interfaces: Map<string, InterfaceAnswer>;
  routes: { to: string; via: string }[] | null;
  /** Time of the last such line. Milliseconds since 1970. */
  at: number;
}

interface Reading extends Answers {
  /** Interface that the following lines are about. */
  name: string;
  /** Prefix length of the following networks that have none. */
  prefix: string;
}

const MTU = 1500;
const V4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;

/** Escape sequences, such as colours, and control characters. */
const CONTROL = /\u001B\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000B-\u001F]/g;

const said = (reading: Reading, name: string): InterfaceAnswer => {
  const known = reading.interfaces.get(name) ?? { addresses: [], bare: null, mac: null, mtu: MTU };
  reading.interfaces.set(name, known);
  return known;
};

/** Begins an interface of which everything follows. */
const begin = (reading: Reading, name: string, mtu: string | undefined): void => {
  reading.name = name;
  reading.interfaces.set(name, { addresses: [], bare: null, mac: null, mtu: Number(mtu ?? MTU) });
};

const withAddress = (reading: Reading, name: string, address: string): void => {
  const one = said(reading, name);
  if (!one.addresses.includes(address)) one.addresses.push(address);
};

const route = (reading: Reading, to: string, via: string): void => void (reading.routes ??= []).push({ to, via });

const prefixOf = (mask: string): number =>
  mask.split('.').reduce((sum, octet) => sum + Number(octet).toString(2).replaceAll('0', '').length, 0);

/** Stands for the name of an interface that is down: no name is empty. */
const DOWN = '';

type Rule = [pattern: RegExp, take: (reading: Reading, ...found: string[]) => void];

/** Formats of Linux, FRR, and systems like Cisco's; the first rule that matches takes a line. */
const RULES: readonly Rule[] = [
  // A typed command for all routes.
  [
    /[#>$%]\s*(?:do )?(?:sh\w* ip(v6)? ro\w*|ip (?:-(6) |-4 )?r\w*(?: sh\w*)?)\s*$/,
    (r, ...six) => {
      const isV6 = six.some((one) => one !== undefined);
      const others = r.routes?.filter(({ to }) => to.includes(':') !== isV6) ?? [];
      r.routes = others.length === 0 ? null : others;
    },
  ],
  // An interface that is down takes no packets, whatever addresses follow.
  [
    /^\d+: ([^\s:@]+)(?:@\S+)?: <(?![^>]*\bUP\b)/,
    (r, name = '') => {
      r.interfaces.delete(name);
      r.name = DOWN;
    },
  ],
  [/^\d+: ([^\s:@]+)(?:@\S+)?: <.*\bmtu (\d+)/, begin],
  [/^\s+link\/ether ([0-9a-f:]{17})/, (r, mac) => void (said(r, r.name).mac = mac ?? null)],
  [/^\s+inet6? (\S+\/\d+)/, (r, address) => withAddress(r, r.name, address ?? '')],
  [/^(\S+) is (?:administratively )?(?:up|down), +line protocol/, (r, name) => begin(r, name ?? '', undefined)],
  [new RegExp(`^\\s+Internet address is (${V4}/\\d+)`), (r, address) => withAddress(r, r.name, address ?? '')],
  [/^interface (\S+)\s*$/, (r, name) => begin(r, name ?? '', undefined)],
  [new RegExp(`^\\s*ip address (${V4}/\\d+)`), (r, address) => withAddress(r, r.name, address ?? '')],
  [
    new RegExp(`^\\s*ip address (${V4}) (255\\.\\S+)`),
    (r, address, mask) => withAddress(r, r.name, `${address}/${prefixOf(mask ?? '')}`),
  ],
  [
    new RegExp(`^(\\S+) +(${V4}) +(?:YES|NO) `),
    (r, name, address) => {
      const one = said(r, name ?? '');
      if (!one.addresses.some((had) => had.startsWith(`${address}/`))) one.bare = address ?? null;
    },
  ],
  [
    new RegExp(`^(\\S+) +(?:up|down) +\\S+ +(${V4}/\\d+)`),
    (r, name, address) => withAddress(r, name ?? '', address ?? ''),
  ],
  [
    new RegExp(`^C\\S* +${V4}(?:/(\\d+))? is directly connected, (\\S+?),?(?:\\s|$)`),
    (r, prefix, name) => {
      const one = said(r, name ?? '');
      if (one.bare !== null) withAddress(r, name ?? '', `${one.bare}/${prefix ?? r.prefix}`);
      r.routes ??= [];
    },
  ],
  [new RegExp(`^\\s+${V4}/(\\d+) is subnetted`), (r, prefix) => void (r.prefix = prefix ?? '')],
  [
    new RegExp(`^[A-Z][A-Za-z0-9*> ]* (${V4})(?:/(\\d+))? \\[\\d+/\\d+\\] via (${V4})`),
    (r, to, prefix, via) => route(r, `${to}/${prefix ?? r.prefix}`, via ?? ''),
  ],
  [/^[A-Z][A-Za-z0-9*> ]* ([0-9a-fA-F:]+\/\d+) \[\d+\/\d+\] via ([0-9a-fA-F:]+),/, route],
  [/^default via (\S+)/, (r, via = '') => route(r, via.includes(':') ? '::/0' : '0.0.0.0/0', via)],
  [/^(\S+\/\d+) via (\S+)/, route],
  // Connected networks: a list of all routes.
  [/^\S+\/\d+ dev \S+/, (r) => void (r.routes ??= [])],
];

/** Reads the lines of a console, of which the last ones count; null without an address in them. */
export const readAnswers = (shown: Iterable<ConsoleLine>): Answers | null => {
  const reading: Reading = { interfaces: new Map(), routes: null, at: 0, name: '', prefix: '' };
  for (const { at, line } of shown) {
    const text = line.replaceAll(CONTROL, '').trimEnd();
    for (const [pattern, take] of RULES) {
      const found = pattern.exec(text);
      if (found === null) continue;
      take(reading, ...found.slice(1));
      reading.at = at;
      break;
    }
  }
  for (const name of ['lo', DOWN]) reading.interfaces.delete(name);
  return [...reading.interfaces.values()].some(({ addresses }) => addresses.length > 0) ? reading : null;
};

/** Whether a port has this name or abbreviation: `FastEthernet0/0` is `fa0/0` as well. */
const isName = (said: string, { name, short_name }: Port): boolean => {
  const [low, long] = [said.toLowerCase(), name.toLowerCase()];
  const [, letters = '', numbers = ''] = /^([a-z]+)((?:[^a-z].*)?)$/.exec(low) ?? [];
  return (
    low === long ||
    low === short_name.toLowerCase() ||
    (long.startsWith(letters) && long === long.replace(/(?<![\d/.])[\d/.]+$/, '') + numbers && letters.length > 1)
  );
};

/** Forwarding of a node by its console; null if none of the interfaces is one of its ports. */
export const forwardingOf = ({ interfaces, routes }: Answers, ports: readonly Port[]): Addressed | null => {
  const found = [...interfaces].flatMap(([name, { addresses, mac, mtu }]) => {
    const port = ports.find((one) => isName(name, one)) ?? ports[Number(/^eth(\d+)$/.exec(name)?.[1] ?? Number.NaN)];
    if (port === undefined || addresses.length === 0) return [];
    const { adapter_number, port_number } = port;
    return [{ adapter_number, port_number, addresses, mac, mtu }];
  });
  if (found.length === 0) return null;
  return { by: 'addresses', interfaces: found, routes: routes ?? [], forwards: true, isKnown: false };
};
