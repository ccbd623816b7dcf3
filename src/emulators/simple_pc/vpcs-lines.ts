import { unlessAborted } from '../../common/promises.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { createOutsideLines } from '../shared/outside-lines.ts';
import { type Relay, relayEnd } from '../shared/network/relay.ts';
import { hasPrinted, holdLine } from './vpcs-console.ts';
import { NOT_TYPED } from './vpcs-escapes.ts';
import { consoleSocket } from './vpcs-room.ts';

/** The ends of a room that lead out. */
export interface VpcsEnds {
  relay: Relay;
  /** Directory of its sockets. */
  folder: string;
}

/** What connects a running VPCS: its port to the fabric, and its console to the fabric's or, without one, to nobody. */
export interface VpcsLines {
  /** Resolves with the console's port (null: none) once the program has answered there. */
  open(node: KindNode, ends: VpcsEnds, signal: AbortSignal): Promise<number | null>;
  /** The same without waiting for an answer; what is connected stays so and gets the node's new name. */
  attach(node: KindNode, ends: VpcsEnds): Promise<number | null>;
  close(nodeId: string): Promise<void>;
  /** Lets go of every line; what the fabric has stays. */
  end(): void;
}

export const connectVpcs = (context: EngineContext): VpcsLines => {
  const held = new Map<string, ReturnType<typeof holdLine>>();
  const opened = new Map<string, number>();

  const lines = createOutsideLines(context);
  const hold = (nodeId: string, { folder }: VpcsEnds): ReturnType<typeof holdLine> => {
    const line = held.get(nodeId) ?? holdLine(consoleSocket(folder));
    held.set(nodeId, line);
    return line;
  };
  const attach = async (node: KindNode, ends: VpcsEnds): Promise<number | null> => {
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
