import type { Duplex } from 'node:stream';
import type { FabricErrorCode, FabricEvent, Inventory, Op, OpResult } from '../protocol.ts';

/** A failed op, as an exception. */
export class FabricError extends Error {
  readonly code: FabricErrorCode | 'lost';
  constructor(code: FabricErrorCode | 'lost', message: string) {
    super(message);
    this.name = 'FabricError';
    this.code = code;
  }
}

/** One connection to a fabric. */
export interface ControlClient extends FabricClient {
  /** Asks whether the fabric's event loop turns; resolves with its answer, and never when there is none. */
  beat: () => Promise<void>;
}

/** The server's handle on the fabric process. Ops issued in the same tick travel as one request, in order. */
export interface FabricClient {
  /** All results, failed ones included. Throws FabricError when there is no answer: `lost` when the fabric went, `failed` when it is late. */
  run(ops: Op[]): Promise<OpResult[]>;
  /** One op; a failure is thrown as FabricError. */
  one<T = unknown>(op: Op): Promise<T>;
  inventory(): Promise<Inventory>;
  /** Raw bytes of a node's console, both ways. */
  console(nodeId: string): Promise<Duplex>;
  onEvent(listener: (event: FabricEvent) => void): void;
  /** The connection is gone and this client is useless; the owner starts or finds a fabric again. */
  onLost(listener: () => void): void;
  /** Closes the connection; the fabric goes on. */
  close(): void;
}
