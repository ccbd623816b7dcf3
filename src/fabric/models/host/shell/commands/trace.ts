import type { ProbeOptions, ProbeResult } from '../../ip-host.ts';
import { type Command, type CommandContext, findDestination, isNumber } from '../command.ts';
import { describeIcmp, describeRouteFailure, PROTOCOL_OF_NUMBER, randomIdentifier } from './ping.ts';

export const traceCommand: Command = {
  name: 'trace',
  usage: '<host> [-options]',
  summary: 'Show the path that packets take to a host',
  help: `
trace <host> [-options]
  <host> is an address, or a name when DNS is set. Ctrl+C stops.
      -P <protocol>  Probe with 17 UDP (default), 1 ICMP or 6 TCP
      -m <ttl>       Farthest hop, 1 to 64, default 8
      <ttl>          Same as -m <ttl>
`,
  async run(context, args) {
    const [host, ...rest] = args;
    if (host === undefined) {
      context.print(traceCommand.help);
      return;
    }
    const options = parseTrace(rest);
    if (typeof options === 'string') context.print(options);
    else await trace(context, host, options);
  },
};

interface TraceOptions {
  protocol: ProbeOptions['protocol'];
  hops: number;
}

const MAX_HOPS = 64;
const PROBES_A_HOP = 3;
/** Where traceroute's destination ports begin: nothing listens there, so the destination answers "port unreachable". */
const FIRST_PORT = 33_434;

/** The options, or what is to be printed instead. */
function parseTrace(args: readonly string[]): TraceOptions | string {
  const options: TraceOptions = { protocol: 'udp', hops: 8 };
  for (let i = 0; i < args.length; i += 1) {
    const option = args[i] ?? '';
    if (option === '-P') {
      i += 1;
      const protocol = PROTOCOL_OF_NUMBER.get(args[i] ?? '');
      if (protocol === undefined) return `${args[i] === undefined ? 'Missing' : 'Invalid'} protocol\n`;
      options.protocol = protocol;
      continue;
    }
    if (option === '-m') i += 1;
    else if (!isNumber(option)) return traceCommand.help;
    const hops = args[i];
    if (hops === undefined) return 'Missing TTL\n';
    if (!isNumber(hops) || Number(hops) < 1 || Number(hops) > MAX_HOPS) return 'Invalid TTL\n';
    options.hops = Number(hops);
  }
  return options;
}

async function trace(context: CommandContext, host: string, options: TraceOptions): Promise<void> {
  const address = await findDestination(context, host);
  if (address === null || context.signal.aborted) return;
  if (context.host.isOwn(address)) {
    context.print(`traceroute to ${host}, ${options.hops} hops max\n 1 ${address}     0.001 ms\n`);
    return;
  }
  const kind = options.protocol === 'udp' ? '' : ` (${options.protocol.toUpperCase()})`;
  context.print(`trace to ${host}, ${options.hops} hops max${kind}, press Ctrl+C to stop\n`);
  const identifier = randomIdentifier();
  for (let ttl = 1; ttl <= options.hops && !context.signal.aborted; ttl += 1) {
    if (await traceHop(context, { address, ttl, identifier, protocol: options.protocol })) return;
  }
}

interface Hop {
  address: string;
  ttl: number;
  identifier: number;
  protocol: ProbeOptions['protocol'];
}

/** Prints one line of three probes. True when the trace is at its end. */
async function traceHop(context: CommandContext, hop: Hop): Promise<boolean> {
  let named = false;
  let reached = false;
  for (let i = 0; i < PROBES_A_HOP && !context.signal.aborted; i += 1) {
    const result = await context.host.probe(hop.address, probeOptions(hop, i), context.signal);
    const failure = describeRouteFailure(context, hop.address, result);
    if (failure !== null) {
      context.print(i === 0 ? failure : `\n${failure}`);
      return true;
    }
    // The hop number comes only now, as "not reachable" is printed without one.
    if (i === 0) context.print(`${String(hop.ttl).padStart(2)}   `);
    context.print(describeProbe(result, named));
    named ||= result.kind !== 'timeout';
    reached ||= result.kind === 'reply' || result.kind === 'unreachable';
    // One refusal is enough; replies of the destination are measured three times.
    if (result.kind === 'unreachable') break;
  }
  context.print('\n');
  return reached;
}

const probeOptions = (hop: Hop, probe: number): ProbeOptions => {
  const sequence = (hop.ttl - 1) * PROBES_A_HOP + probe + 1;
  return {
    protocol: hop.protocol,
    ttl: hop.ttl,
    timeout_ms: 1000,
    sequence,
    identifier: hop.identifier,
    ...(hop.protocol !== 'icmp' && { port: FIRST_PORT + sequence - 1 }),
  };
};

/** The answering node, once a line, and the round-trip time. */
function describeProbe(result: ProbeResult, named: boolean): string {
  switch (result.kind) {
    case 'reply':
    case 'exceeded':
      return `${named ? '' : `${result.from} `}  ${result.ms.toFixed(3)} ms`;
    case 'unreachable':
      return `*${result.from}   ${result.ms.toFixed(3)} ms ${describeIcmp(result.from, result.type, result.code)}`;
    case 'timeout':
      return '  *';
    case 'no_arp':
    case 'no_route':
      return '';
  }
}
