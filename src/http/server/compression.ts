import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Compression of answers (RFC 9110, 12.5.3): lists and texts, not single records, for which it costs more than it saves. */

/** Bytes; shorter answers stay as they are. */
const THRESHOLD = 4_096;
/** Level of Brotli, of 11, that is as fast as gzip. */
const QUALITY = 4;
/** Level for texts that are compressed once. */
const FIXED_QUALITY = 9;
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

const brotli = (quality: number) => ({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality } });

/** Compresses the answers of a scope's routes. */
export const compressAnswers = (scope: FastifyInstance): void =>
  void scope.register(compress, {
    threshold: THRESHOLD,
    encodings: [...ENCODINGS],
    brotliOptions: brotli(QUALITY),
    globalDecompression: false,
  });

const negotiator = new Negotiator({ supportedValues: [...ENCODINGS], cache: new Map() });

/** null: the client takes none. */
export const encodingOf = ({ headers }: FastifyRequest): Encoding | null => {
  const accepted = headers['accept-encoding'];
  return typeof accepted === 'string' ? negotiator.negotiate(accepted) : null;
};

/** Compresses a stream of an answer that is written past the framework. */
export const compressed = (stream: Readable, encoding: Encoding): Readable => {
  const through = encoding === 'br' ? zlib.createBrotliCompress(brotli(QUALITY)) : zlib.createGzip();
  stream.once('error', (error) => through.destroy(error));
  through.once('close', () => stream.destroy());
  return stream.pipe(through);
};

/** A text that stays the same while the server runs; compressed at most once in each way. */
export class FixedText {
  readonly text: string;
  readonly etag: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string) {
    this.text = text;
    this.etag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  }

  in(encoding: Encoding): Promise<Buffer> {
    const known = this.#compressed.get(encoding);
    if (known !== undefined) return known;
    const made =
      encoding === 'br'
        ? promisify<string, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(this.text, brotli(FIXED_QUALITY))
        : promisify<string, Buffer>(zlib.gzip)(this.text);
    this.#compressed.set(encoding, made);
    return made;
  }
}
