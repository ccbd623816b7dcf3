import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { programFile } from '../../common/package.ts';
import type { OutsideConsole } from '../../fabric/protocol.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { freeConsolePort } from '../shared/console-port.ts';
import { portIsFree } from '../shared/host/leases.ts';
import { createOutsideLines } from '../shared/outside-lines.ts';
import { processesOf } from '../../processes/end.ts';
import { startHelper } from '../shared/process/helper.ts';
import { logOf } from './log.ts';
import type { Service } from './service.ts';
import { settingsOf } from './settings.ts';

/**
 * Consoles of containers: the terminal over telnet through the fabric, or a web page of the container at a port of this machine. Ports that a
 * container publishes are there like its page.
 */
export interface Consoles {
  /** The port in use; null without a console. The same again is fine. `port`: another one than the record's. */
  open(service: Service, node: KindNode, id: string, port?: number | null): Promise<number | null>;
  /** A web page's port of a container that a server before this one has started. */
  adopt(service: Service, node: KindNode, id: string): Promise<number | null>;
  /** The way to the page, for a container that runs. */
  serve(node: KindNode, pid: number): Promise<number | null>;
  /** The ways to its published ports. Resolves with sentences about those that cannot be had: a lab and its copy want the same ones. */
  publish(node: KindNode, pid: number): Promise<string[]>;
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
  const lines = createOutsideLines(context);
  const open: Consoles['open'] = async (service, node, id, port = node.console) => {
    const opened = await lines.openConsole(node, terminalOf(service, id), port);
    if (opened !== null) await service.call('POST', `/containers/${id}/resize`, { query: SIZE }).catch(() => undefined);
    return opened;
  };
  const way = async (node: KindNode, pid: number, port: number, to: number): Promise<void> => {
    const listen = `TCP-LISTEN:${port},bind=${context.consoles.host},reuseaddr,fork`;
    // Each visitor is taken into the container's network, where the page is.
    const page = `EXEC:nsenter --target ${pid} --net socat - TCP\\:127.0.0.1\\:${to}`;
    await startHelper(node, context.mark, ['socat', listen, page], { log: logOf(node) });
  };
  /** socat would give answers to the wrong one of two who begin at once: a program of ours knows who asked. */
  const ways = async (node: KindNode, pid: number, bound: readonly Bound[]): Promise<void> => {
    const program = [
      process.execPath,
      programFile('emulators/container/inside/udp-ways'),
      ...bound.map(({ to }) => `${to}`),
    ];
    const command = ['nsenter', '--target', `${pid}`, '--net', ...program] as const;
    await startHelper(node, context.mark, command, { log: logOf(node), sockets: bound.map(({ socket }) => socket) });
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
      await way(node, pid, port, http.port);
      return port;
    },
    async publish(node, pid) {
      const problems: string[] = [];
      const { host } = context.consoles;
      const datagrams: Bound[] = [];
      try {
        for (const { port, to, protocol } of settingsOf(node.properties).published) {
          const socket = protocol === 'udp' ? await boundAt(host, port) : null;
          if (socket !== null) datagrams.push({ socket, to });
          else if (protocol !== 'udp' && (await portIsFree(host, port))) await way(node, pid, port, to);
          else problems.push(`port ${port} of the machine is taken: port ${to} is not published there`);
        }
        if (datagrams.length > 0) await ways(node, pid, datagrams);
      } finally {
        for (const { socket } of datagrams) socket.close();
      }
      return problems;
    },
    close: (node_id) => lines.closeConsole({ node_id }),
  };
};

interface Bound {
  socket: Socket;
  /** Port of the container. */
  to: number;
}

/** null: the port is taken. */
const boundAt = async (address: string, port: number): Promise<Socket | null> => {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    socket.bind({ port, address, exclusive: true });
    await once(socket, 'listening');
    return socket;
  } catch {
    socket.close();
    return null;
  }
};

const isWeb = ({ console_type }: KindNode): boolean => console_type === 'http' || console_type === 'https';

/** With what was printed before the first time: nothing that came between the start and then is lost. */
const terminalOf = ({ socket }: Service, id: string): OutsideConsole['to'] => {
  const query = { stream: '1', stdin: '1', stdout: '1', stderr: '1', detachKeys: DETACH };
  const pathWith = (more: Record<string, string>): string =>
    `/containers/${id}/attach?${new URLSearchParams({ ...query, ...more }).toString()}`;
  return { http_upgrade: { socket, path: pathWith({}), first_path: pathWith({ logs: '1' }) } };
};
