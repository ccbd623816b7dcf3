/** A file of an archive; `content` null: a directory. */
export interface CpioEntry {
  /** Without a leading `/`. */
  name: string;
  content: Uint8Array | string | null;
  executable?: boolean;
}

const DIRECTORY = 0o040755;
const FILE = 0o100644;
const EXECUTABLE = 0o100755;

/** A `newc` archive (cpio(5)), as the kernel takes it for its first root file system. */
export const cpio = (entries: readonly CpioEntry[]): Buffer =>
  Buffer.concat([
    ...entries.map(({ name, content, executable = false }, index) =>
      member(
        name,
        Buffer.from(content ?? ''),
        index + 1,
        content === null ? DIRECTORY : executable ? EXECUTABLE : FILE,
      ),
    ),
    member('TRAILER!!!', Buffer.alloc(0), 0, 0),
  ]);

const member = (name: string, content: Buffer, inode: number, mode: number): Buffer => {
  const path = Buffer.from(`${name}\0`);
  const fields = [inode, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, path.length, 0];
  const header = Buffer.from(`070701${fields.map((n) => n.toString(16).padStart(8, '0')).join('')}`);
  return Buffer.concat([padded(Buffer.concat([header, path])), padded(content)]);
};

/** To a multiple of 4. */
const padded = (part: Buffer): Buffer => Buffer.concat([part, Buffer.alloc((4 - (part.length % 4)) % 4)]);
