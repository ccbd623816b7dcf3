import { readFile, stat } from 'node:fs/promises';
import { conflict } from '../../common/errors.ts';

/**
 * For what root begins for a server of another user: files that root makes there are closed to that server. Throws a conflict that names the
 * user; what is not there yet is nobody's.
 */
export const checkOwner = async (place: string): Promise<void> => {
  const found = await stat(place).catch(() => null);
  if (process.geteuid?.() !== 0 || found === null || found.uid === 0) return;
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
