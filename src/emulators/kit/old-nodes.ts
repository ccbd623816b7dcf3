import type { Properties } from './engine-contract.ts';

/** Nodes of project files before revision 5 (programs 1.0 to 1.5), and what kinds make of them. Everything in them is untrusted. */

export interface OldPort {
  name: string;
  /** null: the file does not say. */
  adapter: number | null;
  /** null: the file does not say. */
  number: number | null;
  /** A link of the file ends at it. */
  linked: boolean;
  /** All that the file says of it. */
  fields: Properties;
}

export interface OldNode {
  /** Its id here: the file's, or derived from what the file says. */
  node_id: string;
  name: string;
  /** Name of its class; empty: the file has none. */
  type: string;
  properties: Properties;
  /** All that the file says of it. */
  fields: Properties;
  ports: readonly OldPort[];
}

export interface PortNumber {
  adapter_number: number;
  port_number: number;
}

/** A file of the node that lies somewhere else in an old project. */
export interface OldFile {
  /** Relative to the node's directory, with `/`. */
  name: string;
  /** Possible paths, the likeliest first; relative to the project's directory, with `/`. */
  places: readonly string[];
  /** The file that the project names: that it is nowhere is worth a warning. null: it names none. */
  named: string | null;
  /** Text for it where there is no such file. */
  content?: string;
}

/** Result of converting an old node. */
export interface FromOld {
  /** Properties with today's names. A key that the kind does not know is dropped with a warning. */
  properties: Properties;
  /** Symbol of a node whose file has none; absent: that of the kind. */
  symbol?: string;
  /** New ends of each port's links, by the port's place in the list; null: the port is gone. Absent or undefined: as the file says. */
  ends?: readonly (PortNumber | null | undefined)[];
  /** Ports that are nodes of their own now, with the type of these. */
  apart?: readonly { port: number; type: string }[];
  files?: readonly OldFile[];
  /** Guesses and omissions, as sentences after the node's name. */
  warnings?: readonly string[];
}

export interface OldForm {
  /** Types that become the kind. */
  types: readonly string[];
  /** Restricts these types to such nodes; goes before a kind that takes all of a type. */
  only?(node: OldNode): boolean;
  /** Pure. Throws nothing for what a file can have. */
  convert(node: OldNode): FromOld;
}

/** The properties without keys that have another form now. */
export const leaving = (properties: Properties, keys: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The last part of a path of any system. */
const lastOf = (file: string): string => file.split(/[\\/]/).at(-1) ?? '';

/** Absolute, on any system. */
const isRooted = (file: string): boolean => /^([\\/]|[a-z]:)/i.test(file);

/** Images under the name that they have wherever they are: the paths are those of the author's machine. */
export const withImageNames = (properties: Properties, keys: readonly string[]): Properties => ({
  ...properties,
  ...Object.fromEntries(
    keys.flatMap((key) => {
      const image = properties[key];
      return typeof image === 'string' && (isRooted(image) || image.includes('\\')) ? [[key, lastOf(image)]] : [];
    }),
  ),
});

/**
 * Paths where a file that an old node names may lie: below the directory of its node, that of its kind, `project-files`, or beside the
 * project file, where authors of published labs put it. None for nothing named.
 */
export const placesOf = (named: unknown, directory: string, nodeId: string): string[] => {
  const given = textOf(named);
  if (given === null) return [];
  const file = isRooted(given) ? lastOf(given) : given.replaceAll('\\', '/');
  return [`project-files/${directory}/${nodeId}/`, `project-files/${directory}/`, 'project-files/', ''].map(
    (place) => place + file,
  );
};

/** `linked_clone` was not among the properties. */
export const withLinkedClone = ({ properties, fields }: OldNode): Properties => {
  const linked = fields['linked_clone'] ?? fields['linked_base'];
  return typeof linked === 'boolean' ? { linked_clone: linked, ...properties } : properties;
};

/** Switches counted their ports from 1; now by their place in the list, from 0. `more` is what else an entry has. */
export const listedPorts = (
  { properties, ports }: OldNode,
  more: (port: OldPort) => Properties,
): Pick<FromOld, 'properties' | 'ends'> => {
  if (ports.length === 0) return { properties };
  const order = ports.map((port, index) => ({ port, index, at: port.number ?? index + 1 }));
  order.sort((a, b) => a.at - b.at || a.index - b.index);
  const places = new Map(order.map(({ index }, place) => [index, place]));
  return {
    properties: {
      ...properties,
      ports_mapping: order.map(({ port, at }, place) => ({
        name: `Ethernet${Math.max(0, at - 1)}`,
        port_number: place,
        ...more(port),
      })),
    },
    ends: ports.map((_, index) => ({ adapter_number: 0, port_number: places.get(index) ?? index })),
  };
};
