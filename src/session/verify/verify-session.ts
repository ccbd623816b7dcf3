import { createHash } from 'node:crypto';
import { z } from 'zod';
import { decodeEvent, eventHash, GENESIS, headText } from '../../events/encoding.ts';
import type { LogEvent } from '../../events/event.ts';
import { eventHasSecrets } from '../../events/secret-places.ts';
import {
  type Attachment,
  attachmentHash,
  attachmentLine,
  attachmentShape,
  type Line,
  linesOf,
  MAX_LINE,
  type RedactedEvent,
  redactedEventLine,
  type SessionHead,
  sessionHead,
  sha256,
  type Source,
  unsignedText,
} from '../format.ts';
import { fingerprint, verifySignature } from '../keys.ts';

export type SessionVerdict =
  | {
      ok: true;
      head: SessionHead;
      facts: number;
      recordings: number;
      files: number;
      /** Lines whose content was left out; its hash is still proved. */
      redacted: number;
      /** Events of earlier versions that have secrets. */
      secrets: number;
      /** SHA-256 of the signer's public key. */
      fingerprint: string;
    }
  | {
      ok: false;
      /** From 1. */
      line: number;
      problem: string;
    };

export interface VerifySessionOptions {
  /** Public key that must have signed it; default: the one in the file. */
  key?: string;
}

/** Ends the check with the problem of the current line. */
class Broken extends Error {}

/**
 * Checks a session file line by line and names the first broken line. Never throws for the content of the source, only if it cannot be
 * read. Holds one line in memory.
 */
export const verifySession = async (source: Source, options: VerifySessionOptions = {}): Promise<SessionVerdict> => {
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

/** An event line, with or without its data. */
interface SessionEvent {
  project_id: string | null;
  position: unknown;
  version: unknown;
  prev: string;
  hash: string;
}

class SessionCheck {
  readonly #options: VerifySessionOptions;
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
  #secrets = 0;

  constructor(options: VerifySessionOptions) {
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
    const event = redacted ? redactedEvent(text) : isSafeToParse(text) ? decodeEvent(text) : null;
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
    else if ('data' in event && eventHasSecrets(event as LogEvent)) this.#secrets++;
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
      secrets: this.#secrets,
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
  if (!isSafeToParse(text)) throw new Broken('the line holds more values than any session has');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Refused below.
  }
  throw new Broken('the line is no JSON object');
};

/** Characters of a head line, at most. */
const MAX_HEAD = 64 * 1024;

const readHead = (text: string, options: VerifySessionOptions): SessionHead => {
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

/** An event without its data. Its hash must follow from its head and the hash of the data; null: it does not. */
const redactedEvent = (text: string): SessionEvent | null => {
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

/** Whether a content has this size and hash. Text with half a surrogate pair does not survive UTF-8 and would hash as another one. */
const fits = (content: string, bytes: number, expected: string): boolean => {
  const encoded = Buffer.from(content);
  return encoded.length === bytes && sha256(encoded) === expected && encoded.toString() === content;
};

/** Nesting and number of values that no event or record reaches; with more, the parser may run out of stack or memory. */
const MAX_DEPTH = 200;
const MAX_VALUES = 4_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a JSON text can be parsed safely, by its nesting and its number of values. Does not check the grammar. */
const isSafeToParse = (text: string): boolean => {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH || ++values > MAX_VALUES) return false;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        if (++values > MAX_VALUES) return false;
        break;
      default:
    }
  }
  return true;
};

const endOfString = (text: string, start: number): number => {
  for (let i = text.indexOf('"', start); i !== -1; i = text.indexOf('"', i + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(i - 1 - backslashes) === BACKSLASH && i - 1 - backslashes >= start) backslashes++;
    if (backslashes % 2 === 0) return i;
  }
  return text.length;
};
