// The types of src/client/api.ts: made of the server's own OpenAPI document by openapi-typescript.
import openapiTypes, { astToString } from 'openapi-typescript';

const HEAD = '// Made of /v2/openapi.json by `npm run docs:client`; not to be edited.\n\n';

/** Lines without information: absent keys, headers of any name, and comments that repeat the type below them. */
const SILENT = [
  /^ *(?:query|header|path|cookie|get|put|post|delete|options|head|patch|trace|requestBody|content)\?: never;\n/gm,
  /^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm,
  /^ *\/\*\* @enum \{\w+\} \*\/\n/gm,
  /^ *parameters: \{\n *\};\n/gm,
  /^export type (?:webhooks|\$defs) = .*\n/gm,
];

/** Without the titles of forms; what they say of a setting stands once, at the record and not at the bodies that change it. */
const plain = (document) => {
  const { schemas } = document.components;
  const bare = Object.entries(schemas).map(([name, schema]) => [
    name,
    untitled(schema, /.(?:Create|Update|Node)$/.test(name)),
  ]);
  return { ...untitled(document, false), components: { ...document.components, schemas: Object.fromEntries(bare) } };
};

const untitled = (value, withoutHelp) => {
  if (Array.isArray(value)) return value.map((one) => untitled(one, withoutHelp));
  if (typeof value !== 'object' || value === null) return value;
  const isForm = typeof value.title === 'string' && typeof value.description === 'string';
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isForm || !(key === 'title' || (withoutHelp && key === 'description')))
      .map(([key, one]) => [key, untitled(one, withoutHelp)]),
  );
};

/** Text of src/client/api.ts. */
export const clientTypes = async (document) => {
  const ast = await openapiTypes(plain(document), { defaultNonNullable: false });
  const text = SILENT.reduce((left, silent) => left.replace(silent, ''), astToString(ast));
  return HEAD + text.replace(/^ +/gm, (indent) => indent.slice(indent.length / 2));
};
