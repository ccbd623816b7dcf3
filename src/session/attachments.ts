import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Recording, sha256, type SessionFile } from './format.ts';

/** Bytes of a node's file at most. */
const MAX_FILE = 64 * 1024;
/** Bytes of a recording that one line carries. */
const PART = 4 * 1024 * 1024;
/** Directories inside a node's directory. */
const MAX_DEPTH = 4;

/** Where the recorded consoles of a project are: a directory for each node. */
const recordingsOf = (projectPath: string): string => path.join(projectPath, 'project-files', 'recordings');

/** Whether a directory is the project's: its path may be a link to anywhere. */
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
    // It is not there to be exported.
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

/** The recorded consoles of a project, in parts. What is not text is named with its hash and without content. */
export async function* recordings(projectPath: string): AsyncGenerator<Recording> {
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
    // What is written from now on is not part of this session.
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

/** A part ends with a line, or between two characters where a single line is longer. */
const readPart = async (handle: FileHandle, offset: number, wanted: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(wanted);
  const { bytesRead } = await handle.read(buffer, 0, wanted, offset);
  const bytes = buffer.subarray(0, bytesRead);
  if (bytesRead < PART) return bytes;
  const line = bytes.lastIndexOf(0x0a) + 1;
  return bytes.subarray(0, line > 0 ? line : characterEnd(bytes));
};

/** Where the last character that may be incomplete begins. */
const characterEnd = (bytes: Buffer): number => {
  let end = bytes.length - 1;
  // Continuation bytes of UTF-8 are 10xxxxxx; a character has at most three.
  while (end > bytes.length - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
};

/** The small text files of a node's directory. Links are not followed. */
export async function* nodeFiles(projectPath: string, node_id: string, directory: string): AsyncGenerator<SessionFile> {
  if (!(await isInside(projectPath, directory))) return;
  for await (const name of filesIn(directory, '', 0)) {
    const content = await smallText(path.join(directory, name));
    if (content === null) continue;
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
