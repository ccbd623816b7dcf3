import { z } from 'zod';
import type { Kind, NodeFile, Properties } from './contract.ts';
import type { NodeIdentity } from './fields.ts';

/**
 * Files of the texts that were given, by the property that carries each. `%h` in a text is the node's name; line ends become
 * a single line feed, which is what the devices read.
 */
export const textFiles = (given: Properties, node: NodeIdentity, names: Readonly<Record<string, string>>): NodeFile[] =>
  Object.entries(names).flatMap(([key, name]) => {
    const content = given[key];
    return typeof content === 'string' ? [{ name, content: tidy(content, node) }] : [];
  });

const tidy = (content: string, node: NodeIdentity): string =>
  content.replace(/\r\n?/g, '\n').replace(/%h/g, () => node.name);

/** Properties that take a text which becomes a file of the node, and the files of a node for them. */
export const textsOf = (
  { properties, files }: Pick<Kind, 'properties' | 'files'>,
  node: NodeIdentity & { properties: Properties },
): { property: string; name: string }[] =>
  Object.keys(properties.shape).flatMap((property) => {
    if (property in node.properties) return [];
    const [file] = files?.({ ...node.properties, [property]: '' }, node) ?? [];
    return file === undefined ? [] : [{ property, name: file.name }];
  });

/** Start-up text of a kind: the property that takes it, and how it gives addresses. */
export interface StartUp {
  /** Property that takes the text. */
  property: string;
  /** Lines of it that give an address: `{address}`, `{prefix}`; null: it has another form of addresses. */
  addressLine: string | null;
  /** Text behind such a line for a gateway: `{gateway}`; null: it cannot say one there. */
  gateway: string | null;
}

/** null: they read no text. */
export const startUpOf = ({ properties }: Pick<Kind, 'properties'>): StartUp | null => {
  for (const [property, schema] of Object.entries(properties.shape)) {
    const inner = (schema instanceof z.ZodOptional ? schema.def.innerType : schema) as z.core.$ZodType;
    const marks: Readonly<Record<string, unknown>> = z.globalRegistry.get(inner) ?? {};
    const { 'x-file': file, 'x-address-line': line, 'x-gateway': gateway } = marks;
    if (typeof file !== 'string') continue;
    const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
    return { property, addressLine: textOrNull(line), gateway: textOrNull(gateway) };
  }
  return null;
};
