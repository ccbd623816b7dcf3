import { get16, get32, get8 } from '../../codecs/bytes.ts';
import { readMac } from '../../codecs/mac-address.ts';
import { printable } from '../packet.ts';

/** A part of a frame: a protocol, or a field in one. */
export interface Field {
  /** As Wireshark calls it: `ip.src`. */
  readonly name: string;
  /** Octet of the frame where it begins. */
  readonly at: number;
  readonly length: number;
  /** A number (also for MAC and IPv4 addresses) or a text; null: the value is its octets. */
  readonly value: number | string | null;
  readonly fields: readonly Field[];
}

const NONE: readonly Field[] = [];

/** A frame being dissected. `depth` bounds nested layers. */
export interface Dissection {
  readonly bytes: Uint8Array;
  readonly layers: Field[];
  depth: number;
}

/** Decodes what lies from `at` to `end`, which is within the frame. */
export type Decoder = (frame: Dissection, at: number, end: number) => void;

/** One protocol being read. Fields beyond its end are left out and read as 0. */
export class Layer {
  readonly #bytes: Uint8Array;
  readonly #at: number;
  readonly #end: number;
  readonly #fields: Field[] = [];

  /** `offset`s of the others count from `at`. */
  constructor(into: Field[], bytes: Uint8Array, name: string, place: { at: number; end: number; length?: number }) {
    const { at, end, length = end - at } = place;
    [this.#bytes, this.#at, this.#end] = [bytes, at, end];
    into.push({ name, at, length: Math.max(0, Math.min(length, end - at)), value: null, fields: this.#fields });
  }

  get at(): number {
    return this.#at;
  }

  get end(): number {
    return this.#end;
  }

  has(offset: number, length: number): boolean {
    return offset >= 0 && length >= 0 && this.#at + offset + length <= this.#end;
  }

  get fields(): Field[] {
    return this.#fields;
  }

  uint(name: string, offset: number, length: 1 | 2 | 3 | 4): number {
    if (!this.has(offset, length)) return 0;
    const value = this.#read(offset, length);
    this.put(name, offset, length, value);
    return value;
  }

  /** Some bits of a number. */
  bits(name: string, place: { offset: number; length: 1 | 2 | 4; shift: number; width: number }): number {
    const { offset, length, shift, width } = place;
    if (!this.has(offset, length)) return 0;
    const value = Math.floor(this.#read(offset, length) / 2 ** shift) % 2 ** width;
    this.put(name, offset, length, value);
    return value;
  }

  mac(name: string, offset: number): void {
    if (this.has(offset, 6)) this.put(name, offset, 6, readMac(this.#bytes, this.#at + offset));
  }

  ipv4(name: string, offset: number): void {
    if (this.has(offset, 4)) this.put(name, offset, 4, this.#read(offset, 4));
  }

  ipv6(name: string, offset: number): void {
    if (this.has(offset, 16)) this.put(name, offset, 16, null);
  }

  raw(name: string, offset: number, length: number): void {
    if (length > 0 && this.has(offset, length)) this.put(name, offset, length, null);
  }

  text(name: string, offset: number, length: number): void {
    if (!this.has(offset, length)) return;
    const from = this.#at + offset;
    const text = Buffer.from(this.#bytes.subarray(from, from + length)).toString('utf8');
    this.put(name, offset, length, printable(text.replace(/(?<!\0)\0+$/, ''), 1_000));
  }

  put(name: string, offset: number, length: number, value: number | string | null): void {
    this.#fields.push({ name, at: this.#at + offset, length, value, fields: NONE });
  }

  /** A part with fields of its own. */
  part(name: string, offset: number, length: number): Layer {
    const at = this.#at + offset;
    return new Layer(this.#fields, this.#bytes, name, { at, end: Math.max(at, Math.min(this.#end, at + length)) });
  }

  #read(offset: number, length: number): number {
    const at = this.#at + offset;
    switch (length) {
      case 1:
        return get8(this.#bytes, at);
      case 2:
        return get16(this.#bytes, at);
      case 3:
        return get8(this.#bytes, at) * 0x10000 + get16(this.#bytes, at + 1);
      default:
        return get32(this.#bytes, at);
    }
  }
}

/** Decodes unknown content. */
export const data: Decoder = ({ bytes, layers }, at, end) => {
  if (end <= at) return;
  const layer = new Layer(layers, bytes, 'data', { at, end });
  layer.raw('data.data', 0, end - at);
  layer.put('data.len', 0, end - at, end - at);
};
