import { type Fragment, reassemble } from '../../codecs/fragments.ts';
import { IPV4_MAX } from '../../codecs/ipv4.ts';

/** Milliseconds that the first fragment waits for the rest (RFC 1122 section 3.3.2: 60 to 120 s; RFC 8200: 60 s; Linux: 30 s). */
const LIFE = 30_000;
/** Bounds: 64 packets under way, each of at most 128 fragments (a largest packet over the smallest usual MTU, 576). */
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
