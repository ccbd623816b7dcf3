import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { analyse } from 'scslre';
import ts from 'typescript';

/** Regular expressions of a source with their lines. */
const expressionsIn = (text: string): { line: number; source: string; flags: string }[] => {
  const file = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: ReturnType<typeof expressionsIn> = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

/** Those for which twice the text may take more than twice as long. */
const slowIn = (text: string): string[] =>
  expressionsIn(text).flatMap(({ line, source, flags }) =>
    analyse({ source, flags }).reports.length === 0 ? [] : [`${line}: /${source}/${flags}`],
  );

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map((file) => path.join(folder, String(file)))
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));

describe('regular expressions of the sources', () => {
  it('take no longer for twice the text than twice as long', () => {
    const found = ['src', 'web/src'].flatMap(sourcesIn).flatMap((file) => {
      const slow = slowIn(readFileSync(file, 'utf8'));
      return slow.map((one) => `${file}:${one}`);
    });
    assert.deepEqual(found, []);
  });

  it('are found where they would', () => {
    assert.deepEqual(slowIn('const a = / +]/;\nconst b = /(a|a)*b/;\nconst c = /(?<! ) +]/;'), [
      '1: / +]/',
      '2: /(a|a)*b/',
    ]);
  });
});
