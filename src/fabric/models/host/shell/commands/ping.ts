import type { ProbeOptions, ProbeResult } from '../../ip-host.ts';
import { type Command, type CommandContext, findDestination, isNumber } from '../command.ts';

export const pingCommand: Command = {
  name: 'ping',
  usage: '<host> [-options]',
  summary: 'Ping a host with ICMP (default), UDP or TCP',
  help: `
ping <host> [-options]
  <host> is an address, or a name when DNS is set. Ctrl+C stops.
     -1, -2, -3     Probe with ICMP (default), UDP, TCP
     -P <protocol>  The same by number: 1 ICMP, 17 UDP, 6 TCP
     -c <count>     Number of probes, default 5
     -t             Go on until Ctrl+C
     -i <ms>        Time between probes, default 1000
     -w <ms>        Time to wait for an answer, default 1000
     -l <size>      Data bytes, default 56
     -D             Do not fragment
     -T <ttl>       Time to live, default 64
     -s <port>      Source port of UDP and TCP
     -p <port>      Destination port of UDP and TCP, default 7
`,
  async run(context, args) {
    const [host, ...rest] = args;
    if (host === undefined) {
      context.print(pingCommand.help);
      return;
    }
    const options = parsePing(rest);
    if (options === null) context.print('Invalid options\n');
    else await ping(context, host, options);
  },
};

interface PingOptions {
  protocol: ProbeOptions['protocol'];
  count: number;
  interval: number;
  timeout: number;
  size: number;
  ttl: number;
  port: number;
  sourcePort: number | null;
  dontFragment: boolean;
}

const DEFAULTS: PingOptions = {
  protocol: 'icmp',
  count: 5,
  interval: 1000,
  timeout: 1000,
  size: 56,
  ttl: 64,
  port: 7,
  sourcePort: null,
  dontFragment: false,
};

export const PROTOCOL_OF_NUMBER = new Map<string, ProbeOptions['protocol']>([
  ['1', 'icmp'],
  ['17', 'udp'],
  ['6', 'tcp'],
]);

const FLAGS = new Map<string, Partial<PingOptions>>([
  ['-1', { protocol: 'icmp' }],
  ['-2', { protocol: 'udp' }],
  ['-3', { protocol: 'tcp' }],
  ['-t', { count: Infinity }],
  ['-D', { dontFragment: true }],
]);

/** The largest datagram has 65535 bytes, 28 of them headers. */
const NUMBERS = new Map<string, { to: keyof PingOptions; from: number; upTo: number }>([
  ['-c', { to: 'count', from: 1, upTo: 999_999_999 }],
  ['-i', { to: 'interval', from: 1, upTo: 86_400_000 }],
  ['-w', { to: 'timeout', from: 1, upTo: 86_400_000 }],
  ['-l', { to: 'size', from: 0, upTo: 65_507 }],
  ['-T', { to: 'ttl', from: 1, upTo: 255 }],
  ['-s', { to: 'sourcePort', from: 1, upTo: 65_535 }],
  ['-p', { to: 'port', from: 1, upTo: 65_535 }],
]);

function parsePing(args: readonly string[]): PingOptions | null {
  let options = DEFAULTS;
  for (let i = 0; i < args.length; i += 1) {
    const option = args[i] ?? '';
    const flag = FLAGS.get(option);
    if (flag !== undefined) {
      options = { ...options, ...flag };
      continue;
    }
    i += 1;
    const value = parseValue(option, args[i]);
    if (value === null) return null;
    options = { ...options, ...value };
  }
  return options;
}

function parseValue(option: string, value: string | undefined): Partial<PingOptions> | null {
  const protocol = option === '-P' ? PROTOCOL_OF_NUMBER.get(value ?? '') : undefined;
  if (protocol !== undefined) return { protocol };
  const number = NUMBERS.get(option);
  if (number === undefined || !isNumber(value)) return null;
  const given = Number(value);
  return given < number.from || given > number.upTo ? null : { [number.to]: given };
}

async function ping(context: CommandContext, host: string, options: PingOptions): Promise<void> {
  const address = await findDestination(context, host);
  if (address === null || context.signal.aborted) return;
  context.print('\n');
  if (context.host.isOwn(address)) await pingSelf(context, address, options);
  else await pingOther(context, { typed: host, address }, options);
}

/** Answers for this PC itself without a cable, as VPCS does. */
async function pingSelf(context: CommandContext, address: string, options: PingOptions): Promise<void> {
  for (let seq = 1; seq <= options.count && !context.signal.aborted; seq += 1) {
    context.print(`${address} ${sequenceName(options, address)}=${seq} ttl=${options.ttl} time=0.001 ms\n`);
    await context.pause(1);
  }
}

async function pingOther(
  context: CommandContext,
  target: { typed: string; address: string },
  options: PingOptions,
): Promise<void> {
  const identifier = randomIdentifier();
  for (let seq = 1; seq <= options.count && !context.signal.aborted; seq += 1) {
    if (seq > 1) await context.pause(options.interval);
    if (context.signal.aborted) return;
    const probe = probeOptions(options, seq, identifier);
    const result = await context.host.probe(target.address, probe, context.signal);
    const unreachable = describeRouteFailure(context, target.address, result);
    context.print(unreachable ?? describeResult(target, options, seq, result));
    if (unreachable !== null) return;
  }
}

export const randomIdentifier = (): number => 1 + Math.floor(Math.random() * 0xfffe);

const probeOptions = (options: PingOptions, sequence: number, identifier: number): ProbeOptions => ({
  protocol: options.protocol,
  size: options.size,
  ttl: options.ttl,
  timeout_ms: options.timeout,
  sequence,
  identifier,
  ...(options.dontFragment && { dont_fragment: true }),
  ...(options.protocol !== 'icmp' && { port: options.port }),
  ...(options.protocol !== 'icmp' && options.sourcePort !== null && { source_port: options.sourcePort }),
});

/** The line for a destination to which nothing can be sent; null for other results. */
export function describeRouteFailure(context: CommandContext, address: string, result: ProbeResult): string | null {
  if (result.kind === 'no_arp') return `host (${result.next_hop}) not reachable\n`;
  if (result.kind !== 'no_route') return null;
  return context.host.canReach(address) ? 'No gateway found\n' : `host (${address}) not reachable\n`;
}

function describeResult(
  target: { typed: string; address: string },
  options: PingOptions,
  seq: number,
  result: ProbeResult,
): string {
  const number = `${sequenceName(options, target.address)}=${seq}`;
  switch (result.kind) {
    case 'reply':
      if (options.protocol === 'tcp') {
        const outcome = result.refused === true ? 'RST returned' : `seq=${seq} ${timing(result)}`;
        return `Connect   ${options.port}@${target.typed} ${outcome}\n`;
      }
      // VPCS leaves the bytes out over IPv6.
      return target.address.includes(':')
        ? `${result.from} ${number} ${timing(result)}\n`
        : `${result.bytes} bytes from ${result.from} ${number} ${timing(result)}\n`;
    case 'timeout':
      return options.protocol === 'tcp'
        ? `Connect   ${options.port}@${target.typed} timeout\n`
        : `${target.typed} ${number} timeout\n`;
    case 'exceeded':
      return `*${result.from} ${number} ${timing(result)} ${describeIcmp(result.from, null, 0)}\n`;
    case 'unreachable':
      return `*${result.from} ${number} ${timing(result)} ${describeIcmp(result.from, result.type, result.code)}\n`;
    case 'no_arp':
    case 'no_route':
      return '';
  }
}

/** `icmp6_seq` over IPv6, as VPCS has it. */
const sequenceName = ({ protocol }: PingOptions, address: string): string =>
  `${protocol}${address.includes(':') && protocol !== 'tcp' ? '6' : ''}_seq`;

const timing = (result: { ttl: number; ms: number }): string => `ttl=${result.ttl} time=${result.ms.toFixed(3)} ms`;

/** Texts of ICMP errors by type and code (RFC 792, RFC 1122, RFC 1812; RFC 4443). */
const UNREACHABLE = [
  'Destination network unreachable',
  'Destination host unreachable',
  'Destination protocol unreachable',
  'Destination port unreachable',
  'Fragmentation required, and DF flag set',
  'Source route failed',
  'Destination network unknown',
  'Destination host unknown',
  'Source host isolated',
  'Network administratively prohibited',
  'Host administratively prohibited',
  'Network unreachable for TOS',
  'Host unreachable for TOS',
  'Communication administratively prohibited',
  'Host precedence violation',
  'Precedence cutoff in effect',
];
const EXCEEDED = ['TTL expired in transit', 'Fragment reassembly time exceeded'];

const UNREACHABLE_V6 = [
  'No route to destination',
  'Communication administratively prohibited',
  'Beyond scope of source address',
  'Address unreachable',
  'Port unreachable',
];
const EXCEEDED_V6 = ['Hop limit exceeded in transit', 'Fragment reassembly time exceeded'];

/** Texts by type and code; `exceeded`: the type of time exceeded. */
const ICMP = {
  exceeded: 11,
  names: new Map([
    [3, UNREACHABLE],
    [11, EXCEEDED],
  ]),
};
const ICMPV6 = {
  exceeded: 3,
  names: new Map([
    [1, UNREACHABLE_V6],
    [2, ['Packet too big']],
    [3, EXCEEDED_V6],
  ]),
};

/** `(ICMP type:3, code:1, Destination host unreachable)`; type null: time exceeded. */
export function describeIcmp(from: string, type: number | null, code: number): string {
  const isIpv6 = from.includes(':');
  const { exceeded, names } = isIpv6 ? ICMPV6 : ICMP;
  const known = type ?? exceeded;
  return `(${isIpv6 ? 'ICMPv6' : 'ICMP'} type:${known}, code:${code}, ${names.get(known)?.[code] ?? 'Unknown'})`;
}
