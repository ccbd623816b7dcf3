import { conflict } from '../../errors.ts';
import type { OutsideConsole, StartedNode } from '../../fabric/protocol.ts';
import type { EngineContext, KindNode } from '../contract.ts';
import { throwFirst, toTopologError } from '../fabric-errors.ts';
import { portIsFree } from '../leases.ts';
import { processesOf } from '../process/end.ts';
import { startHelper } from './helper.ts';
import type { Service } from './service.ts';
import { settingsOf } from './settings.ts';

/** Consoles of containers: the terminal over telnet through the fabric, or a web page of the container at a port of this machine. */
export interface Consoles {
  /** The port in use; null without a console. The same again is fine. `port`: another one than the record's. */
  open(service: Service, node: KindNode, id: string, port?: number | null): Promise<number | null>;
  /** A web page's port of a container that a server before this one has started. */
  adopt(service: Service, node: KindNode, id: string): Promise<number | null>;
  /** The way to the page, for a container that runs. */
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
  const open: Consoles['open'] = async (service, node, id, port = node.console) => {
    if (node.console_type !== 'telnet') return null;
    const { host, range } = context.consoles;
    const console: OutsideConsole = {
      node_id: node.node_id,
      project_id: node.project_id,
      name: node.name,
      to: terminalOf(service, id),
      console: { host, port: port ?? 0, range },
    };
    try {
      const [opened] = await context.fabric.run([{ op: 'console.open', ...console }]);
      if (opened?.ok === false && opened.code === 'port_taken') throw noPort(node, context);
      throwFirst(opened === undefined ? [] : [opened], node.name);
      await service.call('POST', `/containers/${id}/resize`, { query: SIZE }).catch(() => undefined);
      return opened?.ok === true ? (opened.value as StartedNode).console : null;
    } catch (error) {
      throw toTopologError(error, node.name);
    }
  };
  return {
    open,
    async adopt(service, node, id) {
      if (node.console_type === 'telnet') return open(service, node, id);
      const argv = (await processesOf(node.node_id, context.mark)).map((one) => one.argv.join(' '));
      const port = argv.map((line) => /TCP-LISTEN:(\d+),/.exec(line)?.[1]).find((found) => found !== undefined);
      return port === undefined ? null : Number(port);
    },
    async serve(node, pid) {
      if (!isWeb(node)) return null;
      const port = await freePort(node, context);
      const { http } = settingsOf(node.properties);
      const listen = `TCP-LISTEN:${port},bind=${context.consoles.host},reuseaddr,fork`;
      // Each visitor is taken into the container's network, where the page is.
      const page = `EXEC:nsenter --target ${pid} --net socat - TCP\\:127.0.0.1\\:${http.port}`;
      await startHelper(node, context.mark, 'socat', [listen, page]);
      return port;
    },
    async close(nodeId) {
      try {
        throwFirst(await context.fabric.run([{ op: 'console.close', node_id: nodeId }]), 'The console');
      } catch (error) {
        throw toTopologError(error, 'The console');
      }
    },
  };
};

const isWeb = ({ console_type }: KindNode): boolean => console_type === 'http' || console_type === 'https';

/** With what was printed before the first time: nothing that came between the start and then is lost. */
const terminalOf = ({ socket }: Service, id: string): OutsideConsole['to'] => {
  const query = { stream: '1', stdin: '1', stdout: '1', stderr: '1', detachKeys: DETACH };
  const pathWith = (more: Record<string, string>): string =>
    `/containers/${id}/attach?${new URLSearchParams({ ...query, ...more }).toString()}`;
  return { http_upgrade: { socket, path: pathWith({}), first_path: pathWith({ logs: '1' }) } };
};

const freePort = async (node: KindNode, context: EngineContext): Promise<number> => {
  const { host, range } = context.consoles;
  if (node.console !== null && (await portIsFree(host, node.console))) return node.console;
  const count = range[1] - range[0] + 1;
  const start = Math.floor(Math.random() * count);
  for (let n = 0; n < count; n++) {
    const port = range[0] + ((start + n) % count);
    if (await portIsFree(host, port)) return port;
  }
  throw noPort(node, context);
};

const noPort = ({ name }: KindNode, { consoles: { host, range } }: EngineContext): Error =>
  conflict(`${name}: no console port of ${range[0]} to ${range[1]} is free on ${host}`);
