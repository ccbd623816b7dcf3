import { readFile, stat } from 'node:fs/promises';
import { conflict } from './errors.ts';

/** Others than its owner may do something with a file; of Windows that cannot be told. */
export const isOpenToOthers = (mode: number): boolean => (mode & 0o077) !== 0 && process.platform !== 'win32';

const isRoot = (): boolean => process.geteuid?.() === 0;

/**
 * For what root begins for a server of another user: files that root makes there are closed to that server. Throws a conflict that names the
 * user; what is not there yet is nobody's.
 */
export const checkOwner = async (place: string): Promise<void> => {
  const found = await stat(place).catch(() => null);
  if (!isRoot() || found === null || found.uid === 0) return;
  const { name, group } = await nameOf(found);
  throw conflict(
    `${place} belongs to user ${name}, whose server could not use what root writes there; run this as that user: setpriv --reuid ${name} --regid ${group} --init-groups topolog …`,
  );
};

/** Names where the machine has one. */
const nameOf = async ({ uid, gid }: { uid: number; gid: number }): Promise<{ name: string; group: string }> => {
  const nameIn = async (file: string, id: number): Promise<string> => {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
    return lines.find(([, , known]) => known === String(id))?.[0] ?? String(id);
  };
  return { name: await nameIn('/etc/passwd', uid), group: await nameIn('/etc/group', gid) };
};

/** Whose a file is to be that takes the place of another: of the owner and with the mode of that, or of the directory where there is none. */
export const ownerFor = async (
  file: string,
  directory: string,
): Promise<{ mode: number | null; owner: { uid: number; gid: number } | null }> => {
  const before = await stat(file).catch(() => null);
  const { uid, gid } = before ?? (await stat(directory));
  const mode = before === null ? null : before.mode & 0o7777;
  // Nobody else can give files away.
  return { mode, owner: isRoot() ? { uid, gid } : null };
};
