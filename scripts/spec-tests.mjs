// Writes docs/reference/generated/spec-tests.md (npm run docs:spec). Fails when an entry has no test or a test names no entry.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gaps, specPage, titlesIn } from './spec-table.mjs';

const root = path.resolve(import.meta.dirname, '..');
const titles = titlesIn(path.join(root, 'test/api'));
const { untested, unknown } = gaps(titles);
for (const id of untested) console.error(`no test names [${id}]`);
for (const place of unknown) console.error(`no such entry: ${place}`);
const folder = path.join(root, 'docs/reference/generated');
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'spec-tests.md'), specPage(titles));
process.exit(untested.length + unknown.length > 0 ? 1 : 0);
