/** Limits of a lab and its parts: far beyond any real lab, and far below what would exhaust memory. */

/** Most characters of a text, by its use. */
export const LENGTHS = {
  /** Names, formats of names, and other words that stand in one. */
  name: 255,
  /** A line: paths, addresses, options of one setting. */
  line: 4096,
  /** Some pages: notes, environments, options of a command line. */
  text: 64 * 1024,
  /** A configuration or a script. */
  content: 1024 ** 2,
  /** A file that a container gets, in base64 where it is no text: what stands beside a project file has twice as much. */
  file: 8 * 1024 ** 2,
  /** A drawing with its pictures in it. */
  svg: 24 * 1024 ** 2,
} as const;
export type Length = keyof typeof LENGTHS;

/** Members of a project. */
export const MOST = { node: 10_000, link: 40_000, drawing: 10_000 } as const;

/** Most projects, templates and computes of one server: it lists projects and templates in one answer, and keeps a connection to each compute. */
export const MOST_OF_SERVER = { project: 10_000, template: 5_000, compute: 200 } as const;

/** Most secrets that a server keeps for its labs. */
export const MOST_SECRETS = 20_000;

/** Most nodes, links and drawings of an archive, including its snapshots: they are one batch of the log. */
export const MOST_IMPORTED = MOST.node + MOST.link + MOST.drawing;

/** Most items of a list in a record: ports, adapters, variables. */
export const MOST_ITEMS = 1024;

/** Most steps of a batch. */
export const MOST_STEPS = 20_000;

/** Most characters of JSON of a value that is stored as it was sent. */
export const MOST_JSON = 64 * 1024;

/** Most octets of data in a ping, over IPv4 or IPv6. */
export const MOST_PING_DATA = 65_000;
