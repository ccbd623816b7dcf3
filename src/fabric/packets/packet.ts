/** One record of a capture file. */
export interface CapturedFrame {
  /** From 1 on. */
  number: number;
  /** Seconds since 1970, to the microsecond. */
  time: number;
  /** Octets that the frame had on the link. */
  length: number;
  /** The captured octets. */
  bytes: Uint8Array;
}

/** A packet in a list of packets. */
export interface PacketSummary {
  /** Addresses of the highest layer that has addresses; empty without any. */
  source: string;
  destination: string;
  /** Highest layer that is decoded: `ARP`, `ICMP`, `DHCP`, ... */
  protocol: string;
  /** One line, without control characters. */
  summary: string;
}

/** Summary of a layer; addresses only where the layer has its own. */
export type Layer = Pick<PacketSummary, 'protocol' | 'summary'> & Partial<PacketSummary>;

/** Text from a frame, made safe for one line: without control characters, and cut. */
export const printable = (text: string, most = 200): string =>
  (text.length > most ? `${text.slice(0, most)}…` : text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '.');

export const hex = (value: number, digits = 4): string => `0x${value.toString(16).padStart(digits, '0')}`;

/** `1 octet`, `2 octets`. */
export const octets = (count: number): string => `${count} octet${count === 1 ? '' : 's'}`;
