import type { Op, StartedNode } from '../../fabric/protocol.ts';
import type { EngineContext, KindNode } from '../contract.ts';
import { throwFirst, toTopologError } from '../fabric-errors.ts';
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

  const run = async (ops: Op[], what: string): Promise<StartedNode | null> => {
    try {
      const results = await context.fabric.run(ops);
      throwFirst(results, what);
      const last = results.at(-1);
      return last?.ok === true ? ((last.value as StartedNode | undefined) ?? null) : null;
    } catch (error) {
      throw toTopologError(error, what);
    }
  };
  const hold = (nodeId: string, port: number): ReturnType<typeof holdLine> => {
    const line = held.get(nodeId) ?? holdLine(port);
    held.set(nodeId, line);
    return line;
  };
  const attach = async (node: KindNode, plan: VpcsPlan): Promise<number | null> => {
    const { node_id } = node;
    if (node.console_type !== 'telnet') {
      await run([attachOp(node, plan)], node.name);
      hold(node_id, plan.port);
      return null;
    }
    const port = opened.get(node_id) ?? node.console ?? 0;
    const answer = await run([attachOp(node, plan), consoleOp(node, plan, context, port)], node.name);
    if (answer?.console != null) opened.set(node_id, answer.console);
    return answer?.console ?? null;
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
      const port = { node_id, adapter_number: 0, port_number: 0 };
      await run(
        [
          { op: 'port.detach', port },
          { op: 'console.close', node_id },
        ],
        'The node',
      );
    },
    end() {
      for (const line of held.values()) line.close();
      held.clear();
    },
  };
};

const attachOp = ({ node_id, project_id }: KindNode, { port, fabricPort }: VpcsPlan): Op => ({
  op: 'port.attach',
  attachment: {
    port: { node_id, adapter_number: 0, port_number: 0 },
    project_id,
    to: { type: 'udp', lport: fabricPort, rhost: '127.0.0.1', rport: port },
  },
});

const consoleOp = (
  { node_id, project_id, name }: KindNode,
  plan: VpcsPlan,
  { consoles: { host, range } }: EngineContext,
  port: number,
): Op => ({
  op: 'console.open',
  node_id,
  project_id,
  name,
  to: { host: '127.0.0.1', port: plan.port },
  console: { host, port, range },
});

const unlessAborted = (promise: Promise<void>, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    void promise.then(resolve).finally(() => signal.removeEventListener('abort', abort));
  });
