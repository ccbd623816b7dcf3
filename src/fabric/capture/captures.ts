import { messageOf } from '../../common/errors.ts';
import { FabricError } from '../client/client.ts';
import type { PortTable } from '../frames/ports.ts';
import { createWallClock, type Timer, type Timers, type WallClock } from '../frames/timers.ts';
import { type CaptureSpec, type FabricEvent, type PortId, portKey, type PortKey } from '../protocol.ts';
import { type CaptureFile, openCaptureFile, type OpenFile } from './capture-file.ts';
import { isLinkType, LINK_TYPES } from './pcap.ts';

export interface Captures {
  start(spec: CaptureSpec): Promise<void>;
  flush(port: PortId): Promise<void>;
  stop(port: PortId): Promise<void>;
  removeProject(projectId: string): Promise<void>;
  specs(): CaptureSpec[];
  statistics(): { port: PortId; frames: number; dropped: number }[];
  close(): Promise<void>;
}

export interface CaptureParts {
  ports: PortTable;
  timers: Timers;
  emit: (event: FabricEvent) => void;
  openFile?: OpenFile | undefined;
}

interface Running {
  spec: CaptureSpec;
  file: CaptureFile;
  timer: Timer | null;
}

const FLUSH_MS = 100;

interface CaptureTable extends CaptureParts {
  running: Map<PortKey, Running>;
  clock: WallClock;
}

export function createCaptures(parts: CaptureParts): Captures {
  const clock = createWallClock(() => parts.timers.now());
  const table: CaptureTable = { ...parts, running: new Map(), clock };
  const all = (): Running[] => [...table.running.values()];
  const stopAll = async (captures: Running[]): Promise<void> => {
    await Promise.allSettled(captures.map(({ spec }) => stop(table, spec.port)));
  };
  return {
    start: (spec) => start(table, spec),
    async flush(port) {
      const capture = table.running.get(portKey(port));
      if (capture !== undefined) await flush(table, capture);
    },
    stop: (port) => stop(table, port),
    removeProject: (projectId) => stopAll(all().filter(({ spec }) => spec.project_id === projectId)),
    specs: () => all().map(({ spec }) => spec),
    statistics: () => all().map(({ spec, file }) => ({ port: spec.port, frames: file.frames, dropped: file.dropped })),
    close: () => stopAll(all()),
  };
}

async function start(table: CaptureTable, spec: CaptureSpec): Promise<void> {
  const { running, ports, timers, clock } = table;
  const key = portKey(spec.port);
  const known = running.get(key);
  if (known !== undefined) {
    if (isSame(known.spec, spec)) return;
    throw new FabricError('exists', `A capture to ${known.spec.path} already runs at port ${key}`);
  }
  if (running.size === 0) clock.set();
  const inBackground = (what: 'all' | 'full'): void => void flush(table, capture, what).catch(() => undefined);
  const onBuffered = (full: boolean): void => {
    capture.timer ??= timers.after(FLUSH_MS, () => inBackground('all'));
    if (full) inBackground('full');
  };
  const file = await open(spec, onBuffered, table.openFile);
  const capture: Running = { spec, file, timer: null };
  running.set(key, capture);
  ports.set(key, {
    tap: {
      take: (frame) => file.write(frame, clock.now()),
      takeBatch: (batch) => file.writeBatch(batch, clock.now()),
    },
  });
}

async function flush(table: CaptureTable, capture: Running, what: 'all' | 'full' = 'all'): Promise<void> {
  if (what === 'all') {
    capture.timer?.cancel();
    capture.timer = null;
  }
  try {
    await capture.file.flush(what);
  } catch (error) {
    const { port, project_id, path } = capture.spec;
    // Only the first caller that meets the failure ends the capture.
    if (table.running.get(portKey(port)) === capture) {
      table.emit({ type: 'capture.failed', port, project_id, message: `${path}: ${messageOf(error)}` });
      await end(table, capture).catch(() => undefined);
    }
    throw new FabricError('disk', messageOf(error));
  }
}

async function stop(table: CaptureTable, port: PortId): Promise<void> {
  const capture = table.running.get(portKey(port));
  if (capture === undefined) return;
  await end(table, capture).catch((error: unknown) => {
    throw new FabricError('disk', `${capture.spec.path}: ${messageOf(error)}`);
  });
}

async function end({ running, ports }: CaptureTable, capture: Running): Promise<void> {
  const key = portKey(capture.spec.port);
  running.delete(key);
  ports.set(key, { tap: null });
  capture.timer?.cancel();
  await capture.file.close();
}

async function open(
  spec: CaptureSpec,
  onBuffered: (full: boolean) => void,
  openFile: OpenFile | undefined,
): Promise<CaptureFile> {
  const { data_link_type: name, path, append } = spec;
  if (!isLinkType(name))
    throw new FabricError('invalid', `data_link_type ${name} is not one of ${Object.keys(LINK_TYPES).join(', ')}`);
  try {
    return await openCaptureFile({
      path,
      linkType: LINK_TYPES[name],
      append,
      onBuffered,
      ...(openFile && { openFile }),
    });
  } catch (error) {
    throw new FabricError('disk', `${path}: ${messageOf(error)}`);
  }
}

/** Ignores `append`, which says only how a capture begins. */
const isSame = (a: CaptureSpec, b: CaptureSpec): boolean =>
  a.path === b.path && a.data_link_type === b.data_link_type && a.project_id === b.project_id;
