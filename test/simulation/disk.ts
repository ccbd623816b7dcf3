import path from 'node:path';

/** A change of a file system, as its journal has it. */
type Change =
  | { do: 'mkdir'; at: string; ino: number; mode: number }
  | { do: 'create'; at: string; ino: number; mode: number }
  | { do: 'write'; ino: number; from: number; bytes: Buffer }
  | { do: 'truncate'; ino: number; length: number }
  | { do: 'chmod'; ino: number; mode: number }
  | { do: 'remove'; at: string }
  | { do: 'rename'; from: string; to: string }
  | { do: 'link'; from: string; to: string };

export interface Inode {
  ino: number;
  mode: number;
  /** null: of a directory. */
  bytes: Buffer | null;
  /** Names in a directory; null: of a file. */
  names: Map<string, Inode> | null;
}

export class DiskError extends Error {
  readonly code: string;
  constructor(code: string, where: string) {
    super(`${code}: ${where}`);
    this.code = code;
  }
}

/** Directories and files in memory. */
class Tree {
  readonly root: Inode = { ino: 1, mode: 0o755, bytes: null, names: new Map() };
  readonly #inodes = new Map<number, Inode>([[1, this.root]]);

  find(place: string): Inode | null {
    let found: Inode = this.root;
    for (const part of path.resolve(place).split('/')) {
      if (part === '') continue;
      if (found.names === null) throw new DiskError('ENOTDIR', place);
      const next = found.names.get(part);
      if (next === undefined) return null;
      found = next;
    }
    return found;
  }

  inode(ino: number): Inode | undefined {
    return this.#inodes.get(ino);
  }

  directoryOf(place: string): Map<string, Inode> {
    const parent = this.find(path.dirname(place));
    if (parent === null) throw new DiskError('ENOENT', place);
    if (parent.names === null) throw new DiskError('ENOTDIR', place);
    return parent.names;
  }

  apply(change: Change): void {
    if (change.do === 'write' || change.do === 'truncate' || change.do === 'chmod') this.#changeInode(change);
    else this.#changeName(change);
  }

  #changeInode(change: Extract<Change, { ino: number }>): void {
    const node = this.#inodes.get(change.ino);
    if (node === undefined) return;
    if (change.do === 'chmod') node.mode = change.mode;
    if (node.bytes === null) return;
    if (change.do === 'truncate') {
      const next = Buffer.alloc(change.length);
      node.bytes.copy(next);
      node.bytes = next;
    }
    if (change.do === 'write') {
      const end = change.from + change.bytes.length;
      const next = Buffer.alloc(Math.max(end, node.bytes.length));
      node.bytes.copy(next);
      change.bytes.copy(next, change.from);
      node.bytes = next;
    }
  }

  #changeName(change: Exclude<Change, { do: 'write' | 'truncate' | 'chmod' }>): void {
    if (change.do === 'mkdir' || change.do === 'create') {
      const isFile = change.do === 'create';
      const node: Inode = {
        ino: change.ino,
        mode: change.mode,
        bytes: isFile ? Buffer.alloc(0) : null,
        names: isFile ? null : new Map<string, Inode>(),
      };
      this.#inodes.set(change.ino, node);
      this.directoryOf(change.at).set(path.basename(change.at), node);
    } else if (change.do === 'remove') this.directoryOf(change.at).delete(path.basename(change.at));
    else {
      const node = this.find(change.from);
      if (node === null) return;
      this.directoryOf(change.to).set(path.basename(change.to), node);
      if (change.do === 'rename') this.directoryOf(change.from).delete(path.basename(change.from));
    }
  }
}

/**
 * A file system with a journal: what running processes see, and what would be there after a power cut. Changes reach the disk in
 * their order (ordered metadata), at the latest when somebody syncs anything.
 */
export class Disk {
  #seen = new Tree();
  #synced = new Tree();
  #waiting: Change[] = [];
  #inodes = 1;
  readonly #inMemory = new Set<number>();
  /** No space is left. */
  full = false;
  /** Writes that found none. */
  refused = 0;

  constructor() {
    this.mkdir('/dev', 0o755);
    this.mkdir(MEMORY, 0o1777);
    this.sync();
  }

  find(place: string): Inode | null {
    return this.#seen.find(place);
  }

  get(place: string): Inode {
    const found = this.find(place);
    if (found === null) throw new DiskError('ENOENT', place);
    return found;
  }

  inode(ino: number): Inode | undefined {
    return this.#seen.inode(ino);
  }

  #change(change: Change): void {
    this.#seen.apply(change);
    this.#waiting.push(change);
  }

  mkdir(place: string, mode: number): void {
    if (this.find(place) !== null) throw new DiskError('EEXIST', place);
    this.#seen.directoryOf(place);
    this.#change({ do: 'mkdir', at: path.resolve(place), ino: ++this.#inodes, mode });
  }

  create(place: string, mode: number): Inode {
    this.#seen.directoryOf(place);
    this.#change({ do: 'create', at: path.resolve(place), ino: ++this.#inodes, mode });
    if (path.resolve(place).startsWith(MEMORY)) this.#inMemory.add(this.#inodes);
    return this.get(place);
  }

  write(ino: number, from: number, bytes: Buffer): void {
    if (this.full && bytes.length > 0 && !this.#inMemory.has(ino)) {
      this.refused++;
      throw new DiskError('ENOSPC', 'no space left on device, write');
    }
    this.#change({ do: 'write', ino, from, bytes: Buffer.from(bytes) });
  }

  truncate(ino: number, length: number): void {
    this.#change({ do: 'truncate', ino, length });
  }

  chmod(ino: number, mode: number): void {
    this.#change({ do: 'chmod', ino, mode });
  }

  unlink(place: string): void {
    if (this.get(place).names !== null) throw new DiskError('EISDIR', place);
    this.#change({ do: 'remove', at: path.resolve(place) });
  }

  rmdir(place: string): void {
    const { names } = this.get(place);
    if (names === null) throw new DiskError('ENOTDIR', place);
    if (names.size > 0) throw new DiskError('ENOTEMPTY', place);
    this.#change({ do: 'remove', at: path.resolve(place) });
  }

  rename(from: string, to: string): void {
    const node = this.get(from);
    const there = this.find(to);
    this.#seen.directoryOf(to);
    if (there !== null && there !== node) {
      if (node.names === null && there.names !== null) throw new DiskError('EISDIR', to);
      if (node.names !== null && there.names === null) throw new DiskError('ENOTDIR', to);
      if ((there.names?.size ?? 0) > 0) throw new DiskError('ENOTEMPTY', to);
    }
    if (node !== there) this.#change({ do: 'rename', from: path.resolve(from), to: path.resolve(to) });
  }

  link(from: string, to: string): void {
    this.get(from);
    if (this.find(to) !== null) throw new DiskError('EEXIST', to);
    this.#change({ do: 'link', from: path.resolve(from), to: path.resolve(to) });
  }

  sync(): void {
    for (const change of this.#waiting.splice(0)) this.#synced.apply(change);
  }

  /** Power is cut: of what was not synced only the first `kept` changes have reached the disk, the last of them maybe torn. */
  cut(kept: (waiting: number) => number): void {
    const count = kept(this.#waiting.length + 1);
    const reached = this.#waiting.slice(0, count);
    const last = reached.at(-1);
    if (last?.do === 'write') last.bytes = last.bytes.subarray(0, kept(last.bytes.length + 1));
    for (const change of reached) this.#synced.apply(change);
    this.#waiting = [];
    this.#seen = copyOf(this.#synced);
  }

  /** Everything that is there: path to its bytes, null for directories. */
  *walk(place = '/', node: Inode = this.#seen.root): Generator<[string, Buffer | null]> {
    for (const [name, inside] of node.names ?? []) {
      const here = path.join(place, name);
      yield [here, inside.bytes];
      if (inside.names !== null) yield* this.walk(here, inside);
    }
  }
}

const copyOf = (tree: Tree): Tree => {
  const copy = new Tree();
  const made = new Map<number, string>();
  const fill = (place: string, node: Inode): void => {
    for (const [name, inside] of node.names ?? []) {
      const at = path.join(place, name);
      const known = made.get(inside.ino);
      if (known !== undefined) {
        copy.apply({ do: 'link', from: known, to: at });
        continue;
      }
      made.set(inside.ino, at);
      copy.apply({ do: inside.names === null ? 'create' : 'mkdir', at, ino: inside.ino, mode: inside.mode });
      if (inside.bytes !== null) copy.apply({ do: 'write', ino: inside.ino, from: 0, bytes: inside.bytes });
      fill(at, inside);
    }
  };
  fill('/', tree.root);
  return copy;
};

/** Where no disk is: it is never full. */
const MEMORY = '/dev/shm';

let present = new Disk();
/** The machine's disk. Everything on it is below `ROOT` and `MEMORY`; other paths are those of this machine, and only read. */
export const disk = (): Disk => present;
export const setDisk = (next: Disk): void => {
  present = next;
};
export const ROOT = '/simulated';
export const isSimulated = (place: string): boolean =>
  [ROOT, MEMORY].some((root) => place === root || place.startsWith(`${root}/`));
