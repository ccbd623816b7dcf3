import type { OutsideConsole } from '../../fabric/protocol.ts';
import { processesOf } from '../../processes/end.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { connectToFabric, freeConsolePort } from '../shared/fabric-connection.ts';
import type { Service } from './service.ts';
import { settingsOf } from './settings.ts';
import { forwardTcp } from './published-ports.ts';

/** Consoles of containers: the terminal over telnet through the fabric, or a web page of the container at a port of this machine. */
interface Consoles {
  /** The port in use; null without a console. The same again is fine. `port`: another one than the record's. */
  open(service: Service, node: KindNode, id: string, port?: number | null): Promise<number | null>;
  /** A web page's port of a container that a server before this one has started. */
  adopt(service: Service, node: KindNode, id: string): Promise<number | null>;
  /** Forwards a port to the page of a container that runs. */
  serve(node: KindNode, pid: number): Promise<number | null>;
  close(nodeId: string): Promise<void>;
}

/**
 * Keys that a client of the service would leave the terminal with. Podman and Docker hold back what may be their beginning, so
 * these are ones that nobody types.
 */
const DETACH = 'ctrl-@,ctrl-^,ctrl-@,ctrl-^,ctrl-@';
/** Columns and rows of a terminal that nobody has looked at yet. */
const SIZE = { w: 80, h: 24 };

export const createConsoles = (context: EngineContext): Consoles => {
  const lines = connectToFabric(context);
  const open: Consoles['open'] = async (service, node, id, port = node.console) => {
    const opened = await lines.openConsole(node, terminalOf(service, id), port);
    if (opened !== null) await service.call('POST', `/containers/${id}/resize`, { query: SIZE }).catch(() => undefined);
    return opened;
  };
  return {
    open,
    async adopt(service, node, id) {
      if (node.console_type === 'telnet') return open(service, node, id);
      const argv = (await processesOf(node.node_id, context.mark)).map((one) => one.argv.join(' '));
      const { published } = settingsOf(node.properties);
      const ports = argv.map((line) => Number(/TCP-LISTEN:(\d+),/.exec(line)?.[1] ?? 0));
      return (
        ports.find(
          (found) => found !== 0 && !published.some(({ port, protocol }) => protocol !== 'udp' && port === found),
        ) ?? null
      );
    },
    async serve(node, pid) {
      if (!isWeb(node)) return null;
      const port = await freeConsolePort(node, context);
      const { http } = settingsOf(node.properties);
      await forwardTcp(context, node, { pid, port, to: http.port });
      return port;
    },
    close: (node_id) => lines.closeConsole({ node_id }),
  };
};

const isWeb = ({ console_type }: KindNode): boolean => console_type === 'http' || console_type === 'https';

/** The first connection also gets what was printed before, so that nothing since the start is lost. */
const terminalOf = ({ socket }: Service, id: string): OutsideConsole['to'] => {
  const query = { stream: '1', stdin: '1', stdout: '1', stderr: '1', detachKeys: DETACH };
  const pathWith = (more: Record<string, string>): string =>
    `/containers/${id}/attach?${new URLSearchParams({ ...query, ...more }).toString()}`;
  return { http_upgrade: { socket, path: pathWith({}), first_path: pathWith({ logs: '1' }) } };
};
