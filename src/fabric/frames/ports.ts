import type { FrameBatch, FrameSink } from './frame-batch.ts';
import type { PortKey } from '../protocol.ts';

/** Of a process outside; one without `takeBatch` takes frames one at a time, out of the run queue. `unplugged`: its cable was taken away. */
export type Receiver = Pick<FrameSink, 'take'> & Partial<FrameSink> & { unplugged?(): void };

/** What is at a port. Whatever is null is not there; the port itself is there as long as one of them is. */
export interface Port {
  /** Into the cable. */
  outlet: FrameSink | null;
  receiver: Receiver | null;
  /** Sees frames that leave the node before the cable's filters, and those that arrive behind them. */
  tap: FrameSink | null;
}

export interface PortTable {
  /** undefined while nothing is there. */
  find(key: PortKey): Port | undefined;
  /** Changes what is at a port; one with nothing left is forgotten. */
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

/** False: what is there takes frames one at a time, and has seen none of these. */
export function batchArrivesAt(port: Port, batch: FrameBatch): boolean {
  if (port.receiver !== null && port.receiver.takeBatch === undefined) return false;
  port.tap?.takeBatch(batch);
  port.receiver?.takeBatch?.(batch);
  return true;
}
