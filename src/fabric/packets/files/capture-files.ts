import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { confined } from '../../../common/file.ts';
import { invalid, messageOf, notFound, TopologError } from '../../../common/errors.ts';
import { dissect } from '../fields/dissect.ts';
import { type ShownField, treeOf } from '../fields/tree.ts';
import { FilterError } from '../filter/filter.ts';
import type { CapturedFrame, PacketSummary } from '../packet.ts';
import { summarise } from '../summary.ts';
import { CaptureIndex } from './capture-index.ts';
import {
  type Conversation,
  type ConversationLayer,
  Conversations,
  type End,
  endsOf,
  filterOf,
  StreamFollower,
  type StreamPart,
} from './conversations.ts';
import { select } from './select.ts';
import type { DecodedBy, Selection } from './selection.ts';
import { readPdml, Tshark } from './tshark.ts';

/** Time spent on a large file in one call; the next call continues. Milliseconds. */
const PATIENCE_MS = 200;
const MOST_INDICES = 64;
const MOST_SELECTIONS = 64;
/** Frames of a conversation that are followed. */
const MOST_FOLLOWED = 20_000;
/** Longest time of a frame between two captures. Seconds. */
const TRANSIT_S = 5;

export type ListedPacket = PacketSummary & Pick<CapturedFrame, 'number' | 'time' | 'length'>;

/** How much of a capture has been scanned. */
export interface Progress {
  /** Frames found in the file so far. */
  total: number;
  /** Frames checked by the filter. */
  scanned: number;
  /** Every frame of the file was checked. */
  complete: boolean;
  decoded_by: DecodedBy;
}

interface Opened {
  index: CaptureIndex;
  selection: Selection;
  conversations: Map<ConversationLayer, Conversations>;
}

/** Reads, filters and decodes the capture files of projects. */
export class CaptureFiles {
  readonly #tshark = new Tshark();
  readonly #indices = new Map<string, CaptureIndex>();
  readonly #opened = new Map<string, { generation: number; opened: Opened }>();

  /** Newest first. */
  async list(projectPath: string): Promise<{ file_name: string; bytes: number; modified_at: string }[]> {
    const root = folderOf(projectPath);
    const names = await readdir(root).catch(() => []);
    const files = await Promise.all(
      names.filter(isName).map(async (file_name) => {
        const file = await confined(projectPath, path.join(root, file_name));
        const found = file === null ? null : await stat(file).catch(() => null);
        if (found?.isFile() !== true) return [];
        return [{ file_name, bytes: found.size, modified_at: found.mtime.toISOString() }];
      }),
    );
    return files.flat().toSorted((a, b) => b.modified_at.localeCompare(a.modified_at));
  }

  async page(
    at: CaptureAt,
    { filter, from, count }: { filter: string; from: number; count: number },
  ): Promise<Progress & { found: number; packets: ListedPacket[] }> {
    const opened = await this.#open(at, filter);
    const { index, selection } = opened;
    const numbers =
      selection.numbers?.slice(from, from + count) ??
      Array.from({ length: Math.max(0, Math.min(count, index.count - from)) }, (_, n) => from + n + 1);
    const frames = await index.read(numbers);
    const found = selection.numbers?.length ?? index.count;
    return { ...progressOf(opened), found, packets: frames.map((frame) => lineOf(index.linkType, frame)) };
  }

  /** Number of matching frames, and time of the last one in seconds since 1970. */
  async count(at: CaptureAt, filter: string): Promise<{ found: number; last: number | null; complete: boolean }> {
    const { found, complete } = await this.page(at, { filter, from: 0, count: 0 });
    const { packets } = await this.page(at, { filter, from: Math.max(0, found - 1), count: 1 });
    return { found, complete, last: packets.at(-1)?.time ?? null };
  }

  /** One frame with all its fields. */
  async packet(at: CaptureAt, number: number, wanted?: DecodedBy): Promise<DecodedPacket> {
    const { index, frame } = await this.#frame(at, number);
    const fields = dissect(index.linkType, frame);
    const ends = endsOf(fields, frame.bytes, 'transport') ?? endsOf(fields, frame.bytes, 'ip');
    const own = { decoded_by: 'topolog' as const, fields: treeOf(fields, frame.bytes) };
    const isThere = await this.#tshark.isThere();
    const decoders: DecodedBy[] = isThere ? ['topolog', 'tshark'] : ['topolog'];
    const shown = wanted === 'tshark' && isThere ? await byTshark(this.#tshark, index.linkType, frame) : own;
    return {
      ...lineOf(index.linkType, frame),
      ...shown,
      decoders,
      bytes: Buffer.from(frame.bytes).toString('base64'),
      conversation: ends === null ? null : filterOf(ends.protocol, [ends.from, ends.to]),
      followed: ends?.protocol === 'udp' || ends?.protocol === 'tcp',
    };
  }

  async conversations(
    at: CaptureAt,
    { filter, layer }: { filter: string; layer: ConversationLayer },
  ): Promise<Progress & { conversations: Conversation[]; more: number }> {
    const opened = await this.#open(at, filter);
    const counted = opened.conversations.get(layer) ?? new Conversations(opened.index, opened.selection, layer);
    opened.conversations.set(layer, counted);
    await counted.grow(PATIENCE_MS);
    const progress = progressOf(opened);
    const complete = progress.complete && counted.scanned >= progress.total;
    return { ...progress, scanned: counted.scanned, complete, conversations: counted.list, more: counted.more };
  }

  /** Data of both ends of a frame's conversation. */
  async follow(
    at: CaptureAt,
    number: number,
  ): Promise<Progress & { filter: string; ends: [End, End]; parts: StreamPart[]; cut: boolean }> {
    const { index, frame } = await this.#frame(at, number);
    const ends = endsOf(dissect(index.linkType, frame), frame.bytes, 'transport');
    if (ends === null) throw invalid(`frame ${number} is of no conversation of UDP or TCP`, { field: 'number' });
    const filter = filterOf(ends.protocol, [ends.from, ends.to]);
    const opened = await this.#open(at, filter);
    const numbers = opened.selection.numbers ?? [];
    const frames = await index.read(numbers.slice(0, MOST_FOLLOWED));
    // The first end is the one that sent first.
    const first = frames[0] ?? frame;
    const begun = endsOf(dissect(index.linkType, first), first.bytes, 'transport') ?? ends;
    const following = new StreamFollower(index.linkType, [begun.from, begun.to]);
    for (const one of frames) following.take(one);
    const cut = following.isCut || numbers.length > MOST_FOLLOWED;
    return { ...progressOf(opened), filter, ends: [begun.from, begun.to], parts: following.parts, cut };
  }

  /** Captures that have the same frame, in order of time; the first is not always the one at its origin. */
  async journey(
    at: CaptureAt,
    number: number,
    others: readonly CaptureAt[],
  ): Promise<{ at: CaptureAt; frame: CapturedFrame }[]> {
    const { index, frame } = await this.#frame(at, number);
    const fingerprint = fingerprintOf(index.linkType, frame);
    const met = await Promise.all(
      others
        .filter(({ name }) => name !== at.name)
        .map(async (other) => ({
          at: other,
          frame: await this.#findNearest(other, frame.time, fingerprint).catch(() => null),
        })),
    );
    const all = met.flatMap(({ at: where, frame: there }) => (there === null ? [] : [{ at: where, frame: there }]));
    return [...all, { at, frame }].toSorted((a, b) => a.frame.time - b.frame.time);
  }

  /** The frame with a fingerprint that is nearest to a time. */
  async #findNearest(at: CaptureAt, time: number, fingerprint: string): Promise<CapturedFrame | null> {
    const { index } = await this.#open(at, '');
    let best: CapturedFrame | null = null;
    for await (const frames of index.from(index.before(time - TRANSIT_S))) {
      for (const frame of frames) {
        if (frame.time > time + TRANSIT_S) return best;
        const isNearer = best === null || Math.abs(frame.time - time) < Math.abs(best.time - time);
        const isNear = frame.time >= time - TRANSIT_S && isNearer;
        if (isNear && fingerprintOf(index.linkType, frame) === fingerprint) best = frame;
      }
    }
    return best;
  }

  /** Matching frames of all captures, in order of time. */
  async search(
    projectPath: string,
    { filter, count }: { filter: string; count: number },
  ): Promise<Progress & { found: number; captures: number; packets: (ListedPacket & { capture: string })[] }> {
    const sum = { total: 0, scanned: 0, complete: true, decoded_by: 'topolog' as DecodedBy, found: 0, captures: 0 };
    const packets: (ListedPacket & { capture: string })[] = [];
    for (const { file_name: name } of await this.list(projectPath)) {
      const page = await this.page({ projectPath, name }, { filter, from: 0, count }).catch(unlessUnreadable);
      if (page === null) continue;
      sum.captures++;
      sum.total += page.total;
      sum.scanned += page.scanned;
      sum.complete &&= page.complete;
      sum.found += page.found;
      sum.decoded_by = page.decoded_by;
      packets.push(...page.packets.map((packet) => ({ ...packet, capture: name })));
    }
    return { ...sum, packets: packets.toSorted((a, b) => a.time - b.time).slice(0, count) };
  }

  async #frame(at: CaptureAt, number: number): Promise<{ index: CaptureIndex; frame: CapturedFrame }> {
    const { index } = await this.#open(at, '');
    const [frame] = await index.read([number]);
    if (frame === undefined) throw notFound('Packet', String(number));
    return { index, frame };
  }

  async #open({ projectPath, name }: CaptureAt, filter: string): Promise<Opened> {
    const index = await this.#index(projectPath, name);
    const key = `${index.path}\0${filter.trim()}`;
    const known = this.#opened.get(key);
    let opened = known?.opened;
    // A selection of an outdated index would never grow.
    if (opened?.index !== index || known?.generation !== index.generation)
      opened = {
        index,
        selection: await select(index, filter, this.#tshark).catch(asInvalid),
        conversations: new Map(),
      };
    touch(this.#opened, key, { generation: index.generation, opened }, MOST_SELECTIONS);
    await opened.selection.grow(PATIENCE_MS);
    return opened;
  }

  async #index(projectPath: string, name: string): Promise<CaptureIndex> {
    const file = isName(name) ? await confined(projectPath, path.join(folderOf(projectPath), name)) : null;
    if (file === null) throw notFound('Capture', name);
    const index = this.#indices.get(file) ?? new CaptureIndex(file);
    // Before awaiting, so that concurrent calls share the index.
    touch(this.#indices, file, index, MOST_INDICES);
    try {
      await index.grow(PATIENCE_MS);
    } catch (error) {
      this.#indices.delete(file);
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'EISDIR') throw notFound('Capture', name);
      throw invalid(`${name} cannot be read: ${messageOf(error)}`, { field: 'capture_name' });
    }
    return index;
  }
}

/** A file of a project. */
export interface CaptureAt {
  projectPath: string;
  name: string;
}

export interface DecodedPacket extends ListedPacket {
  decoded_by: DecodedBy;
  decoders: DecodedBy[];
  /** Base64. */
  bytes: string;
  fields: ShownField[];
  /** Filter for its conversation; null: it has no ends. */
  conversation: string | null;
  /** Whether its conversation can be followed. */
  followed: boolean;
}

const folderOf = (projectPath: string): string => path.join(projectPath, 'project-files', 'captures');

const isName = (name: string): boolean =>
  name === path.basename(name) && !/[/\\\0]/.test(name) && !name.startsWith('.');

const lineOf = (linkType: number, { number, time, length, bytes }: CapturedFrame): ListedPacket => ({
  number,
  time,
  length,
  ...summarise(linkType, bytes),
});

const progressOf = ({ index, selection }: Opened): Progress => ({
  total: index.count,
  scanned: selection.scanned,
  complete: index.isWhole && selection.scanned >= index.count,
  decoded_by: selection.decodedBy,
});

const byTshark = async (
  tshark: Tshark,
  linkType: number,
  frame: CapturedFrame,
): Promise<{ decoded_by: DecodedBy; fields: ShownField[] }> => {
  try {
    return { decoded_by: 'tshark', fields: readPdml(await tshark.pdmlOf(linkType, frame)) };
  } catch (error) {
    throw new TopologError('engine_failed', { what: 'tshark', reason: messageOf(error).slice(0, 500) });
  }
};

/** Skips files that are no captures. */
const unlessUnreadable = (error: unknown): null => {
  if (error instanceof TopologError && error.details['field'] !== 'filter') return null;
  throw error;
};

/** Rethrows a filter error as `invalid_request` with its place in the filter. */
const asInvalid = (error: unknown): never => {
  if (!(error instanceof FilterError)) throw error;
  throw invalid(`filter: ${error.message}`, { field: 'filter', at: error.at, length: error.length });
};

/** Sets an entry and removes the least recently used one beyond `most`. */
const touch = <T>(map: Map<string, T>, key: string, value: T, most: number): void => {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > most && oldest.done !== true) map.delete(oldest.value);
};

/** Offset and length of header fields that routers change: time to live with the checksum over it, hop limit. */
const AT_IPV4: readonly (readonly [number, number])[] = [
  [8, 1],
  [10, 2],
];
const AT_IPV6: readonly (readonly [number, number])[] = [[7, 1]];
/** Layers that switches and links change. */
const BELOW = new Set(['frame', 'eth', 'vlan', 'ieee8021ad', 'llc', 'fr', 'chdlc', 'ppp']);

/** Identifies a frame wherever it is captured: behind switches, tags and routers. */
const fingerprintOf = (linkType: number, frame: CapturedFrame): string => {
  const layers = dissect(linkType, frame);
  const first = layers.find(({ name }) => !BELOW.has(name));
  const at = first?.at ?? 0;
  const rest = Uint8Array.from(frame.bytes.subarray(at));
  const changing = first?.name === 'ip' ? AT_IPV4 : first?.name === 'ipv6' ? AT_IPV6 : [];
  for (const [offset, length] of changing) rest.fill(0, offset, offset + length);
  // Without Ethernet's padding of short frames, which other links do not have.
  const total = first?.name === 'ip' ? Number(first.fields.find(({ name }) => name === 'ip.len')?.value ?? 0) : 0;
  return createHash('sha256')
    .update(total > 0 ? rest.subarray(0, total) : rest)
    .digest('base64');
};
