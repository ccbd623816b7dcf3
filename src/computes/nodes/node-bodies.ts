import { isDeepStrictEqual } from 'node:util';
import type { Kind, KindNode, Properties } from '../../emulators/kit/contract.ts';

/** Bodies of requests that make and change nodes in the compute group, and their comparison with its records. */

/** Whether a value is sent: null and `{}` mean the default, and a GNS3 server does not take them everywhere. */
const hasValue = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  !(typeof value === 'object' && Object.keys(value).length === 0 && !Array.isArray(value));

const bodyOf = (shape: object, record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([key, value]) => Object.hasOwn(shape, key) && hasValue(value)));

/** Body of the request that makes a node of this kind: its whole record. */
export const createBody = (kind: Kind, node: KindNode, isTopolog: boolean): Record<string, unknown> => {
  const lacking = unsetMachineLists(kind, node.properties);
  const body = bodyOf(kind.create.shape, recordOf(kind, node, isTopolog));
  return Object.fromEntries(Object.entries(body).filter(([key]) => !lacking.includes(key)));
};

/** Keys of empty lists that a node gets from its machine. */
const unsetMachineLists = ({ ofMachine = {} }: Kind, properties: Properties): string[] =>
  Object.keys(ofMachine).filter((key) => ((properties[key] ?? []) as readonly unknown[]).length === 0);

/** Properties with the lists that the node got from its compute's machine; null: it got none. */
export const withMachineLists = (kind: Kind, node: KindNode, record: Properties): Properties | null => {
  const given = unsetMachineLists(kind, node.properties).flatMap((key) => {
    const value = record[key];
    if (!Array.isArray(value) || value.length === 0) return [];
    const isFit = kind.properties.safeParse({ [key]: value as unknown[] }).success;
    return isFit ? [[key, value as unknown[]] as const] : [];
  });
  if (given.length === 0) return null;
  return kind.complete({ ...node.properties, ...Object.fromEntries(given) }, node);
};

/** Body of the request that changes a node of this kind. */
export const updateBody = (kind: Kind, node: KindNode, isTopolog: boolean): Record<string, unknown> => {
  const { node_id: _, ...body } = bodyOf(kind.update.shape, recordOf(kind, node, isTopolog));
  return body;
};

const READ_ONLY = ['project_id', 'status', 'node_directory', 'command_line'];

const recordOf = (kind: Kind, node: KindNode, isTopolog: boolean): Record<string, unknown> => {
  const { custom_adapters } = node;
  // A GNS3 server has custom adapters for kinds whose adapters have one port each.
  const isCustom = custom_adapters.length > 0 && (isTopolog || kind.capabilities.adapter_only);
  const record = { ...kind.asExisting.record(node), ...(isCustom ? { custom_adapters } : {}) };
  return Object.fromEntries(Object.entries(record).filter(([key]) => !READ_ONLY.includes(key)));
};

/** Whether a body would change the record. Checksums and the console port are the compute's own. */
export const differs = ({ images }: Kind, body: object, record: Properties): boolean => {
  const own = ['console', images?.sum, ...(images?.fields ?? []).map((field) => `${field}_md5sum`)];
  return Object.entries(body).some(
    ([key, value]) => !own.includes(key) && Object.hasOwn(record, key) && !isDeepStrictEqual(value, record[key]),
  );
};
