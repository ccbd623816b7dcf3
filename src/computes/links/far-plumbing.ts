import type { Duplex } from 'node:stream';
import { conflict } from '../../common/errors.ts';
import type { Kind, KindNode } from '../../emulators/kit/contract.ts';
import { type FabricClient, toTopologError } from '../../fabric/client/client.ts';
import type { Plumbing, PortId } from '../../fabric/client/plumbing.ts';
import { authorizationOf, originOf, socketsTo } from '../client/target.ts';
import type { Computes, Place } from '../computes.ts';
import { nodePath } from '../nodes/remote-nodes.ts';
import { FarCaptures, type FarPort } from './far-captures.ts';
import { openFarScreen, openScreen } from './screen.ts';

/** Addresses of all interfaces: this machine is reached by the loopback one. */
const ANY = new Set(['0.0.0.0', '::']);

interface Parts {
  computes: Computes;
  fabric(): FabricClient;
  /** Where consoles of this server listen. */
  consoles: { host: string; range: [number, number] };
}

/** What is needed of the lab whose plumbing it is. */
export interface FarLab {
  /** Throws where it runs at a machine that nobody can reach. */
  nodeOf(nodeId: string): { kind: Kind; node: KindNode; compute_id: string } | undefined;
  /** A capture that was on is over. */
  captureFailed(port: PortId, message: string): void;
}

/** A node with a VNC console. */
interface ScreenNode {
  node_id: string;
  name: string;
  console: number | null;
}

interface FarNode {
  kind: Kind;
  node: KindNode;
  place: Place;
}

/** The plumbing of this server, which reaches the ports and consoles of nodes at other computes as well. */
export interface FarPlumbing extends Plumbing {
  /** Once, before its first use. */
  serve(lab: FarLab): void;
  /** The VNC server of a running node. Throws a conflict where none answers. */
  openScreen(node: ScreenNode): Promise<Duplex>;
  /** The node does not run any more. */
  ended(nodeId: string): void;
  close(): void;
}

/**
 * A console elsewhere is brokered here from the moment that somebody wants it: the fabric follows the compute's console WebSocket, serves
 * clients and records. What is captured elsewhere comes into the project's files as it is captured.
 */
export const farPlumbing = (local: Plumbing, parts: Parts): FarPlumbing => {
  let lab: FarLab = { nodeOf: () => undefined, captureFailed: () => undefined };
  const captures = new FarCaptures((port, message) => lab.captureFailed(port, message));
  const files = new Map<string, string>();
  const consoles = new FarConsoles(parts);
  /** null: the node is here. Throws where its compute is away. */
  const farNode = (nodeId: string): FarNode | null => {
    const found = lab.nodeOf(nodeId);
    const place = found === undefined ? null : parts.computes.placeOf(found.compute_id);
    return found === undefined || place === null ? null : { ...found, place };
  };
  const farPort = (port: PortId): FarPort | null => {
    const far = farNode(port.node_id);
    if (far === null) return null;
    const { node_id, adapter_number, port_number } = port;
    const path = `${nodePath(far.kind, far.node)}/adapters/${adapter_number}/ports/${port_number}`;
    return { place: far.place, path, port: { node_id, adapter_number, port_number } };
  };
  const withConsole = async <T>(nodeId: string, then: () => Promise<T>): Promise<T> => {
    const far = farNode(nodeId);
    if (far !== null) await consoles.open(far);
    return then();
  };
  return {
    ...local,
    async startCapture(port, capture, append) {
      const far = farPort(port);
      if (far === null) return local.startCapture(port, capture, append);
      files.set(far.path, capture.path);
      await captures.start(far, capture, append);
    },
    async stopCapture(port) {
      const far = farPort(port);
      await (far === null ? local.stopCapture(port) : captures.stop(far, files.get(far.path)));
    },
    async flushCapture(port) {
      if (farPort(port) === null) await local.flushCapture(port);
    },
    async resetConsole(nodeId) {
      const far = farNode(nodeId);
      if (far !== null) await far.place.compute.client.request('POST', `${nodePath(far.kind, far.node)}/console/reset`);
      await local.resetConsole(nodeId);
    },
    openConsole: (nodeId): Promise<Duplex> => withConsole(nodeId, () => local.openConsole(nodeId)),
    openScreen: async (node) => screenOf(node, farNode(node.node_id), parts.consoles.host),
    askConsole: (question) => withConsole(question.node_id, () => local.askConsole(question)),
    record: (recording) => withConsole(recording.node_id, () => local.record(recording)),
    // A console that is opened tells what was printed before.
    recordNext: (recording) => (farNode(recording.node_id) === null ? local.recordNext(recording) : Promise.resolve()),
    serve: (served) => void (lab = served),
    ended: (nodeId) => {
      if (parts.computes.all().size > 0) consoles.close(nodeId);
    },
    close: () => captures.close(),
  };
};

/** `own`: where consoles of this server listen. */
const screenOf = async ({ name, console: port }: ScreenNode, far: FarNode | null, own: string): Promise<Duplex> => {
  const compute = far?.place.compute;
  if (far !== null && compute?.isTopolog === true)
    return openFarScreen(compute.target, `${nodePath(far.kind, far.node)}/console/ws`);
  if (port === null) throw conflict(`${name} has no console port`);
  const host = compute?.target.host ?? own;
  const sockets = compute === undefined ? {} : socketsTo(compute.target);
  return openScreen({ host: ANY.has(host) ? '127.0.0.1' : host, port, name, sockets });
};

/** Brokers of consoles elsewhere, in this server's fabric. */
class FarConsoles {
  readonly #parts: Parts;
  /** Nodes with a broker; null: it was not looked at since this server was started. */
  #open: Promise<Set<string>> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async open({ kind, node, place }: FarNode): Promise<void> {
    const { target, isTopolog } = place.compute;
    const url = `${originOf(target).replace(/^http/, 'ws')}/v2/compute${nodePath(kind, node)}/console/ws`;
    const headers = authorizationOf(target);
    const { certificate, mayBeHere } = target;
    const websocket = {
      ...{ url, headers, telnet: !isTopolog },
      ...(certificate === undefined ? {} : { certificate }),
      ...(mayBeHere ? {} : { elsewhere: true as const }),
    };
    const { host, range } = this.#parts.consoles;
    const { node_id, project_id, name } = node;
    try {
      const to = { websocket };
      await this.#parts
        .fabric()
        .one({ op: 'console.open', node_id, project_id, name, to, console: { host, port: 0, range } });
    } catch (error) {
      throw toTopologError(error, name);
    }
    (await this.#opened()).add(node_id);
  }

  close(nodeId: string): void {
    void this.#opened().then(
      async (open) => {
        if (open.delete(nodeId)) await this.#parts.fabric().run([{ op: 'console.close', node_id: nodeId }]);
      },
      () => (this.#open = null),
    );
  }

  #opened(): Promise<Set<string>> {
    this.#open ??= this.#parts
      .fabric()
      .inventory()
      .then(({ consoles = [] }) => new Set(consoles.flatMap((c) => ('websocket' in c.to ? [c.node_id] : []))));
    return this.#open;
  }
}
