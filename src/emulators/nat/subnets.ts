import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

/** An IPv4 network as 32 bits: the host's part of `address` is 0. */
interface Network {
  address: number;
  mask: number;
}

/** Routes wider than this lead to the rest of the world, not to a network of the host's: 8 bits of mask. */
const WIDEST = 0xff000000;

/** The first network of `candidates` (`10.0.2.0`, all /24) that no route of this host touches; null when there is none. */
export const freeSubnet = async (candidates: readonly string[]): Promise<string | null> => {
  const routes = routesIn(await readFile('/proc/net/route', 'latin1').catch(() => ''));
  return candidates.find((candidate) => routes.every((route) => !touches(route, networkOf(candidate)))) ?? null;
};

/** proc(5): a table with the words Destination and Mask, hexadecimal in the byte order of the machine. */
export const routesIn = (table: string, order: 'LE' | 'BE' = endianness()): Network[] =>
  table
    .split('\n')
    .slice(1)
    .map((row) => row.split('\t'))
    .filter((words) => words.length > 7)
    .map((words) => ({ address: hex(words[1] ?? '', order), mask: hex(words[7] ?? '', order) }))
    .filter(({ mask }) => mask >= WIDEST);

const hex = (word: string, order: 'LE' | 'BE'): number => {
  const bytes = Buffer.from(word, 'hex');
  return order === 'LE' ? bytes.readUInt32LE() : bytes.readUInt32BE();
};

export const networkOf = (subnet: string): Network => ({
  address: Buffer.from(subnet.split('.').map(Number)).readUInt32BE(),
  mask: 0xffffff00,
});

export const touches = (one: Network, other: Network): boolean => {
  const common = (one.mask & other.mask) >>> 0;
  return (one.address & common) >>> 0 === (other.address & common) >>> 0;
};

/** An address of a /24, by its last number. */
export const addressIn = (subnet: string, last: number): string => subnet.replace(/(?<!\d)\d+$/, String(last));
