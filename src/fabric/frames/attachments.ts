import { isDeepStrictEqual } from 'node:util';
import { FabricError } from '../client/client.ts';
import { localHost, type DatagramSockets } from '../io/datagrams.ts';
import type { FrameSink } from './frame-batch.ts';
import { sendBatchFrom, sendFrom, type PortTable } from './ports.ts';
import { portKey, type AttachmentSpec, type FabricEvent, type PortId, type PortKey } from '../protocol.ts';
import { openFrameStream } from '../io/stream.ts';

/** Ports whose node is an external process: frames that arrive at the port go to it, frames from it leave the node there. */
export interface Attachments {
  attach(spec: AttachmentSpec): Promise<void>;
  detach(port: PortId): Promise<void>;
  removeProject(projectId: string): Promise<void>;
  specs(): AttachmentSpec[];
  /** To be called when the cable of a port has changed. */
  cableChanged(key: PortKey): void;
  close(): Promise<void>;
}

interface Channel extends FrameSink {
  close(): Promise<void>;
}

export interface AttachmentParts {
  ports: PortTable;
  datagrams: DatagramSockets;
  emit: (event: FabricEvent) => void;
  /** Whether a cable that is not suspended ends at a port. */
  carries: (key: PortKey) => boolean;
}

interface Attached {
  spec: AttachmentSpec;
  channel: Channel;
  /** Last emitted state of its cable; null: none. */
  carrier: boolean | null;
}

export function createAttachments(parts: AttachmentParts): Attachments {
  const { ports, emit, carries } = parts;
  const attached = new Map<PortKey, Attached>();

  const tell = (known: Attached): void => {
    const { port, project_id } = known.spec;
    const up = carries(portKey(port));
    if (up !== known.carrier) emit({ type: 'port.carrier', port, project_id, up });
    known.carrier = up;
  };

  const detach = async (port: PortId): Promise<void> => {
    const key = portKey(port);
    const known = attached.get(key);
    if (known === undefined) return;
    attached.delete(key);
    ports.set(key, { receiver: null });
    await known.channel.close();
  };
  const detachAll = async (specs: AttachmentSpec[]): Promise<void> => {
    await Promise.allSettled(specs.map(({ port }) => detach(port)));
  };
  const specs = (): AttachmentSpec[] => [...attached.values()].map(({ spec }) => spec);

  return {
    async attach(spec) {
      const key = portKey(spec.port);
      const known = attached.get(key);
      if (known !== undefined && isDeepStrictEqual(known.spec, spec)) {
        // A restarted server has not had the event yet.
        known.carrier = null;
        tell(known);
        return;
      }
      if (known !== undefined || (ports.find(key)?.receiver ?? null) !== null)
        throw new FabricError('exists', `Something else is attached to port ${key}; detach it first`);
      const channel = await open(parts, spec);
      const fresh: Attached = { spec, channel, carrier: null };
      attached.set(key, fresh);
      ports.set(key, { receiver: channel });
      tell(fresh);
    },
    detach,
    removeProject: (projectId) => detachAll(specs().filter(({ project_id }) => project_id === projectId)),
    specs,
    cableChanged(key) {
      const known = attached.get(key);
      if (known !== undefined) tell(known);
    },
    close: () => detachAll(specs()),
  };
}

/** Frames from the external process leave the node at its port. */
function open({ ports, datagrams }: AttachmentParts, { port: id, to }: AttachmentSpec): Promise<Channel> {
  const key = portKey(id);
  const sink: FrameSink = {
    take(frame) {
      const port = ports.find(key);
      if (port !== undefined) sendFrom(port, frame);
    },
    takeBatch(batch) {
      const port = ports.find(key);
      if (port !== undefined) sendBatchFrom(port, batch);
    },
  };
  if (to.type === 'stream') return openFrameStream({ path: to.path, listen: to.listen, sink });
  const local = { host: to.lhost ?? localHost(to.rhost), port: to.lport };
  return datagrams.open(local, { host: to.rhost, port: to.rport }, sink);
}
