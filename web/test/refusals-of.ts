import path from 'node:path';
import ts from 'typescript';
import { isMade, type Made, Sources } from './sources.ts';

/** A sentence that the server can say, with `VALUE` for each value in it, and where its source has it. */
export interface Refusal {
  readonly at: string;
  readonly text: string;
}

/** What stands for a value. */
const VALUE = '§';

/** Functions that make an error, a warning or a finding of a text: which of their arguments it is; -1: the last. */
const MAKERS: Readonly<Record<string, number>> = {
  conflict: 0,
  invalid: 0,
  FilterError: 0,
  engineFailed: 1,
  fileNotFound: 0,
  saying: 1,
  FabricError: 1,
  warn: 2,
  broken: -1,
  '#broken': -1,
};
/** Properties whose text is a part of a sentence of the table of errors, or of an event. */
const PARTS = new Set(['reason', 'needs', 'install', 'message']);
/** Lists of warnings. */
const LISTS = new Set(['warnings', 'settled']);

/** What a file has that says any of it. */
const SPEAKS =
  /\b(?:conflict|invalid|\w*Error|engineFailed|saying|warn|broken)\(|'must |\b(?:reason|needs|install|message):|\.push\(/;

/** Texts of one expression, at most: each `if` in it makes twice as many. */
const MOST = 64;
/** Functions and constants within one another that a text is looked for in. */
const DEEPEST = 6;

/** What a text is read with: the file, and the texts of the parameters that are known. */
interface Scope {
  readonly file: ts.SourceFile;
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly depth: number;
}

const joined = (parts: readonly (readonly string[])[]): string[] =>
  parts.reduce<string[]>(
    (heads, part) => heads.flatMap((head) => part.map((tail) => head + tail)).slice(0, MOST),
    [''],
  );

/** A name, or a text that has no words of the server's, is a value. */
const worded = (text: string): string => (text === '' || /\p{L}+ [\p{L}§]/u.test(text) ? text : VALUE);

/**
 * Reads the sentences that the sources under a folder can say. `isShown`: false for files whose sentences no page shows.
 * `parts`: further properties whose text is one.
 */
export class Refusals {
  readonly #sources: Sources;
  readonly #parts: ReadonlySet<string>;
  readonly #speaks: RegExp;

  constructor(root: string, parts: readonly string[] = []) {
    this.#sources = new Sources(root);
    this.#parts = new Set([...PARTS, ...parts]);
    this.#speaks = parts.length === 0 ? SPEAKS : new RegExp(`\\b(?:${parts.join('|')})\\b`);
  }

  of(isShown: (file: string) => boolean): Refusal[] {
    const found = new Map<string, string>();
    for (const [name, text] of this.#sources.texts) {
      const short = path.relative(this.#sources.root, name);
      if (!isShown(short) || !this.#speaks.test(text)) continue;
      const file = this.#sources.file(name);
      const visit = (node: ts.Node): void => {
        for (const part of this.#partsOf(node)) {
          const { line } = file.getLineAndCharacterOfPosition(part.getStart());
          for (const text of this.#calledWith(part, { file, given: new Map(), depth: 0 }))
            if (!found.has(text)) found.set(text, `${short}:${line + 1}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
    return [...found].map(([text, at]) => ({ at, text }));
  }

  /** Expressions in a node of the tree that become a sentence. */
  #partsOf(node: ts.Node): ts.Expression[] {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = node.expression;
      const name = ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
      const args = node.arguments ?? [];
      if (name === 'push' && ts.isPropertyAccessExpression(called)) {
        const list = ts.isPropertyAccessExpression(called.expression) ? called.expression.name : called.expression;
        return LISTS.has(list.getText()) ? [...args] : [];
      }
      const text = Object.hasOwn(MAKERS, name) ? args.at(MAKERS[name] ?? 0) : undefined;
      return text === undefined ? [] : [text];
    }
    if (ts.isPropertyAssignment(node) && this.#parts.has(node.name.getText())) return [node.initializer];
    if (ts.isShorthandPropertyAssignment(node) && this.#parts.has(node.name.text)) return [node.name];
    return (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && /^.must /.test(node.getText())
      ? [node]
      : [];
  }

  /** What an expression says, for each of the calls of the function that it is in where it says a parameter of that. */
  #calledWith(node: ts.Expression, scope: Scope): string[] {
    const maker = this.#makerOf(node);
    if (maker === null || scope.depth > DEEPEST) return this.#said(node, scope);
    if (Object.hasOwn(MAKERS, maker.name)) return [];
    const calls = this.#sources.callsOf(maker.name, scope.file);
    if (calls.length === 0) return this.#said(node, scope);
    return calls.flatMap(({ call, file }) => {
      const outer = { file, given: new Map(), depth: scope.depth + 1 };
      const given = new Map(
        maker.made.parameters.flatMap((parameter, index) => {
          const arg = call.arguments?.[index] ?? parameter.initializer;
          return arg === undefined
            ? []
            : [[parameter.name.getText(), this.#calledWith(arg, outer).map(worded)] as const];
        }),
      );
      return this.#said(node, { ...scope, given });
    });
  }

  /** The named function around an expression that says one of its parameters. */
  #makerOf(node: ts.Node): { made: Made; name: string } | null {
    const said = new Set<string>();
    const visit = (one: ts.Node): void => {
      if (ts.isIdentifier(one)) said.add(one.text);
      if (!ts.isPropertyAccessExpression(one)) ts.forEachChild(one, visit);
    };
    visit(node);
    for (let made = node.parent as ts.Node | undefined; made !== undefined; made = made.parent) {
      if (!isMade(made)) continue;
      const names = made.parameters
        .filter(({ type }) => type === undefined || /string/.test(type.getText()))
        .map((p) => p.name.getText());
      if (!names.some((name) => said.has(name))) continue;
      const called = made.name ?? (ts.isVariableDeclaration(made.parent) ? made.parent.name : undefined);
      return called === undefined ? null : { made, name: called.getText() };
    }
    return null;
  }

  #said(node: ts.Node, scope: Scope): string[] {
    return [...new Set(this.#texts(node, scope))].slice(0, MOST);
  }

  #texts(node: ts.Node, scope: Scope): readonly string[] {
    const again = (one: ts.Node): readonly string[] => this.#said(one, scope);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node))
      return joined([[node.head.text], ...node.templateSpans.flatMap((s) => [again(s.expression), [s.literal.text]])]);
    if (ts.isConditionalExpression(node)) return [...again(node.whenTrue), ...again(node.whenFalse)];
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isAwaitExpression(node))
      return again(node.expression);
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      if (kind === ts.SyntaxKind.PlusToken && !ts.isNumericLiteral(node.right))
        return joined([again(node.left), again(node.right)]);
      if (kind === ts.SyntaxKind.QuestionQuestionToken || kind === ts.SyntaxKind.BarBarToken)
        return [...again(node.left), ...again(node.right)].map((text) => text || VALUE);
    }
    if (ts.isIdentifier(node))
      return (
        scope.given.get(node.text) ??
        this.#named(node.text, scope, (value, there) =>
          ts.isExpression(value) && !isMade(value) ? this.#said(value, there) : null,
        )
      );
    if (ts.isCallExpression(node))
      return this.#named(node.expression.getText(), scope, (made, there) =>
        isMade(made) ? this.#returned(made, node, scope, there) : null,
      );
    return [VALUE];
  }

  /** What a function that is called returns. */
  #returned(made: Made, call: ts.CallExpression, scope: Scope, there: Scope): string[] | null {
    if (made.body === undefined) return null;
    const given = new Map(
      made.parameters.map((parameter, index) => {
        const arg = call.arguments[index] ?? parameter.initializer;
        return [parameter.name.getText(), arg === undefined ? [VALUE] : this.#said(arg, scope).map(worded)] as const;
      }),
    );
    const inside = { ...there, given };
    if (!ts.isBlock(made.body)) return this.#said(made.body, inside);
    const all: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isReturnStatement(node) && node.expression !== undefined) all.push(...this.#said(node.expression, inside));
      if (!isMade(node)) ts.forEachChild(node, visit);
    };
    ts.forEachChild(made.body, visit);
    return all;
  }

  /** What a name stands for, here or in the file that it is imported from. */
  #named(
    name: string,
    scope: Scope,
    say: (found: ts.Node, scope: Scope) => readonly string[] | null,
  ): readonly string[] {
    if (scope.depth > DEEPEST) return [VALUE];
    const found = this.#sources.namesOf(scope.file).get(name);
    if (found === undefined) return [VALUE];
    if (!ts.isImportDeclaration(found))
      return (say(found, { file: scope.file, given: new Map(), depth: scope.depth + 1 }) ?? [VALUE]).map(worded);
    const from = path.join(path.dirname(scope.file.fileName), (found.moduleSpecifier as ts.StringLiteral).text);
    if (!this.#sources.texts.has(from)) return [VALUE];
    return this.#named(name, { file: this.#sources.file(from), given: new Map(), depth: scope.depth + 1 }, say);
  }
}
