import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { conflict, messageOf } from './errors.ts';

/**
 * JSON with a checksum, for the server's own files: an octet that changes on the disk is reported, and never taken for content. It does
 * not protect a file from being changed on purpose.
 */
const SEAL = /^(\{.*),"crc32":"([0-9a-f]{8})"\}\n?$/s;

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** One line of JSON, with `crc32` as its last key. `value` must have a key. */
export const sealed = (value: object): string => {
  const begun = JSON.stringify(value).slice(0, -1);
  return `${begun},"crc32":"${sumOf(begun)}"}\n`;
};

/**
 * Reads a sealed value, or one without a checksum, as earlier versions wrote it. `schema` must be strict, so that a changed octet in
 * the name of the checksum does not pass for another key. Throws a conflict that names `place` and ends with `advice`.
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

/** Replaces messages of the JSON parser: they quote the text, which may be a secret. */
const withoutText = (why: string): string => (/JSON/.test(why) ? 'it is no JSON' : why.replaceAll('\n', ' '));
