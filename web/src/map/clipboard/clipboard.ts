import type { Schemas } from 'topolog/client';
import type { Drawing, Link, Node, Records } from '../../store/records.ts';
import { t } from '../../words/words.ts';
import { freePlace, type Point } from '../actions/free-place.ts';
import type { Chosen } from '../actions/object-actions.ts';
import { type Groups, groupsOf, withNodesIn } from '../groups/groups.ts';
import { hullOf } from '../groups/hull.ts';

/** The type of what the map puts into the clipboard; beside it stands the same as text. */
export const CLIPBOARD_TYPE = 'application/vnd.topolog+json';
const MARK = 'topolog objects';
const VERSION = 1;

type Step = Schemas['Batch']['steps'][number];
type Bag = Readonly<Record<string, unknown>>;

/** Copied objects, each as its record describes it, without values that belong to this lab alone. */
export interface Copied {
  readonly type: typeof MARK;
  readonly version: typeof VERSION;
  /** For people who paste it elsewhere. */
  readonly what: string;
  /** Id of this copy. */
  readonly copy_id: string;
  readonly project_id: string;
  readonly nodes: readonly (Bag & Pick<Node, 'node_id' | 'name' | 'x' | 'y' | 'width' | 'height'>)[];
  readonly links: readonly (Bag & { readonly nodes: readonly (Bag & { readonly node_id: string })[] })[];
  readonly drawings: readonly (Bag & Pick<Drawing, 'x' | 'y'>)[];
  /** Groups whose nodes are all copied; absent: none. */
  readonly groups?: Groups;
}

/** Ports of the host, and what the server makes. `console_host` and so on are read-only. */
const OF_THIS_NODE = new Set([
  'project_id',
  'status',
  'ports',
  'node_directory',
  'command_line',
  'console',
  'console_host',
]);
/** Addresses that no two nodes may have; a copy gets its own. */
const OWN_PROPERTIES = new Set(['mac_address', 'mac_addr', 'failure', 'unreachable', 'aux']);

const without = (bag: object, keys: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(bag).filter(([key]) => !keys.has(key)));

const nodeCopy = (node: Node): Copied['nodes'][number] => ({
  ...without(node, OF_THIS_NODE),
  node_id: node.node_id,
  name: node.name,
  x: node.x,
  y: node.y,
  width: node.width,
  height: node.height,
  locked: false,
  custom_adapters: node.custom_adapters.map(({ mac_address: _, ...adapter }) => adapter),
  properties: without(node.properties, OWN_PROPERTIES),
});

const linkCopy = ({ nodes, suspend, filters, link_style }: Link): Copied['links'][number] => ({
  nodes: nodes.map((end) => ({ ...end })),
  suspend,
  filters,
  link_style,
});

/** Nodes with the links between them, and drawings. */
export const copiedOf = (records: Records, { nodes, drawings }: Chosen, copy_id: string): Copied => {
  const ids = new Set(nodes.map(({ node_id }) => node_id));
  return {
    type: MARK,
    version: VERSION,
    what:
      nodes.length > 0
        ? nodes.map(({ name }) => name).join(', ')
        : t('{count, plural, one {# drawing} other {# drawings}}', { count: drawings.length }),
    copy_id,
    project_id: records.project?.project_id ?? '',
    nodes: nodes.map(nodeCopy),
    links: [...records.links.values()]
      .filter((link) => link.nodes.every(({ node_id }) => ids.has(node_id)))
      .map(linkCopy),
    drawings: drawings.map(({ x, y, z, rotation, svg }) => ({ x, y, z, rotation, svg })),
    ...groupsIn(records, ids),
  };
};

const groupsIn = ({ project, nodes }: Records, ids: ReadonlySet<string>): Pick<Copied, 'groups'> => {
  const groups = withNodesIn(groupsOf(project), nodes)
    .map((group) => ({ ...group, nodes: group.nodes.filter((id) => nodes.has(id)) }))
    .filter((group) => group.nodes.every((id) => ids.has(id)));
  return groups.length === 0 ? {} : { groups };
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlaced = (value: unknown): value is Bag =>
  isBag(value) && Number.isFinite(value['x']) && Number.isFinite(value['y']);
const isNode = (value: unknown): boolean =>
  isPlaced(value) &&
  Number.isFinite(value['width']) &&
  Number.isFinite(value['height']) &&
  typeof value['node_id'] === 'string' &&
  typeof value['name'] === 'string';
const isLink = (value: unknown): boolean =>
  isBag(value) &&
  Array.isArray(value['nodes']) &&
  value['nodes'].length === 2 &&
  value['nodes'].every((end) => isBag(end) && typeof end['node_id'] === 'string');

const areGroups = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) &&
    value.every(
      (one) => isBag(one) && Array.isArray(one['nodes']) && one['nodes'].every((id) => typeof id === 'string'),
    ));

/** Null: it is something else. */
export const readCopied = (text: string): Copied | null => {
  if (!text.includes(MARK)) return null;
  try {
    const given: unknown = JSON.parse(text);
    if (!isBag(given) || given['type'] !== MARK || given['version'] !== VERSION) return null;
    if (typeof given['copy_id'] !== 'string' || !UUID.test(String(given['project_id']))) return null;
    const { nodes, links, drawings } = given;
    const isWhole =
      [nodes, links, drawings].every(Array.isArray) &&
      (nodes as unknown[]).every(isNode) &&
      (links as unknown[]).every(isLink) &&
      (drawings as unknown[]).every(isPlaced);
    return isWhole && areGroups(given['groups']) ? (given as unknown as Copied) : null;
  } catch {
    return null;
  }
};

export interface Pasting {
  readonly records: Records;
  /** Where the middle of what is pasted is to be; null: a little beside where it was. */
  readonly at: Point | null;
  readonly newId: () => string;
}
interface Pasted {
  readonly steps: readonly Step[];
  /** Ids of the new nodes and drawings. */
  readonly ids: readonly string[];
  /** To be added once the nodes are there. */
  readonly groups: Groups;
}

/** Beside the original. Pixels of the map. */
const ASIDE = 40;
/** The larger it is, the farther apart are the places that are tried: so many to its size. */
const STEPS = 30;

/** One batch that makes the objects again, with ids of their own and names that are free. */
export const pasteSteps = (copied: Copied, { records, at, newId }: Pasting): Pasted => {
  const by = shiftOf(copied, records, at);
  const names = new Set([...records.nodes.values()].map(({ name }) => name));
  const ids = new Map<string, string>();
  const isSame = copied.project_id === records.project?.project_id;
  const nodes = copied.nodes.map((node): Step => {
    const id = newId();
    ids.set(node.node_id, id);
    const name = uniqueName(node.name, names);
    names.add(name);
    const { width: _w, height: _h, compute_id, template_id, ...rest } = node;
    const label = isBag(node['label']) ? node['label'] : {};
    const record = {
      ...rest,
      // Elsewhere there may be no such machine, and no such template.
      ...(isSame ? { compute_id, template_id } : {}),
      node_id: id,
      name,
      label: label['text'] === node.name ? { ...label, text: name } : label,
      x: Math.round(node.x + by.x),
      y: Math.round(node.y + by.y),
    };
    return { action: 'create', type: 'node', record };
  });
  const links = copied.links.map((link): Step => {
    const ends = link.nodes.map((end) => ({ ...end, node_id: ids.get(end.node_id) ?? end.node_id }));
    return { action: 'create', type: 'link', record: { ...link, nodes: ends } };
  });
  const drawings = copied.drawings.map((drawing): Step => {
    const id = newId();
    ids.set(id, id);
    const record = { ...drawing, drawing_id: id, x: Math.round(drawing.x + by.x), y: Math.round(drawing.y + by.y) };
    return { action: 'create', type: 'drawing', record };
  });
  const groups = (copied.groups ?? []).map((group) => ({
    ...group,
    group_id: newId(),
    nodes: group.nodes.map((id) => ids.get(id)).filter((id) => id !== undefined),
  }));
  return { steps: [...nodes, ...links, ...drawings], ids: [...ids.values()], groups };
};

/** Shift with which no node lies on another. Drawings may lie on anything but on a copy of themselves. */
const shiftOf = ({ nodes, drawings }: Copied, records: Records, at: Pasting['at']): Point => {
  const { project } = records;
  const grid = project?.snap_to_grid === true ? Math.max(5, project.grid_size) : 1;
  const onGrid = (value: number): number => Math.round(value / grid) * grid;
  const by = at === null ? { x: ASIDE, y: ASIDE } : toMiddle(nodes, drawings, at);
  const wanted = { x: onGrid(by.x), y: onGrid(by.y) };
  if (nodes.length === 0) return besideDrawings(drawings, records, wanted);
  const hull = hullOf(nodes);
  const step = Math.max(ASIDE / 2, Math.ceil(Math.max(hull.width, hull.height) / STEPS));
  const free = freePlace(
    [...records.nodes.values()],
    { ...hull, x: hull.x + wanted.x, y: hull.y + wanted.y },
    Math.ceil(step / grid) * grid,
  );
  return { x: free.x - hull.x, y: free.y - hull.y };
};

const besideDrawings = (drawings: Copied['drawings'], records: Records, by: Point): Point => {
  const taken = new Set([...records.drawings.values()].map(({ x, y }) => `${x} ${y}`));
  const isTaken = ({ x, y }: Point): boolean => taken.has(`${Math.round(x + by.x)} ${Math.round(y + by.y)}`);
  return drawings.some(isTaken) ? besideDrawings(drawings, records, { x: by.x + ASIDE, y: by.y + ASIDE }) : by;
};

const toMiddle = (nodes: Copied['nodes'], drawings: Copied['drawings'], at: Point): Point => {
  const boxes = [...nodes, ...drawings.map(({ x, y }) => ({ x, y, width: 0, height: 0 }))];
  const left = Math.min(...boxes.map(({ x }) => x));
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const top = Math.min(...boxes.map(({ y }) => y));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  return { x: Math.round(at.x - (left + right) / 2), y: Math.round(at.y - (top + bottom) / 2) };
};

/** A name that is not taken: the next number at its end. */
export const uniqueName = (wished: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(wished)) return wished;
  const [, stem = wished, digits = ''] = /^(.*?)((?<!\d)\d*)$/.exec(wished) ?? [];
  const separator = digits === '' ? '-' : '';
  for (let number = (Number(digits) || 0) + 1; ; number++) {
    const name = `${stem}${separator}${number}`;
    if (!taken.has(name)) return name;
  }
};
