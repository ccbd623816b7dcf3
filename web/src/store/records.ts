import type { Schemas } from 'topolog/client';

export type Project = Schemas['Project'];
export type Node = Schemas['Node'];
export type Link = Schemas['Link'];
export type Drawing = Schemas['Drawing'];
export type Port = Schemas['Port'];
/** A frame of a project's feed, or of the server's. */
export type Frame = Schemas['Frame'];

/** A lab as it is, or was at a moment. Never changed in place; what did not change stays the same object. */
export interface Records {
  readonly project: Project | null;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly links: ReadonlyMap<string, Link>;
  readonly drawings: ReadonlyMap<string, Drawing>;
}

export const NO_RECORDS: Records = { project: null, nodes: new Map(), links: new Map(), drawings: new Map() };

export const recordsOf = (
  project: Project,
  nodes: readonly Node[],
  links: readonly Link[],
  drawings: readonly Drawing[],
): Records => ({
  project,
  nodes: new Map(nodes.map((node) => [node.node_id, node])),
  links: new Map(links.map((link) => [link.link_id, link])),
  drawings: new Map(drawings.map((drawing) => [drawing.drawing_id, drawing])),
});
