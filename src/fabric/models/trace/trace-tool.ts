import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Model, ModelContext } from '../../process/model.ts';
import type { Hop, NodeSpec } from '../../protocol.ts';
import { hostMac } from '../host-mac.ts';
import type { IpHost } from '../host/ip-host.ts';
import { createIpHost } from '../host/stack.ts';
import { type Trace, traceRoute } from './trace-route.ts';
import { type TraceSettings, traceSettings } from './trace-settings.ts';

/**
 * Takes its address, traces the way to `destination`, tells it by the event `trace.finished` and in `<directory>/trace.log`,
 * and then stays on the network. Settings: see trace-settings.ts. New settings start a new trace.
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
