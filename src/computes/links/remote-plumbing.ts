import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { type Duplex, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeDirectory, syncPath } from '../../common/durable.ts';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import type { Kind, KindNode } from '../../emulators/kit/contract.ts';
import { type FabricClient, toTopologError } from '../../fabric/client/client.ts';
import { type Plumbing, type PortId, portKey } from '../../fabric/client/plumbing.ts';
import { authorizationOf, originOf, socketsTo } from '../client/target.ts';
import type { Computes, Place } from '../computes.ts';
import { nodePath } from '../nodes/remote-nodes.ts';
import { openRemoteScreen, openScreen } from './screen.ts';

/** Any-addresses; a server that listens there is reached at the loopback address. */
const ANY = new Set(['0.0.0.0', '::']);

interface Parts {
  computes: Computes;
  fabric(): FabricClient;
  /** Address and ports of this server's consoles. */
  consoles: { host: string; range: [number, number] };
}

export interface PlumbingLab {
  /** The node with its kind and compute; undefined: there is none. Throws where its compute cannot be reached. */
  nodeOf(nodeId: string): { kind: Kind; node: KindNode; compute_id: string } | undefined;
  /** A running capture has failed. */
  captureFailed(port: PortId, message: string): void;
}

/** A node with a VNC console. */
interface ScreenNode {
  node_id: string;
  name: string;
  console: number | null;
}

interface RemoteNode {
  kind: Kind;
  node: KindNode;
  place: Place;
}

/** Plumbing that reaches the ports and consoles of nodes at other computes as well. */
export interface RemotePlumbing extends Plumbing {
  /** Once, before its first use. */
  serve(lab: PlumbingLab): void;
  /** The VNC server of a running node. Throws a conflict where none answers. */
  openScreen(node: ScreenNode): Promise<Duplex>;
  /** To be called when a node has ended. */
  ended(nodeId: string): void;
  close(): void;
}

/**
 * A remote console is brokered here from its first use on: the fabric connects to the compute's console WebSocket, serves clients and
 * records. Remote captures are copied into the project's files as they grow.
 */
export const remotePlumbing = (local: Plumbing, parts: Parts): RemotePlumbing => {
  let lab: PlumbingLab = { nodeOf: () => undefined, captureFailed: () => undefined };
  const captures = new RemoteCaptures((port, message) => lab.captureFailed(port, message));
  const files = new Map<string, string>();
  const consoles = new RemoteConsoles(parts);
  /** null: the node is on this server. Throws where its compute is away. */
  const remoteNode = (nodeId: string): RemoteNode | null => {
    const found = lab.nodeOf(nodeId);
    const place = found === undefined ? null : parts.computes.placeOf(found.compute_id);
    return found === undefined || place === null ? null : { ...found, place };
  };
  const remotePort = (port: PortId): RemotePort | null => {
    const remote = remoteNode(port.node_id);
    if (remote === null) return null;
    const { node_id, adapter_number, port_number } = port;
    const path = `${nodePath(remote.kind, remote.node)}/adapters/${adapter_number}/ports/${port_number}`;
    return { place: remote.place, path, port: { node_id, adapter_number, port_number } };
  };
  const withConsole = async <T>(nodeId: string, then: () => Promise<T>): Promise<T> => {
    const remote = remoteNode(nodeId);
    if (remote !== null) await consoles.open(remote);
    return then();
  };
  return {
    ...local,
    async startCapture(port, capture, append) {
      const remote = remotePort(port);
      if (remote === null) return local.startCapture(port, capture, append);
      files.set(remote.path, capture.path);
      await captures.start(remote, capture, append);
    },
    async stopCapture(port) {
      const remote = remotePort(port);
      await (remote === null ? local.stopCapture(port) : captures.stop(remote, files.get(remote.path)));
    },
    async flushCapture(port) {
      if (remotePort(port) === null) await local.flushCapture(port);
    },
    async resetConsole(nodeId) {
      const remote = remoteNode(nodeId);
      if (remote !== null)
        await remote.place.compute.client.request('POST', `${nodePath(remote.kind, remote.node)}/console/reset`);
      await local.resetConsole(nodeId);
    },
    openConsole: (nodeId): Promise<Duplex> => withConsole(nodeId, () => local.openConsole(nodeId)),
    openScreen: async (node) => screenOf(node, remoteNode(node.node_id), parts.consoles.host),
    askConsole: (question) => withConsole(question.node_id, () => local.askConsole(question)),
    record: (recording) => withConsole(recording.node_id, () => local.record(recording)),
    // A remote console tells its earlier output when it is opened.
    recordNext: (recording) =>
      remoteNode(recording.node_id) === null ? local.recordNext(recording) : Promise.resolve(),
    serve: (served) => void (lab = served),
    ended: (nodeId) => {
      if (parts.computes.all().size > 0) consoles.close(nodeId);
    },
    close: () => captures.close(),
  };
};

/** Connects to the screen of a node. `own`: address of this server's consoles. */
const screenOf = async (
  { name, console: port }: ScreenNode,
  remote: RemoteNode | null,
  own: string,
): Promise<Duplex> => {
  const compute = remote?.place.compute;
  if (remote !== null && compute?.isTopolog === true)
    return openRemoteScreen(compute.target, `${nodePath(remote.kind, remote.node)}/console/ws`);
  if (port === null) throw conflict(`${name} has no console port`);
  const host = compute?.target.host ?? own;
  const sockets = compute === undefined ? {} : socketsTo(compute.target);
  return openScreen({ host: ANY.has(host) ? '127.0.0.1' : host, port, name, sockets });
};

/** Brokers of remote consoles in this server's fabric. */
class RemoteConsoles {
  readonly #parts: Parts;
  /** Ids of nodes with a broker; null: not read from the fabric yet. */
  #open: Promise<Set<string>> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async open({ kind, node, place }: RemoteNode): Promise<void> {
    const { target, isTopolog } = place.compute;
    const url = `${originOf(target).replace(/^http/, 'ws')}/v2/compute${nodePath(kind, node)}/console/ws`;
    const headers = authorizationOf(target);
    const { certificate, mayBeHere } = target;
    const websocket = {
      url,
      headers,
      telnet: !isTopolog,
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

/** A port at another compute. */
interface RemotePort {
  place: Place;
  /** Path of the port below `/v2/compute`. */
  path: string;
  port: PortId;
}

type CaptureFile = Parameters<Plumbing['startCapture']>[1];

/** Octets of the header of a pcap file (libpcap's savefile format). */
const HEADER = 24;
/** Longest wait for the rest of a capture after its stop. Milliseconds. */
const REST_MS = 5_000;

interface Running {
  abort: AbortController;
  done: Promise<void>;
}

/** Captures at other computes: the compute writes a file, which is downloaded as it grows. */
class RemoteCaptures {
  readonly #running = new Map<string, Running>();
  readonly #failed: (port: PortId, message: string) => void;

  /** `failed`: called when a running capture has failed. */
  constructor(failed: (port: PortId, message: string) => void) {
    this.#failed = failed;
  }

  /** `append`: continues a capture from before this server or the compute was away. */
  async start(at: RemotePort, file: CaptureFile, append: boolean): Promise<void> {
    const { client } = at.place.compute;
    const body = { capture_file_name: path.basename(file.path), data_link_type: file.data_link_type };
    const wasOn = await client.request('POST', `${at.path}/start_capture`, { body }).then(
      () => false,
      (error: unknown) => {
        if (append && error instanceof TopologError && error.code === 'conflict') return true;
        throw error;
      },
    );
    await makeDirectory(path.dirname(file.path));
    this.#running.get(portKey(at.port))?.abort.abort();
    const abort = new AbortController();
    // A compute that still captures has everything from the beginning; one that begins again has only what comes from now on.
    const goesOn = append && !wasOn;
    const opened = await client.download(`${at.path}/pcap`, abort.signal);
    const sink = createWriteStream(file.path, { flags: goesOn ? 'a' : 'w' });
    const copied = goesOn ? pipeline(opened, new WithoutHeader(), sink) : pipeline(opened, sink);
    const done = copied.catch((error: unknown) => {
      if (!abort.signal.aborted && at.place.compute.isConnected) this.#failed(at.port, messageOf(error));
    });
    this.#running.set(portKey(at.port), { abort, done });
  }

  /** Resolves once everything captured is in the file. */
  async stop(at: RemotePort, file: string | undefined): Promise<void> {
    const key = portKey(at.port);
    const running = this.#running.get(key);
    this.#running.delete(key);
    try {
      await at.place.compute.client.request('POST', `${at.path}/stop_capture`).catch(unlessGone);
      await Promise.race([running?.done, new Promise((resolve) => setTimeout(resolve, REST_MS).unref())]);
    } finally {
      running?.abort.abort();
    }
    if (file !== undefined) await syncPath(file).catch(() => undefined);
  }

  close(): void {
    for (const { abort } of this.#running.values()) abort.abort();
    this.#running.clear();
  }
}

/** Drops the header of a pcap file, so that its packets can be appended to another one. */
class WithoutHeader extends Transform {
  #left = HEADER;

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const cut = Math.min(this.#left, chunk.length);
    this.#left -= cut;
    done(null, chunk.subarray(cut));
  }
}

const unlessGone = (error: unknown): void => {
  if (!(error instanceof TopologError && error.code === 'not_found')) throw error;
};
