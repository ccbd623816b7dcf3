import { createReadStream } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { BOUNDS, boundedJson } from '../common/json.ts';
import { notFound } from '../common/errors.ts';
import { isBag } from './fields/json.ts';

/** Recorded consoles of a project: one asciicast v3 file per run of a node (docs/reference/recordings.md). */

export interface RecordingFile {
  /** Bare file name: UTC time of its start, and `.cast`. */
  name: string;
  bytes: number;
  /** ISO time with milliseconds. */
  started_at: string;
  /** Duration up to the last event. */
  seconds: number;
}

export const recordingsDirectory = (projectPath: string, nodeId: string): string =>
  path.join(projectPath, 'project-files', 'recordings', nodeId);

/** `20261121T122700.123Z.cast` */
export const recordingName = (time: number): string => `${new Date(time).toISOString().replace(/[-:]/g, '')}.cast`;

/** Maximum size in octets of a recording to search; larger ones are not typed by people. */
const MOST_SHOWN = 4 << 20;
/** Measured files that are kept. */
const MOST_KEPT = 2000;

/** Reads recordings. */
export class Recordings {
  /** By path, size and time of change. */
  readonly #measured = new Map<string, RecordingFile>();

  /** Recordings of a node, oldest first. Other files are left out. */
  async list(projectPath: string, nodeId: string): Promise<RecordingFile[]> {
    const directory = recordingsDirectory(projectPath, nodeId);
    const names = await readdir(directory).catch(() => []);
    const found: RecordingFile[] = [];
    // Read sequentially, as there may be many.
    for (const name of names.filter((n) => n.endsWith('.cast')).sort()) {
      const file = path.join(directory, name);
      const recording = (await isOwn(projectPath, nodeId, name)) ? await this.#measure(file, name) : null;
      if (recording !== null) found.push(recording);
    }
    return found;
  }

  /** Content of a recording so far, in whole lines. Throws `not_found`. */
  async open(projectPath: string, nodeId: string, name: string): Promise<Readable> {
    if (name !== path.basename(name) || !name.endsWith('.cast') || !(await isOwn(projectPath, nodeId, name)))
      throw notFound('Recording', name);
    const file = path.join(recordingsDirectory(projectPath, nodeId), name);
    const end = await endOfLines(file);
    return end === 0 ? Readable.from([]) : createReadStream(file, { end: end - 1 });
  }

  /**
   * Lines shown by a node in its last recording that began before a moment, up to that moment; milliseconds since 1970.
   */
  async shownLines(projectPath: string, nodeId: string, until = Infinity): Promise<{ at: number; line: string }[]> {
    const all = await this.list(projectPath, nodeId);
    const last = all.findLast(({ started_at }) => Date.parse(started_at) <= until);
    if (last === undefined || last.bytes > MOST_SHOWN) return [];
    const lines: { at: number; line: string }[] = [];
    let [at, begin] = [Date.parse(last.started_at), ''];
    for await (const text of createInterface({ input: await this.open(projectPath, nodeId, last.name) })) {
      const [interval, code, shown] = eventOf(text);
      at += Math.round(interval * 1000);
      if (at > until) break;
      if (code !== 'o') continue;
      const pieces = (begin + shown).split('\n');
      begin = pieces.pop() ?? '';
      for (const line of pieces) lines.push({ at, line });
    }
    return [...lines, { at, line: begin }];
  }

  async #measure(file: string, name: string): Promise<RecordingFile | null> {
    try {
      const { size: bytes, mtimeMs } = await lstat(file);
      const key = `${file} ${bytes} ${mtimeMs}`;
      const known = this.#measured.get(key);
      if (known !== undefined) return known;
      const times = await readTimes(file);
      if (times === null) return null;
      const recording = { name, bytes, ...times };
      if (this.#measured.size >= MOST_KEPT) this.#measured.clear();
      this.#measured.set(key, recording);
      return recording;
    } catch {
      // Deleted meanwhile, or not readable.
      return null;
    }
  }
}

/** The header is not an array. */
const eventOf = (text: string): [interval: number, code: string, shown: string] => {
  const event = boundedJson(text, BOUNDS.besideIt);
  if (!Array.isArray(event)) return [0, '', ''];
  const [interval, code, shown] = event as unknown[];
  return [Number(interval), String(code), String(shown)];
};

/** Whether it is a regular file in the directory of recordings; a link could lead to any file. */
const isOwn = async (projectPath: string, nodeId: string, name: string): Promise<boolean> => {
  try {
    const expected = path.join(recordingsDirectory(await realpath(projectPath), nodeId), name);
    return (await realpath(expected)) === expected && (await lstat(expected)).isFile();
  } catch {
    return false;
  }
};

const BLOCK = 64 * 1024;

/** Bytes up to the end of the last complete line: the next one is being written, or was torn by a crash. */
const endOfLines = async (file: string): Promise<number> => {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(BLOCK);
    for (let { size: to } = await handle.stat(); to > 0; to = Math.max(0, to - BLOCK)) {
      const from = Math.max(0, to - BLOCK);
      const { bytesRead } = await handle.read(buffer, 0, to - from, from);
      const last = buffer.subarray(0, bytesRead).lastIndexOf(0x0a);
      if (last >= 0) return from + last + 1;
    }
    return 0;
  } finally {
    await handle.close();
  }
};

/** Interval of an event; a torn one at the end has no closing bracket. */
const INTERVAL = /^\s*\[\s*(\d+(?:\.\d+)?)\s*,.*\]\s*$/s;

const readTimes = async (file: string): Promise<{ started_at: string; seconds: number } | null> => {
  const input = createReadStream(file);
  try {
    let started: string | null = null;
    let milliseconds = 0;
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (started === null) {
        started = startOf(line);
        if (started === null) return null;
      } else milliseconds += Math.round(Number(INTERVAL.exec(line)?.[1] ?? 0) * 1000);
    }
    return started === null ? null : { started_at: started, seconds: milliseconds / 1000 };
  } finally {
    input.destroy();
  }
};

/** Start time with milliseconds, which the format's own `timestamp` lacks. */
const startOf = (header: string): string | null => {
  try {
    const { version, timestamp, topolog } = boundedJson(header, BOUNDS.besideIt) as Record<string, unknown>;
    if (version !== 3) return null;
    if (isBag(topolog) && typeof topolog.started_at === 'string') return topolog.started_at;
    return typeof timestamp === 'number' ? new Date(timestamp * 1000).toISOString() : null;
  } catch {
    return null;
  }
};
