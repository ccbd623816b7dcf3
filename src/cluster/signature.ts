import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { TopologError } from '../common/errors.ts';

/** The caller of a forwarded request, as the server of the cell that got it first has identified him. */
export interface ForwardedCaller {
  principal: string;
  address: string | null;
  /** That server lets its clients use its machine (`--local`). */
  local: boolean;
}

/** Header of forwarded requests: `<SignedContent as JSON in base64url>.<HMAC-SHA256 over that, the method and the path, in base64url>`. */
export const FORWARDED = 'x-topolog-forwarded';

/** Octets of a request's body, or `chunked`; null: no body. */
type Framing = number | 'chunked' | null;

/** The request for which a signature is valid. */
export interface SignedRequest {
  method: string;
  /** Path with query, as it is sent to the writer. */
  path: string;
  framing: Framing;
}

interface SignedContent extends ForwardedCaller {
  /** Epoch of the writer to which it is sent. */
  epoch: number;
  framing: Framing;
  /** Id of the run of the forwarding server. */
  from: string;
  /** Number of the request among those that it has forwarded, from 1. */
  n: number;
}

/** Signs the requests that this server forwards. */
export class ForwardSigner {
  readonly #key: Buffer;
  readonly #from = randomUUID();
  #n = 0;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Value of the header for one request to the writer of this epoch. */
  sign(signed: SignedRequest, epoch: number, { principal, address, local }: ForwardedCaller): string {
    this.#n += 1;
    const content: SignedContent = {
      principal,
      address,
      local,
      epoch,
      framing: signed.framing,
      from: this.#from,
      n: this.#n,
    };
    const text = Buffer.from(JSON.stringify(content)).toString('base64url');
    return `${text}.${signature(this.#key, signed, text).toString('base64url')}`;
  }
}

/** Verifies signatures of the servers of the cell, each once. */
export class ForwardVerifier {
  readonly #key: Buffer;
  readonly #epoch: number | null;
  readonly #seen = new Map<string, SeenNumbers>();

  /** `epoch`: of this server's lease; null: it stands by. */
  constructor(key: Buffer, epoch: number | null) {
    this.#key = key;
    this.#epoch = epoch;
  }

  /** The caller of a forwarded request. Throws `forbidden` for a wrong or repeated signature, `no_writer` when it was for another writer. */
  verify(signed: SignedRequest, header: string): ForwardedCaller {
    const content = this.#content(signed, header);
    if (content === null) throw untrusted('no server of this cell has signed this request');
    const { epoch, framing, from, n, ...caller } = content;
    if (framing !== signed.framing) throw untrusted('its signature is for another body');
    if (epoch !== this.#epoch)
      throw new TopologError('no_writer', { reason: 'another server writes by now', retry_after: 1 });
    const seen = this.#seen.get(from) ?? new SeenNumbers();
    this.#seen.set(from, seen);
    if (!seen.take(n)) throw untrusted('it was forwarded before');
    return caller;
  }

  #content(signed: SignedRequest, header: string): SignedContent | null {
    const [text = '', given = ''] = header.split('.');
    const [expected, actual] = [signature(this.#key, signed, text), Buffer.from(given, 'base64url')];
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as SignedContent;
  }
}

export const untrusted = (reason: string): TopologError =>
  new TopologError('forbidden', {
    reason: `The header X-Topolog-Forwarded is not believed: ${reason}`,
    header: FORWARDED,
  });

const signature = (key: Buffer, { method, path }: SignedRequest, text: string): Buffer =>
  createHmac('sha256', key).update(['forwarded', method, path, text].join('\n')).digest();

/** Requests forwarded later that a request may arrive behind. */
const BEHIND = 1 << 16;

/** The numbers that were seen, back to `BEHIND` below the highest one. */
class SeenNumbers {
  readonly #bits = new Uint8Array(BEHIND >> 3);
  #highest = 0;

  /** False: seen before, or too far behind to know. */
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
