import { get16 } from '../codecs/bytes.ts';
import { decodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../codecs/ethernet.ts';

/** Who asks is remembered up to this many; then the first are forgotten. */
const MOST_ASKERS = 64;

/**
 * Takes a frame of a cable and says whether it is an answer, in direction `way`, to one who has asked in the other since this was
 * made: both directions carry frames then. Of a frame that answers nothing, as any of a broken wire's other half, that is not known.
 */
export const createAnswers = (way: 0 | 1): ((direction: 0 | 1, frame: Uint8Array) => boolean) => {
  const askers = new Set<string>();
  const asked = (asker: string): void => {
    askers.add(asker);
    const [first] = askers;
    if (askers.size > MOST_ASKERS && first !== undefined) askers.delete(first);
  };
  return (direction, bytes) => {
    const frame = decodeEthernet(bytes);
    if (frame === null) return false;
    const said = saidIn(frame);
    if (said === null) return false;
    if (direction === way) return said.answers && askers.has(`${said.what} ${frame.destination}`);
    if (!said.answers) asked(`${said.what} ${frame.source}`);
    return false;
  };
};

interface Said {
  what: 'arp' | 'icmp' | 'nd' | 'tcp';
  answers: boolean;
}

const saidIn = ({ ethertype, payload }: Pick<NonNullable<ReturnType<typeof decodeEthernet>>, 'ethertype' | 'payload'>) => {
  // The operation of ARP (RFC 826): 1 request, 2 reply.
  if (ethertype === ETHERTYPE_ARP && payload.length >= 8) return said('arp', get16(payload, 6), 1, 2);
  if (ethertype === ETHERTYPE_IPV4 && payload.length >= 20)
    return inTransport(payload[9] ?? 0, payload.subarray(((payload[0] ?? 0) & 15) * 4));
  if (ethertype === ETHERTYPE_IPV6 && payload.length >= 40) return inTransport(payload[6] ?? 0, payload.subarray(40));
  return null;
};

/** Protocols: 1 ICMP (RFC 792), 58 ICMPv6 (RFC 4443, RFC 4861), 6 TCP (RFC 9293), whose SYN is answered by SYN and ACK. */
const inTransport = (protocol: number, of: Uint8Array): Said | null => {
  const [type = -1] = of;
  if (protocol === 1) return said('icmp', type, 8, 0);
  if (protocol === 58) return said('icmp', type, 128, 129) ?? said('nd', type, 135, 136);
  return protocol === 6 ? said('tcp', (of[13] ?? 0) & 0x12, 0x02, 0x12) : null;
};

const said = (what: Said['what'], code: number, question: number, answer: number): Said | null =>
  code === question || code === answer ? { what, answers: code === answer } : null;
