import { formatIpv4, parseIpv4 } from '../../../codecs/ipv4-address.ts';
import type { CommandContext } from './command.ts';

/** The address of a host given by address or name; null after saying why there is none. */
export async function findDestination(context: CommandContext, host: string): Promise<string | null> {
  if (host.includes(':')) {
    context.print('IPv6 is not supported by this PC\n');
    return null;
  }
  const address = parseIpv4(host);
  if (address !== null && address !== 0) return formatIpv4(address);
  const resolved = address === null ? await context.host.resolve(host, context.signal) : null;
  context.print(resolved === null ? `Cannot resolve ${host}\n` : `${host} resolved to ${resolved}\n`);
  return resolved;
}

/** True for an address that this PC itself answers. */
export const isOwnAddress = (context: CommandContext, address: string): boolean =>
  address === context.host.settings?.address || address.startsWith('127.');
