import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, TopologError } from '../../common/errors.ts';
import type { HttpLimits } from '../limits.ts';

const LIMITS = { fields: 0, files: 1, parts: 100, headerSize: 16 * 1024 };
/** Bytes, more than a socket reads at once: the library waits forever if a part that it skips has more than this in one block. */
const HELD = 1024 * 1024;

/** Parser of a form that browsers send (RFC 7578, multipart/form-data); null for another media type. */
const formOf = (mediaType: string): BusboyInstance | null => {
  if (!/^multipart\/form-data\b/i.test(mediaType)) return null;
  try {
    return new Busboy({
      headers: { 'content-type': mediaType },
      limits: LIMITS,
      fileHwm: HELD,
      isPartAFile: (field, _type, name) => field === 'file' || name !== undefined,
    });
  } catch {
    throw invalid('the form has no boundary in its Content-Type');
  }
};

/** Content of the form's field `file`, or of its first file. Throws `invalid_request` when there is none. */
async function* fileIn(form: BusboyInstance, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const read = pipeline(body, form);
  const found = new Promise<Readable>((resolve, reject) => {
    form.once('file', (_field, file) => {
      read.catch((error: unknown) => file.destroy(error as Error));
      resolve(file);
    });
    read.then(() => reject(invalid('the form has no field named file')), reject);
  });
  try {
    yield* (await found) as AsyncIterable<Buffer>;
    await read;
  } catch (error) {
    throw error instanceof TopologError ? error : invalid('the form breaks off');
  }
}

/** Bodies that are files: read as they come, never as a whole. */

const types = new WeakMap<FastifyRequest, string>();
const uploading = new WeakSet<Socket>();

/** Whether a body is on its way that may take longer than others. */
export const isUploading = (socket: Socket): boolean => uploading.has(socket);

/** Keeps the media type, as the header is dropped before the framework checks it. */
export const keepMediaType = (request: FastifyRequest): void => {
  types.set(request, request.headers['content-type'] ?? '');
};

/** Leaves bodies to routes that read them themselves. */
export const leaveBodies = (app: FastifyInstance, limits: HttpLimits): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null, undefined));
  app.addHook('onRequest', ({ raw }, reply, done) => {
    takeTime(raw, reply, limits);
    done();
  });
};

/** Exempts a body that is read as it comes from the time limit of a request, and has it read to its end. */
export const takeTime = (
  raw: IncomingMessage,
  reply: FastifyReply,
  { closeGraceMs }: Pick<HttpLimits, 'closeGraceMs'>,
): void => {
  const { socket } = raw;
  uploading.add(socket);
  reply.raw.once('close', () => uploading.delete(socket));
  // An answer that comes before the body is at its end leaves the rest of it in the way of the next request.
  reply.raw.once('finish', () => {
    // Requests of a replay, which come without a connection, have no `complete`.
    if (raw.complete || raw.readableEnded) return;
    raw.resume();
    const cut = setTimeout(() => raw.destroy(), closeGraceMs).unref();
    raw.once('end', () => clearTimeout(cut));
  });
};

/** The body, taken out of its form. Throws `deadline` when the sender falls silent. */
export const readUpload = (request: FastifyRequest, { requestMs }: HttpLimits): Readable => {
  const form = formOf(types.get(request) ?? '');
  const body = arriving(request.raw, requestMs);
  return Readable.from(form === null ? body : fileIn(form, body), { objectMode: false });
};

async function* arriving(body: Readable, silenceMs: number): AsyncGenerator<Buffer> {
  const late = new TopologError('deadline', { what: 'Sending the body', seconds: silenceMs / 1000 });
  let timer: NodeJS.Timeout | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => body.destroy(late), silenceMs);
  };
  try {
    heard();
    // The connection stays open for the answer, should it be a refusal.
    for await (const block of body.iterator({ destroyOnReturn: false })) {
      clearTimeout(timer);
      yield block as Buffer;
      heard();
    }
  } catch (error) {
    throw error === late ? late : invalid('the body broke off');
  } finally {
    clearTimeout(timer);
  }
}
