import { mkdtemp, rm } from 'node:fs/promises';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createFabric, type Fabric, type FabricParts } from '../../src/fabric/process/fabric.ts';
import type { Model, ModelContext, ModelFactory } from '../../src/fabric/process/model.ts';
import { findSockets } from '../../src/fabric/io/sockets.ts';
import type { FabricEvent, NodeSpec, OpResult, CableEnd, CableSpec } from '../../src/fabric/protocol.ts';

export const PROJECT = '11111111-1111-4111-8111-111111111111';

/** A node of a test: what it received, and its context to act through. */
export interface Probe {
  context: ModelContext;
  frames: Uint8Array[];
  /** Milliseconds of the context's clock. */
  times: number[];
  /** The first `count` frames, once they are there. */
  received(count: number): Promise<Uint8Array[]>;
  send(frame: Uint8Array | string, port?: number): void;
}

export interface Lab {
  fabric: Fabric;
  events: FabricEvent[];
  probe(id: string, ports?: number): Promise<Probe>;
  hub(id: string, ports: number): Promise<void>;
  cable(id: string, ends: [CableEnd | string, CableEnd | string], more?: Partial<CableSpec>): Promise<OpResult>;
  ok(result: Promise<OpResult>): Promise<unknown>;
}

/** Those of the product: every lab runs on what this machine has. test/contract/datagrams.test.ts compares both kinds. */
const sockets = await findSockets();

const end = (name: string): CableEnd => {
  const [node_id = '', adapter = '0', port = '0'] = name.split('/');
  return { type: 'port', node_id, adapter_number: Number(adapter), port_number: Number(port) };
};

export const cableSpec = (
  id: string,
  ends: [CableEnd | string, CableEnd | string],
  more: Partial<CableSpec> = {},
): CableSpec => ({
  cable_id: id,
  project_id: PROJECT,
  ends: [typeof ends[0] === 'string' ? end(ends[0]) : ends[0], typeof ends[1] === 'string' ? end(ends[1]) : ends[1]],
  suspend: false,
  filters: {},
  seed: 7,
  ...more,
});

export const nodeSpec = (id: string, more: Partial<NodeSpec> = {}): NodeSpec => ({
  node_id: id,
  project_id: PROJECT,
  name: id,
  model: 'simulated',
  ports: [{ adapter_number: 0, port_number: 0 }],
  console: null,
  directory: null,
  config: {},
  ...more,
});

export const portsOf = (count: number): NodeSpec['ports'] =>
  Array.from({ length: count }, (_, port_number) => ({ adapter_number: 0, port_number }));

/** Takes what comes and lets the test send. */
const probeModel =
  (probes: Map<string, Probe>): ModelFactory =>
  (context) => {
    const waiting: { count: number; resolve: (frames: Uint8Array[]) => void }[] = [];
    const probe: Probe = {
      context,
      frames: [],
      times: [],
      received: (count) =>
        probe.frames.length >= count
          ? Promise.resolve(probe.frames.slice(0, count))
          : new Promise((resolve) => void waiting.push({ count, resolve })),
      send: (frame, port = 0) => context.send(0, port, typeof frame === 'string' ? Buffer.from(frame) : frame),
    };
    probes.set(context.spec.node_id, probe);
    return {
      ...quiet,
      receive(_adapter, _port, frame) {
        probe.frames.push(frame);
        probe.times.push(context.now());
        for (const { count, resolve } of waiting) if (probe.frames.length === count) resolve(probe.frames.slice());
      },
    };
  };

const hubModel: ModelFactory = (context) => ({
  ...quiet,
  receive(_adapter, port, frame) {
    for (const { port_number } of context.spec.ports) if (port_number !== port) context.send(0, port_number, frame);
  },
});

export const quiet: Model = {
  receive: () => undefined,
  configure: () => undefined,
  console: null,
  stop: () => undefined,
};

/** A fabric in this process, closed with the test. */
export function createLab(t: TestContext, more: Partial<FabricParts> = {}): Lab {
  const probes = new Map<string, Probe>();
  const events: FabricEvent[] = [];
  const fabric = createFabric({
    sockets,
    models: { simulated: probeModel(probes), ethernet_hub: hubModel, ...more.models },
    openConsole: () => Promise.reject(new Error('no consoles here')),
    ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== 'models')),
  });
  fabric.onEvent((event) => events.push(event));
  t.after(() => fabric.close());
  const ok = async (result: Promise<OpResult>): Promise<unknown> => {
    const answer = await result;
    if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
    return answer.value;
  };
  return {
    fabric,
    events,
    ok,
    async probe(id, ports = 1) {
      await ok(fabric.perform({ op: 'node.start', node: nodeSpec(id, { ports: portsOf(ports) }) }));
      const probe = probes.get(id);
      if (probe === undefined) throw new Error(`no probe ${id}`);
      return probe;
    },
    async hub(id, ports) {
      await ok(
        fabric.perform({ op: 'node.start', node: nodeSpec(id, { model: 'ethernet_hub', ports: portsOf(ports) }) }),
      );
    },
    cable: (id, ends, extra) => fabric.perform({ op: 'cable.put', cable: cableSpec(id, ends, extra) }),
  };
}

export async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'topolog-fabric-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A UDP socket on loopback, closed with the test. */
export async function udpPeer(t: TestContext): Promise<{ socket: Socket; port: number; next(): Promise<string> }> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return {
    socket,
    port: socket.address().port,
    next: async () => String(((await once(socket, 'message')) as [Buffer])[0]),
  };
}
