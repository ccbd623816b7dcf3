import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

interface Target {
  host: string;
  port: number;
  user?: string | undefined;
  database?: string | undefined;
}

/**
 * The password that the file of PostgreSQL's programs has for this place (`PGPASSFILE`, or `.pgpass`): lines of
 * `host:port:database:user:password`, where `*` is any. Undefined: none, or others than its owner may read the file.
 */
export const passwordOf = async ({ host, port, user = '', database = '' }: Target): Promise<string | undefined> => {
  const file = process.env['PGPASSFILE'] ?? path.join(homedir(), '.pgpass');
  const place = [host.startsWith('/') ? 'localhost' : host, String(port), database, user];
  for (const line of (await privateText(file)).split('\n')) {
    const [password, ...wanted] = fieldsOf(line).reverse();
    if (wanted.length !== place.length) continue;
    if (wanted.reverse().every((field, i) => field === '*' || field === place[i])) return password;
  }
  return undefined;
};

/** Fields between colons; a backslash stands before one that belongs to a field. */
const fieldsOf = (line: string): string[] => {
  if (line.startsWith('#')) return [];
  return [...line.matchAll(/(?:^|:)((?:[^:\\]|\\.)*)/g)]
    .map(([, field = '']) => field.replace(/\\(.)/g, '$1'))
    .slice(0, 5);
};

const privateText = async (file: string): Promise<string> => {
  try {
    const { mode } = await stat(file);
    return (mode & 0o077) === 0 ? await readFile(file, 'utf8') : '';
  } catch {
    return '';
  }
};
