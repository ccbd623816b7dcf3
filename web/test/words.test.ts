import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import ts from 'typescript';
import { everything, german } from '../src/words/german.ts';
import { wantedLanguage } from '../src/words/words.ts';

const root = `${process.cwd()}/web/src`;
const files = readdirSync(root, { recursive: true })
  .map(String)
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('words/'));
const sourceOf = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);

/** Attributes and properties that people read. */
const READ = new Set([
  'label',
  'title',
  'text',
  'note',
  'aria-label',
  'ariaLabel',
  'placeholder',
  'alt',
  'action',
  'submit',
]);
/** Of what is shown one side or both; a comparison shows neither. */
const JOINS = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);
/** The same in every language. */
const NAMES = new Set(['Topolog', 'MD5', 'http', 'Courier New', 'Times New Roman']);
/** Several words, as of a sentence or a part of one, wherever they stand. */
const isSentence = (text: string): boolean =>
  /^(?:\p{Lu}\p{Ll}*[,:]? \p{L}|, \p{L}|: \p{L}| \p{L}+[ ,:.]|\{?\p{L}+\}? \p{L}+ \p{L}+ \p{L}+ \p{L}+).*\p{L}/u.test(
    text,
  );
/** What a step of a batch does is told to the server, not to people. */
const STEPS = new Set(['create', 'update', 'delete']);
const hasWords = (text: string): boolean => /\p{L}{2}/u.test(text);

/** Texts that a file shows past the catalogue, as `line: text`. */
const bareTexts = (source: ts.SourceFile): string[] => {
  const found: string[] = [];
  const tell = (node: ts.Node, text: string): void => {
    if (hasWords(text) && !NAMES.has(text.trim()) && !STEPS.has(text))
      found.push(
        `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${text.trim()}`,
      );
  };
  const isLiteral = (node: ts.Node | undefined): node is ts.LiteralLikeNode =>
    node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateHead(node));
  const literalsOf = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (isLiteral(node)) tell(node, node.text);
    else if (ts.isTemplateExpression(node)) {
      tell(node.head, node.head.text);
      for (const span of node.templateSpans) tell(span.literal, span.literal.text);
    } else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(literalsOf);
    else if (ts.isJsxExpression(node)) literalsOf(node.expression);
    else if (ts.isBinaryExpression(node) && JOINS.has(node.operatorToken.kind))
      [node.left, node.right].forEach(literalsOf);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) tell(node, node.text);
    if (ts.isJsxAttribute(node) && READ.has(node.name.getText())) literalsOf(node.initializer);
    if (ts.isPropertyAssignment(node) && READ.has(node.name.getText())) literalsOf(node.initializer);
    if (ts.isJsxExpression(node) && (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent))) literalsOf(node);
    if ((ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && isSentence(node.text))
      if (!Object.hasOwn(everything, node.text)) tell(node, node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** Every string in the page's source, which is where a message is used. */
const literals = (): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.add(node.text);
    if (ts.isPropertyAssignment(node) && !ts.isComputedPropertyName(node.name)) found.add(node.name.getText());
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(sourceOf(file));
  return found;
};

const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\s*(\w+)/g)].map(([, name = '']) => name))].sort();

describe('the catalogue of messages', () => {
  it('has texts that can be formatted, with the same placeholders in both languages', () => {
    for (const [message, text] of Object.entries(german)) {
      assert.notEqual(text.trim(), '', message);
      new IntlMessageFormat(message, 'en');
      new IntlMessageFormat(text, 'de');
      const wanted = placeholdersOf(message).filter((name) => new RegExp(`\\{\\s*${name}\\s*[,}]`).test(message));
      const given = placeholdersOf(text).filter((name) => new RegExp(`\\{\\s*${name}\\s*[,}]`).test(text));
      assert.deepEqual(given, wanted, message);
    }
  });

  it('has no message that the page does not use', () => {
    const used = literals();
    assert.deepEqual(
      Object.keys(german).filter((message) => !used.has(message)),
      [],
    );
  });

  it('has every text of the page', () => {
    const bare = files.flatMap((file) => bareTexts(sourceOf(file)));
    assert.deepEqual(bare, []);
  });
});

describe('the language of the page', () => {
  it('is the one that was asked for, or the first of the browser that there is, or English', () => {
    assert.equal(wantedLanguage('de', ['en-GB']), 'de');
    assert.equal(wantedLanguage(null, ['fr', 'de-AT', 'en']), 'de');
    assert.equal(wantedLanguage('xx', ['fr']), 'en');
  });
});
