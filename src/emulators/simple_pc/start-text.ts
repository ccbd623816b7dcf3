import { formatIpv4, parseIpv4, prefixOf } from '../../fabric/codecs/ip-address.ts';
import type { AddressRoute } from '../kit/contract.ts';

/** Addresses and routes of a PC after its start-up text. */
interface StartText {
  addresses: string[];
  routes: AddressRoute[];
  mtu: number;
  leased: boolean;
}

const MTU = 1500;
const DEFAULT_PREFIX = 24;

/** The lines that set addresses, as the console takes them; the last of a sort counts. Never throws. */
export const readStartText = (text: string): StartText => {
  const meant: StartText = { addresses: [], routes: [], mtu: MTU, leased: false };
  for (const line of text.split(/\r\n|\r|\n/)) takeLine(meant, line.trim().split(/\s+/));
  return meant;
};

const takeLine = (meant: StartText, [first = '', ...words]: string[]): void => {
  if (first === 'dhcp') meant.leased = true;
  if (first === 'set' && words[0] === 'mtu') meant.mtu = Number(words[1]) || MTU;
  if (first !== 'ip') return;
  const [word = ''] = words;
  if (word === 'mtu') meant.mtu = Number(words[1]) || MTU;
  else if (['dhcp', 'dhcp6', 'auto'].includes(word)) meant.leased = true;
  else if (word.includes(':')) takeIpv6(meant, words);
  else if (/^\d/.test(word)) takeAddress(meant, words);
};

const takeAddress = (meant: StartText, words: readonly string[]): void => {
  const [first = '', ...rest] = words.flatMap((word) => word.split('/'));
  if (parseIpv4(first) === null) return;
  const prefix = rest.map(prefixIn).findLast((one) => one !== null) ?? DEFAULT_PREFIX;
  const gateway = rest.map(parseIpv4).findLast((one, at) => one !== null && prefixIn(rest[at] ?? '') === null) ?? null;
  const others = meant.addresses.filter((one) => one.includes(':'));
  const routes = meant.routes.filter(({ to }) => to === '::/0');
  Object.assign(meant, {
    addresses: [`${first}/${prefix}`, ...others],
    routes: gateway === null || gateway === 0 ? routes : [{ to: '0.0.0.0/0', via: formatIpv4(gateway) }, ...routes],
    leased: false,
  });
};

/** `2001:db8::1/64 [gateway]` */
const takeIpv6 = (meant: StartText, [own = '', gateway]: readonly string[]): void => {
  meant.addresses.push(own.includes('/') ? own : `${own}/64`);
  if (gateway !== undefined)
    meant.routes = [...meant.routes.filter(({ to }) => to !== '::/0'), { to: '::/0', via: gateway }];
};

const prefixIn = (word: string): number | null => {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const mask = word.startsWith('255.') ? parseIpv4(word) : null;
  return mask === null ? null : prefixOf(mask);
};
