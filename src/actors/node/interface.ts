import type { Duplex } from 'node:stream';
import type { Label, NodeFields } from '../../events/fields.ts';
import type { NodeSettings } from '../../model/node.ts';
import type { NodeRecord } from '../../projections/records.ts';
import type { Caller, NamePolicy, NodeAddress } from '../caller.ts';

/** Fields of a node that both groups share. What is absent gets the kind's default (create) or stays (update). */
export interface NodeChanges extends Partial<NodeSettings> {
  name?: string;
  /** `auto`: the best one. */
  compute_id?: string;
  template_id?: string | null;
  console?: number | null;
  console_type?: string | null;
  /** As clients send them, checked by the kind's schema. Merged into what the node has. */
  properties?: Record<string, unknown>;
  label?: Label;
  symbol?: string | null;
  port_name_format?: string;
  port_segment_size?: number;
  first_port_name?: string | null;
  custom_adapters?: { adapter_number: number; port_name?: string; adapter_type?: string; mac_address?: string }[];
}

export interface NodeInput extends NodeChanges {
  name: string;
  /** Neutral token. */
  kind: string;
  node_id?: string;
  /** Why it goes to its compute, where that was chosen. */
  placed?: string;
  /** Of a node that comes back: what no client says. */
  kept?: Pick<NodeFields, 'label' | 'width' | 'height' | 'extra' | 'as_read' | 'text_files'>;
}

export type NodeAction = 'start' | 'stop' | 'suspend' | 'resume' | 'reload';

/** What became of one node when configurations were collected. */
export interface Collected {
  node_id: string;
  name: string;
  /** Of the event with its new version; null: it is what it was the last time, or there is none. */
  position: number | null;
  /** Names of its files. */
  files: string[];
  /** Why it could not be read; null: it could. */
  problem: string | null;
}

export interface NodeCommands {
  /**
   * Reads what configures nodes, and keeps it as a new version where it has changed. `nodeIds` null: all that keep a configuration. One
   * that cannot be read does not keep the others.
   */
  collectConfigs(caller: Caller, projectId: string, nodeIds: readonly string[] | null): Promise<Collected[]>;
  createNode(caller: Caller, projectId: string, input: NodeInput, names: NamePolicy): Promise<NodeRecord>;
  updateNode(caller: Caller, at: NodeAddress, changes: NodeChanges, names: NamePolicy): Promise<NodeRecord>;
  deleteNode(caller: Caller, at: NodeAddress): Promise<void>;
  duplicateNode(caller: Caller, at: NodeAddress, place: { x: number; y: number; z?: number }): Promise<NodeRecord>;
  /** Resolves with the state reached. `args`: body of a start. */
  actOnNode(caller: Caller, at: NodeAddress, action: NodeAction, args?: Record<string, unknown>): Promise<NodeRecord>;
  resetConsole(caller: Caller, at: NodeAddress): Promise<void>;
  /** Raw bytes of a running node’s text console or VNC server; conflict when it does not run or has neither. */
  openConsole(at: NodeAddress): Promise<Duplex>;
}
