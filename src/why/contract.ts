import type { ObstacleCode } from '../common/forms/obstacles.ts';

/** A port of a node. */
export interface Place {
  node_id: string;
  adapter_number: number;
  port_number: number;
}

/** Something on the path of a packet that keeps it from arriving. */
export interface Obstacle {
  code: ObstacleCode;
  /** Identifies the obstacle, also at other moments. */
  key: string;
  /** Description as a sentence without its full stop. */
  sentence: string;
  node_id?: string;
  link_id?: string;
  /** A packet may pass nonetheless: it rests on something that is not known, or happens at random. */
  maybe?: true;
}

/** A node on the path: the port and link by which the packet enters it, and the port by which it leaves. */
export interface Hop {
  node_id: string;
  name: string;
  link_id: string | null;
  in: string | null;
  out: string | null;
  /** VLAN in which a switch forwards it. */
  vlan: number | null;
  /** Whether the server does not know how it forwards packets, as for a real system. */
  unknown: boolean;
}

/** Path of a packet in one direction. */
export interface PacketPath {
  hops: Hop[];
  obstacles: Obstacle[];
  notes: string[];
}

/** The event that caused an obstacle, and who asked for it. */
export interface Since {
  position: number;
  at: string;
  type: string;
  by: string;
  sentence: string;
}

export interface WhyAnswer {
  from: string;
  to: string;
  /** Last position of the log that is considered. */
  position: number;
  /** null if that is not known. */
  reaches: boolean | null;
  /** The answer, for people. */
  sentence: string;
  obstacle: (Obstacle & { since: Since | null }) | null;
  request: PacketPath;
  reply: PacketPath;
  notes: string[];
  /** Sentences that say how to find out, where it is not known. */
  settled_by: string[];
  /** Result of a ping that was sent, with what is said of it; absent: none was asked for. */
  tried?: { reaches: boolean | null; text: string };
}

export interface WhyQuery {
  /** Node, by id or name. */
  from: string;
  /** Node, or an address. */
  to: string;
  /** Position or ISO time; absent: now. */
  at?: string;
  /** Octets of data in the packet; absent: those of a ping. */
  size?: number;
  /** Port that is asked for in place of a ping: `80`, `tcp/80`, `udp/53`. */
  port?: string;
}
