/** Fragmentation of IPv4, RFC 791 section 3.2, and reassembly of both families (RFC 8200, section 4.5). */
import type { IpAddress } from './ip-address.ts';
import { IPV4_HEADER, IPV4_MAX, type Ipv4Packet } from './ipv4.ts';

/** The fields of a fragment of either family. */
export interface Fragment {
  source: IpAddress;
  destination: IpAddress;
  protocol: number;
  identification: number;
  moreFragments: boolean;
  /** Bytes, a multiple of 8. */
  fragmentOffset: number;
  payload: Uint8Array;
}

/** Packets that fit `mtu` bytes each; null when the packet is too large and must not be fragmented. */
export function fragmentIpv4(packet: Ipv4Packet, mtu: number): Ipv4Packet[] | null {
  const header = IPV4_HEADER + packet.options.length;
  if (header + packet.payload.length <= mtu) return [packet];
  const step = Math.floor((mtu - header) / 8) * 8;
  if (packet.dontFragment || step < 8) return null;
  const fragments: Ipv4Packet[] = [];
  for (let at = 0; at < packet.payload.length; at += step) {
    fragments.push({
      ...packet,
      fragmentOffset: packet.fragmentOffset + at,
      moreFragments: packet.moreFragments || at + step < packet.payload.length,
      payload: packet.payload.subarray(at, at + step),
    });
  }
  return fragments;
}

/**
 * The whole packet, from its fragments in any order (exact repeats are fine); null while some is missing, and when
 * fragments overlap or pass the largest packet, which only attacks do (RFC 3128, RFC 5722).
 */
export function reassemble<F extends Fragment>(fragments: readonly F[]): F | null {
  const sorted = [...fragments].sort((a, b) => a.fragmentOffset - b.fragmentOffset);
  const [first] = sorted;
  if (first === undefined) return null;
  const parts: F[] = [];
  let end = 0;
  for (const part of sorted) {
    const last = parts.at(-1);
    if (last !== undefined && isRepeat(last, part)) continue;
    if (part.fragmentOffset !== end || (last !== undefined && !last.moreFragments)) return null;
    parts.push(part);
    end += part.payload.length;
  }
  if (parts.at(-1)?.moreFragments !== false || end > IPV4_MAX - IPV4_HEADER) return null;
  const payload = new Uint8Array(end);
  for (const part of parts) payload.set(part.payload, part.fragmentOffset);
  return { ...first, moreFragments: false, fragmentOffset: 0, payload };
}

const isRepeat = (a: Fragment, b: Fragment): boolean =>
  a.fragmentOffset === b.fragmentOffset && a.payload.length === b.payload.length && a.moreFragments === b.moreFragments;

/** Milliseconds that the first fragment waits for the rest (RFC 1122 section 3.3.2: 60 to 120 s; RFC 8200: 60 s; Linux: 30 s). */
const LIFE = 30_000;
/** Bounds: 64 incomplete packets, each of at most 128 fragments (a largest packet over the smallest usual MTU, 576). */
const MOST_PACKETS = 64;
const MOST_FRAGMENTS = 128;
const MOST_BYTES = IPV4_MAX;

interface Partial<F> {
  fragments: F[];
  bytes: number;
  expires: number;
}

/** Holds fragments until a packet is whole. */
export interface ReassemblyBuffer<F extends Fragment> {
  /** The whole packet when this fragment completes it. */
  add: (fragment: F) => F | null;
}

export function createReassemblyBuffer<F extends Fragment>(now: () => number): ReassemblyBuffer<F> {
  const partials = new Map<string, Partial<F>>();

  function makeRoom(): void {
    for (const [key, partial] of partials) if (partial.expires <= now()) partials.delete(key);
    if (partials.size >= MOST_PACKETS) for (const oldest of [...partials.keys()].slice(0, 1)) partials.delete(oldest);
  }

  return {
    add(fragment) {
      const key = [fragment.source, fragment.destination, fragment.protocol, fragment.identification].join();
      let partial = partials.get(key);
      if (partial === undefined || partial.expires <= now()) {
        makeRoom();
        partial = { fragments: [], bytes: 0, expires: now() + LIFE };
        partials.set(key, partial);
      }
      // A copy: the rest of the frame's buffer must not stay alive for a few bytes.
      partial.fragments.push({ ...fragment, payload: fragment.payload.slice() });
      partial.bytes += fragment.payload.length;
      const whole = reassemble(partial.fragments);
      const full = partial.fragments.length >= MOST_FRAGMENTS || partial.bytes > MOST_BYTES;
      if (whole !== null || full) partials.delete(key);
      return whole;
    },
  };
}
