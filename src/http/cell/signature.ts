import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { TopologError } from '../../common/errors.ts';
import type { Framing } from '../access/framing.ts';

/** Who asks, as the server of the cell has found out that a request came to first. */
export interface Asker {
  principal: string;
  address: string | null;
  /** Whether that server lets its clients use its machine (`--local`). */
  local: boolean;
}

/** `<what is told as JSON in base64url>.<HMAC-SHA256 over it, the method and the path in base64url>`. */
export const FORWARDED = 'x-topolog-forwarded';

/** What a signature is for. */
export interface Signed {
  method: string;
  /** With its query, as the writer is sent it. */
  path: string;
  framing: Framing;
}

interface Told extends Asker {
  /** Of the writer that it is for. */
  epoch: number;
  framing: Framing;
  /** Who forwards, for as long as it runs, and how many requests it has forwarded with this one. */
  from: string;
  n: number;
}

/** Signs what this server forwards. */
export class Signer {
  readonly #key: Buffer;
  readonly #from = randomUUID();
  #n = 0;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Value of the header, for one request to the writer of this epoch. */
  sign(signed: Signed, epoch: number, { principal, address, local }: Asker): string {
    this.#n += 1;
    const told: Told = { principal, address, local, epoch, framing: signed.framing, from: this.#from, n: this.#n };
    const text = Buffer.from(JSON.stringify(told)).toString('base64url');
    return `${text}.${signature(this.#key, signed, text).toString('base64url')}`;
  }
}

/** Believes what the servers of the cell have signed, once. */
export class SignedAskers {
  readonly #key: Buffer;
  readonly #epoch: number | null;
  readonly #seen = new Map<string, Seen>();

  /** `epoch`: of this server's lease; null: it stands by. */
  constructor(key: Buffer, epoch: number | null) {
    this.#key = key;
    this.#epoch = epoch;
  }

  /** Throws `forbidden` for what no server of the cell has signed, or not for this request; `no_writer` when it was for another writer. */
  asker(signed: Signed, header: string): Asker {
    const told = this.#told(signed, header);
    if (told === null) throw notBelieved('no server of this cell has signed this request');
    const { epoch, framing, from, n, ...asker } = told;
    if (framing !== signed.framing) throw notBelieved('its signature is for another body');
    if (epoch !== this.#epoch)
      throw new TopologError('no_writer', { reason: 'another server writes by now', retry_after: 1 });
    const seen = this.#seen.get(from) ?? new Seen();
    this.#seen.set(from, seen);
    if (!seen.take(n)) throw notBelieved('it was forwarded before');
    return asker;
  }

  #told(signed: Signed, header: string): Told | null {
    const [text = '', given = ''] = header.split('.');
    const [right, found] = [signature(this.#key, signed, text), Buffer.from(given, 'base64url')];
    if (found.length !== right.length || !timingSafeEqual(found, right)) return null;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Told;
  }
}

export const notBelieved = (reason: string): TopologError =>
  new TopologError('forbidden', {
    reason: `The header X-Topolog-Forwarded is not believed: ${reason}`,
    header: FORWARDED,
  });

const signature = (key: Buffer, { method, path }: Signed, text: string): Buffer =>
  createHmac('sha256', key).update(['forwarded', method, path, text].join('\n')).digest();

/** How far a request may be behind those that were forwarded after it. */
const BEHIND = 1 << 16;

/** Which of the numbers up to the highest one were there, as far back as that. */
class Seen {
  readonly #bits = new Uint8Array(BEHIND >> 3);
  #highest = 0;

  /** False: it was there before, or is too far behind to know. */
  take(n: number): boolean {
    if (n <= this.#highest - BEHIND) return false;
    const from = Math.max(this.#highest + 1, n - BEHIND + 1);
    for (let i = from; i <= n; i++) this.#set(i, false);
    if (n <= this.#highest && this.#has(n)) return false;
    this.#highest = Math.max(this.#highest, n);
    this.#set(n, true);
    return true;
  }

  #at(n: number): [byte: number, bit: number] {
    const place = n % BEHIND;
    return [place >> 3, 1 << (place & 7)];
  }

  #has(n: number): boolean {
    const [byte, bit] = this.#at(n);
    return ((this.#bits[byte] ?? 0) & bit) !== 0;
  }

  #set(n: number, is: boolean): void {
    const [byte, bit] = this.#at(n);
    const before = this.#bits[byte] ?? 0;
    this.#bits[byte] = is ? before | bit : before & ~bit;
  }
}
