import { createHash } from 'node:crypto';
import { z } from 'zod';
import { eventHash, decodeEvent, GENESIS, headText } from '../../events/encoding.ts';
import {
  type Attachment,
  attachmentHash,
  attachmentLine,
  attachmentShape,
  MAX_LINE,
  type RedactedEvent,
  redactedEventLine,
  type SessionHead,
  sessionHead,
  sha256,
  unsignedText,
} from '../format.ts';
import { isHarmless } from '../hostile.ts';
import { fingerprint, verifySignature } from '../keys.ts';
import { type Line, linesOf, type Source } from '../lines.ts';

export type SessionVerdict =
  | {
      ok: true;
      head: SessionHead;
      facts: number;
      recordings: number;
      files: number;
      /** Lines whose content was left out; what it was is proved by its hash. */
      redacted: number;
      /** SHA-256 of the signer's public key. */
      fingerprint: string;
    }
  | {
      ok: false;
      /** From 1. */
      line: number;
      problem: string;
    };

export interface VerifyOptions {
  /** Public key that must have signed it; default: whichever is in the file. */
  key?: string;
}

/** The first thing that does not fit, in words. */
class Broken extends Error {}

/**
 * Checks a session file line by line and names the first broken line. Never throws for what the source contains; only for a source
 * that cannot be read. Holds one line in memory.
 */
export const verifySession = async (source: Source, options: VerifyOptions = {}): Promise<SessionVerdict> => {
  const check = new SessionCheck(options);
  let line = 0;
  const lines = linesOf(source);
  try {
    for await (const next of lines) {
      line++;
      check.line(next);
    }
    line++;
    return check.end();
  } catch (error) {
    if (error instanceof Broken) return { ok: false, line, problem: error.message };
    throw error;
  }
};

/** What an event and one without its data have in common. */
interface Link {
  project_id: string | null;
  position: unknown;
  version: unknown;
  prev: string;
  hash: string;
}

class SessionCheck {
  readonly #options: VerifyOptions;
  readonly #content = createHash('sha256');
  #head: SessionHead | null = null;
  #lineHash = GENESIS;
  #lines = 0;
  #events = 0;
  #position = 0;
  #prev = '';
  #recordings = 0;
  #files = 0;
  #redacted = 0;

  constructor(options: VerifyOptions) {
    this.#options = options;
  }

  line(line: Line): void {
    const text = textOf(line);
    if (this.#head === null) this.#head = readHead(text, this.#options);
    else this.#contentLine(this.#head, text, line);
  }

  #contentLine(head: SessionHead, text: string, line: Line): void {
    if (this.#lines === head.lines) throw new Broken(`the session has ended; its head counts ${head.lines} lines`);
    if (this.#lines === 0 && head.from > 1) this.#base(text);
    else if (this.#events < head.facts) this.#event(head, text, line);
    else this.#attachment(text);
    this.#content.update(`${this.#lineHash}\n`);
    this.#lines++;
    if (this.#lines === head.lines && this.#content.copy().digest('hex') !== head.content)
      throw new Broken('the lines up to here are not those that the head was signed for');
  }

  #base(text: string): void {
    const body = this.#attached(text);
    if (!('base' in body)) throw new Broken('the records before the first event are expected here');
  }

  #attachment(text: string): void {
    const body = this.#attached(text);
    if ('base' in body) throw new Broken('records before the first event have no place here');
    if ('recording' in body) this.#recordings++;
    else this.#files++;
    const { content, bytes, sha256: expected } = 'recording' in body ? body.recording : body.file;
    if (content === null) this.#redacted++;
    else if (!fits(content, bytes, expected)) throw new Broken('the content does not fit its hash and size');
  }

  #attached(text: string): Attachment {
    const { hash, ...body } = parse(text) as Attachment & { hash: unknown };
    if (typeof hash !== 'string' || Object.keys(body).length !== 1 || !attachmentShape.safeParse(body).success)
      throw new Broken('this is no line of a session');
    if (attachmentLine(body, hash) !== text) throw new Broken('the line is not written as it was exported');
    this.#lineHash = attachmentHash(this.#lineHash, body);
    if (hash !== this.#lineHash) throw new Broken('its hash does not follow from its content and the line before it');
    return body;
  }

  #event(head: SessionHead, text: string, line: Line): void {
    const redacted = text.startsWith('{"redacted_fact":');
    const event = redacted ? redactedLink(text) : isHarmless(text) ? decodeEvent(text) : null;
    if (event === null) throw new Broken('this is no whole event: its content does not fit its hash');
    const version = head.from + this.#events;
    if (event.project_id !== head.project_id) throw new Broken('it belongs to another project');
    if (event.version !== version)
      throw new Broken(`version ${version} is expected here, this is version ${String(event.version)}`);
    if (event.prev !== (this.#events === 0 ? head.first_prev : this.#prev))
      throw new Broken(`it does not follow version ${version - 1}: its previous hash is another`);
    if (typeof event.position !== 'number' || event.position <= this.#position)
      throw new Broken('its position is not after that of the event before it');
    if (version === head.to && event.hash !== head.last_hash)
      throw new Broken('the head was signed for another last event');
    this.#position = event.position;
    this.#prev = event.hash;
    this.#lineHash = sha256(line.bytes);
    this.#events++;
    if (redacted) this.#redacted++;
  }

  end(): SessionVerdict {
    const head = this.#head;
    if (head === null) throw new Broken('there is no line at all');
    if (this.#lines < head.lines)
      throw new Broken(`the session ends before this line; its head counts ${head.lines + 1} lines with itself`);
    return {
      ok: true,
      head,
      facts: this.#events,
      recordings: this.#recordings,
      files: this.#files,
      redacted: this.#redacted,
      fingerprint: fingerprint(head.public_key),
    };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const textOf = (line: Line): string => {
  if (line.tooLong) throw new Broken(`the line is longer than ${MAX_LINE} bytes`);
  if (!line.ended) throw new Broken('the line is not ended by a line feed: the end is missing');
  if (line.bytes.length === 0) throw new Broken('the line is empty');
  if (line.bytes.at(-1) === 0x0d) throw new Broken('the line ends with CR LF instead of LF');
  try {
    return utf8.decode(line.bytes);
  } catch {
    throw new Broken('the line is not UTF-8');
  }
};

const parse = (text: string): object => {
  if (!isHarmless(text)) throw new Broken('the line holds more values than any session has');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Falls through: said below.
  }
  throw new Broken('the line is no JSON object');
};

/** Characters. */
const MAX_HEAD = 64 * 1024;

const readHead = (text: string, options: VerifyOptions): SessionHead => {
  if (text.length > MAX_HEAD) throw new Broken('the line is too long for the head of a session');
  const parsed = sessionHead.safeParse(parse(text));
  if (!parsed.success) throw new Broken(`this is no head of a session: ${z.prettifyError(parsed.error).slice(0, 500)}`);
  const head = parsed.data;
  if (JSON.stringify(head) !== text) throw new Broken('the head is not written as it was signed');
  const { signature, ...unsigned } = head;
  if (!verifySignature(head.public_key, unsignedText(unsigned), signature))
    throw new Broken('the signature does not fit the head');
  if (options.key !== undefined && options.key !== head.public_key)
    throw new Broken(`it was signed with another key: ${head.public_key}`);
  if (head.facts !== head.to - head.from + 1 || head.lines < head.facts + (head.from > 1 ? 1 : 0))
    throw new Broken('its counts do not fit each other');
  if (head.from === 1 && head.first_prev !== GENESIS) throw new Broken('the first event of a stream follows nothing');
  return head;
};

const HEX = /^[0-9a-f]{64}$/;

/** An event without data: its hash still follows from its head and its data's hash. null: it does not. */
const redactedLink = (text: string): Link | null => {
  const { redacted_fact: event } = parse(text) as { redacted_fact: RedactedEvent };
  try {
    if (![event.data_sha256, event.prev, event.hash].every((hash) => HEX.test(hash))) return null;
    if (redactedEventLine(event) !== text) return null;
    if (eventHash(event.prev, headText(event.head), event.data_sha256) !== event.hash) return null;
    return { ...event.head, prev: event.prev, hash: event.hash };
  } catch {
    // Parts are missing.
    return null;
  }
};

/** Text that does not come back from UTF-8 as it was holds half a surrogate pair, which would hash as something else. */
const fits = (content: string, bytes: number, expected: string): boolean => {
  const encoded = Buffer.from(content);
  return encoded.length === bytes && sha256(encoded) === expected && encoded.toString() === content;
};
