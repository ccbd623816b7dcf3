import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let known: string | null = null;

/** Version of the package that this file belongs to, wherever it was compiled to. Read once: each PC that starts asks. */
export const packageVersion = (): string => (known ??= readVersion());

function readVersion(): string {
  const start = fileURLToPath(import.meta.url);
  for (let directory = dirname(start); directory !== dirname(directory); directory = dirname(directory)) {
    const file = join(directory, 'package.json');
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  }
  throw new Error(`No package.json above ${start}`);
}
