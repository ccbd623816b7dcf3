import type { NodeRecord } from '../../projections/records.ts';
import type { Caller, NodeAddress } from '../caller.ts';

/** An operation of a kind, as it is asked for. */
export interface OperationCall {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  /** Checked already. */
  args: Record<string, unknown>;
  signal: AbortSignal;
}

export interface OperationCommands {
  /** Something that only this kind does, by its path; what it answers is JSON. */
  operate(caller: Caller, kind: string, call: OperationCall): Promise<unknown>;
  /** The same for a node, alone among its commands. */
  operateNode(caller: Caller, at: NodeAddress, call: OperationCall): Promise<unknown>;
  /** Puts the files of one node into the place of another's: both stopped, and of one kind. Resolves with the other. */
  copyNodeFiles(caller: Caller, from: NodeAddress, toId: string): Promise<NodeRecord>;
}
