/** The OpenAPI document of a server, as a fuzzer reads it. */

export type Schema = Readonly<Record<string, unknown>>;

export interface Operation {
  method: string;
  /** The template, placeholders in braces; what X-Route says. */
  path: string;
  params: readonly string[];
  query: Readonly<Record<string, Schema>>;
  /** Of a JSON body. */
  body: Schema | null;
  /** Media type of a body that is not JSON. */
  raw: string | null;
  statuses: ReadonlySet<number>;
}

interface Row {
  parameters: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
}

export interface Document {
  info: { description: string };
  paths: Record<string, Record<string, Row>>;
  components: { schemas: Record<string, Schema> };
}

export const operationsOf = (document: Document): Operation[] =>
  Object.entries(document.paths).flatMap(([path, rows]) =>
    Object.entries(rows).map(([method, row]) => {
      const [type, content] = Object.entries(row.requestBody?.content ?? {})[0] ?? [null, null];
      const isJson = type === 'application/json';
      const of = (place: string) => row.parameters.filter((p) => p.in === place);
      return {
        method: method.toUpperCase(),
        path,
        params: of('path').map(({ name }) => name),
        query: Object.fromEntries(of('query').map(({ name, schema }) => [name, schema])),
        body: isJson && content !== null ? content.schema : null,
        raw: isJson ? null : type,
        statuses: new Set(Object.keys(row.responses).map(Number)),
      };
    }),
  );

/** Codes that the document says every operation may answer beside its own. */
export const sharedStatuses = ({ info }: Document): Set<number> => {
  const [, list = ''] = /Beside the errors of a route: ([^(]+)/.exec(info.description) ?? [];
  return new Set([...list.matchAll(/\d{3}/g)].map(([code]) => Number(code)));
};

/** Schemas by name, and what kinds of nodes take at their creation, by the name of the kind. */
export class Schemas {
  readonly #named: Readonly<Record<string, Schema>>;

  constructor({ components }: Document) {
    this.#named = components.schemas;
  }

  /** Follows a `$ref`. */
  resolve(schema: Schema): Schema {
    const ref = schema['$ref'];
    if (typeof ref !== 'string') return schema;
    return this.#named[ref.slice(ref.lastIndexOf('/') + 1)] ?? {};
  }

  ofKind(kind: string): Schema {
    const noun = kind.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
    return this.#named[`${noun}Create`] ?? {};
  }
}
