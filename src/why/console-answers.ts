import type { Addressed, Port } from '../emulators/kit/contract.ts';

/** What the console of a real system has shown of its addresses and routes, line by line. */

/** A line that was shown. */
export interface Shown {
  /** Milliseconds since 1970. */
  at: number;
  line: string;
}

interface Said {
  addresses: string[];
  /** Without its prefix, as tables of Cisco's systems have it. */
  bare: string | null;
  mac: string | null;
  mtu: number;
}

/** What a console has said; `routes` null: it was not asked for them. */
export interface Answers {
  interfaces: Map<string, Said>;
  routes: { to: string; via: string }[] | null;
  /** When it said that last. */
  at: number;
}

interface Reading extends Answers {
  /** Whose lines follow. */
  name: string;
  /** Prefix of the networks that follow without one. */
  prefix: string;
}

const MTU = 1500;
const V4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;

/** Codes of colours and the like, and what a carriage return or a backspace has taken back. */
const CONTROL = /\u001B\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000B-\u001F]/g;

const said = (reading: Reading, name: string): Said => {
  const known = reading.interfaces.get(name) ?? { addresses: [], bare: null, mac: null, mtu: MTU };
  reading.interfaces.set(name, known);
  return known;
};

/** An interface of which all is told from here on. */
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

type Rule = [pattern: RegExp, take: (reading: Reading, ...found: string[]) => void];

/** Of Linux, FRR, and systems that are like Cisco's; each line is taken by the first that fits. */
const RULES: readonly Rule[] = [
  // A question for all routes.
  [
    /[#>$%]\s*(?:do )?(?:sh\w* ip(v6)? ro\w*|ip (?:-(6) |-4 )?r\w*(?: sh\w*)?)\s*$/,
    (r, ...six) => {
      const isV6 = six.some((one) => one !== undefined);
      const others = r.routes?.filter(({ to }) => to.includes(':') !== isV6) ?? [];
      r.routes = others.length === 0 ? null : others;
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
  // Networks at its own interfaces: it was asked for all routes.
  [/^\S+\/\d+ dev \S+/, (r) => void (r.routes ??= [])],
];

/** What was said last counts; null: nothing of addresses. */
export const readAnswers = (shown: Iterable<Shown>): Answers | null => {
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
  reading.interfaces.delete('lo');
  return [...reading.interfaces.values()].some(({ addresses }) => addresses.length > 0) ? reading : null;
};

/** `FastEthernet0/0` is `fa0/0` as well. */
const isName = (said: string, { name, short_name }: Port): boolean => {
  const [low, long] = [said.toLowerCase(), name.toLowerCase()];
  const [, letters = '', numbers = ''] = /^([a-z]+)((?:[^a-z].*)?)$/.exec(low) ?? [];
  return (
    low === long ||
    low === short_name.toLowerCase() ||
    (long.startsWith(letters) && long === long.replace(/(?<![\d/.])[\d/.]+$/, '') + numbers && letters.length > 1)
  );
};

/** The node as its console has it; null: none of what it said is of its ports. */
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
