// Writes the table of the house into docs/explanation/architecture.md (npm run docs:house).
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { houseTable } from './house.mjs';

const page = path.resolve(import.meta.dirname, '../docs/explanation/architecture.md');
const text = readFileSync(page, 'utf8').replace(
  /(<!-- house -->\n)[^]*?(\n<!-- \/house -->)/,
  (_, begin, end) => `${begin}\n${houseTable()}\n${end}`,
);
writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
