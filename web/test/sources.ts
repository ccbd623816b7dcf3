import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export type Made = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;

export const isMade = (node: ts.Node): node is Made =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node);

interface Call {
  readonly call: ts.CallExpression;
  readonly file: ts.SourceFile;
}

/** The sources under a folder, each read when it is asked for. */
export class Sources {
  readonly root: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly #files = new Map<string, ts.SourceFile>();
  readonly #names = new Map<ts.SourceFile, ReadonlyMap<string, ts.Node>>();
  readonly #calls = new Map<string, Call[]>();

  constructor(root: string) {
    this.root = root;
    const files = readdirSync(root, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => path.join(root, file));
    this.texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  }

  /** Calls of a function of a file, there and where it is imported. */
  callsOf(name: string, from: ts.SourceFile): Call[] {
    const key = `${name} ${from.fileName}`;
    const known = this.#calls.get(key) ?? this.#findCalls(name, from);
    this.#calls.set(key, known);
    return known;
  }

  #findCalls(name: string, from: ts.SourceFile): Call[] {
    const isWord = new RegExp(`(?<![\\w#])${name}\\(`);
    const isExported = new RegExp(`export (?:const|function|async function) ${name}\\b`).test(from.text);
    const short = path.basename(from.fileName);
    return [...this.texts]
      .filter(
        ([file, text]) => file === from.fileName || (isExported && text.includes(`/${short}'`) && isWord.test(text)),
      )
      .flatMap(([other]) => {
        const file = this.file(other);
        const calls: Call[] = [];
        const visit = (node: ts.Node): void => {
          if (ts.isCallExpression(node)) {
            const called =
              ts.isPropertyAccessExpression(node.expression) &&
              node.expression.expression.kind === ts.SyntaxKind.ThisKeyword
                ? node.expression.name
                : node.expression;
            if (called.getText() === name) calls.push({ call: node, file });
          }
          ts.forEachChild(node, visit);
        };
        visit(file);
        return calls;
      });
  }

  /** What the names of a file stand for: the import, the function, or the value. */
  namesOf(file: ts.SourceFile): ReadonlyMap<string, ts.Node> {
    const known = this.#names.get(file);
    if (known !== undefined) return known;
    const names = new Map<string, ts.Node>();
    const visit = (node: ts.Node): void => {
      if (
        ts.isImportDeclaration(node) &&
        node.importClause?.namedBindings !== undefined &&
        ts.isNamedImports(node.importClause.namedBindings)
      )
        for (const { name } of node.importClause.namedBindings.elements) names.set(name.text, node);
      if (ts.isVariableDeclaration(node) && node.initializer !== undefined)
        names.set(node.name.getText(), node.initializer);
      if (ts.isFunctionDeclaration(node) && node.name !== undefined) names.set(node.name.text, node);
      ts.forEachChild(node, visit);
    };
    visit(file);
    this.#names.set(file, names);
    return names;
  }

  file(name: string): ts.SourceFile {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const file = ts.createSourceFile(
      name,
      this.texts.get(name) ?? '',
      { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
      true,
    );
    this.#files.set(name, file);
    return file;
  }
}
