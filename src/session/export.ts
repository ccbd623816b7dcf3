import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { conflict, invalid, notFound } from '../common/errors.ts';
import type { LabSecrets } from '../common/lab-secrets/store.ts';
import { decodeEvent, encodeData, GENESIS } from '../events/encoding.ts';
import type { LogEvent } from '../events/event.ts';
import { lastVersion, readTexts } from '../events/read.ts';
import { eventHasSecrets, recordWithoutSecrets } from '../events/secret-places.ts';
import { KEYS, type Store, streamOf } from '../events/store/store.ts';
import type { Moments } from '../projections/past/moments.ts';
import type { NodeRecord, RecordView } from '../projections/records.ts';
import {
  type Attachment,
  attachmentHash,
  attachmentLine,
  FORMAT,
  MAX_LINE,
  type Recording,
  redactedEventLine,
  redactLine,
  type SessionFile,
  type SessionHead,
  sha256,
  unsignedText,
} from './format.ts';
import type { SessionKey } from './keys.ts';
import { Spool } from './spool.ts';

export interface ExportDeps {
  store: Store;
  moments: Pick<Moments, 'at' | 'storedAt'>;
  key: SessionKey;
  secrets: LabSecrets;
  /** Topolog's, for the head. */
  version: string;
  /** Directory of the temporary file in which the session is put together before it is sent. */
  spool: string;
  now?: () => Date;
}

export interface ExportOptions {
  /** First and last version of the project's stream; default: all. */
  from?: number;
  to?: number;
  /** Leaves out contents, whose hashes stay: of console recordings; and data of events of earlier versions that has secrets. */
  redact?: 'console' | 'secrets' | 'console,secrets';
}

/** Events read at once. */
const BLOCK = 250;

/**
 * A signed session file (format.ts). It is put together before the promise resolves, so that a missing range (`invalid_request`,
 * `not_found`) or a damaged stream (`conflict`) is an error and not a torn file. Destroy the stream when it is not read to its end.
 */
export const exportSession = async (
  deps: ExportDeps,
  projectId: string,
  options: ExportOptions = {},
): Promise<Readable> => {
  const range = await rangeOf(deps.store, projectId, options);
  const spool = await Spool.open(deps.spool);
  try {
    const head = await new Writer(deps, spool, options.redact ?? '').write(projectId, range);
    return await spool.read(`${JSON.stringify(head)}\n`);
  } catch (error) {
    await spool.close();
    throw error;
  }
};

interface VersionRange {
  from: number;
  to: number;
}

const rangeOf = async (store: Store, projectId: string, options: ExportOptions): Promise<VersionRange> => {
  const last = await lastVersion(store, projectId);
  if (last === 0) throw notFound('Project', projectId);
  const { from = 1, to = last } = options;
  if (from < 1 || from > last)
    throw invalid(`from must be a version from 1 to ${last}, not ${from}`, { field: 'from' });
  if (to < from || to > last) throw invalid(`to must be a version from ${from} to ${last}, not ${to}`, { field: 'to' });
  return { from, to };
};

class Writer {
  readonly #deps: ExportDeps;
  readonly #spool: Spool;
  readonly #redact: string;
  readonly #content = createHash('sha256');
  #lineHash = GENESIS;
  #lines = 0;

  constructor(deps: ExportDeps, spool: Spool, redact: string) {
    this.#deps = deps;
    this.#spool = spool;
    this.#redact = redact;
  }

  async write(projectId: string, { from, to }: VersionRange): Promise<SessionHead> {
    const before = from > 1 ? await this.#recordsAt(projectId, from - 1, 'storedAt') : null;
    if (before !== null)
      await this.#attach({
        base: {
          project: this.#recorded(before.get('project', projectId)) ?? null,
          nodes: before.ofProject('node', projectId).map((node) => this.#recorded(node)),
          links: [...before.ofProject('link', projectId)],
          drawings: [...before.ofProject('drawing', projectId)],
        },
      });
    const ends = await this.#events(projectId, from, to);
    const after = await this.#recordsAt(projectId, to);
    const project = after.get('project', projectId) ?? before?.get('project', projectId);
    const projectPath = project?.path ?? ends.path;
    // Events name a directory inside the directory of files by a relative path; a deleted project's was deleted with it.
    if (projectPath !== null && path.isAbsolute(projectPath))
      await this.#attachFiles(projectId, projectPath, after.ofProject('node', projectId));
    return this.#head({
      project_id: projectId,
      name: project?.name ?? ends.name ?? '',
      from,
      to,
      first_prev: ends.first_prev,
      last_hash: ends.last_hash,
    });
  }

  /** Files have `***` in the place of secrets, and recordings that show one have no content. */
  async #attachFiles(projectId: string, projectPath: string, nodes: readonly NodeRecord[]): Promise<void> {
    const { secrets } = this.#deps;
    for await (const recording of recordings(projectPath)) {
      const { content } = recording;
      const isOpen = content === null || secrets.untold(projectId, content) === content;
      await this.#attach({ recording }, !isOpen);
    }
    for (const { node_id, node_directory } of nodes)
      if (node_directory !== null)
        for await (const file of nodeFiles(projectPath, node_id, node_directory, (text) =>
          secrets.shown(projectId, text),
        ))
          await this.#attach({ file });
  }

  #leavesOut(what: 'console' | 'secrets'): boolean {
    return this.#redact.split(',').includes(what);
  }

  #recorded<R extends object | undefined>(record: R): R {
    return record === undefined || !this.#leavesOut('secrets') ? record : recordWithoutSecrets(record);
  }

  async #recordsAt(projectId: string, version: number, how: 'at' | 'storedAt' = 'at'): Promise<RecordView> {
    const position = await this.#deps.store.get(KEYS.stream(streamOf(projectId), version));
    if (position === undefined) throw damaged(version);
    return this.#deps.moments[how](projectId, Number(position));
  }

  async #events(projectId: string, from: number, to: number): Promise<StreamEnds> {
    const ends: StreamEnds = { first_prev: GENESIS, last_hash: GENESIS, name: null, path: null };
    let version = from;
    while (version <= to) {
      const texts = await readTexts(this.#deps.store, projectId, {
        from: version,
        limit: Math.min(BLOCK, to - version + 1),
      });
      if (texts.length === 0) throw damaged(version);
      for (const text of texts) {
        const event = decodeEvent(text);
        const follows = event?.version === version && (version === from || event.prev === ends.last_hash);
        if (event === null || !follows) throw damaged(version);
        if (version === from) ends.first_prev = event.prev;
        ends.last_hash = event.hash;
        nameIn(event, ends);
        const line = this.#leavesOut('secrets') && eventHasSecrets(event) ? withoutData(event) : text;
        await this.#line(line, sha256(line));
        version++;
      }
    }
    return ends;
  }

  async #attach(body: Attachment, isSecret = false): Promise<void> {
    const hash = attachmentHash(this.#lineHash, body);
    const line = attachmentLine(body, hash);
    await this.#line(isSecret || this.#leavesOut('console') ? redactLine(line) : line, hash);
  }

  async #line(line: string, hash: string): Promise<void> {
    this.#lines++;
    if (line.length > MAX_LINE / 4 && Buffer.byteLength(line) > MAX_LINE)
      throw conflict(`line ${this.#lines + 1} of the session would be longer than ${MAX_LINE} bytes`);
    this.#lineHash = hash;
    this.#content.update(`${hash}\n`);
    await this.#spool.write(`${line}\n`);
  }

  #head(of: Pick<SessionHead, 'project_id' | 'name' | 'from' | 'to' | 'first_prev' | 'last_hash'>): SessionHead {
    const { key, version, now = () => new Date() } = this.#deps;
    const unsigned: Omit<SessionHead, 'signature'> = {
      format: FORMAT,
      v: 1,
      ...of,
      facts: of.to - of.from + 1,
      lines: this.#lines,
      content: this.#content.digest('hex'),
      exported_at: now().toISOString(),
      exported_by: { version },
      public_key: key.publicKey,
    };
    return { ...unsigned, signature: key.sign(unsignedText(unsigned)) };
  }
}

const withoutData = ({ data, prev, hash, ...head }: LogEvent): string =>
  redactedEventLine({ head, data_sha256: encodeData(data).sha256, prev, hash });

/** Hashes at the two ends of the exported range, and name and path by its events, for a project that no longer has a record. */
interface StreamEnds {
  first_prev: string;
  last_hash: string;
  name: string | null;
  path: string | null;
}

const nameIn = (event: LogEvent, ends: StreamEnds): void => {
  if (event.type !== 'project.created' && event.type !== 'project.replaced') return;
  const { name, path: directory } = event.data as Record<string, unknown>;
  if (typeof name === 'string') ends.name = name;
  if (typeof directory === 'string') ends.path = directory;
};

const damaged = (version: number): Error =>
  conflict(`the log is damaged at version ${version} of the project; topolog verify tells more`);

/** Bytes of a node's file at most. */
const MAX_FILE = 64 * 1024;
/** Bytes of a recording in one line, at most. */
const PART = 4 * 1024 * 1024;
/** Levels of directories inside a node's directory that are read. */
const MAX_DEPTH = 4;

/** Directory of a project's console recordings; it has one directory per node. */
const recordingsOf = (projectPath: string): string => path.join(projectPath, 'project-files', 'recordings');

/** Whether a directory really is below the project's: its path may contain a symbolic link to anywhere. */
const isInside = async (projectPath: string, directory: string): Promise<boolean> => {
  try {
    return (await realpath(directory)).startsWith(`${await realpath(projectPath)}${path.sep}`);
  } catch {
    return false;
  }
};

/** Entries of a directory by name; none when it cannot be read. */
const listed = async (directory: string) => {
  const found = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** Opens a regular file; null for links, pipes and what is gone. */
const openRegular = async (file: string): Promise<FileHandle | null> => {
  try {
    // Neither follow a link out of the project nor wait for the writer of a pipe.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch {
    // A missing or unreadable file is left out of the session.
  }
  return null;
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const decoded = (bytes: Buffer): string | null => {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
};

/** Console recordings of a project, in parts. A part that is not UTF-8 has its hash and no content. */
async function* recordings(projectPath: string): AsyncGenerator<Recording> {
  const root = recordingsOf(projectPath);
  if (!(await isInside(projectPath, root))) return;
  for (const node of await listed(root)) {
    if (!node.isDirectory()) continue;
    for (const { name } of await listed(path.join(root, node.name)))
      if (name.endsWith('.cast')) yield* recordingParts(node.name, name, path.join(root, node.name, name));
  }
}

async function* recordingParts(node_id: string, name: string, file: string): AsyncGenerator<Recording> {
  const handle = await openRegular(file);
  if (handle === null) return;
  try {
    // A recording may still grow; the session has it as it is now.
    const { size } = await handle.stat();
    let offset = 0;
    do {
      const bytes = await readPart(handle, offset, Math.min(PART, size - offset));
      if (bytes.length === 0 && offset > 0) return;
      yield { node_id, name, offset, bytes: bytes.length, sha256: sha256(bytes), content: decoded(bytes) };
      offset += bytes.length;
    } while (offset < size);
  } finally {
    await handle.close();
  }
}

/** Reads one part. It ends after a line, or between two characters where a single line is longer. */
const readPart = async (handle: FileHandle, offset: number, wanted: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(wanted);
  const { bytesRead } = await handle.read(buffer, 0, wanted, offset);
  const bytes = buffer.subarray(0, bytesRead);
  if (bytesRead < PART) return bytes;
  const line = bytes.lastIndexOf(0x0a) + 1;
  return bytes.subarray(0, line > 0 ? line : characterEnd(bytes));
};

/** Offset of the last character, which may be incomplete. */
const characterEnd = (bytes: Buffer): number => {
  let end = bytes.length - 1;
  // Continuation bytes of UTF-8 are 10xxxxxx; a character has at most three.
  while (end > bytes.length - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
};

/** Small text files of a node's directory. Links are not followed. */
async function* nodeFiles(
  projectPath: string,
  node_id: string,
  directory: string,
  shown: (text: string) => string,
): AsyncGenerator<SessionFile> {
  if (!(await isInside(projectPath, directory))) return;
  for await (const name of filesIn(directory, '', 0)) {
    const found = await smallText(path.join(directory, name));
    if (found === null) continue;
    const content = shown(found);
    yield { node_id, path: name, bytes: Buffer.byteLength(content), sha256: sha256(content), content };
  }
}

async function* filesIn(directory: string, inside: string, depth: number): AsyncGenerator<string> {
  for (const entry of await listed(path.join(directory, inside))) {
    const name = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory() && depth < MAX_DEPTH) yield* filesIn(directory, name, depth + 1);
    if (entry.isFile()) yield name;
  }
}

const smallText = async (file: string): Promise<string | null> => {
  const handle = await openRegular(file);
  if (handle === null) return null;
  try {
    const buffer = Buffer.alloc(MAX_FILE + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    return bytesRead > MAX_FILE || bytes.includes(0) ? null : decoded(bytes);
  } finally {
    await handle.close();
  }
};
