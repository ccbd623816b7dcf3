import type { EngineContext, KindNode } from '../contract.ts';
import { createOutsideLines } from '../outside-lines.ts';
import type { VpcsPlan } from './vpcs-arguments.ts';
import { hasPrinted, holdLine } from './vpcs-console.ts';

/** What connects a running VPCS: its port to the fabric, and its console to the fabric's or, without one, to nobody. */
export interface VpcsLines {
  /** Resolves with the console's port (null: none) once the program has answered there. */
  open(node: KindNode, plan: VpcsPlan, signal: AbortSignal): Promise<number | null>;
  /** The same without waiting for an answer; fine for what is connected, which gets the node's new name. */
  attach(node: KindNode, plan: VpcsPlan): Promise<number | null>;
  close(nodeId: string): Promise<void>;
  /** Holds no line any more; what the fabric has stays. */
  end(): void;
}

export const connectVpcs = (context: EngineContext): VpcsLines => {
  const held = new Map<string, ReturnType<typeof holdLine>>();
  const opened = new Map<string, number>();

  const lines = createOutsideLines(context);
  const hold = (nodeId: string, port: number): ReturnType<typeof holdLine> => {
    const line = held.get(nodeId) ?? holdLine(port);
    held.set(nodeId, line);
    return line;
  };
  const attach = async (node: KindNode, plan: VpcsPlan): Promise<number | null> => {
    const { node_id } = node;
    await lines.attach(node, PORTS, () => udpOf(plan));
    if (node.console_type !== 'telnet') {
      hold(node_id, plan.port);
      return null;
    }
    const wished = opened.get(node_id) ?? node.console;
    const port = await lines.openConsole(node, { host: '127.0.0.1', port: plan.port }, wished);
    if (port !== null) opened.set(node_id, port);
    return port;
  };

  return {
    attach,
    async open(node, plan, signal) {
      const console = await attach(node, plan);
      if (console === null) await unlessAborted(hold(node.node_id, plan.port).answered, signal);
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

const udpOf = ({ port, fabricPort }: VpcsPlan) =>
  ({ type: 'udp', lport: fabricPort, rhost: '127.0.0.1', rport: port }) as const;

const unlessAborted = (promise: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    void promise.then(resolve).finally(() => signal.removeEventListener('abort', abort));
  });
