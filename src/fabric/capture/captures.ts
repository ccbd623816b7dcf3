import { messageOf } from '../../errors.ts';
import { FabricError } from '../client.ts';
import type { PortTable } from '../ports.ts';
import { portKey, type CaptureSpec, type FabricEvent, type PortId, type PortKey } from '../protocol.ts';
import type { Timer, Timers } from '../timers.ts';
import { openCaptureFile, type CaptureFile, type OpenFile } from './capture-file.ts';
import { isLinkType, LINK_TYPES } from './pcap.ts';
import { createWallClock } from './wall-clock.ts';

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
  emit(event: FabricEvent): void;
  openFile?: OpenFile | undefined;
}

interface Running {
  spec: CaptureSpec;
  file: CaptureFile;
  timer: Timer | null;
}

const FLUSH_MS = 100;

export function createCaptures({ ports, timers, emit, openFile }: CaptureParts): Captures {
  const running = new Map<PortKey, Running>();
  const clock = createWallClock(() => timers.now());

  const end = async (key: PortKey, capture: Running): Promise<void> => {
    if (running.get(key) === capture) {
      running.delete(key);
      ports.set(key, { tap: null });
    }
    capture.timer?.cancel();
    await capture.file.close();
  };

  const flush = async (key: PortKey, capture: Running): Promise<void> => {
    capture.timer?.cancel();
    capture.timer = null;
    try {
      await capture.file.flush();
    } catch (error) {
      // Whoever meets the failure first ends the capture; the others find it ended.
      if (running.get(key) === capture) {
        const { port, project_id } = capture.spec;
        emit({ type: 'capture.failed', port, project_id, message: `${capture.spec.path}: ${messageOf(error)}` });
        await end(key, capture).catch(() => undefined);
      }
      throw new FabricError('disk', messageOf(error));
    }
  };

  const start = async (spec: CaptureSpec): Promise<void> => {
    const key = portKey(spec.port);
    const known = running.get(key);
    if (known !== undefined) {
      if (isSame(known.spec, spec)) return;
      throw new FabricError('exists', `A capture to ${known.spec.path} already runs at port ${key}`);
    }
    if (running.size === 0) clock.set();
    const inBackground = (capture: Running): void => void flush(key, capture).catch(() => undefined);
    const onBuffered = (full: boolean): void => {
      if (full) inBackground(capture);
      else capture.timer ??= timers.after(FLUSH_MS, () => inBackground(capture));
    };
    const file = await open(spec, onBuffered, openFile);
    const capture: Running = { spec, file, timer: null };
    running.set(key, capture);
    ports.set(key, { tap: (frame) => file.write(frame, clock.now()) });
  };

  const stop = async (port: PortId): Promise<void> => {
    const key = portKey(port);
    const capture = running.get(key);
    if (capture === undefined) return;
    await end(key, capture).catch((error: unknown) => {
      throw new FabricError('disk', `${capture.spec.path}: ${messageOf(error)}`);
    });
  };

  const stopAll = async (captures: Running[]): Promise<void> => {
    await Promise.allSettled(captures.map(({ spec }) => stop(spec.port)));
  };

  return {
    start,
    async flush(port) {
      const key = portKey(port);
      const capture = running.get(key);
      if (capture !== undefined) await flush(key, capture);
    },
    stop,
    removeProject: (projectId) => stopAll([...running.values()].filter(({ spec }) => spec.project_id === projectId)),
    specs: () => [...running.values()].map(({ spec }) => spec),
    statistics: () =>
      [...running.values()].map(({ spec, file }) => ({ port: spec.port, frames: file.frames, dropped: file.dropped })),
    close: () => stopAll([...running.values()]),
  };
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

/** `append` says how a capture begins, not what it is: a running one may be asked for again either way. */
const isSame = (a: CaptureSpec, b: CaptureSpec): boolean =>
  a.path === b.path && a.data_link_type === b.data_link_type && a.project_id === b.project_id;
