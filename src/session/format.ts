import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type EventHead, headText } from '../events/encoding.ts';
import type { DrawingRecord, LinkRecord, NodeRecord, ProjectRecord } from '../projections/records.ts';

/**
 * A session file: NDJSON (https://github.com/ndjson/ndjson-spec) in UTF-8, every line as `JSON.stringify` writes it and ended by
 * one LF. Line 1 is the signed head, then come, each only where there is one: the base, the events as they are stored, recordings
 * of consoles, files of nodes. docs/reference/sessions.md describes it for other programs.
 */
export const FORMAT = 'topolog-session';

/** Bytes of a line at most, without its LF. */
export const MAX_LINE = 64 * 1024 * 1024;

const sha = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
const count = z.int().nonnegative();

/** Keys in the order in which they stand. */
export const sessionHead = z.strictObject({
  format: z.literal(FORMAT),
  v: z.literal(1),
  project_id: z.string(),
  name: z.string(),
  /** First and last version of the project's stream. */
  from: z.int().positive(),
  to: z.int().positive(),
  /** Hash before the first event and hash of the last one. */
  first_prev: sha,
  last_hash: sha,
  /** Number of events. */
  facts: z.int().positive(),
  /** Lines after the head. */
  lines: z.int().positive(),
  /** SHA-256 over the hashes of all those lines in order, each followed by LF. */
  content: sha,
  exported_at: z.string(),
  exported_by: z.strictObject({ version: z.string() }),
  public_key: z.string(),
  /** Ed25519 over the head's text without this key. */
  signature: z.string(),
});
export type SessionHead = z.infer<typeof sessionHead>;

/** The text that is signed. */
export const unsignedText = (head: Omit<SessionHead, 'signature'>): string => JSON.stringify(head);

/** Records before the first event of the file. Present only if that event is not version 1. */
export interface Base {
  project: ProjectRecord | null;
  nodes: NodeRecord[];
  links: LinkRecord[];
  drawings: DrawingRecord[];
}

const content = {
  bytes: count,
  sha256: sha,
  /** null: left out; `bytes` and `sha256` are still those of the content. */
  content: z.string().nullable(),
};
/** A part of an asciicast file from `offset` (bytes) on: long recordings are several lines. */
const recording = z.strictObject({ node_id: z.string(), name: z.string(), offset: count, ...content });
export type Recording = z.infer<typeof recording>;

/** A small text file; `path` is relative to the node's directory, with slashes. */
const file = z.strictObject({ node_id: z.string(), path: z.string(), ...content });
export type SessionFile = z.infer<typeof file>;

export type Attachment = { base: Base } | { recording: Recording } | { file: SessionFile };

const records = z.array(z.looseObject({}));
/** Shape of a line that is not an event, without its hash. Records have the fields that the signer's version had. */
export const attachmentShape = z.union([
  z.strictObject({
    base: z.strictObject({
      project: z.looseObject({}).nullable(),
      nodes: records,
      links: records,
      drawings: records,
    }),
  }),
  z.strictObject({ recording }),
  z.strictObject({ file }),
]);

/** An event whose data was left out. */
export interface RedactedEvent {
  head: EventHead;
  data_sha256: string;
  prev: string;
  hash: string;
}

export const redactedEventLine = (f: RedactedEvent): string =>
  `{"redacted_fact":{"head":${headText(f.head)}},"data_sha256":"${f.data_sha256}","prev":"${f.prev}","hash":"${f.hash}"}}`;

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** The attachment with its content left out. */
const blank = (body: Attachment): Attachment => {
  if ('recording' in body) return { recording: { ...body.recording, content: null } };
  if ('file' in body) return { file: { ...body.file, content: null } };
  return body;
};

/**
 * Hash of a line that is no event: over the preceding line's hash, LF, and the line with its content null and without its hash.
 * A copy whose content was left out afterwards therefore has the same hashes. (An event's line hash is the SHA-256 of its bytes.)
 */
export const attachmentHash = (prev: string, body: Attachment): string =>
  sha256(`${prev}\n${JSON.stringify(blank(body))}`);

export const attachmentLine = (body: Attachment, hash: string): string => JSON.stringify({ ...body, hash });

/** The line without its content if it is a recording, otherwise unchanged. */
export const redactLine = (line: string): string => {
  if (!line.startsWith('{"recording":')) return line;
  const { hash, ...body } = JSON.parse(line) as Attachment & { hash: string };
  return attachmentLine(blank(body), hash);
};

/** A whole session without the content of recordings. Its signature stays valid. */
export const redactSession = (text: string): string => text.split('\n').map(redactLine).join('\n');

export type Source = string | AsyncIterable<string | Uint8Array>;

/** One line without its LF. `ended`: it had one. `tooLong`: longer than `MAX_LINE`; no further line is read. */
export interface Line {
  bytes: Buffer;
  ended: boolean;
  tooLong: boolean;
}

const LF = 0x0a;

/** Splits a text that comes in blocks into lines, as bytes: decoding would alter what is not UTF-8. Holds one line in memory. */
export async function* linesOf(source: Source): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const block of bytesOf(source)) {
    let start = 0;
    for (let end = block.indexOf(LF); ; end = block.indexOf(LF, start)) {
      const part = block.subarray(start, end === -1 ? block.length : end);
      size += part.length;
      if (size > MAX_LINE) {
        yield { bytes: Buffer.alloc(0), ended: false, tooLong: true };
        return;
      }
      // Blocks may be views of a buffer that its owner uses again.
      parts.push(end === -1 ? Buffer.from(part) : part);
      if (end === -1) break;
      yield { bytes: Buffer.concat(parts), ended: true, tooLong: false };
      parts = [];
      size = 0;
      start = end + 1;
    }
  }
  if (size > 0) yield { bytes: Buffer.concat(parts), ended: false, tooLong: false };
}

async function* bytesOf(source: Source): AsyncGenerator<Buffer> {
  if (typeof source === 'string') {
    yield Buffer.from(source);
    return;
  }
  // The two halves of a surrogate pair may come in two blocks.
  let half = '';
  for await (const block of source) {
    if (typeof block !== 'string') {
      yield Buffer.from(block.buffer, block.byteOffset, block.byteLength);
      continue;
    }
    const text = half + block;
    half = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
    yield Buffer.from(half === '' ? text : text.slice(0, -1));
  }
  if (half !== '') yield Buffer.from(half);
}
