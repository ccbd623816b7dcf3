/// <reference lib="esnext.disposable" preserve="true" />
import type { Client } from './client.ts';
import type { Schemas } from './operations.ts';
import type { Socket } from './socket.ts';

/** A lab that a program makes for itself; it is removed at the end of the block that declares it (`await using`). */
export interface Lab extends AsyncDisposable {
  readonly project_id: string;
  /** Makes a node. `properties`: those of its kind, as in the OpenAPI document. */
  node(
    name: string,
    kind: Schemas['Node']['node_type'],
    properties?: Readonly<Record<string, unknown>>,
  ): Promise<LabNode>;
  /** Links two nodes at the first free port of each. */
  link(a: LabNode, b: LabNode): Promise<void>;
  /** Resolves once every node runs. */
  start(): Promise<void>;
  /** Stops the nodes and removes the lab. Calling it again does nothing. */
  remove(): Promise<void>;
}

export interface LabNode {
  readonly node_id: string;
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Types a line at its console; resolves with what is printed from then on, once that matches `until`. */
  type(line: string, until: RegExp, options?: TypeOptions): Promise<string>;
}

export interface TypeOptions {
  /** Milliseconds. Default: 30 s. */
  timeout?: number | undefined;
}

const PATIENCE_MS = 30_000;
const NODE = '/v2/projects/{project_id}/nodes/{node_id}';

/** Makes an empty lab of this name. */
export const newLab = async (topolog: Client, name: string): Promise<Lab> => {
  const { project_id } = await topolog.post('/v2/projects', { body: { name } });
  const project = { path: { project_id } };
  const remove = async (): Promise<void> => {
    const { status } = await topolog.fetch(`/v2/projects/${project_id}`, { method: 'DELETE' });
    if (status >= 400 && status !== 404) await topolog.delete('/v2/projects/{project_id}', project);
  };
  return {
    project_id,
    async node(wanted, node_type, properties = {}) {
      // Each kind has its own properties, which the server checks.
      const body = { name: wanted, node_type, properties } as Schemas['NodeCreate'];
      return nodeOf(topolog, await topolog.post('/v2/projects/{project_id}/nodes', { ...project, body }));
    },
    async link(a, b) {
      const nodes = [await freePort(topolog, project_id, a), await freePort(topolog, project_id, b)];
      await topolog.post('/v2/projects/{project_id}/links', { ...project, body: { nodes } });
    },
    start: () => topolog.post('/v2/projects/{project_id}/nodes/start', project),
    remove,
    [Symbol.asyncDispose]: remove,
  };
};

const freePort = async (topolog: Client, project_id: string, { node_id, name }: LabNode) => {
  const path = { project_id, node_id };
  const [{ ports }, links] = await Promise.all([topolog.get(NODE, { path }), topolog.get(`${NODE}/links`, { path })]);
  const taken = links.flatMap(({ nodes }) => nodes).filter((end) => end.node_id === node_id);
  const free = ports.find(
    ({ adapter_number: adapter, port_number: port }) =>
      !taken.some((end) => end.adapter_number === adapter && end.port_number === port),
  );
  if (free === undefined) throw new TypeError(`${name} has no port that is free`);
  return { node_id, adapter_number: free.adapter_number, port_number: free.port_number };
};

const nodeOf = (topolog: Client, { project_id, node_id, name }: Schemas['Node']): LabNode => {
  const path = { project_id, node_id };
  return {
    node_id,
    name,
    start: async () => void (await topolog.post(`${NODE}/start`, { path })),
    stop: async () => void (await topolog.post(`${NODE}/stop`, { path })),
    type: (line, until, options = {}) =>
      typed(topolog.openSocket(`${NODE}/console/ws`, { path }), { name, line, until, ...options }),
  };
};

interface Typing extends TypeOptions {
  name: string;
  line: string;
  until: RegExp;
}

const typed = async (socket: Socket, { name, line, until, timeout = PATIENCE_MS }: Typing): Promise<string> => {
  const decoder = new TextDecoder();
  let said = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Browsers deliver blobs otherwise, and `ws` buffers.
  Object.assign(socket, { binaryType: 'arraybuffer' });
  try {
    return await new Promise<string>((resolve, reject) => {
      const fail = (why: string): void => reject(new Error(`${name}: ${why}; its console said: ${said}`));
      timer = setTimeout(() => fail(`nothing that matches ${until} within ${timeout} ms`), timeout);
      socket.onopen = () => socket.send(`${line}\r`);
      socket.onmessage = ({ data }: { data: unknown }) => {
        said += typeof data === 'string' ? data : decoder.decode(data as ArrayBuffer, { stream: true });
        if (until.test(said)) resolve(said);
      };
      socket.onerror = () => undefined;
      socket.onclose = () => fail('its console was closed, or cannot be opened');
    });
  } finally {
    clearTimeout(timer);
    socket.onclose = null;
    socket.close();
  }
};
