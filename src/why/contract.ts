import type { ObstacleCode } from '../common/forms/obstacles.ts';

/** Where something is, as records have it. */
export interface Place {
  node_id: string;
  adapter_number: number;
  port_number: number;
}

/** Something on the way of a packet that keeps it from arriving. */
export interface Obstacle {
  code: ObstacleCode;
  /** The same at every moment at which it is there. */
  key: string;
  /** What is the matter, as a sentence without its full stop. */
  sentence: string;
  node_id?: string;
  link_id?: string;
}

/** A node on the way: by which port and link it is entered, by which port it is left. */
export interface Hop {
  node_id: string;
  name: string;
  link_id: string | null;
  in: string | null;
  out: string | null;
  /** In which a switch passes it on. */
  vlan: number | null;
  /** What it does with packets is not known: a real system. */
  unknown: boolean;
}

/** One direction. */
export interface Way {
  hops: Hop[];
  obstacles: Obstacle[];
  notes: string[];
}

/** The event that made it so, and who asked for it. */
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
  /** Last position that is looked at. */
  position: number;
  /** null: what is between is not known. */
  reaches: boolean | null;
  /** The answer, for people. */
  sentence: string;
  obstacle: (Obstacle & { since: Since | null }) | null;
  request: Way;
  reply: Way;
  notes: string[];
}

export interface WhyQuery {
  /** Node, by id or name. */
  from: string;
  /** Node, or an address. */
  to: string;
  /** Position or ISO time; absent: now. */
  at?: string;
  /** Octets of data in the packet that is followed; absent: those of a ping. */
  size?: number;
}
