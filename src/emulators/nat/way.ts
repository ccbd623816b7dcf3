import type { AttachmentSpec } from '../../fabric/protocol.ts';
import type { EngineContext, KindNode, Missing, Port } from '../kit/contract.ts';

/** What one run of a NAT node is. */
export interface NatPlan {
  /** For a shell: runs the programs of the node, and ends when one of them does. */
  script: string;
  /** Where the frames of a port go. */
  to(port: Pick<Port, 'port_number'>): AttachmentSpec['to'];
  /** Resolves once everything that the script runs serves. `said`: what it has printed in this run. */
  ready(signal: AbortSignal, said: () => Promise<string>): Promise<void>;
}

export type NatNode = Pick<KindNode, 'node_id' | 'project_id'>;

/** One way out of the lab. */
export interface NatWay {
  readonly name: string;
  missing(): Promise<Missing | null>;
  /** Makes whatever the script needs. Nothing is there of the node when it is called, as `clean` was before. */
  prepare(node: KindNode): Promise<NatPlan>;
  /** The plan that a running script belongs to; null when it was made for other ports, or what it needs is gone. */
  recall(node: KindNode, script: string): Promise<NatPlan | null>;
  /** Removes what there is for the node beside its processes, whichever server made it. Does nothing when there is none. */
  clean(node: NatNode): Promise<void>;
  /** As `sweep` of an engine. */
  sweep?(keep: readonly NatNode[], remove: boolean): Promise<string[]>;
  /** Removes what is kept from one run to the next. */
  forget?(node: NatNode): Promise<void>;
  /** What its programs have printed, without what tells a user nothing. */
  told?(output: string): string;
}

export type NatWayFactory = (context: EngineContext) => NatWay;

/**
 * A shell script that runs the commands and ends when one of them does, which ends the others: they are one node. One without
 * commands only waits to be ended.
 */
export const scriptOf = (commands: readonly string[]): string =>
  commands.length === 0
    ? 'while :; do sleep 3600; done'
    : [...commands.map((command) => `(${command}; kill 0) &`), 'wait'].join('\n');
