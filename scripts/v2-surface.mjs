// Writes docs/reference/generated/v2-surface.md (npm run docs:v2). Fails when an operation is neither served nor has a reason.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { laidOut, readOperations, rowsOf, surfacePage } from './v2-table.mjs';

const root = path.resolve(import.meta.dirname, '..');
const { fakeLab, serve } = await import(pathToFileURL(path.join(root, 'dist/test/http/fake-lab.js')).href);
const app = serve(fakeLab());
const rows = rowsOf((await app.inject('/v2/openapi.json')).json());
await app.close();
const operations = readOperations(root);
const without = laidOut(operations, rows).filter(({ why }) => why === null);
for (const { row } of without) console.error(`not served, and no reason is given: ${row}`);
writeFileSync(path.join(root, 'docs/reference/generated/v2-surface.md'), surfacePage(operations, rows));
process.exit(without.length > 0 ? 1 : 0);
