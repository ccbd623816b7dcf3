import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { invalid, TopologError } from '../../common/errors.ts';

/** The file in a form, as browsers send it: RFC 7578, multipart/form-data. */

const LIMITS = { fields: 0, files: 1, parts: 100, headerSize: 16 * 1024 };
/** More than a socket reads at once: the library waits for ever when a part that it skips has more than this in one block. */
const HELD = 1024 * 1024;

/** null: it is no form. */
export const formOf = (mediaType: string): BusboyInstance | null => {
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
export async function* fileIn(form: BusboyInstance, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
