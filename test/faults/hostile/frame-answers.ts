import { type Octets, sum, u16 } from './frame-maker.ts';

/** Good answers to what a node asks: with them, and with what is made of them, it comes to where answers are read. */

const MAC = [0x02, 0, 0, 0, 0, 0x77];
const SERVER = [10, 0, 0, 253];

/** null: nobody answers such a frame. */
export const answerTo = (frame: Uint8Array): Uint8Array | null => {
  const asked = [...frame];
  const type = ((asked[12] ?? 0) << 8) | (asked[13] ?? 0);
  if (type === 0x0806) return arp(asked);
  if (type !== 0x0800 || asked[14] !== 0x45 || asked.length < 42) return null;
  const [from, to] = [asked.slice(26, 30), asked.slice(30, 34)];
  const reply = (protocol: number, source: Octets, target: Octets, data: Octets): Uint8Array => {
    const head = [0x45, 0, ...u16(20 + data.length), 0, 1, 0, 0, 64, protocol];
    const ends = [...source, ...target];
    const packet = [...head, ...sum([...head, 0, 0, ...ends]), ...ends, ...data];
    return Uint8Array.from([...asked.slice(6, 12), ...MAC, 8, 0, ...packet]);
  };
  const data = asked.slice(34);
  if (asked[23] === 1) return reply(1, to, from, icmp(data));
  if (asked[23] === 6) return reply(6, to, from, tcp(data, to, from));
  const [port, answer] = [((data[2] ?? 0) << 8) | (data[3] ?? 0), data.slice(8)];
  const udp = (octets: Octets): Octets => [
    ...data.slice(2, 4),
    ...data.slice(0, 2),
    ...u16(8 + octets.length),
    0,
    0,
    ...octets,
  ];
  if (port === 67) return reply(17, SERVER, [255, 255, 255, 255], udp(dhcp(answer)));
  if (port === 53) return reply(17, to, from, udp(dns(answer)));
  return reply(1, to, from, unreachable(asked.slice(14, 42)));
};

const arp = (asked: Octets): Uint8Array | null => {
  const [sender, target] = [asked.slice(22, 32), asked.slice(38, 42)];
  // Whether an address is free is asked without an own one, or for the own one: it is.
  const isProbe = sender.slice(6).every((octet) => octet === 0) || target.join('.') === sender.slice(6).join('.');
  if (isProbe || asked[21] !== 1) return null;
  return Uint8Array.from([...sender.slice(0, 6), ...MAC, 8, 6, 0, 1, 8, 0, 6, 4, 0, 2, ...MAC, ...target, ...sender]);
};

const icmp = (data: Octets): Octets => {
  const rest = data.slice(4);
  return [0, 0, ...sum([0, 0, 0, 0, ...rest]), ...rest];
};

const unreachable = (packet: Octets): Octets => {
  const rest = [0, 0, 0, 0, ...packet];
  return [3, 3, ...sum([3, 3, 0, 0, ...rest]), ...rest];
};

/** A port that is closed: RST and ACK. */
const tcp = (data: Octets, from: Octets, to: Octets): Octets => {
  const head = [...data.slice(2, 4), ...data.slice(0, 2), 0, 0, 0, 0, ...data.slice(4, 8), 0x50, 0x14, 0, 0];
  const check = sum([...from, ...to, 0, 6, 0, 20, ...head, 0, 0, 0, 0]);
  return [...head, ...check, 0, 0];
};

const dns = (query: Octets): Octets => [
  ...[...query.slice(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, ...query.slice(12)],
  ...[0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, 77],
];

/** An offer for a discover, an acknowledgement for a request. */
const dhcp = (message: Octets): Octets => {
  const type = message[message.indexOf(53, 240) + 2] === 1 ? 2 : 5;
  const options = [53, 1, type, 54, 4, ...SERVER, 51, 4, 0, 0, 0, 60, 1, 4, 255, 0, 0, 0, 3, 4, ...SERVER, 255];
  return [2, ...message.slice(1, 16), 10, 0, 0, 50, ...message.slice(20, 240), ...options];
};
