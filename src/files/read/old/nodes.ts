import { MOST_ITEMS } from '../../../common/bounds.ts';
import type { Steps } from '../../../common/slices.ts';
import type { Kind } from '../../../emulators/kit/contract.ts';
import type { FromOld, OldFile, OldForm, OldNode, OldPort, PortNumber } from '../../../emulators/kit/old-nodes.ts';
import { derivedId, isUuid } from '../../fields/identity.ts';
import { type Bag, isBag, quoted, without } from '../../fields/json.ts';
import { oldLabel, sixteenBits, whole } from './values.ts';

/** Converts nodes before revision 5; the kinds convert their types and properties. */

export interface OldKinds {
  all(): readonly Kind[];
}

export interface ConvertedNode {
  /** Entry of revision 5. */
  entry: Bag;
  name: string;
  /** Ports in which links of each port of the file end; null: the port no longer exists; undefined: unknown. */
  ends: (PortNumber | null | undefined)[];
  /** Present ports; none when its settings are wrong. */
  made: readonly PortNumber[];
}

/** A port of the file. */
export interface FoundPort {
  node: ConvertedNode;
  index: number;
  name: string;
}

export interface ConvertedNodes {
  nodes: ConvertedNode[];
  /** By the id of the file; the first of equal ones. */
  byId: Map<unknown, { node: ConvertedNode; ports: FoundPort[]; linked: Map<unknown, FoundPort> }>;
  /** Looks up a port by the ids of node and port. */
  port(node: unknown, port: unknown): FoundPort | undefined;
  /** Files that are not where the node expects them, by `node_id`. */
  files: Map<string, readonly OldFile[]>;
  warnings: string[];
}

interface Project {
  id: string;
  kinds: OldKinds;
  /** `compute_id` of a node of this server. */
  computeOf(serverId: unknown): string | undefined;
  /** Ids of ports with links. */
  linked: ReadonlySet<unknown>;
}

export function* convertNodes(project: Project, list: readonly Bag[]): Steps<ConvertedNodes> {
  const converting = new NodeConverter(project);
  for (const raw of list) {
    converting.add(raw);
    yield;
  }
  return converting.result();
}

class NodeConverter {
  readonly #project: Project;
  readonly #nodes: ConvertedNode[] = [];
  readonly #byId: ConvertedNodes['byId'] = new Map();
  readonly #ports = new Map<string, FoundPort>();
  readonly #files = new Map<string, readonly OldFile[]>();
  readonly #warnings: string[] = [];
  readonly #ids = new Set<string>();
  #drawn = 0;

  constructor(project: Project) {
    this.#project = project;
  }

  result(): ConvertedNodes {
    const drawn = this.#drawn;
    return {
      nodes: this.#nodes,
      byId: this.#byId,
      port: (node, port) => this.#ports.get(keyOf(node, port)),
      files: this.#files,
      warnings: [...(drawn === 0 ? [] : [`${drawn} nodes of the file had no id and got one`]), ...this.#warnings],
    };
  }

  add(raw: Bag): void {
    const ports = (Array.isArray(raw.ports) ? raw.ports : []).slice(0, MOST_ITEMS).filter(isBag);
    const name = nameOf(raw, this.#nodes.length + 1);
    const notes: string[] = [];
    const old: OldNode = {
      node_id: this.#idOf(raw, notes),
      name,
      type: typeof raw.type === 'string' ? raw.type : '',
      properties: isBag(raw.properties) ? raw.properties : {},
      fields: raw,
      ports: ports.map((port) => portOf(port, this.#project.linked)),
    };
    const { node, apart } = this.#converted(old, notes);
    const found = ports.map((port, index): FoundPort => ({
      node,
      index,
      name: old.ports[index]?.name ?? String(port.id),
    }));
    for (const [count, { port, type }] of apart.entries()) {
      const one = this.#apart(old, port, type, count);
      const at = found[port];
      if (one !== null && at !== undefined) found[port] = { ...at, node: one, index: 0 };
      notes.push(`its port ${quoted(at?.name)} is the node ${one?.name ?? type} now`);
    }
    this.#register(raw, ports, { node, ports: found }, notes);
    if (notes.length > 0) this.#warnings.push(`${name}: ${notes.join('; ')}`);
  }

  /** Registers the node and its ports for links. */
  #register(
    raw: Bag,
    ports: readonly Bag[],
    found: { node: ConvertedNode; ports: FoundPort[] },
    notes: string[],
  ): void {
    const linked = new Map<unknown, FoundPort>();
    for (const [index, port] of ports.entries()) {
      const [key, at] = [keyOf(raw.id, port.id), found.ports[index]];
      if (at === undefined) continue;
      if (port.link_id != null) linked.set(port.link_id, at);
      if (port.id != null && !this.#ports.has(key)) this.#ports.set(key, at);
    }
    if (this.#byId.has(raw.id)) notes.push(`its id ${quoted(raw.id)} is that of an earlier node`);
    else this.#byId.set(raw.id, { ...found, linked });
  }

  /** The id of the file also names the node's directory. */
  #idOf(raw: Bag, notes: string[]): string {
    const given = isUuid(raw.vm_id) ? raw.vm_id : null;
    if (given !== null && !this.#ids.has(given)) {
      this.#ids.add(given);
      return given;
    }
    if (given === null) this.#drawn += 1;
    else notes.push(`its vm_id ${given} is that of an earlier node; it got a new one`);
    const stem = [this.#project.id, 'node', typeof raw.id === 'number' ? raw.id : quoted(raw.id)];
    let id = derivedId(...stem);
    for (let n = 1; this.#ids.has(id); n++) id = derivedId(...stem, n);
    this.#ids.add(id);
    return id;
  }

  #converted(old: OldNode, notes: string[]): { node: ConvertedNode; apart: NonNullable<FromOld['apart']> } {
    const kind = kindOf(this.#project.kinds, old);
    const from = kind?.old?.convert(old) ?? { properties: old.properties };
    notes.push(...(from.warnings ?? []));
    const properties = kind === undefined ? from.properties : knownProperties(kind, from.properties, notes);
    const node: ConvertedNode = {
      name: old.name,
      entry: {
        ...entryOf(old, from.symbol),
        ...(kind === undefined ? (old.type === '' ? {} : { node_type: old.type }) : { node_type: kind.name }),
        compute_id: this.#computeOf(old, notes),
        properties,
      },
      made: [],
      ends: [],
    };
    const made = kind === undefined ? [] : portsOf(kind, old, node.entry);
    node.made = made;
    node.ends = old.ports.map((port, index) => {
      const said = from.ends?.[index];
      return said === undefined ? endOf(port, kind, made) : said;
    });
    if (from.files !== undefined) this.#files.set(old.node_id, from.files);
    this.#nodes.push(node);
    return { node, apart: from.apart ?? [] };
  }

  #computeOf({ fields: { server_id } }: OldNode, notes: string[]): string {
    const found = this.#project.computeOf(server_id);
    if (found === undefined && server_id !== undefined)
      notes.push(`its server ${quoted(server_id)} is not in the file; it is on this one`);
    return found ?? 'local';
  }

  /** Makes a node of its own of a port, beside the node that had it. */
  #apart(old: OldNode, index: number, type: string, count: number): ConvertedNode | null {
    const port = old.ports[index];
    if (port === undefined) return null;
    const one: OldNode = {
      node_id: derivedId(this.#project.id, old.node_id, index),
      name: `${old.name}-${port.name.split(':')[0] ?? type}${count === 0 ? '' : `-${count + 1}`}`,
      type,
      properties: {},
      fields: {
        x: whole(old.fields.x, 0) + 80 * (count + 1),
        y: whole(old.fields.y, 0) + 80,
        server_id: old.fields.server_id,
      },
      ports: [port],
    };
    return this.#converted(one, []).node;
  }
}

const keyOf = (node: unknown, port: unknown): string => JSON.stringify([node, port]);

const nameOf = ({ properties, label, id }: Bag, place: number): string => {
  const named = [isBag(properties) ? properties.name : null, isBag(label) ? label.text : null];
  const name = named.find((one) => typeof one === 'string' && one !== '');
  return typeof name === 'string' ? name : `node ${typeof id === 'number' ? id : place}`;
};

/** A kind that accepts only certain nodes of a type has priority over one that accepts all. */
const kindOf = (kinds: OldKinds, node: OldNode): Kind | undefined => {
  const all = kinds.all().filter(({ old }) => old?.types.includes(node.type) === true);
  const takes = (form: OldForm): boolean => form.only?.(node) === true;
  return all.find(({ old }) => old !== undefined && takes(old)) ?? all.find(({ old }) => old?.only === undefined);
};

/** Properties of all kinds that are fields now, or obsolete. */
const NOT_OF_THE_KIND = ['console', 'name', 'console_type', 'console_host', 'use_ubridge'];

/** Properties that the kind accepts, as existing tools refuse a node with any other. */
const knownProperties = (kind: Kind, given: Bag, notes: string[]): Bag => {
  const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> = kind.properties.shape;
  const dropped: string[] = [];
  const known = Object.entries(without(given, NOT_OF_THE_KIND)).filter(([key, value]) => {
    if (value === null) return false;
    const right = Object.hasOwn(shape, key) && shape[key]?.safeParse(value).success === true;
    if (!right) dropped.push(`${key}: ${quoted(value)}`);
    return right;
  });
  if (dropped.length > 0)
    notes.push(`properties that ${kind.alias} does not have were left out: ${dropped.join(', ')}`);
  return Object.fromEntries(known);
};

const entryOf = ({ node_id, name, fields, properties }: OldNode, symbol: string | undefined): Bag => {
  const { port_name_format, port_segment_size, first_port_name } = fields;
  const { console, console_type } = properties;
  const look = symbolOf(fields) ?? symbol;
  const label = oldLabel(fields.label);
  return {
    node_id,
    name,
    x: whole(fields.x, 0),
    y: whole(fields.y, 0),
    z: whole(fields.z, 1),
    ...(label === undefined ? {} : { label: { ...label, text: name } }),
    ...(look === undefined ? {} : { symbol: look }),
    ...(sixteenBits(console) === null || console === 0 ? {} : { console }),
    ...(typeof console_type === 'string' ? { console_type } : {}),
    ...(typeof port_name_format === 'string' ? { port_name_format } : {}),
    ...(sixteenBits(port_segment_size) === null ? {} : { port_segment_size }),
    ...(typeof first_port_name === 'string' ? { first_port_name } : {}),
  };
};

/** Removes the state from the name of a picture; of the author's own pictures only the name is kept. */
const symbolOf = ({ symbol, default_symbol }: Bag): string | undefined => {
  const given = [symbol, default_symbol].find((one) => typeof one === 'string' && one !== '');
  if (typeof given !== 'string') return undefined;
  const plain = given.replace(/\.normal\.svg$/, '.svg');
  return plain.startsWith(':/') ? plain : plain.split(/[\\/]/).at(-1);
};

/** Maps ports of nodes before revision 5 to the node's present ports. */

/** Port as the file has it. */
const portOf = (raw: Bag, linked: ReadonlySet<unknown>): OldPort => ({
  name: typeof raw.name === 'string' ? raw.name : '',
  adapter: sixteenBits(raw.adapter_number) ?? sixteenBits(raw.slot_number),
  number: sixteenBits(raw.port_number),
  linked: linked.has(raw.id),
  fields: raw,
});

interface MadePort extends PortNumber {
  name: string;
}

/** Present ports of the node. None for wrong settings, which are reported when the node is loaded. */
const portsOf = (kind: Kind, { node_id, name }: OldNode, entry: Bag): MadePort[] => {
  const { look } = kind;
  try {
    return kind.ports(kind.complete(entry.properties as Bag, { node_id, name }), {
      node_id,
      port_name_format: (entry.port_name_format as string | undefined) ?? look.port_name_format,
      port_segment_size: (entry.port_segment_size as number | undefined) ?? look.port_segment_size,
      first_port_name: (entry.first_port_name as string | undefined) ?? null,
      custom_adapters: [],
    });
  } catch {
    return [];
  }
};

/** Undefined: the node no longer has such a port. */
const endOf = (
  { name, adapter, number }: OldPort,
  kind: Kind | undefined,
  made: readonly MadePort[],
): PortNumber | undefined => {
  const wished =
    kind?.capabilities.adapter_only === true
      ? { adapter_number: adapter ?? number ?? 0, port_number: 0 }
      : { adapter_number: adapter ?? 0, port_number: number ?? 0 };
  if (made.length === 0) return wished;
  const isNumbered = adapter !== null || number !== null;
  const found =
    made.find(
      (port) => isNumbered && port.adapter_number === wished.adapter_number && port.port_number === wished.port_number,
    ) ?? made.find((port) => port.name === name);
  return found && { adapter_number: found.adapter_number, port_number: found.port_number };
};
