import type { AddressRoute } from '../kit/contract.ts';

export const MTU = 1500;

/** What a start-up text makes of a router. */
interface Meant {
  /** By their numbers. */
  interfaces: Map<number, { addresses: string[]; mtu: number }>;
  routes: AddressRoute[];
}

const EVERYTHING: Readonly<Record<string, string>> = { default: '0.0.0.0/0', default6: '::/0' };

/** The lines that set addresses and routes, as the console takes them. Never throws. */
export const readConfig = (text: string): Meant => {
  const meant: Meant = { interfaces: new Map(), routes: [] };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [first, ...words] = line.trim().split(/\s+/);
    if (first === 'interface') takeInterface(meant, words);
    const [to = '', via] = words;
    if (first === 'route' && via !== undefined) meant.routes.push({ to: EVERYTHING[to] ?? to, via });
  }
  return meant;
};

const takeInterface = ({ interfaces }: Meant, [number = '', word, value = '']: readonly string[]): void => {
  const { addresses, mtu } = interfaces.get(Number(number)) ?? { addresses: [], mtu: MTU };
  const isSix = value.includes(':');
  if (word === 'mtu') interfaces.set(Number(number), { addresses, mtu: Number(value) || MTU });
  if (word !== 'ip' || value === '') return;
  // One of IPv4, any of IPv6.
  const kept = addresses.filter((one) => isSix || one.includes(':'));
  const address = value.includes('/') ? value : `${value}/${isSix ? 64 : 24}`;
  interfaces.set(Number(number), { addresses: [...kept, address], mtu });
};
