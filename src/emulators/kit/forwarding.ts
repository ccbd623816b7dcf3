import type { NodeTables } from '../../fabric/protocol.ts';
import type { KindNode } from './kind-node.ts';

/** How a node treats what arrives, as its kind tells it: for those who follow the way of a packet without sending one. */
export type Forwarding = Passing | Addressed;

interface NodePort {
  adapter_number: number;
  port_number: number;
}

/** Where a frame is. */
export interface Arrival extends NodePort {
  /** As it is on the cable, tags included. */
  frame: Uint8Array;
}

/** A frame that leaves, or would if a setting did not keep it. */
export interface Departure extends Arrival {
  /** VLAN in which it travels; absent: there is none. */
  vlan?: number;
  /** Why it does not leave here, as the end of a sentence about the node; absent: it does. */
  kept?: string;
}

/** It has no address: a switch, a hub. */
export interface Passing {
  by: 'frames';
  /** All ports by which a frame may leave, whatever was learned, and that are `linked`: by others it gets nowhere. Pure. */
  pass(arrived: Arrival, linked: (port: NodePort) => boolean): Departure[];
}

/** An interface with addresses. */
export interface Interface {
  adapter_number: number;
  port_number: number;
  /** `10.0.0.1/24`, of either family. */
  addresses: readonly string[];
  /** What its text says, where it could not be had: somebody else uses it. */
  wanted?: readonly string[];
  mac: string | null;
  /** Octets of the longest packet. */
  mtu: number;
}

/** Where packets to a network go. */
export interface AddressRoute {
  /** `0.0.0.0/0` is every network. */
  to: string;
  /** Address of the next router. */
  via: string;
}

/** It has addresses: a PC, a router. */
export interface Addressed {
  by: 'addresses';
  interfaces: readonly Interface[];
  routes: readonly AddressRoute[];
  /** It passes on packets that are for others. */
  forwards: boolean;
  /** These are all it has; false: a server gives it its addresses, or what it was told is not on record. */
  isKnown: boolean;
}

/** A node as far as it is known. */
export interface KnownNode extends Pick<KindNode, 'node_id' | 'name' | 'properties' | 'ports'> {
  /** Start-up texts on record, by the key that carries each; null: none is. */
  texts: Readonly<Record<string, string>> | null;
  /** What the running node tells; null: it was not asked, as at a moment of the past. */
  tables: NodeTables | null;
}
