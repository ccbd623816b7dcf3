import ts from 'typescript';

type Value = number | string;

/** Every declaration of a source file that has a value, by its name; the first of each name counts. */
const valuesIn = (source: ts.SourceFile): Map<string, ts.Expression> => {
  const values = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    const hasValue =
      ts.isVariableDeclaration(node) ||
      ts.isPropertyAssignment(node) ||
      ts.isBindingElement(node) ||
      ts.isParameter(node);
    if (hasValue && node.initializer !== undefined && ts.isIdentifier(node.name) && !values.has(node.name.text))
      values.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return values;
};

const OPERATIONS: Partial<Record<ts.SyntaxKind, (a: number, b: number) => number>> = {
  [ts.SyntaxKind.PlusToken]: (a, b) => a + b,
  [ts.SyntaxKind.MinusToken]: (a, b) => a - b,
  [ts.SyntaxKind.AsteriskToken]: (a, b) => a * b,
  [ts.SyntaxKind.SlashToken]: (a, b) => a / b,
  [ts.SyntaxKind.AsteriskAsteriskToken]: (a, b) => a ** b,
  [ts.SyntaxKind.LessThanLessThanToken]: (a, b) => a * 2 ** b,
};

/**
 * The value of a constant as a source file declares it, exported or not: `STEP_MS`, or `LIMITS.headerBytes` of an object. Throws where
 * there is none, or one that is no arithmetic.
 */
export const constantOf = (text: string, name: string): Value => {
  const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  const values = valuesIn(source);

  const named = (one: string): ts.Expression => {
    const value = values.get(one);
    if (value === undefined) throw new Error(`there is no ${one}`);
    return value;
  };

  const member = (of: ts.Expression, key: string): ts.Expression => {
    if (ts.isAsExpression(of)) return member(of.expression, key);
    if (ts.isIdentifier(of)) return member(named(of.text), key);
    const found = ts.isObjectLiteralExpression(of)
      ? of.properties.find((property) => property.name?.getText(source) === key)
      : undefined;
    if (found === undefined || !ts.isPropertyAssignment(found)) throw new Error(`there is no ${key}`);
    return found.initializer;
  };

  const evaluate = (node: ts.Expression): Value => {
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return evaluate(node.expression);
    if (ts.isIdentifier(node)) return evaluate(named(node.text));
    if (ts.isPropertyAccessExpression(node)) return evaluate(member(node.expression, node.name.text));
    if (ts.isBinaryExpression(node)) {
      if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return evaluate(node.right);
      const operation = OPERATIONS[node.operatorToken.kind];
      const [left, right] = [evaluate(node.left), evaluate(node.right)];
      if (operation !== undefined && typeof left === 'number' && typeof right === 'number')
        return operation(left, right);
    }
    throw new Error(`${name} is ${node.getText(source)}, which is no plain value`);
  };

  const [first = '', ...keys] = name.split('.');
  return evaluate(keys.reduce(member, named(first)));
};
