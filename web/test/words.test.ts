import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import ts from 'typescript';
import { everything, german, sentences } from '../src/words/german.ts';
import { sentencesIn } from '../src/words/sentences.ts';
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

  it('calls a link and a frame the same everywhere', () => {
    const other = Object.entries({ ...everything, ...sentences }).filter(
      ([message, text]) => /\bRahmen/.test(text) || (/Verbindung/.test(text) && !/connection/i.test(message)),
    );
    assert.deepEqual(other, []);
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

/** Texts between the values of the sentences that a file of the server makes, those that errors say apart. */
const fixedParts = (source: ts.SourceFile): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isThrowStatement(node) || ts.isNewExpression(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const words = found.map((text) => text.replaceAll(/^[\s,.:;()]+|[\s,.:;()]+$/g, ''));
  return words.filter((text) => /^(?:the |its )?[a-z’']+,? [a-z]+|^[A-Z][a-z]+ [a-z]+ [a-z]+/.test(text));
};

/** Of what has no name any more. */
const IN_NAMES = new Set(['a node that is gone', 'its neighbour']);

describe('sentences of the server', () => {
  const tell = (text: string): string => everything[text] ?? say(text) ?? text;
  const say = sentencesIn(sentences, tell);

  it('have no values in German that they have not', () => {
    for (const [sentence, text] of Object.entries(sentences)) {
      const known = placeholdersOf(sentence);
      assert.deepEqual(
        placeholdersOf(text).filter((name) => !known.includes(name)),
        [],
        sentence,
      );
    }
  });

  it('are there in German: all that it answers to why', () => {
    const folder = `${process.cwd()}/src/why`;
    const keys = Object.keys(sentences);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const parts = files.flatMap((file) =>
      fixedParts(
        ts.createSourceFile(file, readFileSync(path.join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true),
      ),
    );
    assert.ok(parts.length > 50, `${parts.length} texts are found`);
    assert.deepEqual(
      parts.filter((part) => !IN_NAMES.has(part) && !keys.some((key) => key.includes(part))),
      [],
    );
  });

  it('are there in German: all of its table of errors', () => {
    const table = readFileSync(`${process.cwd()}/src/common/errors.ts`, 'utf8');
    const said = [...table.matchAll(/sentence:\s*'([^']+)'/g)].map(([, sentence = '']) => sentence);
    assert.ok(said.length > 25, `${said.length} sentences are found`);
    assert.deepEqual(
      said.filter((sentence) => sentence !== '{reason}' && !Object.hasOwn(sentences, sentence)),
      [],
    );
  });

  it('are found by what is between their values, and the sentences in them as well', () => {
    assert.equal(
      tell(
        'PC1 does not reach PC3: Switch2 takes the frames into VLAN 10 at Ethernet0, and Ethernet1 is access in VLAN 30. ' +
          'mallory changed Switch2: Ethernet1 from vlan 10 to 30 at 2026-11-24T04:49:10.360Z (event 35).',
      ),
      'PC1 erreicht PC3 nicht: Switch2 nimmt die Frames an Ethernet0 in VLAN 10, und Ethernet1 ist Access in VLAN 30. ' +
        'mallory hat Switch2 geändert: Ethernet1 from vlan 10 to 30, 2026-11-24T04:49:10.360Z (Ereignis 35).',
    );
    assert.equal(tell('R1 needs dynamips: apt-get install dynamips'), 'R1 braucht dynamips: apt-get install dynamips');
    assert.equal(
      tell('The request is not valid: the drawing is locked'),
      'Das geht so nicht: Die Zeichnung ist gesperrt',
    );
    assert.equal(tell('Nobody has said this'), 'Nobody has said this');
    // Names are not translated, and mean nothing to what is looked for.
    assert.equal(tell('Node (.+?) {name} is locked'), 'Node (.+?) {name} ist gesperrt');
  });
});

describe('the language of the page', () => {
  it('is the one that was asked for, or the first of the browser that there is, or English', () => {
    assert.equal(wantedLanguage('de', ['en-GB']), 'de');
    assert.equal(wantedLanguage(null, ['fr', 'de-AT', 'en']), 'de');
    assert.equal(wantedLanguage('xx', ['fr']), 'en');
  });
});
