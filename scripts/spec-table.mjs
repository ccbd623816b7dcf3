// Reads the titles of tests and lays entries and tests side by side. The titles are taken from the source by its syntax tree:
// a placeholder stands for a constant of the file, or for each item of the literal list that an enclosing for-of walks; any
// other one is an ellipsis, and may not be in an id.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { SECTIONS } from './spec-entries.mjs';

/** Stands for what only running the test tells. */
const UNKNOWN = '…';

/** `{file, title, ids, line}` of every `it(...)` of a source text. Throws when ids are not known before the test runs. */
export const titlesOf = (file, text) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const walk = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'it' && node.arguments[0]) {
      const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      for (const env of environments(node)) found.push({ file, line, ...named(node, source, env, `${file}:${line}`) });
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
};

/** A test's ids, and its title after those of the suites around it. */
const named = (node, source, env, where) => {
  const { ids, title } = split(textOf(node.arguments[0], source, env), where);
  const suites = [];
  for (let outer = node.parent; outer; outer = outer.parent)
    if (ts.isCallExpression(outer) && outer.expression.getText(source) === 'describe' && outer.arguments[0])
      suites.unshift(textOf(outer.arguments[0], source, env));
  return { ids, title: [...suites, title].join(' ') };
};

/** `[a] [b] does this` → ids a and b, title "does this". */
const split = (whole, where) => {
  const ids = [];
  let title = whole;
  for (let m = /^\[([^\]]+)\]\s*/.exec(title); m; m = /^\[([^\]]+)\]\s*/.exec(title)) {
    if (m[1].includes(UNKNOWN)) throw new Error(`${where}: the id [${m[1]}] is not known before the test runs`);
    ids.push(m[1]);
    title = title.slice(m[0].length);
  }
  if (title.startsWith(UNKNOWN)) throw new Error(`${where}: how the title begins is not known before the test runs`);
  return { ids, title };
};

/** Every combination of what the loops around a node walk: name → expression. */
const environments = (node) => {
  let all = [new Map()];
  for (let outer = node.parent; outer; outer = outer.parent) {
    if (!ts.isForOfStatement(outer) || !ts.isVariableDeclarationList(outer.initializer)) continue;
    const { name } = outer.initializer.declarations[0];
    const list = bare(outer.expression);
    if (!ts.isIdentifier(name) || !ts.isArrayLiteralExpression(list)) continue;
    all = all.flatMap((env) => list.elements.map((item) => new Map([...env, [name.text, item]])));
  }
  return all;
};

/** Without `as const`. */
const bare = (expression) => (ts.isAsExpression(expression) ? bare(expression.expression) : expression);

const textOf = (given, source, env) => {
  const expression = bare(given);
  if (ts.isStringLiteralLike(expression)) return expression.text;
  if (ts.isTemplateExpression(expression))
    return (
      expression.head.text +
      expression.templateSpans.map((s) => textOf(s.expression, source, env) + s.literal.text).join('')
    );
  if (ts.isIdentifier(expression)) {
    const known = env.get(expression.text) ?? constantOf(source, expression.text);
    if (known) return textOf(known, source, env);
  }
  return UNKNOWN;
};

/** Initializer of the constant of that name: a file has one of each. */
const constantOf = (source, name) => {
  let found;
  const walk = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText(source) === name) found ??= node.initializer;
    if (!found) ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
};

/** Titles of every test file of a folder. */
export const titlesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .flatMap((name) => titlesOf(name, readFileSync(path.join(folder, name), 'utf8')));

/** Entries that no test names, and tests that name what is no entry. */
export const gaps = (titles, sections = SECTIONS) => {
  const entries = Object.values(sections)
    .flat()
    .map(({ id }) => id);
  const named = new Set(titles.flatMap(({ ids }) => ids));
  return {
    untested: entries.filter((id) => !named.has(id)),
    unknown: titles.flatMap(({ file, line, ids }) =>
      ids.filter((id) => !entries.includes(id)).map((id) => `${file}:${line}: ${id}`),
    ),
  };
};

/** Text of docs/reference/generated/spec-tests.md. */
export const specPage = (titles, sections = SECTIONS) => {
  const entries = Object.values(sections).flat();
  const used = titles.filter(({ ids }) => ids.length > 0);
  return [
    '# The interface and its tests',
    '',
    '<!-- Written by `npm run docs:spec` from scripts/spec-entries.mjs and the titles of test/api; do not edit. -->',
    '',
    `${entries.length} entries: every code of every endpoint, every rule, and every convention that the description of the interface`,
    `states. Each is held by at least one of ${used.length} tests against a running server, all in \`test/api\`.`,
    ...Object.entries(sections).flatMap(([heading, list]) => ['', `## ${heading}`, '', ...table(list, titles)]),
    '',
  ].join('\n');
};

const table = (entries, titles) => [
  '| Entry | What it says | Tests |',
  '| --- | --- | --- |',
  ...entries.map(({ id, says }) => `| \`${id}\` | ${cell(says)} | ${testsOf(id, titles)} |`),
];

const testsOf = (id, titles) =>
  titles
    .filter(({ ids }) => ids.includes(id))
    .map(({ file, title }) => `${cell(title)} (\`${file.replace('.test.ts', '')}\`)`)
    .join('<br/>');

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
