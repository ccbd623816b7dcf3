import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { programFile } from '../../common/package.ts';
import type { EngineContext, KindNode } from '../kit/contract.ts';
import { portIsFree } from '../shared/host/ports-in-use.ts';
import { startHelper } from '../shared/process/helper.ts';
import { logOf, settingsOf } from './settings.ts';

/** Ports of this machine, at the address of consoles, that lead into the network of a container: `pid` is a process there. */
type Context = Pick<EngineContext, 'consoles' | 'mark'>;

interface ForwardedPort {
  pid: number;
  port: number;
  /** Port of the container. */
  to: number;
}

export const forwardTcp = async (
  { consoles, mark }: Context,
  node: KindNode,
  { pid, port, to }: ForwardedPort,
): Promise<void> => {
  const listen = `TCP-LISTEN:${port},bind=${consoles.host},reuseaddr,fork`;
  // Each connection is handled in the container's network, where the page is.
  const page = `EXEC:nsenter --target ${pid} --net socat - TCP\\:127.0.0.1\\:${to}`;
  await startHelper(node, mark, ['socat', listen, page], { log: logOf(node) });
};

/**
 * Forwards the ports that a container publishes. Resolves with sentences about ports that cannot be had: a lab and its copy want the same
 * ones.
 */
export const publishPorts = async (context: Context, node: KindNode, pid: number): Promise<string[]> => {
  const problems: string[] = [];
  const { host } = context.consoles;
  const datagrams: Bound[] = [];
  try {
    for (const { port, to, protocol } of settingsOf(node.properties).published) {
      const socket = protocol === 'udp' ? await boundAt(host, port) : null;
      if (socket !== null) datagrams.push({ socket, to });
      else if (protocol !== 'udp' && (await portIsFree(host, port))) await forwardTcp(context, node, { pid, port, to });
      else problems.push(`port ${port} of the machine is taken: port ${to} is not published there`);
    }
    if (datagrams.length > 0) await forwardUdp(context, node, pid, datagrams);
  } finally {
    for (const { socket } of datagrams) socket.close();
  }
  return problems;
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

/** socat would send answers to the wrong one of two senders that begin at once; this program remembers who asked. */
const forwardUdp = async ({ mark }: Context, node: KindNode, pid: number, bound: readonly Bound[]): Promise<void> => {
  const program = programFile('emulators/container/inside/udp-forwarder');
  const command = ['nsenter', '--target', `${pid}`, '--net', process.execPath, program] as const;
  const needs = { log: logOf(node), sockets: bound.map(({ socket }) => socket) };
  await startHelper(node, mark, [...command, ...bound.map(({ to }) => `${to}`)], needs);
};
