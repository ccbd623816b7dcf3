import { localHost, type DatagramSocket, type DatagramSockets } from '../io/datagrams.ts';
import type { FrameSink } from './frame-batch.ts';
import { arriveAt, batchArrivesAt, type Port, type PortTable } from './ports.ts';
import { portKey, type PortKey, type CableEnd } from '../protocol.ts';
import type { BatchDestination } from './cable.ts';

type UdpEnd = Extract<CableEnd, { type: 'udp' }>;

/** An end of a cable with what is behind it. */
export type AttachedEnd = BatchDestination &
  (
    | { type: 'port'; key: PortKey }
    | {
        type: 'udp';
        end: UdpEnd;
        socket: DatagramSocket;
        /** Where datagrams go. */
        source: { into: FrameSink | null };
      }
  );

/** Takes over a socket of `reusable` that is bound where the end is; `pointTo` then turns it to its peer. */
export async function openEnd(
  ports: PortTable,
  datagrams: DatagramSockets,
  end: CableEnd,
  reusable: readonly AttachedEnd[],
): Promise<AttachedEnd> {
  if (end.type === 'port') return openPortEnd(ports, portKey(end));
  const same = reusable.find((old) => old.type === 'udp' && local(old.end) === local(end));
  return same ?? openUdpEnd(datagrams, end);
}

const local = (end: UdpEnd): string => `${end.lhost ?? localHost(end.rhost)}:${end.lport}`;

function openPortEnd(ports: PortTable, key: PortKey): AttachedEnd {
  let port: Port | undefined;
  // Looked up at the first frame, by when the cable is attached and the table keeps the port.
  const find = (): Port | undefined => (port ??= ports.find(key));
  return {
    type: 'port',
    key,
    take(frame) {
      const at = find();
      if (at !== undefined) arriveAt(at, frame);
    },
    takeBatch(batch) {
      const at = find();
      return at === undefined || batchArrivesAt(at, batch);
    },
  };
}

async function openUdpEnd(datagrams: DatagramSockets, end: UdpEnd): Promise<AttachedEnd> {
  const source: { into: FrameSink | null } = { into: null };
  const socket = await datagrams.open(
    { host: end.lhost ?? localHost(end.rhost), port: end.lport },
    { host: end.rhost, port: end.rport },
    {
      take: (frame) => source.into?.take(frame),
      takeBatch: (batch) => source.into?.takeBatch(batch),
    },
  );
  return {
    type: 'udp',
    end,
    socket,
    source,
    take: (frame) => socket.take(frame),
    takeBatch(batch) {
      socket.takeBatch(batch);
      return true;
    },
  };
}

/** Turns a socket that was kept to the peer that the end now names; back again when that fails. */
export async function pointTo(attached: AttachedEnd, end: CableEnd): Promise<void> {
  if (attached.type !== 'udp' || end.type !== 'udp') return;
  const { rhost, rport } = attached.end;
  if (rhost !== end.rhost || rport !== end.rport) {
    try {
      await attached.socket.connect({ host: end.rhost, port: end.rport });
    } catch (error) {
      await attached.socket.connect({ host: rhost, port: rport }).catch(() => undefined);
      throw error;
    }
  }
  attached.end = end;
}

export const isSamePort = (a: AttachedEnd, b: AttachedEnd): boolean =>
  a.type === 'port' && b.type === 'port' && a.key === b.key;
