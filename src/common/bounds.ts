/** What a lab and its parts may be at most: far beyond any real one, and far from what would fill a memory or an answer. */

/** Characters of a text, by what it is. */
export const LENGTHS = {
  /** Names, formats of names, and other words that stand in one. */
  name: 255,
  /** A line: paths, addresses, options of one setting. */
  line: 4096,
  /** Some pages: notes, environments, options of a command line. */
  text: 64 * 1024,
  /** A configuration or a script. */
  content: 1024 ** 2,
  /** A drawing with its pictures in it. */
  svg: 24 * 1024 ** 2,
} as const;
export type Length = keyof typeof LENGTHS;

/** Members of a project. */
export const MOST = { node: 10_000, link: 40_000, drawing: 10_000 } as const;

/** Most projects, templates and computes of one server: it lists the first two in one answer, and keeps a connection open to each compute. */
export const MOST_OF_SERVER = { project: 10_000, template: 5_000, compute: 200 } as const;

/** Nodes, links and drawings that an archive may bring, those of its snapshots included: they are one batch of the log. */
export const MOST_IMPORTED = MOST.node + MOST.link + MOST.drawing;

/** Items of a list in a record: ports, adapters, variables. */
export const MOST_ITEMS = 1024;

/** Steps of a batch. */
export const MOST_STEPS = 20_000;

/** Characters of JSON of a value that is kept as it came. */
export const MOST_JSON = 64 * 1024;

/** Octets of data that a ping can have, over either family. */
export const MOST_PING_DATA = 65_000;
