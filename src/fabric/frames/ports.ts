import type { FrameBatch, FrameSink } from './frame-batch.ts';
import type { PortKey } from '../protocol.ts';

/** Node behind a port. Without `takeBatch` it takes frames one at a time, from the run queue. `unplugged`: its cable was removed. */
export type Receiver = Pick<FrameSink, 'take'> & Partial<FrameSink> & { unplugged?(): void };

/** Cable, node and capture at a port. The table keeps the port while one of them is not null. */
export interface Port {
  /** Direction of the cable that leads away from the port. */
  outlet: FrameSink | null;
  receiver: Receiver | null;
  /** Gets frames that leave the node before they meet the cable's filters, and frames that arrive after them. */
  tap: FrameSink | null;
}

export interface PortTable {
  find(key: PortKey): Port | undefined;
  /** Changes a port; one with nothing left is removed. */
  set(key: PortKey, change: Partial<Pick<Port, 'outlet' | 'receiver' | 'tap'>>): void;
}

export function createPortTable(): PortTable {
  const ports = new Map<PortKey, Port>();
  return {
    find: (key) => ports.get(key),
    set(key, change) {
      const port = ports.get(key) ?? { outlet: null, receiver: null, tap: null };
      const isUnplugged = change.outlet === null && port.outlet !== null;
      Object.assign(port, change);
      if (isUnplugged) port.receiver?.unplugged?.();
      if (port.outlet === null && port.receiver === null && port.tap === null) ports.delete(key);
      else ports.set(key, port);
    },
  };
}

/** A frame leaves the node at this port. */
export function sendFrom(port: Port, frame: Uint8Array): void {
  port.tap?.take(frame);
  port.outlet?.take(frame);
}

export function sendBatchFrom(port: Port, batch: FrameBatch): void {
  port.tap?.takeBatch(batch);
  port.outlet?.takeBatch(batch);
}

/** A frame arrives at this port. */
export function arriveAt(port: Port, frame: Uint8Array): void {
  port.tap?.take(frame);
  port.receiver?.take(frame);
}

/** False: the receiver takes frames one at a time, and has got none of these. */
export function batchArrivesAt(port: Port, batch: FrameBatch): boolean {
  if (port.receiver !== null && port.receiver.takeBatch === undefined) return false;
  port.tap?.takeBatch(batch);
  port.receiver?.takeBatch?.(batch);
  return true;
}
