import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { conflict, invalid, notFound } from '../common/errors.ts';
import { streamOf, KEYS, type Store } from '../events/store/store.ts';
import { decodeEvent, GENESIS } from '../events/encoding.ts';
import type { LogEvent } from '../events/event.ts';
import { lastVersion, readTexts } from '../events/read.ts';
import type { Moments } from '../projections/past/moments.ts';
import type { NodeRecord, RecordView } from '../projections/records.ts';
import { nodeFiles, recordings } from './attachments.ts';
import {
  type Attachment,
  attachmentHash,
  attachmentLine,
  FORMAT,
  MAX_LINE,
  redactLine,
  type SessionHead,
  sha256,
  unsignedText,
} from './format.ts';
import type { SessionKey } from './keys.ts';
import { Spool } from './spool.ts';

/** What exporting needs. */
export interface ExportDeps {
  store: Store;
  moments: Pick<Moments, 'at' | 'keptAt'>;
  key: SessionKey;
  /** Of the program, for the head. */
  version: string;
  /** Directory for what is put together before it is sent. */
  spool: string;
  now?: () => Date;
}

export interface ExportOptions {
  /** First and last version of the project's stream; default: all. */
  from?: number;
  to?: number;
  /** `console`: what consoles showed is left out, its hash stays. */
  redact?: 'console';
}

/** Events read at once; between two blocks others get their turn. */
const BLOCK = 250;

/**
 * One session as a file that proves itself: see format.ts. It is put together before the promise resolves, so that a range
 * that is not there (`invalid_request`, `not_found`) or a damaged stream (`conflict`) is an error and not a torn file. Destroy the
 * stream when it is not read to its end.
 */
export const exportSession = async (
  deps: ExportDeps,
  projectId: string,
  options: ExportOptions = {},
): Promise<Readable> => {
  const range = await rangeOf(deps.store, projectId, options);
  const spool = await Spool.open(deps.spool);
  try {
    const head = await new Writer(deps, spool, options.redact === 'console').write(projectId, range);
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
  readonly #redact: boolean;
  readonly #content = createHash('sha256');
  #lineHash = GENESIS;
  #lines = 0;

  constructor(deps: ExportDeps, spool: Spool, redact: boolean) {
    this.#deps = deps;
    this.#spool = spool;
    this.#redact = redact;
  }

  async write(projectId: string, { from, to }: VersionRange): Promise<SessionHead> {
    const before = from > 1 ? await this.#recordsAt(projectId, from - 1, 'keptAt') : null;
    if (before !== null)
      await this.#attach({
        base: {
          project: before.get('project', projectId) ?? null,
          nodes: [...before.ofProject('node', projectId)],
          links: [...before.ofProject('link', projectId)],
          drawings: [...before.ofProject('drawing', projectId)],
        },
      });
    const ends = await this.#events(projectId, from, to);
    const after = await this.#recordsAt(projectId, to);
    const project = after.get('project', projectId) ?? before?.get('project', projectId);
    const projectPath = project?.path ?? ends.path;
    // That of a deleted project in the directory of files is gone with it.
    if (projectPath !== null && path.isAbsolute(projectPath))
      await this.#attachFiles(projectPath, after.ofProject('node', projectId));
    return this.#head({
      project_id: projectId,
      name: project?.name ?? ends.name ?? '',
      from,
      to,
      first_prev: ends.first_prev,
      last_hash: ends.last_hash,
    });
  }

  async #attachFiles(projectPath: string, nodes: readonly NodeRecord[]): Promise<void> {
    for await (const recording of recordings(projectPath)) await this.#attach({ recording });
    for (const { node_id, node_directory } of nodes)
      if (node_directory !== null)
        for await (const file of nodeFiles(projectPath, node_id, node_directory)) await this.#attach({ file });
  }

  async #recordsAt(projectId: string, version: number, how: 'at' | 'keptAt' = 'at'): Promise<RecordView> {
    const position = await this.#deps.store.get(KEYS.stream(streamOf(projectId), version));
    if (position === undefined) throw damaged(version);
    return this.#deps.moments[how](projectId, Number(position));
  }

  async #events(projectId: string, from: number, to: number): Promise<Ends> {
    const ends: Ends = { first_prev: GENESIS, last_hash: GENESIS, name: null, path: null };
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
        await this.#line(text, sha256(text));
        version++;
      }
    }
    return ends;
  }

  async #attach(body: Attachment): Promise<void> {
    const hash = attachmentHash(this.#lineHash, body);
    const line = attachmentLine(body, hash);
    await this.#line(this.#redact ? redactLine(line) : line, hash);
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

/** What the events tell of the stream's ends, and of a project that no longer has a record. */
interface Ends {
  first_prev: string;
  last_hash: string;
  name: string | null;
  path: string | null;
}

const nameIn = (event: LogEvent, ends: Ends): void => {
  if (event.type !== 'project.created' && event.type !== 'project.replaced') return;
  const { name, path: directory } = event.data as Record<string, unknown>;
  if (typeof name === 'string') ends.name = name;
  if (typeof directory === 'string') ends.path = directory;
};

const damaged = (version: number): Error =>
  conflict(`the log is damaged at version ${version} of the project; topolog verify tells more`);
