import type { NodeFile, Properties } from './contract.ts';
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
