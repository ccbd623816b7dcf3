import type { Random } from '../prng.ts';
import { type Change, type Chosen, contentOf, type Disk, type Inode, namesOf } from './disk.ts';

/** What a power cut may leave of what was not synced. */
export const MODELS = ['ordered', 'strict', 'torn'] as const;
export type Model = (typeof MODELS)[number];

/**
 * `ordered`: names change in order, up to some moment; a sync takes along all before it. Content that was not synced is there up to some
 * write, or as zeros. `strict`: content as it was synced, names as their directory was synced, any of the later ones or none.
 * `torn`: names as in `ordered`; of content that was not synced any blocks of 512 or 4,096 octets, others zero or what was in them before.
 */
export const choose = (model: Model, disk: Disk, random: Random): Chosen => {
  if (model === 'strict') return strict(random);
  const moment = momentOf(disk, random);
  const has: Chosen['has'] = (_, { n }) => n <= moment;
  return { has, content: (file) => (model === 'ordered' ? prefixOf(file, random) : tornOf(file, disk, random)) };
};

/** How far names have come: often nothing beyond what is sure, or everything. */
const momentOf = (disk: Disk, random: Random): number => {
  const turn = random.below(4);
  if (turn === 0) return disk.orderly;
  if (turn === 1) return disk.last;
  return disk.orderly + random.below(disk.last - disk.orderly + 1);
};

const strict = (random: Random): Chosen => {
  const share = random.pick([0, 0, 0.1, 0.5, 0.9, 1]) ?? 0;
  // A rename between directories has one number in both: it happened or not, but for the side that is synced.
  const drawn = new Map<number, boolean>();
  const isThere = ({ n }: Change): boolean => {
    const known = drawn.get(n) ?? random.next() < share;
    drawn.set(n, known);
    return known;
  };
  return {
    has: (directory, change) =>
      change.n <= Math.max(directory.synced, (change.type === 'names' && change.other?.synced) || 0) || isThere(change),
    content: syncedContent,
  };
};

const syncedContent = (file: Inode): Buffer => contentOf(file, ({ n }) => n <= file.synced);

const prefixOf = (file: Inode, random: Random): Buffer => {
  const later = file.changes.filter(({ n }) => n > file.synced);
  const last = later[random.below(later.length + 1)]?.n ?? Infinity;
  const content = contentOf(file, ({ n }) => n < last);
  if (later.length === 0 || random.below(3) > 0) return content;
  // The size came, the content did not.
  const { length } = contentOf(file, () => true);
  return length <= content.length ? content : Buffer.concat([content, Buffer.alloc(length - content.length)]);
};

const tornOf = (file: Inode, disk: Disk, random: Random): Buffer => {
  if (file.changes.every(({ n }) => n <= file.synced)) return syncedContent(file);
  const [sure, full] = [syncedContent(file), contentOf(file, () => true)];
  const unit = random.below(2) === 0 ? 512 : 4096;
  const share = random.pick([0, 0.5, 0.9]) ?? 0;
  const rest = restOf(disk, random, Math.max(sure.length, full.length));
  sure.copy(rest);
  for (let at = 0; at < full.length; at += unit)
    if (random.next() < share) full.copy(rest, at, at, Math.min(at + unit, full.length));
  const blocks = Math.ceil((full.length - sure.length) / unit);
  const size = [sure.length, full.length, Math.min(full.length, sure.length + random.below(blocks + 1) * unit)];
  return rest.subarray(0, random.pick(size));
};

/** What is in blocks that were never written: zeros, anything, or what another file had in them. */
const restOf = (disk: Disk, random: Random, length: number): Buffer => {
  const rest = Buffer.alloc(length);
  const turn = random.below(3);
  if (turn === 1) for (let at = 0; at < length; at++) rest[at] = random.below(256);
  const other = random.pick(disk.inodes);
  if (turn === 2 && other?.type === 'file') contentOf(other, () => true).copy(rest);
  return rest;
};

/** Something that was done and is not on disk. */
interface Missing {
  change: Change | Inode;
  /** As a sentence has it. */
  what: string;
}

/** What a choice leaves out. Contents are drawn once, so that they stay what they were. */
export const missingIn = (disk: Disk, chosen: Chosen): { fixed: Chosen; missing: Missing[] } => {
  const contents = new Map<Inode, Buffer>();
  const missing: Missing[] = [];
  const all: Chosen = { has: () => true, content: chosen.content };
  for (const inode of new Set([...reachable(disk.root, all), ...reachable(disk.root, chosen)]))
    if (inode.type === 'directory') {
      for (const change of inode.changes)
        if (!chosen.has(inode, change)) missing.push({ change, what: `in ${inode.path}: ${wordsFor(change)}` });
    } else if (inode.type === 'file') {
      const content = chosen.content(inode);
      contents.set(inode, content);
      const whole = contentOf(inode, () => true);
      if (!content.equals(whole))
        missing.push({ change: inode, what: `content of ${inode.path}: ${content.length} of ${whole.length} octets` });
    }
  return { fixed: { has: chosen.has, content: (file) => contents.get(file) ?? chosen.content(file) }, missing };
};

/** Everything that a name leads to. */
const reachable = (inode: Inode, chosen: Chosen, found = new Set<Inode>()): Set<Inode> => {
  if (found.has(inode)) return found;
  found.add(inode);
  for (const child of namesOf(inode, (change) => chosen.has(inode, change)).values()) reachable(child, chosen, found);
  return found;
};

const wordsFor = (change: Change): string =>
  change.type !== 'names'
    ? ''
    : change.names
        .map(([name, to]) => (to === null ? `${name} goes` : `${name} is what ${to.path} was made as`))
        .join(', ');

/** A choice with some of what it leaves out. */
export const withMore = ({ has, content }: Chosen, more: ReadonlySet<Change | Inode>): Chosen => ({
  has: (directory, change) => more.has(change) || has(directory, change),
  content: (file) => (more.has(file) ? contentOf(file, () => true) : content(file)),
});
