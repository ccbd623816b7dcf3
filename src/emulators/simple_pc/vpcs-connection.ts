import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from '../../common/promises.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { connectToFabric } from '../shared/fabric-connection.ts';
import { type Relay, relayEnd } from '../shared/network/relay.ts';
import { NOT_TYPED } from './vpcs-escapes.ts';
import { consoleSocket } from './vpcs-sandbox.ts';

/** Ends of a sandbox that lead out. */
interface SandboxEnds {
  relay: Relay;
  /** Directory of its sockets. */
  folder: string;
}

/** Connection of a running VPCS: its port to the fabric, and its console to the fabric's or, without one, to a reader here. */
export interface VpcsConnection {
  /** Resolves with the console's port (null: none) once the program has answered there. */
  open(node: KindNode, ends: SandboxEnds, signal: AbortSignal): Promise<number | null>;
  /** Connects without waiting for an answer; existing connections stay and get the node's new name. */
  attach(node: KindNode, ends: SandboxEnds): Promise<number | null>;
  close(nodeId: string): Promise<void>;
  /** Closes the consoles held here; connections of the fabric stay. */
  end(): void;
}

export const connectVpcs = (context: EngineContext): VpcsConnection => {
  const held = new Map<string, ReturnType<typeof holdConsole>>();
  const opened = new Map<string, number>();

  const lines = connectToFabric(context);
  const hold = (nodeId: string, { folder }: SandboxEnds): ReturnType<typeof holdConsole> => {
    const line = held.get(nodeId) ?? holdConsole(consoleSocket(folder));
    held.set(nodeId, line);
    return line;
  };
  const attach = async (node: KindNode, ends: SandboxEnds): Promise<number | null> => {
    const { node_id } = node;
    await lines.attach(node, PORTS, () => relayEnd(ends.relay));
    if (node.console_type !== 'telnet') {
      hold(node_id, ends);
      return null;
    }
    const wished = opened.get(node_id) ?? node.console;
    const to = { path: consoleSocket(ends.folder), telnet: true, drops: NOT_TYPED };
    const port = await lines.openConsole(node, to, wished);
    if (port !== null) opened.set(node_id, port);
    return port;
  };

  return {
    attach,
    async open(node, ends, signal) {
      const console = await attach(node, ends);
      if (console === null) await unlessAborted(hold(node.node_id, ends).answered, signal);
      else await hasPrinted(await context.fabric.console(node.node_id), signal);
      return console;
    },
    async close(node_id) {
      held.get(node_id)?.close();
      held.delete(node_id);
      opened.delete(node_id);
      await lines.detach({ node_id }, PORTS);
      await lines.closeConsole({ node_id });
    },
    end() {
      for (const line of held.values()) line.close();
      held.clear();
    },
  };
};

const PORTS = [{ adapter_number: 0, port_number: 0 }];

const RETRY_MS = 20;

/**
 * Connection to a VPCS whose node has no console, for as long as it runs. VPCS stops once 4 KiB of its output wait for a client: therefore
 * something must be connected, and read.
 */
const holdConsole = (socketPath: string): { answered: Promise<void>; close(): void } => {
  let socket: Socket | null = null;
  let over = false;
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const begin = (): void => {
    if (over) return;
    const current = connect(socketPath);
    socket = current;
    current.unref();
    current.on('data', () => answer());
    current.on('error', () => undefined);
    current.once('close', () => void sleep(RETRY_MS, undefined, { ref: false }).then(begin));
  };
  begin();
  return {
    answered,
    close() {
      over = true;
      socket?.destroy();
    },
  };
};

/** Resolves once a console has printed something, also before; rejects when the signal is aborted or the console is closed. */
const hasPrinted = (console: Duplex, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
      console.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    console.on('error', () => undefined);
    console.once('close', () => {
      signal.removeEventListener('abort', abort);
      reject(new Error('the console was closed'));
    });
    console.once('data', () => {
      resolve();
      console.destroy();
    });
  });
