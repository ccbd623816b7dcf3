import { noteKeys } from './keys.ts';
import { type ClabMap, type Findings, isTrue, textOf, type Value } from './values.ts';

/** The management network: a switch whose members have `eth0` in it, with an address of its subnet. */
export interface Management {
  /** Name of the network and its switch. */
  name: string;
  /** null: no addresses of this family. */
  ipv4: Subnet | null;
  ipv6: string | null;
  /** It is led out of the lab. */
  external: boolean;
}

interface Subnet {
  base: number;
  prefix: number;
}

const DEFAULT = '172.20.20.0/24';
const NAME = 'clab';
export const readManagement = (given: ClabMap, findings: Findings): Management => {
  noteKeys('mgmt', 'mgmt: ', given, findings);
  const v4 = textOf(given['ipv4-subnet'] ?? given['ipv4_subnet']);
  const v6 = textOf(given['ipv6-subnet'] ?? given['ipv6_subnet']);
  const subnet = subnetOf(v4 === '' || v4 === 'auto' ? DEFAULT : v4);
  if (subnet === null) findings.refuse(['mgmt', 'ipv4-subnet'], `${v4} must be like ${DEFAULT}`);
  return {
    name: textOf(given['network']) || NAME,
    ipv4: v4 === '' && v6 !== '' ? null : subnet,
    ipv6: v6 === '' || v6 === 'auto' ? null : v6,
    external: isExternal(given, subnet, findings),
  };
};

/** Asked for by `external-access: true`: it is true there where nothing is said, and few labs need it. */
const isExternal = (given: ClabMap, subnet: Subnet | null, findings: Findings): boolean => {
  if (!isTrue(given['external-access'])) return false;
  if (subnet?.prefix === 24) return true;
  findings.refuse(['mgmt', 'external-access'], 'needs an ipv4-subnet with 24 bits, such as 172.20.20.0/24');
  return false;
};

/** The network that is led out, and its gateway; null: it leads nowhere. */
export const externalOf = ({ external, ipv4 }: Management): { network: string; gateway: string } | null =>
  external && ipv4 !== null
    ? { network: `${textOfAddress(ipv4.base)}/${ipv4.prefix}`, gateway: textOfAddress(ipv4.base + 1) }
    : null;

const subnetOf = (text: string): Subnet | null => {
  const [, a, b, c, d, prefix] = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(text) ?? [];
  const octets = [a, b, c, d].map(Number);
  const length = Number(prefix);
  if (octets.some((one) => !(one <= 255)) || !(length >= 8 && length <= 30)) return null;
  const mask = 2 ** (32 - length);
  const address = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  return { base: address - (address % mask), prefix: length };
};

const textOfAddress = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

/** A node in it, with the addresses given in the file. */
export interface Member {
  name: string;
  ipv4: string;
  ipv6: string;
}

/**
 * Addresses by node, with prefix lengths: the given ones, and for other nodes the next free ones after the gateway's,
 * in the order of the text.
 */
export const addressesOf = (
  { ipv4, ipv6 }: Management,
  members: readonly Member[],
  findings: Findings,
): Map<string, string[]> => {
  const given = new Set<string>();
  const double = members.find(({ ipv4: own }) => own !== '' && given.size === given.add(own).size)?.ipv4;
  for (const { ipv4: own } of members) given.add(own);
  if (double !== undefined) findings.refuse(['topology', 'nodes'], `have ${double} as mgmt-ipv4 twice`);
  let next = 2;
  const free = (subnet: Subnet): string => {
    while (given.has(textOfAddress(subnet.base + next))) next += 1;
    return textOfAddress(subnet.base + next++);
  };
  return new Map(
    members.map((member) => {
      const v4 = member.ipv4 !== '' || ipv4 === null ? member.ipv4 : free(ipv4);
      return [
        member.name,
        [
          ...(v4 === '' ? [] : [`${v4}/${ipv4?.prefix ?? 24}`]),
          ...(member.ipv6 === '' ? [] : [`${member.ipv6}/${prefixOf(ipv6)}`]),
        ],
      ];
    }),
  );
};

const prefixOf = (subnet: string | null): string => subnet?.split('/')[1] ?? '64';

/** The network for a file, without defaults. */
export const managementText = ({ name, ipv4, external }: Management): Record<string, Value | boolean> => {
  const subnet = ipv4 === null ? DEFAULT : `${textOfAddress(ipv4.base)}/${ipv4.prefix}`;
  return {
    ...(name === NAME ? {} : { network: name }),
    ...(subnet === DEFAULT ? {} : { 'ipv4-subnet': subnet }),
    ...(external ? { 'external-access': true } : {}),
  };
};

/** The network that contains these addresses, for a file. */
export const managementOf = (name: string | undefined, addresses: readonly string[], external: boolean): Management => {
  const first = addresses.find((one) => /^\d+\./.test(one));
  return { name: name ?? NAME, ipv4: subnetOf(first ?? DEFAULT), ipv6: null, external };
};

/** Addresses of each node, in the order of the text, that it would not be assigned anyway; without prefix lengths. */
export const ownAddresses = (
  { ipv4 }: Management,
  addresses: ReadonlyMap<string, readonly string[]>,
): Map<string, string[]> => {
  let next = 2;
  return new Map(
    [...addresses].map(([name, given]) => {
      const plain = given.map((one) => one.split('/')[0] ?? '');
      const own = plain.filter((one) => ipv4 === null || one !== textOfAddress(ipv4.base + next));
      if (own.length < plain.length) next += 1;
      return [name, own];
    }),
  );
};
