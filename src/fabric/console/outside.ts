import { isDeepStrictEqual } from 'node:util';
import { FabricError } from '../client/client.ts';
import type { OpenedConsole, OutsideConsole, StartedNode } from '../protocol.ts';
import type { ConsoleHandle, ConsoleSink, OpenConsole } from './console.ts';
import { dial, type Way } from './dial.ts';

/** Consoles of nodes that are processes outside: their bytes come over a stream, such as QEMU's serial line, or from a telnet port. */
export interface OutsideConsoles {
  /** The same again answers the port in use, under the new name. */
  open(spec: OutsideConsole): Promise<StartedNode>;
  /** Does nothing for a console that is not open. */
  close(nodeId: string): Promise<void>;
  get(nodeId: string): ConsoleHandle | undefined;
  removeProject(projectId: string): Promise<void>;
  specs(): OpenedConsole[];
  closeAll(): Promise<void>;
}

interface Opened {
  spec: OutsideConsole;
  handle: ConsoleHandle;
  line: Line;
}

const RETRY_MS = 250;
/**
 * After a service has ended a stream: what was behind it has probably ended, and the server needs a moment to learn that. Podman
 * prepares an ended container again when a client attaches to it, and forgets its exit code.
 */
const AFTER_SERVICE_MS = 3_000;
/** Octets that may wait for the node's side; more of what is typed is lost, as on a serial line. */
const MOST_QUEUED = 256 * 1024;

export function createOutsideConsoles(openConsole: OpenConsole): OutsideConsoles {
  const opened = new Map<string, Opened>();
  /** Consoles whose port is still held by clients that take the last output. */
  const closing = new Map<string, Promise<void>>();

  const close = async (nodeId: string): Promise<void> => {
    const known = opened.get(nodeId);
    if (known === undefined) return closing.get(nodeId);
    opened.delete(nodeId);
    known.line.end();
    const done = known.handle.close().finally(() => {
      if (closing.get(nodeId) === done) closing.delete(nodeId);
    });
    closing.set(nodeId, done);
    await done;
  };
  const closeSome = async (which: (spec: OutsideConsole) => boolean): Promise<void> => {
    const ids = [...opened.values()].filter(({ spec }) => which(spec)).map(({ spec }) => spec.node_id);
    await Promise.allSettled(ids.map(close));
  };

  return {
    async open(spec) {
      const known = opened.get(spec.node_id);
      if (known !== undefined && isSame(known, spec)) {
        known.spec = { ...known.spec, name: spec.name };
        return { console: known.handle.port };
      }
      if (known !== undefined)
        throw new FabricError('exists', `Node ${spec.node_id} has another console; close that first`);
      await closing.get(spec.node_id);
      const line = createLine(spec.to);
      try {
        const { node_id: nodeId, name, console } = spec;
        const handle = await openConsole({ nodeId, name, sink: line.sink, ...console });
        opened.set(nodeId, { spec, handle, line });
        line.begin();
        return { console: handle.port };
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'port_taken')
          throw new FabricError('port_taken', error.message);
        throw error;
      }
    },
    close,
    get: (nodeId) => opened.get(nodeId)?.handle,
    removeProject: (projectId) => closeSome(({ project_id }) => project_id === projectId),
    specs: () => [...opened.values()].map(({ spec, handle }) => ({ ...spec, port: handle.port })),
    closeAll: () => closeSome(() => true),
  };
}

/** Whichever port was wished for first, asking for the one in use is asking for what is there. */
const isSame = ({ spec, handle }: Opened, other: OutsideConsole): boolean =>
  spec.project_id === other.project_id &&
  isDeepStrictEqual(spec.to, other.to) &&
  spec.console.host === other.console.host &&
  [spec.console.port, handle.port].includes(other.console.port);

/** The way to the node: connected to again and again until it is there and whenever it went. */
interface Line {
  sink: ConsoleSink;
  begin(): void;
  end(): void;
}

/** What is typed between a call and its answer, and nothing else: without an answer nobody was typed to. */
class Early {
  #pieces: Uint8Array[] = [];
  #octets = 0;
  #isCalling = false;

  begin(): void {
    this.#isCalling = true;
  }

  add(bytes: Uint8Array): void {
    if (!this.#isCalling || this.#octets + bytes.length > MOST_QUEUED) return;
    this.#octets += bytes.length;
    this.#pieces.push(bytes.slice());
  }

  end(): Uint8Array[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#octets = 0;
    this.#isCalling = false;
    return pieces;
  }
}

function createLine(to: OutsideConsole['to']): Line {
  let way: Way | null = null;
  let timer: NodeJS.Timeout | undefined;
  let hangUp: () => void = () => undefined;
  let first = true;
  let over = false;
  /** What is typed while it is being reached. */
  const early = new Early();
  const sink: ConsoleSink = {
    output: () => undefined,
    input(bytes) {
      if (way === null) early.add(bytes);
      else if (way.stream.writable && way.stream.writableLength + bytes.length <= MOST_QUEUED)
        way.stream.write(way.encode(bytes));
    },
  };
  const begin = (): void => {
    early.begin();
    hangUp = dial(to, first, {
      opened(current) {
        way = current;
        first = false;
        for (const bytes of early.end()) way.stream.write(way.encode(bytes));
      },
      output: (bytes) => sink.output(bytes),
      lost() {
        way = null;
        early.end();
        if (!over) timer = setTimeout(begin, 'http_upgrade' in to && !first ? AFTER_SERVICE_MS : RETRY_MS);
      },
    });
  };
  return {
    sink,
    begin,
    end() {
      over = true;
      clearTimeout(timer);
      hangUp();
    },
  };
}
