import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PORT_UNREACHABLE } from '../codecs/icmpv4.ts';
import { formatIpv4, isHostIpv4, networkOf, parseInterface, parseIpv4 } from '../codecs/ip-address.ts';
import type { Model, ModelContext } from '../process/model.ts';
import type { Hop, NodeSpec } from '../protocol.ts';
import { hostMac } from './host-mac.ts';
import type { IpHost, IpSettings, ProbeResult } from './host/ip-host.ts';
import { createIpHost } from './host/stack.ts';

/**
 * Takes its address, traces the route to `destination`, reports it by the event `trace.finished` and in `<directory>/trace.log`,
 * and then stays on the network. Settings: see traceSettings. New settings start a new trace.
 */
export function traceTool(context: ModelContext): Model {
  const { spec } = context;
  const { adapter_number: adapter, port_number: port } = spec.ports[0] ?? { adapter_number: 0, port_number: 0 };
  let settings = traceSettings(spec);
  let round = new AbortController();
  const host = createIpHost({
    mac: hostMac(spec),
    now: () => context.now(),
    timer: (ms, run) => context.timer(ms, run),
    send: (frame) => context.send(adapter, port, frame),
    random: Math.random,
    hostName: spec.name,
  });

  async function run(current: TraceSettings, signal: AbortSignal): Promise<void> {
    const trace = await prepareAndTrace(host, current, signal);
    if (signal.aborted) return;
    const { destination, reached, hops } = trace;
    await writeLog(spec, traceLog(trace, current));
    context.emit({
      type: 'trace.finished',
      node_id: spec.node_id,
      project_id: spec.project_id,
      destination,
      reached,
      hops,
    });
  }

  // The ports come after this call.
  context.timer(0, () => void run(settings, round.signal));
  return {
    receive: (_adapter, _port, frame) => host.receive(frame),
    configure(next) {
      const changed = traceSettings(next);
      if (JSON.stringify(changed) === JSON.stringify(settings)) return;
      settings = changed;
      round.abort();
      round = new AbortController();
      void run(settings, round.signal);
    },
    console: null,
    stop() {
      round.abort();
      host.stop();
    },
  };
}

async function prepareAndTrace(host: IpHost, settings: TraceSettings, signal: AbortSignal): Promise<Trace> {
  host.dns = settings.dns;
  const free = await host.setAddress(settings.own, signal);
  if (free) return traceRoute(host, settings.destination, signal);
  const problem = `${settings.own.address} is used by another host`;
  return { destination: settings.destination, address: null, reached: false, hops: [], problem };
}

async function writeLog({ directory }: NodeSpec, text: string): Promise<void> {
  if (directory === null) return;
  try {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'trace.log'), text);
  } catch {
    // The event says the same; a full disk must not lose it.
  }
}

/** A trace as text, one line a hop, in traceroute's form. */
function traceLog(trace: Trace, { own }: TraceSettings): string {
  const target = trace.address === null ? trace.destination : `${trace.destination} (${trace.address})`;
  return [
    `trace from ${own.address}/${own.prefix} to ${target}`,
    ...trace.hops.map(hopLine),
    trace.reached ? 'reached' : `ended: ${trace.problem ?? 'not reached'}`,
    '',
  ].join('\n');
}

const hopLine = ({ ttl, address, rtt_ms: rtt }: Hop): string =>
  `${String(ttl).padStart(2)}  ${address === null || rtt === null ? '*' : `${address}  ${rtt.toFixed(3)} ms`}`;

const MOST_HOPS = 30;
const HOP_TIMEOUT = 1000;
/** UDP ports that nobody listens at, as traceroute has used them since 1988. */
const FIRST_PORT = 33_434;
const PAYLOAD = 32;

interface Trace {
  /** As in the settings. */
  destination: string;
  /** null: the name is unknown. */
  address: string | null;
  reached: boolean;
  hops: Hop[];
  /** Why the trace failed, as a sentence; null: it did not. */
  problem: string | null;
}

/** UDP probes of rising TTL, one a hop, until the destination answers or any node reports it unreachable. */
async function traceRoute(host: IpHost, destination: string, signal: AbortSignal): Promise<Trace> {
  const address = await host.resolve(destination, signal);
  const trace: Trace = { destination, address, reached: false, hops: [], problem: null };
  if (address === null) return { ...trace, problem: `the name ${destination} is not known` };
  for (let ttl = 1; ttl <= MOST_HOPS && !signal.aborted; ttl++) {
    const result = await host.probe(address, probeOf(ttl), signal);
    trace.hops.push(hopOf(ttl, result));
    trace.problem = problemOf(result);
    trace.reached = isArrival(result, address);
    if (trace.reached || trace.problem !== null) return trace;
  }
  return { ...trace, problem: `not reached within ${MOST_HOPS} hops` };
}

const probeOf = (ttl: number): Parameters<IpHost['probe']>[1] => ({
  protocol: 'udp',
  ttl,
  size: PAYLOAD,
  timeout_ms: HOP_TIMEOUT,
  sequence: ttl,
  identifier: 0,
  port: FIRST_PORT + ttl - 1,
});

const hopOf = (ttl: number, result: ProbeResult): Hop =>
  'from' in result ? { ttl, address: result.from, rtt_ms: result.ms } : { ttl, address: null, rtt_ms: null };

/** The destination itself refuses the port, or answers at it. */
const isArrival = (result: ProbeResult, address: string): boolean =>
  result.kind === 'reply' ||
  (result.kind === 'unreachable' && (result.code === PORT_UNREACHABLE || result.from === address));

function problemOf(result: ProbeResult): string | null {
  switch (result.kind) {
    case 'no_route':
      return 'there is no gateway to it';
    case 'no_arp':
      return `${result.next_hop} does not answer ARP`;
    case 'unreachable':
      return result.code === PORT_UNREACHABLE
        ? null
        : `${result.from} says that it is unreachable (code ${result.code})`;
    case 'reply':
    case 'exceeded':
    case 'timeout':
      return null;
  }
}

const DEFAULT_PREFIX = 24;

interface TraceSettings {
  own: IpSettings;
  /** Address or host name. */
  destination: string;
  dns: string[];
}

/**
 * `{ip_address, destination, default_destination, gateway, dns}`. `ip_address` is `10.0.0.5`, `10.0.0.5/24` or `10.0.0.5/24 10.0.0.1`
 * with the gateway; without any gateway the first host of the subnet is tried. Throws an Error that names the setting.
 */
function traceSettings(spec: NodeSpec): TraceSettings {
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
