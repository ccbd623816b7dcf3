import type { EngineContext, KindNode } from '../kit/contract.ts';
import { connectToFabric } from '../shared/fabric-connection.ts';
import type { Sockets } from './machine/sockets.ts';

/** Connects the fabric to a machine's adapters and its serial line. */
export interface Attachments {
  /** The console port in use; null without a telnet console. The same again is fine. */
  attach(node: KindNode, sockets: Sockets): Promise<number | null>;
  detach(node: Pick<KindNode, 'node_id' | 'ports'>): Promise<void>;
  rename(node: KindNode, sockets: Sockets, port: number): Promise<void>;
}

export const createAttachments = (context: EngineContext): Attachments => {
  const lines = connectToFabric(context);
  return {
    async attach(node, sockets) {
      await lines.attach(node, node.ports, ({ adapter_number }) => ({
        type: 'stream',
        path: sockets.nic(adapter_number),
        listen: false,
      }));
      return lines.openConsole(node, { path: sockets.serial });
    },
    async detach(node) {
      await lines.detach(node, node.ports);
      await lines.closeConsole(node);
    },
    async rename(node, sockets, port) {
      await lines.openConsole(node, { path: sockets.serial }, port);
    },
  };
};
