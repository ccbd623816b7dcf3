import { MOST, MOST_ITEMS } from '../../../common/bounds.ts';
import type { Steps } from '../../../common/slices.ts';
import type { OldFile, PortNumber } from '../../../emulators/kit/old-nodes.ts';
import { derivedId } from '../../fields/identity.ts';
import { type Bag, isBag, listOf, quoted, refused } from '../../fields/json.ts';
import { type ConvertedNode, type ConvertedNodes, convertNodes, type FoundPort, type OldKinds } from './nodes.ts';
import { bagsIn, between, colour, decimal, degrees, fontOf, oldLabel, portLabel, whole } from './values.ts';

export interface OldProject {
  /** Project of revision 5. */
  project: Bag;
  /** Files that are not where their nodes expect them, by `node_id`. */
  files: Map<string, readonly OldFile[]>;
  warnings: string[];
}

/**
 * Converts a project file of revisions 1 to 4, or without one (GNS3 1.0 to 1.5), to revision 5. Missing ids, ports
 * and settings are guessed, with a warning. Pure: missing ids are derived, so that reading twice gives the same
 * result.
 */
export function* convertOldProject(file: Bag, projectId: string, kinds: OldKinds): Steps<OldProject> {
  const topology = file.topology ?? {};
  if (!isBag(topology)) throw refused('topology must be an object');
  const warnings: string[] = [];
  const listed = (key: string, most: number): Bag[] =>
    bagsIn(listOf(topology, key, most), (count) =>
      warnings.push(`${count} of the ${key} were left out: they are no objects`),
    );
  const strange = Object.keys(topology).filter((key) => !LISTS.has(key));
  if (strange.length > 0) warnings.push(`left out of the topology, as nothing knows them: ${quoted(strange)}`);
  const servers = serversOf(projectId, listed('servers', MOST_ITEMS));
  const links = listed('links', MOST.link);
  const nodes = yield* convertNodes(
    {
      id: projectId,
      kinds,
      computeOf: (id) => servers.ids.get(id),
      linked: new Set(links.flatMap((link) => [link.source_port_id, link.destination_port_id])),
    },
    listed('nodes', MOST.node),
  );
  const converted = yield* convertLinks(projectId, links, nodes);
  const [ellipses = [], rectangles = [], images = [], notes = []] = DRAWINGS.map((key) => listed(key, MOST.drawing));
  return {
    project: {
      ...settingsOf(file, warnings),
      project_id: projectId,
      topology: {
        nodes: nodes.nodes.map(({ entry }) => entry),
        links: converted.links,
        drawings: convertDrawings(projectId, { ellipses, rectangles, images, notes }),
        computes: servers.computes,
      },
    },
    files: nodes.files,
    warnings: [...warnings, ...nodes.warnings, ...converted.warnings],
  };
}

/** `instances`: rented machines with their private keys, which must not be shown. */
const LISTS = new Set(['servers', 'nodes', 'links', 'instances', 'ellipses', 'rectangles', 'images', 'notes']);
const DRAWINGS = ['ellipses', 'rectangles', 'images', 'notes'];

const SETTINGS = ['auto_start', 'auto_open', 'auto_close'];
/** Read separately, or of a service that no longer exists. */
const HANDLED = new Set(['project_id', 'revision', 'topology', 'resources_type']);

const settingsOf = (file: Bag, warnings: string[]): Bag => {
  const entries = Object.entries(file).filter(([key]) => !HANDLED.has(key));
  const known = new Set(['name', 'type', 'version', ...SETTINGS]);
  const strange = entries.filter(([key]) => !known.has(key)).map(([key]) => key);
  if (strange.length > 0) warnings.push(`left out of the project, as nothing knows them: ${quoted(strange)}`);
  return Object.fromEntries(entries.filter(([key]) => known.has(key)));
};

/** Drops users of servers and private keys of rented machines. */
const serversOf = (projectId: string, list: readonly Bag[]): { ids: Map<unknown, string>; computes: Bag[] } => {
  const ids = new Map<unknown, string>();
  const computes = new Map<string, Bag>();
  for (const { id, local, vm, host, port, protocol } of list) {
    if (local === true || vm === true) {
      ids.set(id, local === true ? 'local' : 'vm');
      continue;
    }
    const place = {
      protocol: protocol === 'https' ? 'https' : 'http',
      host: typeof host === 'string' && host !== '' ? host : 'localhost',
      port: whole(between(port, 1, 65535, 3080), 3080),
    };
    const compute_id = derivedId(projectId, 'compute', place.protocol, place.host, place.port);
    ids.set(id, compute_id);
    if (!computes.has(compute_id)) computes.set(compute_id, { compute_id, name: `Remote ${String(id)}`, ...place });
  }
  return { ids, computes: [...computes.values()] };
};

/** Links before revision 5, whose ends name ports by ids of the file. */

interface End {
  node: ConvertedNode;
  /** Undefined: the file does not name the port. */
  port: FoundPort | undefined;
  at: PortNumber | undefined;
  label: unknown;
}

interface Pending {
  where: string;
  id: string;
  ends: End[];
}

/** Links without valid ends are left out with a warning. */
function* convertLinks(
  projectId: string,
  list: readonly Bag[],
  nodes: ConvertedNodes,
): Steps<{ links: Bag[]; warnings: string[] }> {
  const used = new UsedPorts();
  const warnings: string[] = [];
  const pending: Pending[] = [];
  for (const [index, raw] of list.entries()) {
    yield;
    const where = `Link ${index + 1} of the file`;
    const ends = (['source', 'destination'] as const).map((side) => endOf(raw, side, nodes));
    const wrong = ends.find((end) => typeof end === 'string');
    if (typeof wrong === 'string') {
      warnings.push(`${where} was left out: ${wrong}`);
      continue;
    }
    const good = ends.filter((end) => typeof end === 'object');
    for (const end of good) used.take(end);
    pending.push({ where, id: derivedId(projectId, 'link', index), ends: good });
  }
  const links: Bag[] = [];
  for (const link of pending) {
    links.push(...placed(link, used, warnings));
    yield;
  }
  return { links, warnings };
}

/** Returns a sentence for an invalid end. */
const endOf = (raw: Bag, side: 'source' | 'destination', nodes: ConvertedNodes): End | string => {
  const [nodeId, portId] = [raw[`${side}_node_id`], raw[`${side}_port_id`]];
  const label = raw[`${side}_port_label`];
  const found = nodes.byId.get(nodeId);
  // A port refers to its link even where the link lacks the port.
  const port = nodes.port(nodeId, portId) ?? (portId == null ? found?.linked.get(raw.id) : undefined);
  if (port === undefined) {
    if (found === undefined) return `there is no node with the id ${quoted(nodeId)}`;
    if (portId != null) return `${found.node.name} has no port with the id ${quoted(portId)}`;
    return { node: found.node, port: undefined, at: undefined, label };
  }
  const at = port.node.ends[port.index];
  return at === null
    ? `the port ${quoted(port.name)} of ${port.node.name} is no more`
    : { node: port.node, port, at, label };
};

const placed = ({ where, id, ends }: Pending, used: UsedPorts, warnings: string[]): Bag[] => {
  const entries: Bag[] = [];
  for (const { node, port, at: known, label } of ends) {
    const at = known ?? used.free(node, port);
    const named = port === undefined ? 'its port' : `the port ${quoted(port.name)}`;
    if (at === undefined) {
      warnings.push(`${where} was left out: ${named} of ${node.name} is not there, and no other is free`);
      return [];
    }
    const { adapter_number, port_number } = at;
    if (known === undefined)
      warnings.push(`${where}: nobody knows ${named} of ${node.name}; it ends at ${adapter_number}/${port_number} now`);
    const text = oldLabel(label) ?? (port === undefined ? undefined : portLabel(port.name));
    entries.push({ node_id: node.entry.node_id, ...at, ...(text === undefined ? {} : { label: text }) });
  }
  return [{ link_id: id, nodes: entries }];
};

/** Keeps two ports of the file from becoming one: the later one gets another port. */
class UsedPorts {
  readonly #ports = new Map<string, FoundPort | undefined>();

  take(end: End): void {
    if (end.at === undefined) return;
    const key = keyOf(end.node, end.at);
    const other = this.#ports.get(key);
    // A port of the file with two links is left to the loader.
    if (other === undefined) this.#ports.set(key, end.port);
    else if (other.index !== end.port?.index || other.node !== end.port.node) end.at = undefined;
  }

  /** First port of the node without a link. */
  free(node: ConvertedNode, port: FoundPort | undefined): PortNumber | undefined {
    const found = node.made.find((one) => !this.#ports.has(keyOf(node, one)));
    if (found === undefined) return undefined;
    this.#ports.set(keyOf(node, found), port);
    return { adapter_number: found.adapter_number, port_number: found.port_number };
  }
}

const keyOf = ({ entry }: ConvertedNode, { adapter_number, port_number }: PortNumber): string =>
  `${String(entry.node_id)}/${adapter_number}/${port_number}`;

/** Notes, shapes and pictures before revision 5, converted to SVG drawings. */

interface OldDrawings {
  ellipses: readonly Bag[];
  rectangles: readonly Bag[];
  images: readonly Bag[];
  notes: readonly Bag[];
}

const convertDrawings = (projectId: string, old: OldDrawings): Bag[] => {
  const made = (sort: keyof OldDrawings, svg: (raw: Bag) => string, z: number): Bag[] =>
    old[sort].map((raw, index) => ({
      drawing_id: derivedId(projectId, sort, index),
      x: whole(raw.x, 0),
      y: whole(raw.y, 0),
      z: whole(raw.z, z),
      rotation: degrees(raw.rotation ?? raw.rotate),
      svg: svg(raw),
    }));
  return [
    ...made('ellipses', ellipse, 0),
    ...made('rectangles', rectangle, 0),
    ...made('images', picture, 0),
    // Above the shapes.
    ...made('notes', note, 2),
  ];
};

const LARGEST = 100_000;
const sizeOf = (raw: Bag): { width: number; height: number } => ({
  width: whole(between(raw.width, 0, LARGEST, 100), 100),
  height: whole(between(raw.height, 0, LARGEST, 100), 100),
});

const ellipse = (raw: Bag): string => {
  const { width, height } = sizeOf(raw);
  const [rx, ry] = [Math.trunc(width / 2), Math.trunc(height / 2)];
  return svgOf(width, height, `<ellipse cx="${rx}" cy="${ry}" rx="${rx}" ry="${ry}" ${paint(raw)} />`);
};

const rectangle = (raw: Bag): string => {
  const { width, height } = sizeOf(raw);
  return svgOf(width, height, `<rect width="${width}" height="${height}" ${paint(raw)} />`);
};

const svgOf = (width: number, height: number, inside: string): string =>
  `<svg width="${width}" height="${height}">${inside}</svg>`;

const paint = (raw: Bag): string => {
  const fill = colour(raw.color ?? raw.fill_color, '#ffffff', raw.transparency);
  return `fill="${fill.rgb}" fill-opacity="${decimal(fill.opacity)}"${border(raw)}`;
};

/** Pen styles of Qt: 0 is none, 1 solid. */
const NO_PEN = 0;
const DASHES: Readonly<Record<number, string>> = { 2: '25, 25', 3: '5, 25', 4: '5, 25, 25', 5: '25, 25, 5, 25, 5' };

const border = (raw: Bag): string => {
  const style = raw.border_style;
  if (style === NO_PEN) return '';
  const { rgb, opacity } = colour(raw.border_color, '#000000', raw.border_transparency);
  const dashes = typeof style === 'number' ? DASHES[style] : undefined;
  return [
    ` stroke="${rgb}" stroke-width="${between(raw.border_width, 0, 1000, 2)}"`,
    opacity === 1 ? '' : ` stroke-opacity="${decimal(opacity)}"`,
    dashes === undefined ? '' : ` stroke-dasharray="${dashes}"`,
  ].join('');
};

/** Existing tools read lines of the text as they are, and its size in points. */
const note = (raw: Bag): string => {
  const text = typeof raw.text === 'string' ? raw.text.replace(/\r\n?/g, '\n') : '';
  const { family, size, bold, italic, decoration } = fontOf(raw.font ?? NOTE_FONT);
  const { rgb, opacity } = colour(raw.color, '#000000');
  const lines = text.split('\n');
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 1);
  const width = Math.ceil(longest * size);
  const height = Math.ceil(lines.length * size * LINE);
  const attributes = [
    `fill="${rgb}" fill-opacity="${decimal(opacity)}"`,
    `font-family="${family}" font-size="${decimal(size)}" font-weight="${bold ? 'bold' : 'normal'}"`,
    `font-style="${italic ? 'italic' : 'normal'}"`,
    ...(decoration === null ? [] : [`text-decoration="${decoration}"`]),
  ].join(' ');
  return svgOf(width, height, `<text ${attributes}>${escaped(text)}</text>`);
};

const NOTE_FONT = 'TypeWriter,10,-1,5,75,0,0,0,0,0';
/** Height of a line in pixels per point of its font. */
const LINE = 1.8;

/** Escapes XML, dropping characters that it cannot represent. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Name of its file, without the path: only the project's own pictures are read. */
const picture = (raw: Bag): string => (typeof raw.path === 'string' ? (raw.path.split(/[\\/]/).at(-1) ?? '') : '');
