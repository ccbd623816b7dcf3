import { setImmediate as untilImmediate } from 'node:timers/promises';
import { dissect } from '../fields/dissect.ts';
import type { CapturedFrame } from '../packet.ts';
import type { Field } from '../fields/field.ts';
import { textOf } from '../fields/tree.ts';
import type { CaptureIndex } from './capture-index.ts';
import type { Selection } from './selection.ts';

export type ConversationLayer = 'ethernet' | 'ip' | 'transport';

/** One end of a conversation; `port` of UDP and TCP. */
export interface End {
  address: string;
  port: number | null;
}

export interface Conversation {
  /** `eth`, `ip`, `ipv6`, `udp`, `tcp`. */
  protocol: string;
  ends: [End, End];
  /** From the first end to the second, and back. */
  frames: [number, number];
  octets: [number, number];
  /** Seconds since 1970. */
  first: number;
  last: number;
  /** Display filter for its frames. */
  filter: string;
}

/** Conversations kept; more are only counted. */
const MOST = 5_000;

/** Source and destination of a frame at a layer; null: it lacks the layer. */
export const endsOf = (
  fields: readonly Field[],
  frame: Uint8Array,
  layer: ConversationLayer,
): { protocol: string; from: End; to: End } | null => {
  const find = (names: readonly string[]): Field | undefined => fields.find(({ name }) => names.includes(name));
  const address = find(layer === 'ethernet' ? ['eth'] : ['ip', 'ipv6']);
  if (address === undefined) return null;
  const end = (side: 'src' | 'dst'): string => {
    const field = address.fields.find(({ name }) => name === `${address.name}.${side}`);
    return field === undefined ? '' : textOf(field, frame);
  };
  // Only the layer right behind: a packet quoted by an ICMP error has another sender.
  const inner = layer === 'transport' ? fields[fields.indexOf(address) + 1] : undefined;
  if (layer === 'transport' && inner?.name !== 'udp' && inner?.name !== 'tcp') return null;
  const port = (side: 'srcport' | 'dstport'): number | null => {
    const field = inner?.fields.find(({ name }) => name === `${inner.name}.${side}`);
    return field === undefined ? null : Number(field.value);
  };
  return {
    protocol: inner?.name ?? address.name,
    from: { address: end('src'), port: port('srcport') },
    to: { address: end('dst'), port: port('dstport') },
  };
};

export const filterOf = (protocol: string, [one, other]: readonly [End, End]): string => {
  const isPort = protocol === 'udp' || protocol === 'tcp';
  const family = protocol === 'eth' ? 'eth' : one.address.includes(':') ? 'ipv6' : 'ip';
  const addresses = [...new Set([one.address, other.address])].map((address) => `${family}.addr == ${address}`);
  const ports = isPort ? [...new Set([one.port, other.port])].map((port) => `${protocol}.port == ${port}`) : [];
  return [...addresses, ...ports].join(' && ');
};

/** Counts conversations, as far as the capture is scanned. */
export class Conversations {
  scanned = 0;
  /** Count beyond MOST. */
  more = 0;
  readonly #index: CaptureIndex;
  readonly #selection: Selection;
  readonly #layer: ConversationLayer;
  readonly #found = new Map<string, Conversation>();
  #place = 0;
  #growing: Promise<void> = Promise.resolve();

  constructor(index: CaptureIndex, selection: Selection, layer: ConversationLayer) {
    [this.#index, this.#selection, this.#layer] = [index, selection, layer];
  }

  get list(): Conversation[] {
    return [...this.#found.values()];
  }

  grow(patience: number): Promise<void> {
    const until = performance.now() + patience;
    this.#growing = this.#growing.catch(() => undefined).then(() => this.#grow(until));
    return this.#growing;
  }

  async #grow(until: number): Promise<void> {
    const ROUND = 1024;
    for (;;) {
      const { numbers, scanned } = this.#selection;
      const next =
        numbers?.slice(this.#place, this.#place + ROUND) ??
        Array.from({ length: Math.min(ROUND, this.#index.count - this.#place) }, (_, n) => this.#place + n + 1);
      this.#place += next.length;
      for (const frame of await this.#index.read(next)) this.#count(frame);
      this.scanned = next.length < ROUND ? scanned : (next.at(-1) ?? scanned);
      if (next.length < ROUND || performance.now() > until) return;
      await untilImmediate();
    }
  }

  #count(frame: CapturedFrame): void {
    const ends = endsOf(dissect(this.#index.linkType, frame), frame.bytes, this.#layer);
    if (ends === null) return;
    const { protocol, from, to } = ends;
    const known =
      this.#found.get(keyOf(protocol, from, to)) ??
      this.#found.get(keyOf(protocol, to, from)) ??
      this.#add(ends, frame);
    if (known === null) return;
    const direction = isSame(known.ends[0], from) ? 0 : 1;
    known.frames[direction] += 1;
    known.octets[direction] += frame.length;
    known.last = frame.time;
  }

  #add({ protocol, from, to }: { protocol: string; from: End; to: End }, { time }: CapturedFrame): Conversation | null {
    if (this.#found.size >= MOST) {
      this.more++;
      return null;
    }
    const ends: [End, End] = [from, to];
    const filter = filterOf(protocol, ends);
    const made: Conversation = { protocol, ends, frames: [0, 0], octets: [0, 0], first: time, last: time, filter };
    this.#found.set(keyOf(protocol, from, to), made);
    return made;
  }
}

const keyOf = (protocol: string, from: End, to: End): string =>
  `${protocol} ${from.address} ${from.port} ${to.address} ${to.port}`;

const isSame = (one: End, other: End): boolean => one.address === other.address && one.port === other.port;

/** Data that one end sent. */
export interface StreamPart {
  /** Number of the frame. */
  number: number;
  time: number;
  /** Sender: the first end or the second. */
  end: 0 | 1;
  bytes: Uint8Array;
}

/** Longest data of a conversation. Octets. */
const MOST_SHOWN = 512 * 1024;

/** Collects the data of two ends in order, each octet of TCP once. */
export class StreamFollower {
  readonly parts: StreamPart[] = [];
  /** Data was left out. */
  isCut = false;
  readonly #linkType: number;
  readonly #ends: readonly [End, End];
  /** Next TCP sequence number of each end. */
  readonly #next: [number | null, number | null] = [null, null];
  #length = 0;

  constructor(linkType: number, ends: readonly [End, End]) {
    [this.#linkType, this.#ends] = [linkType, ends];
  }

  take(frame: CapturedFrame): void {
    const fields = dissect(this.#linkType, frame);
    const ends = endsOf(fields, frame.bytes, 'transport');
    if (ends === null) return;
    const end = ends.from.address === this.#ends[0].address && ends.from.port === this.#ends[0].port ? 0 : 1;
    const header = fields.find(({ name }) => name === ends.protocol);
    if (header === undefined) return;
    const { number, time } = frame;
    if (ends.protocol === 'tcp') this.#segment(header, { number, time, end, bytes: payloadOf(header, frame.bytes) });
    else this.#add({ number, time, end, bytes: datagramOf(header, frame.bytes) });
  }

  /** Leaves out retransmissions, skips gaps, and keeps late segments where they came. */
  #segment(header: Field, part: StreamPart): void {
    const value = (name: string): number => Number(header.fields.find((field) => field.name === name)?.value ?? 0);
    const begin = value('tcp.flags.syn') === 1;
    const at = (value('tcp.seq_raw') + (begin ? 1 : 0)) % 2 ** 32;
    const expected = begin ? null : this.#next[part.end];
    const ahead = expected === null ? 0 : (at - expected) | 0;
    const known = Math.max(0, -ahead);
    if (known >= part.bytes.length && part.bytes.length > 0) return;
    this.#next[part.end] = (at + part.bytes.length) >>> 0;
    this.#add({ ...part, bytes: part.bytes.subarray(known) });
  }

  #add(part: StreamPart): void {
    if (part.bytes.length === 0) return;
    if (this.#length + part.bytes.length > MOST_SHOWN) this.isCut = true;
    else {
      this.#length += part.bytes.length;
      this.parts.push(part);
    }
  }
}

const payloadOf = ({ fields }: Field, frame: Uint8Array): Uint8Array => {
  const payload = fields.find(({ name }) => name === 'tcp.payload');
  return payload === undefined ? new Uint8Array(0) : frame.subarray(payload.at, payload.at + payload.length);
};

const datagramOf = ({ at, fields }: Field, frame: Uint8Array): Uint8Array => {
  const length = Number(fields.find(({ name }) => name === 'udp.length')?.value ?? 8);
  return frame.subarray(at + 8, Math.max(at + 8, at + length));
};
