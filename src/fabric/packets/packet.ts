/** What a list of packets shows of one. */
export interface PacketSummary {
  /** Addresses of the highest layer that has some; empty where there are none. */
  source: string;
  destination: string;
  /** Of the highest layer that is understood: `ARP`, `ICMP`, `DHCP`, ... */
  protocol: string;
  /** One line, without control characters. */
  summary: string;
}

/** A layer as the one below it shows it; addresses where it has some of its own. */
export type Layer = Pick<PacketSummary, 'protocol' | 'summary'> & Partial<PacketSummary>;

/** What frames carry, whatever it says, never leads out of its line. */
export const printable = (text: string, most = 200): string =>
  (text.length > most ? `${text.slice(0, most)}…` : text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '.');

export const hex = (value: number, digits = 4): string => `0x${value.toString(16).padStart(digits, '0')}`;

/** `1 octet`, `2 octets`. */
export const octets = (count: number): string => `${count} octet${count === 1 ? '' : 's'}`;
