import { dissect, type Taken } from '../fields/dissect.ts';
import type { Field } from '../fields/field.ts';
import { type End, endsOf } from './conversations.ts';

/** Something that one end said to the other. */
export interface Part {
  /** Of the frame. */
  number: number;
  time: number;
  /** Who said it: the first end or the second. */
  end: 0 | 1;
  bytes: Uint8Array;
}

/** Octets of a conversation that are shown. */
const MOST = 512 * 1024;

/** Puts together what two ends say, in order, each octet of TCP once. */
export class Following {
  readonly parts: Part[] = [];
  /** There was more than is kept. */
  isCut = false;
  readonly #linkType: number;
  readonly #ends: readonly [End, End];
  /** The octet of TCP that each end says next. */
  readonly #next: [number | null, number | null] = [null, null];
  #length = 0;

  constructor(linkType: number, ends: readonly [End, End]) {
    [this.#linkType, this.#ends] = [linkType, ends];
  }

  take(frame: Taken): void {
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

  /** What came again is left out; what is missing is passed over, and what came late stands where it came. */
  #segment(header: Field, part: Part): void {
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

  #add(part: Part): void {
    if (part.bytes.length === 0) return;
    if (this.#length + part.bytes.length > MOST) this.isCut = true;
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
