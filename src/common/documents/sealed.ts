import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { conflict, messageOf } from '../errors.ts';

/**
 * JSON of files that the server keeps for itself, with a checksum of its own: an octet that changes on the disk is said, and never taken for
 * what was written. It keeps nobody from changing the file on purpose.
 */
const SEAL = /^(\{.*),"crc32":"([0-9a-f]{8})"\}\n?$/s;

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** One line of JSON, with `crc32` as its last key. `value` has a key at least. */
export const sealed = (value: object): string => {
  const begun = JSON.stringify(value).slice(0, -1);
  return `${begun},"crc32":"${sumOf(begun)}"}\n`;
};

/**
 * The value that was sealed, or one without a seal, as earlier versions wrote it. `schema` is strict: a changed octet in the name of the
 * checksum is not to pass for another key. Throws a conflict that names `place`; `advice`: what to do then.
 */
export const unsealed = <T>(text: string, schema: z.ZodType<T>, place: string, advice: string): T => {
  try {
    const [, begun, sum] = SEAL.exec(text) ?? [];
    if (begun !== undefined && sumOf(begun) !== sum) throw new Error('it does not fit its checksum');
    return schema.parse(JSON.parse(begun === undefined ? text : `${begun}}`));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error).slice(0, 200) : messageOf(error);
    throw conflict(`${place} is damaged, or was changed by hand: ${withoutText(why)}; ${advice}`);
  }
};

/** The parser's messages quote the text, which may be a secret. */
const withoutText = (why: string): string => (/JSON/.test(why) ? 'it is no JSON' : why.replaceAll('\n', ' '));
