import { broadcastOf, maskOf, networkOf, parseIpv4 } from '../../../../codecs/ipv4-address.ts';

/** `24`, `/24` or `255.255.255.0`, from 1 to 32; null for anything else, a mask with gaps included. */
export function parsePrefix(text: string): number | null {
  const digits = /^\/?(\d{1,2})$/.exec(text)?.[1];
  if (digits !== undefined) return Number(digits) >= 1 && Number(digits) <= 32 ? Number(digits) : null;
  const mask = parseIpv4(text);
  for (let prefix = 1; prefix <= 32; prefix += 1) if (mask === maskOf(prefix)) return prefix;
  return null;
}

/** False for the network's own address and its broadcast address; /31 and /32 have neither (RFC 3021). */
export const isHostInSubnet = (address: number, prefix: number): boolean =>
  prefix >= 31 || (address !== networkOf(address, prefix) && address !== broadcastOf(address, prefix));
