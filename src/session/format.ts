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
  /** Of events. */
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

/** What is signed. */
export const unsignedText = (head: Omit<SessionHead, 'signature'>): string => JSON.stringify(head);

/** The records as they were before the first event; only where that is not version 1. */
export interface Base {
  project: ProjectRecord | null;
  nodes: NodeRecord[];
  links: LinkRecord[];
  drawings: DrawingRecord[];
}

const content = {
  bytes: count,
  sha256: sha,
  /** null where it was left out; `bytes` and `sha256` are those of the content all the same. */
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
/** What a line that is no event must look like, without its hash. Records are whatever the signer's version kept. */
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

/** The same with its content left out. */
const blank = (body: Attachment): Attachment => {
  if ('recording' in body) return { recording: { ...body.recording, content: null } };
  if ('file' in body) return { file: { ...body.file, content: null } };
  return body;
};

/**
 * Hash of a line that is no event: over the preceding line's hash, LF, and the line with its content null and without its hash.
 * So a copy whose content was left out afterwards has the same hashes. (An event's line hash is the SHA-256 of its bytes.)
 */
export const attachmentHash = (prev: string, body: Attachment): string =>
  sha256(`${prev}\n${JSON.stringify(blank(body))}`);

export const attachmentLine = (body: Attachment, hash: string): string => JSON.stringify({ ...body, hash });

/** Leaves out what consoles showed. Every other line stays as it is. */
export const redactLine = (line: string): string => {
  if (!line.startsWith('{"recording":')) return line;
  const { hash, ...body } = JSON.parse(line) as Attachment & { hash: string };
  return attachmentLine(blank(body), hash);
};

/** A copy of a whole session without what consoles showed. The signed head still fits it. */
export const redactSession = (text: string): string => text.split('\n').map(redactLine).join('\n');
