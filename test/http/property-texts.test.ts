import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import ts from 'typescript';
import { createKinds } from '../../src/emulators/registry.ts';
import { fakeLab, serve } from './fake-lab.ts';

/** What forms are made of. */
interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly 'x-group'?: string;
  readonly 'x-options'?: Readonly<Record<string, string>>;
}
interface Kind {
  readonly name: string;
  readonly properties: Schema;
}
interface Document {
  readonly 'x-kinds': readonly Kind[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const app = serve(fakeLab());
after(() => app.close());
const document = async (): Promise<Document> => (await app.inject('/v2/openapi.json')).json<Document>();

const isSaid = ({ title = '', description = '' }: Schema): boolean =>
  /^\S.*\S$|^\S$/.test(title) && !title.endsWith('.') && /^[A-Za-z0-9].*[.]$/.test(description);

/** Settings, and columns of tables, that say nothing of themselves. */
const silent = (schema: Schema, where: string, isTop: boolean): string[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    if (property.readOnly === true) return [];
    const shapes = [property, ...(property.anyOf ?? [])];
    const inner = shapes.flatMap((shape) => [shape, ...(shape.items?.oneOf ?? (shape.items ? [shape.items] : []))]);
    return [
      ...(isSaid(property) && (!isTop || property['x-group'] !== undefined) ? [] : [`${where}.${key}`]),
      ...(property.$ref === undefined ? inner.flatMap((shape) => silent(shape, `${where}.${key}`, false)) : []),
    ];
  });

const german = (file: string): Readonly<Record<string, string>> => {
  const source = readFileSync(`${process.cwd()}/web/src/words/german/server/${file}.ts`, 'utf8');
  const found: Record<string, string> = {};
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isStringLiteralLike(node.initializer))
      found[(node.name as ts.StringLiteral).text] = node.initializer.text;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found;
};

/** Everything that a form shows of schemas. */
const textsOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  const { title, description, 'x-group': group, 'x-options': options = {} } = value as Schema;
  const own = typeof title === 'string' ? [title, description, group, ...Object.values(options)] : [];
  return [...own.filter((text) => text !== undefined), ...Object.values(value).flatMap(textsOf)];
};

describe('what the document says of settings', () => {
  it('is a title, a help and a group for each property of each kind', async () => {
    const { 'x-kinds': kinds, components } = await document();
    assert.equal(kinds.length, createKinds().all().length);
    for (const { name, properties } of kinds) {
      const schema = components.schemas[properties.$ref?.split('/').at(-1) ?? ''];
      assert.ok(Object.keys(schema?.properties ?? {}).length > 0, name);
      assert.deepEqual(silent(schema ?? {}, name, true), []);
    }
  });

  it('is the same for the records, and for what changes them', async () => {
    const { schemas } = (await document()).components;
    for (const noun of ['Node', 'Link', 'Drawing', 'Project', 'Template']) {
      const [record = {}, update = {}] = [schemas[noun], schemas[`${noun}Update`]];
      assert.ok(record.properties && update.properties, noun);
      // Of a record what its tables have is said where they are changed.
      assert.deepEqual(
        Object.entries(record.properties).filter(([, property]) => !isSaid(property)),
        [],
      );
      assert.deepEqual(
        silent(update, noun, true).filter((where) => !where.startsWith('Link.nodes.')),
        [],
      );
    }
  });

  it('has its German in the catalogue of the page, and the catalogue nothing else', async () => {
    const { components } = await document();
    const files = ['schema', 'schema-help', 'schema-checks', 'schema-weather'];
    const known = Object.assign({}, ...files.map(german)) as Readonly<Record<string, string>>;
    const shown = new Set(textsOf(components.schemas));
    assert.deepEqual(
      [...shown].filter((text) => (known[text] ?? '') === ''),
      [],
    );
    assert.deepEqual(
      Object.keys(known).filter((text) => !shown.has(text)),
      [],
    );
  });
});
