import { unlink } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { messageOf } from '../../common/errors.ts';
import type { OpenFile } from '../capture/capture-file.ts';
import { FabricError } from '../client/client.ts';
import type { FabricEvent, RecordingSpec } from '../protocol.ts';
import type { Timers } from '../frames/timers.ts';
import type {
  ConsoleHandle,
  ConsoleListener,
  ConsoleRequest,
  ConsoleSession,
  ConsoleTap,
  OpenConsole,
} from './console.ts';
import { Recorder } from './recorder.ts';

/** Recordings of consoles, under way and of the next run of a node. */
export interface Recordings {
  /** Opens a console, and records it after `recordNext`. */
  open: OpenConsole;
  record(spec: RecordingSpec): Promise<void>;
  recordNext(spec: RecordingSpec): void;
  stop(nodeId: string): Promise<void>;
  /** Forgets recordings of next runs; those under way end with their console. */
  removeProject(projectId: string): void;
  specs(): RecordingSpec[];
}

export interface RecordingParts {
  openConsole: OpenConsole;
  timers: Timers;
  emit: (event: FabricEvent) => void;
  openFile?: OpenFile | undefined;
  /** Milliseconds since 1970. */
  clock?: (() => number) | undefined;
}

interface OpenedConsole {
  name: string;
  handle: ConsoleHandle;
}

interface Recording {
  spec: RecordingSpec;
  recorder: Recorder;
}

interface Table extends RecordingParts {
  consoles: Map<string, OpenedConsole>;
  running: Map<string, Recording>;
  next: Map<string, RecordingSpec>;
}

export function createRecordings(parts: RecordingParts): Recordings {
  const table: Table = { ...parts, consoles: new Map(), running: new Map(), next: new Map() };
  return {
    open: (request) => open(table, request),
    record: (spec) => record(table, spec),
    recordNext: (spec) => void table.next.set(spec.node_id, spec),
    async stop(nodeId) {
      table.next.delete(nodeId);
      await end(table, nodeId);
    },
    removeProject(projectId) {
      for (const { node_id, project_id } of table.next.values())
        if (project_id === projectId) table.next.delete(node_id);
    },
    specs: () => [...table.running.values()].map(({ spec }) => spec),
  };
}

async function open(table: Table, request: ConsoleRequest): Promise<ConsoleHandle> {
  const { nodeId, name } = request;
  const spec = table.next.get(nodeId);
  table.next.delete(nodeId);
  const recording = spec === undefined ? null : begin(table, spec, name);
  try {
    const handle = await table.openConsole(recording === null ? request : { ...request, tap: recording.recorder });
    const opened = { name, handle };
    table.consoles.set(nodeId, opened);
    // A failure is reported at the server's next op for the recording, which comes once the node runs.
    recording?.recorder.begun.catch(() => forget(table, recording));
    return new RecordedConsole(handle, () => close(table, nodeId, opened));
  } catch (error) {
    if (recording !== null) await discard(table, recording);
    throw error;
  }
}

/** Removes the recording of a console that could not be opened. */
async function discard(table: Table, { spec }: Recording): Promise<void> {
  await end(table, spec.node_id);
  await unlink(spec.path).catch(() => undefined);
}

/** The console's handle with another `close`. */
class RecordedConsole implements ConsoleHandle {
  readonly #handle: ConsoleHandle;
  readonly close: () => Promise<void>;

  constructor(handle: ConsoleHandle, close: () => Promise<void>) {
    this.#handle = handle;
    this.close = close;
  }

  get port(): number {
    return this.#handle.port;
  }

  attach(stream: Duplex): void {
    this.#handle.attach(stream);
  }

  reset(): void {
    this.#handle.reset();
  }

  record(tap: ConsoleTap | null): void {
    this.#handle.record(tap);
  }

  join(listener: ConsoleListener, signal: AbortSignal): ConsoleSession {
    return this.#handle.join(listener, signal);
  }
}

async function close(table: Table, nodeId: string, opened: OpenedConsole): Promise<void> {
  const current = table.consoles.get(nodeId) === opened;
  if (current) table.consoles.delete(nodeId);
  const recording = current ? table.running.get(nodeId) : undefined;
  if (recording !== undefined) table.running.delete(nodeId);
  // The recorder closes first: the clients' disconnecting is not recorded.
  await Promise.all([recording?.recorder.close(), opened.handle.close()]);
}

function begin(table: Table, spec: RecordingSpec, title: string): Recording {
  const { node_id, project_id, path, hidden } = spec;
  const recorder = new Recorder({
    path,
    about: { title, node_id, project_id },
    timers: table.timers,
    clock: table.clock,
    openFile: table.openFile,
    hidden,
    onFailed(error) {
      forget(table, recording);
      table.emit({ type: 'recording.failed', node_id, project_id, path, message: `${path}: ${messageOf(error)}` });
    },
  });
  const recording: Recording = { spec, recorder };
  table.running.set(node_id, recording);
  return recording;
}

/** Removes a recording that has failed; clients get a notice. */
function forget({ running, consoles }: Table, recording: Recording): void {
  const { node_id } = recording.spec;
  if (running.get(node_id) !== recording) return;
  running.delete(node_id);
  consoles.get(node_id)?.handle.record(null);
}

async function record(table: Table, spec: RecordingSpec): Promise<void> {
  const { consoles, running } = table;
  const opened = consoles.get(spec.node_id);
  if (opened === undefined) throw new FabricError('not_found', `Node ${spec.node_id} has no open console`);
  const known = running.get(spec.node_id);
  if (known?.spec.path === spec.path) {
    known.spec = spec;
    known.recorder.keep(spec.hidden === true);
    return begun(known);
  }
  if (known !== undefined) await end(table, spec.node_id);
  const recording = begin(table, spec, opened.name);
  try {
    await begun(recording);
  } catch (error) {
    forget(table, recording);
    throw error;
  }
  // The node may have ended meanwhile, and with it the recording.
  if (running.get(spec.node_id) === recording) opened.handle.record(recording.recorder);
}

const begun = async ({ recorder }: Recording): Promise<void> => {
  await recorder.begun.catch((error: unknown) => {
    throw new FabricError('disk', `${recorder.path}: ${messageOf(error)}`);
  });
};

async function end({ running, consoles }: Table, nodeId: string): Promise<void> {
  const recording = running.get(nodeId);
  if (recording === undefined) return;
  running.delete(nodeId);
  consoles.get(nodeId)?.handle.record(null);
  await recording.recorder.close();
}
