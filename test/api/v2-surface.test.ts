import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fakeLab, serve } from '../http/fake-lab.ts';

interface Table {
  NOT_SERVED: Record<string, string>;
  readOperations: (root: string) => string[];
  rowsOf: (document: { paths: Record<string, object> }) => Set<string>;
  laidOut: (operations: string[], rows: Set<string>) => { row: string; served: boolean; why: string | null }[];
  surfacePage: (operations: string[], rows: Set<string>) => string;
}

const root = path.resolve('.');
const table = (await import(pathToFileURL(path.join(root, 'scripts/v2-table.mjs')).href)) as Table;
const app = serve(fakeLab());
after(() => app.close());
const rows = table.rowsOf((await app.inject('/v2/openapi.json')).json());
const operations = table.readOperations(root);

describe('the table of the v2 surface', () => {
  it('has 350 operations, each once', () => {
    assert.equal(operations.length, 350);
    assert.equal(new Set(operations).size, 350);
  });

  it('serves each of them, or says why not', () => {
    const without = table.laidOut(operations, rows).filter(({ why }) => why === null);
    assert.deepEqual(without, []);
  });

  it('gives no reason for what is served', () => {
    assert.deepEqual(
      Object.keys(table.NOT_SERVED).filter((row) => rows.has(row) || !operations.includes(row)),
      [],
    );
  });

  it('is what docs/reference/generated/v2-surface.md says; npm run docs:v2 writes it', () => {
    assert.equal(
      readFileSync(path.join(root, 'docs/reference/generated/v2-surface.md'), 'utf8'),
      table.surfacePage(operations, rows),
    );
  });
});
