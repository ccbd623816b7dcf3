import type { FrameBatch, FrameSink } from './frame-batch.ts';
import type { PortKey } from '../protocol.ts';

/** Sends a frame into the cable at one of its ends. */
export interface Outlet {
  transmit(frame: Uint8Array): void;
  transmitBatch(batch: FrameBatch): void;
}

export interface Receiver {
  frame(frame: Uint8Array): void;
  /** Of a process outside. What is absent takes frames one at a time, out of the run queue. */
  batch?(batch: FrameBatch): void;
}

/** What is at a port. Whatever is null is not there; the port itself is there as long as one of them is. */
export interface Port {
  outlet: Outlet | null;
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
      Object.assign(port, change);
      if (port.outlet === null && port.receiver === null && port.tap === null) ports.delete(key);
      else ports.set(key, port);
    },
  };
}

/** A frame leaves the node at this port. */
export function sendFrom(port: Port, frame: Uint8Array): void {
  port.tap?.frame(frame);
  port.outlet?.transmit(frame);
}

export function sendBatchFrom(port: Port, batch: FrameBatch): void {
  port.tap?.batch(batch);
  port.outlet?.transmitBatch(batch);
}

/** A frame arrives at this port. */
export function arriveAt(port: Port, frame: Uint8Array): void {
  port.tap?.frame(frame);
  port.receiver?.frame(frame);
}

/** False: what is there takes frames one at a time, and has seen none of these. */
export function batchArrivesAt(port: Port, batch: FrameBatch): boolean {
  if (port.receiver !== null && port.receiver.batch === undefined) return false;
  port.tap?.batch(batch);
  port.receiver?.batch?.(batch);
  return true;
}
