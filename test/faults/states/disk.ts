import { constants, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Op } from './record.ts';

/** What a file, a directory or a link is; the same under every name. */
export interface Inode {
  id: number;
  /** Where it was first. */
  path: string;
  type: 'file' | 'directory' | 'link';
  mode: number;
  /** Of a link. */
  target: string;
  /** Of a file before the record began. */
  base: Buffer;
  /** Names in a directory before the record began. */
  names: Map<string, Inode>;
  /** Of a directory as programs see it now. */
  live: Map<string, Inode>;
  /** What was done to the content of a file or to the names in a directory, in order. */
  changes: Change[];
  /** Changes with a number up to this are on disk, as a sync has said. */
  synced: number;
  /** Number of the change that made it. */
  made: number;
}

export type Change =
  | { n: number; type: 'data'; at: number; bytes: Buffer }
  | { n: number; type: 'size'; size: number }
  /** Several names at once where a file system does so: a rename within a directory. `inode` null: the name goes. `other`: where a directory went, which never has two names. */
  | { n: number; type: 'names'; names: readonly [string, Inode | null][]; other?: Inode };

/** A directory tree as it was recorded, with what of it is surely on disk. Fed with operations one after another. */
export class Disk {
  readonly root: Inode;
  /** Every inode that there ever was. */
  readonly inodes: Inode[] = [];
  /** Changes up to this number are on disk where metadata is written in order. */
  orderly = 0;
  /** Number of the last change. */
  last = 0;
  /** Whole contents that project files had, as the server put them on disk. */
  readonly projectFiles: Buffer[] = [];
  readonly unseen: string[] = [];
  readonly #open = new Map<string, { inode: Inode; path: string }>();
  readonly #syncs = new Map<string, { inode: Inode; last: number }>();

  /** `base`: a directory with what was on disk before. */
  constructor(base: string) {
    this.root = this.#make('directory', '.', 0o755);
    this.#load(this.root, base);
  }

  #make(type: Inode['type'], place: string, mode: number, target = ''): Inode {
    const inode: Inode = {
      id: this.inodes.length,
      path: place,
      type,
      mode,
      target,
      base: Buffer.alloc(0),
      names: new Map(),
      live: new Map(),
      changes: [],
      synced: 0,
      made: this.last,
    };
    this.inodes.push(inode);
    return inode;
  }

  #load(into: Inode, place: string): void {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      const at = path.join(place, entry.name);
      const type = entry.isDirectory() ? 'directory' : entry.isSymbolicLink() ? 'link' : 'file';
      if (type === 'file' && !entry.isFile()) continue;
      const inode = this.#make(
        type,
        path.posix.join(into.path, entry.name),
        type === 'directory' ? 0o700 : 0o600,
        type === 'link' ? readlinkSync(at) : '',
      );
      if (type === 'directory') this.#load(inode, at);
      if (type === 'file') inode.base = readFileSync(at);
      if (type === 'file' && isProjectFile(entry.name)) this.projectFiles.push(inode.base);
      into.names.set(entry.name, inode);
      into.live.set(entry.name, inode);
    }
  }

  /** Inode of a path as programs see it; undefined: there is none. */
  find(place: string): Inode | undefined {
    if (place === '.') return this.root;
    let at: Inode | undefined = this.root;
    for (const name of place.split('/')) at = at?.live.get(name);
    return at;
  }

  feed(op: Op): void {
    switch (op.op) {
      case 'open':
        return this.#opened(op);
      case 'write':
        return this.#change(this.#open.get(op.h)?.inode, { type: 'data', at: op.at, bytes: op.bytes });
      case 'truncate':
        return this.#change(this.#open.get(op.h)?.inode, { type: 'size', size: op.size });
      case 'close':
        return void this.#open.delete(op.h);
      case 'sync':
        return this.#sync(op);
      case 'synced':
        return this.#synced(op.id);
      case 'rename':
        return this.#rename(op.path, op.to);
      case 'link':
        return this.#name(op.to, this.find(op.path));
      case 'symlink':
        return this.#name(op.path, this.#make('link', op.path, 0o777, op.target));
      case 'mkdir':
        return op.path === '.' ? undefined : this.#name(op.path, this.#make('directory', op.path, op.mode));
      case 'unlink':
      case 'rmdir':
        return this.#name(op.path, undefined);
      case 'unseen':
        return void this.unseen.push(op.text);
      case 'mark':
    }
  }

  #change(
    inode: Inode | undefined,
    change: Omit<Extract<Change, { type: 'data' }>, 'n'> | Omit<Extract<Change, { type: 'size' }>, 'n'>,
  ): void {
    if (inode === undefined) return void this.unseen.push('a write to a file that was never opened');
    inode.changes.push({ ...change, n: ++this.last });
  }

  #names(directory: Inode, names: readonly [string, Inode | null][], other?: Inode): void {
    directory.changes.push({ type: 'names', names, n: this.last, ...(other === undefined ? {} : { other }) });
    for (const [name, inode] of names)
      if (inode === null) directory.live.delete(name);
      else directory.live.set(name, inode);
  }

  #name(place: string, inode: Inode | undefined): void {
    const directory = this.find(path.posix.dirname(place));
    // What the recorder does not see made, LevelDB's own diary, may still be renamed or removed.
    const known = directory?.live.get(path.posix.basename(place));
    if (directory === undefined || (inode === undefined && known === undefined)) return;
    this.last++;
    if (inode?.changes.length === 0) inode.made = this.last;
    this.#names(directory, [[path.posix.basename(place), inode ?? null]]);
  }

  #rename(from: string, to: string): void {
    const inode = this.find(from);
    const [a, b] = [from, to].map((place) => this.find(path.posix.dirname(place)));
    if (inode === undefined || a === undefined || b === undefined) return;
    this.last++;
    const [before, after] = [path.posix.basename(from), path.posix.basename(to)];
    if (a === b)
      return this.#names(a, [
        [before, null],
        [after, inode],
      ]);
    this.#names(b, [[after, inode]]);
    this.#names(a, [[before, null]], inode.type === 'directory' ? b : undefined);
  }

  #opened({ h, path: place, flags, mode }: Extract<Op, { op: 'open' }>): void {
    let inode = this.find(place);
    if (inode === undefined) {
      if ((flags & constants.O_CREAT) === 0) return;
      inode = this.#make('file', place, mode);
      this.#name(place, inode);
    } else if ((flags & constants.O_TRUNC) !== 0 && inode.type === 'file')
      this.#change(inode, { type: 'size', size: 0 });
    this.#open.set(h, { inode, path: place });
  }

  #sync({ h, id }: Extract<Op, { op: 'sync' }>): void {
    const open = this.#open.get(h);
    if (open === undefined) return;
    this.#syncs.set(id, { inode: open.inode, last: this.last });
    if (isProjectFile(path.basename(open.path))) this.projectFiles.push(contentOf(open.inode, () => true));
  }

  #synced(id: string): void {
    const sync = this.#syncs.get(id);
    if (sync === undefined) return;
    this.#syncs.delete(id);
    sync.inode.synced = Math.max(sync.inode.synced, sync.last);
    // A journal that is written for this inode takes along everything before its last change.
    const own = sync.inode.changes.findLast(({ n }) => n <= sync.last)?.n ?? 0;
    this.orderly = Math.max(this.orderly, own, sync.inode.made);
  }
}

const isProjectFile = (name: string): boolean => /\.gns3(\.topolog-tmp)?$/.test(name);

/** Content of a file of the changes that are chosen. */
export const contentOf = (inode: Inode, chosen: (change: Change) => boolean): Buffer => {
  const changes = inode.changes.filter(chosen);
  let most = inode.base.length;
  for (const change of changes)
    if (change.type === 'data') most = Math.max(most, change.at + change.bytes.length);
    else if (change.type === 'size') most = Math.max(most, change.size);
  const room = Buffer.alloc(most);
  inode.base.copy(room);
  let size = inode.base.length;
  for (const change of changes)
    if (change.type === 'data') {
      change.bytes.copy(room, change.at);
      size = Math.max(size, change.at + change.bytes.length);
    } else if (change.type === 'size') {
      if (change.size < size) room.fill(0, change.size, size);
      ({ size } = change);
    }
  return room.subarray(0, size);
};

/** Names in a directory of the changes that are chosen. */
export const namesOf = (inode: Inode, chosen: (change: Change) => boolean): Map<string, Inode> => {
  const names = new Map(inode.names);
  for (const change of inode.changes)
    if (change.type === 'names' && chosen(change))
      for (const [name, to] of change.names)
        if (to === null) names.delete(name);
        else names.set(name, to);
  return names;
};

/** What of everything that was done is on disk. */
export interface Chosen {
  has: (directory: Inode, change: Change) => boolean;
  content: (file: Inode) => Buffer;
}

/** Writes a tree to a directory. A directory that two names lead to (a rename half done) is there twice. */
export const writeTree = (inode: Inode, place: string, chosen: Chosen, above: readonly Inode[] = []): void => {
  mkdirSync(place, { recursive: true });
  for (const [name, child] of namesOf(inode, (change) => chosen.has(inode, change))) {
    const at = path.join(place, name);
    if (child.type === 'link') symlinkSync(child.target, at);
    else if (child.type === 'file') writeFileSync(at, chosen.content(child), { mode: child.mode & 0o777 });
    else if (!above.includes(child)) writeTree(child, at, chosen, [...above, inode]);
  }
};
