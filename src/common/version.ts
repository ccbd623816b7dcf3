import { readFileSync } from 'node:fs';

/** Version of the package: the nearest package.json above, whether compiled or not. */
const read = (): string => {
  for (let at = new URL('.', import.meta.url); at.pathname !== '/'; at = new URL('..', at))
    try {
      const { name, version } = JSON.parse(readFileSync(new URL('package.json', at), 'utf8')) as {
        name?: string;
        version: string;
      };
      if (name === 'topolog') return version;
    } catch {
      // Not here; one further up.
    }
  return '0.0.0';
};

export const VERSION = read();

/** Version of the existing tools whose interface and files this server speaks; they refuse one that is older, or of another line. */
export const TOOLS_VERSION = '2.2.60';
