import { readFile } from 'node:fs/promises';

/** resolv.conf(5), and the one in which systemd-resolved keeps the servers that it asks itself. */
const FILES = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'];

/** The file that names a server which is reached from elsewhere than this host; null when there is none. */
export const resolversFile = async (): Promise<string | null> => {
  for (const file of FILES) if (reachable(await readFile(file, 'utf8').catch(() => ''))) return file;
  return null;
};

/** Whether a resolv.conf names a server that has an IPv4 address and is not on the loopback. */
export const reachable = (text: string): boolean =>
  [...text.matchAll(/^[ \t]*nameserver[ \t]+(\d+)\.\d+\.\d+\.\d+[ \t\r]*$/gm)].some(
    ([, first]) => first !== '127' && first !== '0',
  );
