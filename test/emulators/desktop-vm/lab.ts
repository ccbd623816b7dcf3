import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type {
  Engine,
  EngineContext,
  EngineFactory,
  Kind,
  KindNode,
  Properties,
} from '../../../src/emulators/kit/contract.ts';
import { markOf } from '../../../src/processes/marker.ts';
import { type FabricFixture, fabricFixture } from '../../contract/fabric-fixture.ts';
import { peer } from '../datagrams.ts';
import { nodeOf, PROJECT_ID } from '../sample.ts';
import { freePorts } from '../../support/free-port.ts';

/** An engine with a fabric of its own. */
export interface DesktopLab {
  engine: Engine;
  context: EngineContext;
  fixture: FabricFixture;
  /** A node of its own each time. */
  node(given?: Properties, changes?: Partial<KindNode>): KindNode;
  start(node: KindNode): ReturnType<Engine['start']>;
  stop(node: KindNode): Promise<void>;
  remove(node: KindNode): Promise<void>;
  state(node: KindNode): Promise<string | null>;
  /** Cables an adapter to a peer outside. */
  link(node: KindNode, adapter?: number): Promise<FarEnd>;
  /** What the node's console prints until `pattern` is in it or it is closed, after a line was typed there. */
  console(node: KindNode, line: string, pattern: RegExp): Promise<string>;
  /** The server is killed and another comes. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface FarEnd {
  /** The frame that comes back; those sent again and again until one does. */
  echo(frame: Buffer): Promise<Buffer>;
  send(frame: Buffer): void;
  waiting(): number;
  unlink(): Promise<void>;
}

const AGAIN_MS = 50;

export const desktopLab = async (kind: Kind, factory: EngineFactory, common: Properties = {}): Promise<DesktopLab> => {
  const fixture = await fabricFixture();
  const contextOf = async (): Promise<EngineContext> => ({
    fabric: await fixture.connect(),
    consoles: { host: '127.0.0.1', range: [21_000, 21_999] },
    mark: await markOf(fixture.directory),
    dataDir: fixture.directory,
    filesDir: fixture.directory,
  });
  const context = await contextOf();
  const never = (): AbortSignal => new AbortController().signal;
  const unlinks: (() => Promise<void>)[] = [];
  const lab: DesktopLab = {
    engine: factory.create(context),
    context,
    fixture,
    node(given = {}, changes = {}) {
      const node_id = randomUUID();
      const node_directory = join(fixture.directory, node_id);
      return nodeOf(kind, { headless: true, ...common, ...given }, { node_id, node_directory, ...changes });
    },
    start: (node) => lab.engine.start(node, {}, never()),
    stop: (node) => lab.engine.stop(node, never()),
    remove: (node) => lab.engine.remove(node, never()),
    state: async (node) => (await lab.engine.adopt(node, never()))?.state ?? null,
    async link(node, adapter = 0) {
      const end = await linkOf(() => lab.context.fabric, node, adapter);
      unlinks.push(() => end.unlink());
      return end;
    },
    async console({ node_id }, line, pattern) {
      const console = await lab.context.fabric.console(node_id);
      let seen = '';
      console.on('error', () => undefined);
      await new Promise<void>((resolve) => {
        console.on('data', (data) => {
          // What is typed before the guest has a prompt is lost.
          if (seen === '') console.write(line);
          seen += String(data);
          if (pattern.test(seen)) resolve();
        });
        console.once('close', resolve);
      });
      console.destroy();
      return seen;
    },
    async restart() {
      await lab.engine.close();
      lab.context = await contextOf();
      lab.engine = factory.create(lab.context);
    },
    async close() {
      for (const unlink of unlinks) await unlink();
      await lab.engine.close();
      await fixture.close();
    },
  };
  return lab;
};

/** The fabric is that of the server which is there when it is asked. */
const linkOf = async (
  fabric: () => EngineContext['fabric'],
  { node_id }: KindNode,
  adapter: number,
): Promise<FarEnd> => {
  const far = await peer();
  const [lport = 0] = await freePorts(1);
  const cable_id = randomUUID();
  const port = { type: 'port', node_id, adapter_number: adapter, port_number: 0 } as const;
  const udp = { type: 'udp', lport, rhost: '127.0.0.1', rport: far.port } as const;
  const cable = { cable_id, project_id: PROJECT_ID, ends: [port, udp] as [typeof port, typeof udp], seed: 1 };
  await fabric().one({ op: 'cable.put', cable: { ...cable, suspend: false, filters: {} } });
  let linked = true;
  return {
    async echo(frame) {
      const timer = setInterval(() => far.send(frame, lport), AGAIN_MS);
      far.send(frame, lport);
      try {
        return await far.next();
      } finally {
        clearInterval(timer);
      }
    },
    send: (frame) => far.send(frame, lport),
    waiting: () => far.waiting(),
    async unlink() {
      if (!linked) return;
      linked = false;
      await fabric().one({ op: 'cable.remove', cable_id });
      await far.close();
    },
  };
};
