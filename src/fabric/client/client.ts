import type { Duplex } from 'node:stream';
import { conflict, engineFailed, messageOf, TopologError } from '../../common/errors.ts';
import type { FabricErrorCode, FabricEvent, Inventory, Op, OpResult } from '../protocol.ts';

/** A failed op. `lost`: the connection to the fabric is gone. */
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
  /** Sends a heartbeat; resolves when the fabric answers, and never when it does not. */
  beat: () => Promise<void>;
}

/** The server's handle on the fabric process. Ops issued in the same tick travel as one request, in order. */
export interface FabricClient {
  /** All results, failed ones included. Throws FabricError when there is no answer: `lost` when the connection broke, `failed` when it is late. */
  run(ops: Op[]): Promise<OpResult[]>;
  /** One op; a failure is thrown as FabricError. */
  one<T = unknown>(op: Op): Promise<T>;
  inventory(): Promise<Inventory>;
  /** A node's console: raw bytes in both directions. */
  console(nodeId: string): Promise<Duplex>;
  onEvent(listener: (event: FabricEvent) => void): void;
  /** Called when the connection is gone and this client is useless; its owner finds or starts a fabric again. */
  onLost(listener: () => void): void;
  /** Closes the connection; the fabric goes on. */
  close(): void;
}

/** The error that callers see for a failed op of the fabric. `what` begins the sentence: a node's name, a link. */
export const toTopologError = (error: unknown, what: string): TopologError => {
  if (error instanceof TopologError) return error;
  if (!(error instanceof FabricError)) return engineFailed(what, messageOf(error));
  if (error.code === 'lost') return new TopologError('fabric_lost', {}, { cause: error });
  if (error.code === 'port_taken') return conflict(`${what}: ${error.message}`);
  return engineFailed(what, error.message, error);
};

/** Throws the first failure of results whose code is not `harmless`. */
export const throwFirst = (results: readonly OpResult[], what: string, harmless: readonly string[] = []): void => {
  for (const result of results) {
    if (!result.ok && !harmless.includes(result.code)) {
      throw toTopologError(new FabricError(result.code, result.message), what);
    }
  }
};
