import type { ConsoleSink } from '../../../src/fabric/console/console.ts';
import type { IpHost, IpSettings } from '../../../src/fabric/models/host/ip-host.ts';
import { createIpHost } from '../../../src/fabric/models/host/stack.ts';
import type { Model, ModelContext } from '../../../src/fabric/process/model.ts';
import type { FabricEvent, NodeSpec } from '../../../src/fabric/protocol.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

type Receiver = (frame: Uint8Array) => void;

/** One end of a cable. */
export interface Plug {
  receive: Receiver;
  connect(peer: Receiver): void;
}

export interface BenchNode {
  model: Model;
  spec: NodeSpec;
  port(number: number): Plug;
  events: FabricEvent[];
  exited: string[];
}

/** Hosts and models in memory, joined by function calls. */
export interface Bench {
  clock: ManualClock;
  /** A host whose frames go to `plug`; the host also has a plug. */
  host(last: number): IpHost & { plug: Plug; told: string[] };
  node(
    factory: (context: ModelContext) => Model | Promise<Model>,
    config: Record<string, unknown>,
    ports: number,
    more?: Partial<NodeSpec>,
  ): BenchNode;
  /** Frames that pass, in both directions, in order. */
  join(a: Plug, b: Plug): Uint8Array[];
  address(host: IpHost, settings: string, gateway?: string): Promise<boolean>;
}

export function createBench(): Bench {
  const clock = createManualClock();
  let seed = 1;
  /** Numerical Recipes' generator: the same run each time. */
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 0x100000000;
  };

  return {
    clock,
    host(last) {
      const [send, plug] = plugOf((frame) => host.receive(frame));
      const mac = `00:50:79:66:68:${last.toString(16).padStart(2, '0')}`;
      const told: string[] = [];
      const { now, timer } = clock;
      const host: IpHost = createIpHost({ mac, now, timer, random, send, report: (text) => told.push(text) });
      return Object.assign(host, { plug, told });
    },
    node(factory, config, ports, more = {}) {
      const spec: NodeSpec = {
        ...{ node_id: 'n1', project_id: 'p1', name: 'N1', model: 'simulated', console: null, directory: null, config },
        ports: Array.from({ length: ports }, (_, port_number) => ({ adapter_number: 0, port_number })),
        ...more,
      };
      return startNode(factory, spec, clock);
    },
    join(a, b) {
      const frames: Uint8Array[] = [];
      const through = (receive: Receiver) => (frame: Uint8Array) => {
        frames.push(frame);
        receive(frame);
      };
      a.connect(through(b.receive));
      b.connect(through(a.receive));
      return frames;
    },
    address(host, text, gateway) {
      const [address = '', prefix = '24'] = text.split('/');
      const settings: IpSettings = { address, prefix: Number(prefix), gateway: gateway ?? null };
      return clock.until(host.setAddress(settings));
    },
  };
}

function plugOf(receive: Receiver): [Receiver, Plug] {
  let peer: Receiver = () => undefined;
  return [(frame) => peer(frame), { receive, connect: (next) => (peer = next) }];
}

function startNode(
  factory: (context: ModelContext) => Model | Promise<Model>,
  spec: NodeSpec,
  clock: ManualClock,
): BenchNode {
  const plugs = spec.ports.map(({ adapter_number, port_number }) =>
    plugOf((frame) => running.model?.receive(adapter_number, port_number, frame)),
  );
  const events: FabricEvent[] = [];
  const exited: string[] = [];
  const running: { model: Model | null } = { model: null };
  const model = factory({
    spec,
    send: (_adapter, port, frame) => plugs[spec.ports.findIndex((p) => p.port_number === port)]?.[0](frame),
    now: () => clock.now(),
    timer: (ms, run) => clock.timer(ms, run),
    emit: (event) => events.push(event),
    exit: (output) => exited.push(output),
  });
  if (model instanceof Promise) throw new Error('the bench starts only models that start at once');
  running.model = model;
  const port = (number: number): Plug => {
    const plug = plugs[spec.ports.findIndex((p) => p.port_number === number)]?.[1];
    if (plug === undefined) throw new Error(`no port ${number}`);
    return plug;
  };
  return { model, spec, port, events, exited };
}

/** What a console prints from now on, and a way to type at it. */
export function openConsole(sink: ConsoleSink | null): { text(): string; type(line: string): void } {
  if (sink === null) throw new Error('the node has no console');
  let printed = '';
  sink.output = (bytes) => (printed += Buffer.from(bytes).toString('utf8'));
  return {
    text: () => printed,
    type: (line) => sink.input(Buffer.from(line)),
  };
}
