import { formatIp, parseIp } from '../../../codecs/ip-address.ts';
import type { CommandContext } from './command.ts';

/** The address of a host given by address or name; null after saying why there is none. */
export async function findDestination(context: CommandContext, host: string): Promise<string | null> {
  const address = parseIp(host);
  if (address !== null && address !== 0 && address !== 0n) return formatIp(address);
  const isName = address === null && !host.includes(':');
  const resolved = isName ? await context.host.resolve(host, context.signal) : null;
  context.print(resolved === null ? `Cannot resolve ${host}\n` : `${host} resolved to ${resolved}\n`);
  return resolved;
}
