import type { Schemas } from '../store/api.ts';

export type PacketMessage = Schemas['Packet'];
export type Packet = Extract<PacketMessage, { number: number }>;

/** Packets of a capture as they come; the oldest go when there are too many. */
export interface PacketList {
  readonly packets: readonly Packet[];
  /** Told of only by their number, and those that went again. */
  readonly skipped: number;
}

const MOST = 20_000;
export const NO_PACKETS: PacketList = { packets: [], skipped: 0 };

export const takePackets = (before: PacketList, messages: readonly PacketMessage[], most = MOST): PacketList => {
  const fresh = messages.filter((message): message is Packet => 'number' in message);
  const skipped = messages.reduce((sum, message) => sum + ('skipped' in message ? message.skipped : 0), 0);
  const packets = [...before.packets, ...fresh];
  const tooMany = Math.max(0, packets.length - most);
  return { packets: tooMany === 0 ? packets : packets.slice(tooMany), skipped: before.skipped + skipped + tooMany };
};

/** Those with each of the words somewhere in what is shown of them. */
export const findPackets = (packets: readonly Packet[], text: string): readonly Packet[] => {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return packets;
  return packets.filter(({ source, destination, protocol, summary }) => {
    const line = `${source} ${destination} ${protocol} ${summary}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
};

/** The clock at a packet, to the millisecond. `time`: seconds since 1970. */
export const sayPacketTime = (time: number): string => {
  const date = new Date(time * 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
};

/** The rows of a long list that are to be drawn, with some to spare. */
export const windowOf = (
  rows: number,
  scrollTop: number,
  height: number,
  rowHeight: number,
): { readonly from: number; readonly to: number } => {
  const SPARE = 10;
  const from = Math.max(0, Math.min(rows, Math.floor(scrollTop / rowHeight) - SPARE));
  return { from, to: Math.min(rows, Math.ceil((scrollTop + height) / rowHeight) + SPARE) };
};
