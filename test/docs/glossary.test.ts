import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';

/** Names that are stored or part of the interface, and those of other programs. */
const ALLOWED_NAMES = new Map([
  ['facts', 'a key of session files and of the answers of /v2/verify'],
  ['redacted_fact', 'a key of session files'],
  ['Fact', 'a component of the OpenAPI document'],
  ['chain', 'a method of fast-check'],
  ['saying', 'the verb: an error that says this sentence'],
  ['kvmWorks', 'the verb'],
]);

/** Phrases of other programs and of plain English, in which a word means something else. */
const ALLOWED_TEXTS = [
  /\bin fact\b/gi,
  /\bgathers facts\b/gi,
  /\bon the wire\b/gi,
  /\bhash chain\b/gi,
  /\bCNAME chain\b/g,
  /\bchained batch\b/gi,
  // nftables, QEMU's images upon images, and a primitive of tcpdump.
  /^\s*chain (?:in|out) \{/gm,
  /\bimage[- ]chain\b/g,
  /\bip6? protochain\b/g,
  // Keys and names of the list above, where pages and messages quote them.
  /`(?:facts|redacted_fact|Fact)`/g,
  /"redacted_fact"/g,
];
const ALLOWED_FILES = new Set(['image-chain.ts', 'image-chain.engine.test.ts']);

/** Made from the OpenAPI document (npm run docs:client). */
const GENERATED = 'src/client/api.ts';

const filesIn = (folder: string, endings: RegExp): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));

const glossary = readFileSync('docs/glossary.md', 'utf8');
const [lines, retiredPart = ''] = glossary.split('\n## Retired words\n') as [string, string?];

interface Retired {
  words: readonly string[];
  instead: string;
  where: string;
}

const retired: Retired[] = retiredPart
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, words = '', instead = '', where = '']) => ({ words: words.split(', '), instead, where }));

const wordsFor = (where: string): string[] =>
  retired.filter((row) => row.where.split(' and ').includes(where)).flatMap(({ words }) => words);

const inNames = new Set(wordsFor('names'));
const inFileNames = new Set([...inNames, ...wordsFor('file names')]);
const inTexts = new RegExp(`\\b(?:${wordsFor('text').join('|')})\\b`, 'gi');

/** The words of a name: `SERVER_CHAIN`, `hasWires`, `image-chain.ts`. */
const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

const retiredIn = (text: string): string[] =>
  ALLOWED_TEXTS.reduce((left, allowed) => left.replace(allowed, ' '), text).match(inTexts) ?? [];

const isMessage = (text: string): boolean => text.trim().includes(' ');

/** Retired words among the names, comments and messages of a source file, each with its line. */
const retiredInSource = (name: string, text: string): string[] => {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const tell = (at: number, what: string): void => {
    found.push(`${name}:${source.getLineAndCharacterOfPosition(at).line + 1} ${what}`);
  };
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
    for (const child of children) visit(child);
    if (children.length > 0) return;
    const start = node.getStart(source);
    for (const word of retiredIn(text.slice(node.pos, start))) tell(node.pos, word);
    if (ts.isIdentifier(node) && !ALLOWED_NAMES.has(node.text) && partsOf(node.text).some((part) => inNames.has(part)))
      tell(start, node.text);
    if ((ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)) && isMessage(node.text))
      for (const word of retiredIn(node.text)) tell(start, word);
  };
  visit(source);
  return found;
};

const sources = ['src', 'web/src', 'web/test', 'test', 'scripts', 'bench', 'examples']
  .flatMap((folder) => filesIn(folder, /\.(?:ts|tsx|mjs)$/))
  .filter((file) => file !== GENERATED && !file.endsWith(path.join('docs', 'glossary.test.ts')));

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'RELEASING.md', 'SECURITY.md', 'web/README.md'],
  ...['test/README.md', 'test/replay/README.md'],
  ...['docs', 'examples', 'src'].flatMap((folder) => filesIn(folder, /\.md$/)),
];

describe('the glossary', () => {
  it('has a row of retired words for each that the project has left', () => {
    assert.ok(retired.length >= 9);
    for (const { words, instead, where } of retired) {
      assert.ok(words.every((word) => word !== '') && instead !== '', words.join());
      assert.match(where, /^(?:names and text|names|text|file names)$/, words.join());
    }
  });

  it('says each word once, and uses no retired word itself', () => {
    const words = [...lines.matchAll(/^\| ([a-z][\w ,]*?) +\|/gim)]
      .flatMap(([, cell = '']) => cell.split(', '))
      .filter((word) => word !== 'Word');
    assert.ok(words.length > 40, `${words.length} words were found`);
    assert.deepEqual([...new Set(words)], words);
    for (const needed of ['event', 'stream', 'job', 'log message', 'barrier', 'chunk', 'precondition', 'idempotent'])
      assert.ok(words.includes(needed), needed);
    for (const needed of ['unsubscribe', 'cable', 'link', 'JSON', 'receive', 'rate limit', 'traffic counters'])
      assert.ok(words.includes(needed), needed);
    assert.deepEqual(retiredIn(lines), []);
  });
});

describe('a retired word', () => {
  it('is in no name, comment or message', () => {
    const found = sources.flatMap((file) => retiredInSource(file, readFileSync(file, 'utf8')));
    assert.deepEqual(found, []);
  });

  it('is in no name of a file', () => {
    const names = sources.filter((file) => !ALLOWED_FILES.has(path.basename(file)));
    assert.deepEqual(
      names.filter((file) => partsOf(path.basename(file)).some((part) => inFileNames.has(part))),
      [],
    );
  });

  for (const page of pages)
    it(`is not on ${page}`, () => {
      const text = readFileSync(page, 'utf8');
      assert.deepEqual(retiredIn(page === path.join('docs', 'glossary.md') ? lines : text), []);
    });

  it('is found in names, comments, messages and text of a page', () => {
    const text =
      "/** A fact. */\nconst hasWires = `begun anew: ${1} portions of it`;\nconst other = 'Fact'; // in fact\n";
    assert.deepEqual(retiredInSource('sample.ts', text), [
      'sample.ts:1 fact',
      'sample.ts:2 hasWires',
      'sample.ts:2 anew',
      'sample.ts:2 portions',
    ]);
  });
});
