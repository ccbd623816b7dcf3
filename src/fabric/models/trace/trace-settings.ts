import { formatIpv4, isHostIpv4, networkOf, parseInterface, parseIpv4 } from '../../codecs/ipv4-address.ts';
import type { NodeSpec } from '../../protocol.ts';
import type { IpSettings } from '../host/ip-host.ts';

const DEFAULT_PREFIX = 24;

export interface TraceSettings {
  own: IpSettings;
  /** Address or host name. */
  destination: string;
  dns: string[];
}

/**
 * `{ip_address, destination, default_destination, gateway, dns}`. `ip_address` is `10.0.0.5`, `10.0.0.5/24` or `10.0.0.5/24 10.0.0.1`
 * with the gateway; without any gateway the first host of the subnet is tried. Throws an Error that names the setting.
 */
export function traceSettings(spec: NodeSpec): TraceSettings {
  const { ip_address, gateway, destination, default_destination, dns } = spec.config;
  const [interfaceText = '', gatewayText] = textOf(ip_address).trim().split(/\s+/);
  const own = parseInterface(interfaceText, DEFAULT_PREFIX);
  if (own === null || !isHostIpv4(own.address)) {
    throw new Error(`ip_address is "${textOf(ip_address)}"; it must be an IPv4 address such as 10.0.0.5/24`);
  }
  const target = textOf(destination).trim() || textOf(default_destination).trim();
  if (target === '') throw new Error('destination is empty; it must be an IPv4 address or a host name');
  const given = textOf(gateway).trim() || gatewayText;
  return {
    own: { address: formatIpv4(own.address), prefix: own.prefix, gateway: gatewayOf(given, own) },
    destination: target,
    dns: (Array.isArray(dns) ? dns : []).map(textOf).filter((server) => parseIpv4(server) !== null),
  };
}

function gatewayOf(given: string | undefined, own: { address: number; prefix: number }): string | null {
  if (given !== undefined) {
    if (!isHostIpv4(parseIpv4(given) ?? 0))
      throw new Error(`gateway is "${given}"; it must be the IPv4 address of a host, like 10.0.0.1`);
    return given;
  }
  const first = networkOf(own.address, own.prefix) + 1;
  return own.prefix > 30 || first === own.address ? null : formatIpv4(first);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
