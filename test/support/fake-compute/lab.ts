import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Bag, type FakeKind, kinds, NIO_KEYS } from './kinds.ts';

/** What a GNS3 2.2 compute has in its memory, and what it does: compute-protocol.md, 3 to 5. */

/** An answer that is no success: JSON, text, or nothing. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Bag | string | null;

  constructor(status: number, body: Bag | string | null) {
    super(`${status}`);
    this.status = status;
    this.body = body;
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const refusal = (status: number, message: string, more: Bag = {}): Refusal =>
  new Refusal(status, { message, status, ...more });
/** As its web framework says it, without JSON. */
export const notHere = (): Refusal => new Refusal(404, '404: Not Found');

interface Capture {
  file: string;
  frames: Buffer[];
  /** Those who stream it. */
  hear: Set<(chunk: Buffer | null) => void>;
}

export interface FakeNode {
  kind: FakeKind;
  project_id: string;
  node_id: string;
  name: string;
  status: 'stopped' | 'started' | 'suspended';
  console: number | null;
  console_type: string;
  settings: Bag;
  /** By `adapter/port`. */
  nios: Map<string, Bag>;
  captures: Map<string, Capture>;
  /** Ports that were given a second NIO where one was: at a switch or router, one that nobody can take away has the frames. */
  doubled: string[];
  /** Its image is missing: its record breaks its own schema. */
  broken: boolean;
}

export interface FakeProject {
  project_id: string;
  name: string;
  variables: unknown;
  udpPorts: Set<number>;
  /** Console ports that stay taken until it is closed, of failed creates as well. */
  consoles: Set<number>;
}

export interface LabOptions {
  /** Console ports that other programs hold. */
  takenConsoles: readonly number[];
  firstUdpPort: number;
}

const CONSOLES: [number, number] = [5000, 10000];
export const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

/** Emits a frame of the feed. */
export type Emit = (action: string, event: Bag, project_id: string) => void;

export class FakeLab {
  readonly projects = new Map<string, FakeProject>();
  readonly nodes = new Map<string, FakeNode>();
  /** Files of each project by their path: they outlive projects that are closed, and restarts. */
  readonly files = new Map<string, Map<string, Buffer>>();
  /** Images of each kind by their path: likewise. */
  readonly images = new Map<string, Map<string, Buffer>>();
  readonly #options: LabOptions;
  readonly #emit: Emit;

  constructor(options: LabOptions, emit: Emit) {
    this.#options = options;
    this.#emit = emit;
  }

  /** Files and images stay. */
  forget(): void {
    for (const node of this.nodes.values()) this.endCaptures(node);
    this.projects.clear();
    this.nodes.clear();
  }

  project(id: string): FakeProject {
    const found = this.projects.get(id);
    if (found === undefined) throw refusal(404, `Project ID ${id} doesn't exist`);
    return found;
  }

  openProject({ project_id, name, variables = null }: Bag): FakeProject {
    const id = String(project_id);
    const known = this.projects.get(id);
    if (known !== undefined) return known;
    const made = {
      project_id: id,
      name: String(name),
      variables,
      udpPorts: new Set<number>(),
      consoles: new Set<number>(),
    };
    this.projects.set(id, made);
    if (!this.files.has(id)) this.files.set(id, new Map());
    return made;
  }

  closeProject(id: string): void {
    this.project(id);
    for (const node of this.#nodesOf(id)) {
      if (node.status !== 'stopped' && !node.kind.always) this.stop(node);
      this.endCaptures(node);
      this.nodes.delete(node.node_id);
    }
    for (const name of this.filesOf(id).keys()) if (name.startsWith('tmp/')) this.filesOf(id).delete(name);
    this.projects.delete(id);
  }

  #nodesOf(project_id: string): FakeNode[] {
    return [...this.nodes.values()].filter((node) => node.project_id === project_id);
  }

  filesOf(project_id: string): Map<string, Buffer> {
    const found = this.files.get(project_id) ?? new Map<string, Buffer>();
    this.files.set(project_id, found);
    return found;
  }

  imagesOf(kind: string): Map<string, Buffer> {
    const found = this.images.get(kind) ?? new Map<string, Buffer>();
    this.images.set(kind, found);
    return found;
  }

  /** Ports with a second NIO, as `name adapter/port`. */
  get doubled(): string[] {
    return [...this.nodes.values()].flatMap(({ name, doubled }) => doubled.map((at) => `${name} ${at}`));
  }

  udpPort(project_id: string): number {
    const reserved = new Set([...this.projects.values()].flatMap(({ udpPorts }) => [...udpPorts]));
    let port = this.#options.firstUdpPort;
    // One that was given back goes to who asks next, whether something listens there or not.
    while (reserved.has(port)) port++;
    this.project(project_id).udpPorts.add(port);
    return port;
  }

  node(project_id: string, kind: string, node_id: string): FakeNode {
    this.project(project_id);
    const found = this.nodes.get(node_id);
    if (found?.kind.name !== kind || found.project_id !== project_id)
      throw refusal(404, `Node ID ${node_id} doesn't exist`);
    return found;
  }

  create(project_id: string, kind: FakeKind, body: Bag & { node_id: string }): FakeNode {
    const known = this.nodes.get(body.node_id);
    // Also of another project: the caller compares.
    if (known?.kind === kind) {
      if (kind.again === 'applied' && known.project_id === project_id) this.#applyAgain(known, body);
      return known;
    }
    if (kind.name === 'qemu' && body['platform'] === undefined && body['qemu_path'] === undefined)
      throw refusal(409, 'QEMU binary path qemu-system-None is not found in the path', { exception: 'QemuError' });
    const node: FakeNode = {
      ...{ kind, project_id, node_id: body.node_id, name: String(body['name']) },
      status: kind.always ? 'started' : 'stopped',
      ...this.#console(project_id, kind, body),
      ...{ settings: kind.fields(body), nios: new Map(), captures: new Map(), doubled: [], broken: false },
    };
    if (kind.name === 'dynamips') node.settings['dynamips_id'] = this.#nodesOf(project_id).length + 1;
    this.#putImages(node, body, true);
    this.nodes.set(node.node_id, node);
    for (const [input, file] of Object.entries(kind.texts)) this.#text(node, file, body[input]);
    if (kind.name === 'cloud') this.tell(node);
    return node;
  }

  /** Text of a new node; a file that is there stays. */
  #text({ kind, project_id, node_id }: FakeNode, file: string, text: unknown): void {
    const name = `project-files/${kind.folder}/${node_id}/${file}`;
    const files = this.filesOf(project_id);
    if (typeof text === 'string' && !files.has(name)) files.set(name, Buffer.from(text));
  }

  /** The existing node takes the settings of a create: neither its name nor what it is. */
  #applyAgain(node: FakeNode, body: Bag): void {
    const { name: _name, console: _console, platform: _platform, qemu_path: _path, ...rest } = body;
    this.#putImages(node, node.broken ? body : rest, false);
  }

  /** Throws ImageMissingError as the existing server does, with what that leaves behind. */
  #putImages(node: FakeNode, body: Bag, fresh: boolean): void {
    const { kind, settings } = node;
    const missing = kind.images
      .map((field) => body[field])
      .find((name) => typeof name === 'string' && name !== '' && this.image(kind.name, name) === undefined);
    if (missing !== undefined) {
      if (fresh && kind.keptWithoutImage) this.nodes.set(node.node_id, node);
      node.broken = fresh ? kind.name === 'dynamips' : node.broken;
      throw refusal(409, `The image ${textOf(missing)} is missing`, { exception: 'ImageMissingError', image: missing });
    }
    for (const key of Object.keys(settings)) if (body[key] !== undefined) settings[key] = body[key];
    for (const field of kind.images) {
      const found = this.image(kind.name, String(settings[field]));
      settings[kind.sum ?? `${field}_md5sum`] = found === undefined ? null : md5Of(found);
    }
    node.broken = false;
  }

  /** A bare name is looked for in folders too. */
  image(kind: string, name: string): Buffer | undefined {
    const images = this.imagesOf(kind);
    const below = [...images.keys()].find((one) => path.posix.basename(one) === name);
    return images.get(name) ?? images.get(below ?? '');
  }

  #console(project_id: string, kind: FakeKind, body: Bag): Pick<FakeNode, 'console' | 'console_type'> {
    const console_type = textOf(body['console_type'] ?? kind.consoleTypes[0] ?? 'none');
    const wished = typeof body['console'] === 'number' ? body['console'] : null;
    // A switch has a number all the same.
    if (kind.consoleTypes.length === 0 || (console_type === 'none' && !kind.always))
      return { console: null, console_type };
    const console = this.#freeConsole(wished);
    const { consoles } = this.project(project_id);
    consoles.add(console);
    // One for the program, one for who connects.
    if (kind.name === 'qemu' && console_type === 'telnet') consoles.add(this.#freeConsole(null));
    return { console, console_type };
  }

  /** The wished one where it is free and in the range. */
  #freeConsole(wished: number | null): number {
    const [first, last] = CONSOLES;
    const taken = new Set(this.#options.takenConsoles);
    for (const { consoles } of this.projects.values()) for (const port of consoles) taken.add(port);
    if (wished !== null && wished >= first && wished <= last && !taken.has(wished)) return wished;
    for (let port = first; port <= last; port++) if (!taken.has(port)) return port;
    throw refusal(409, 'There is no free console port');
  }

  update(node: FakeNode, body: Bag): void {
    const { kind } = node;
    const { name, console, console_type, ...settings } = body;
    if (kind.name === 'dynamips' && name !== undefined && name !== node.name && node.status === 'started')
      throw refusal(409, `${node.name} cannot be renamed while it runs`, { exception: 'DynamipsError' });
    const mapping = settings['ports_mapping'];
    if (Array.isArray(mapping) && node.nios.size > 0 && mapping.length !== portsOf(node).length)
      throw refusal(409, 'The ports cannot change while something is connected', { exception: 'NodeError' });
    this.#putImages(node, settings, false);
    if (name !== undefined) node.name = textOf(name);
    if (console_type !== undefined) node.console_type = textOf(console_type);
    if (typeof console === 'number' && console !== node.console) {
      const { consoles } = this.project(node.project_id);
      if (node.console !== null) consoles.delete(node.console);
      node.console = this.#freeConsole(console);
      consoles.add(node.console);
    }
    if (node.console_type === 'none' && !kind.always) node.console = null;
    this.tell(node);
  }

  delete(node: FakeNode): void {
    this.endCaptures(node);
    this.nodes.delete(node.node_id);
    if (node.console !== null) this.project(node.project_id).consoles.delete(node.console);
    const files = this.filesOf(node.project_id);
    for (const name of files.keys()) if (name.startsWith(`${placeOf(node)}/`)) files.delete(name);
    if (node.kind.name !== 'docker') this.#emit('node.deleted', this.record(node), node.project_id);
  }

  start(node: FakeNode): void {
    if (node.kind.start === 409)
      throw refusal(409, 'This kind of node runs on Windows only', { exception: 'TraceNGError' });
    if (node.kind.always) return;
    node.status = 'started';
    this.tell(node);
  }

  /** Three equal frames. */
  stop(node: FakeNode): void {
    if (node.kind.always) return;
    node.status = 'stopped';
    for (let n = 0; n < 3; n++) this.tell(node);
  }

  to(node: FakeNode, status: FakeNode['status']): void {
    if (node.status === 'stopped') throw refusal(409, `${node.name} does not run`, { exception: 'NodeError' });
    node.status = status;
    this.tell(node);
  }

  /** Its program has ended by itself. */
  exit(node_id: string, code: number): void {
    const node = this.nodes.get(node_id);
    if (node === undefined) throw new Error(`there is no node ${node_id}`);
    node.status = 'stopped';
    this.tell(node);
    const message = `${node.kind.name} process has stopped, return code: ${code}`;
    this.#emit('log.error', { message }, node.project_id);
  }

  tell(node: FakeNode): void {
    this.#emit('node.updated', this.record(node), node.project_id);
  }

  /** Key by which a port is known; refuses one that the node does not have. */
  portKey(node: FakeNode, adapter: number, port: number): string {
    const { kind, settings } = node;
    const has = (count: unknown): boolean => adapter < Number(count);
    const no = refusal(409, `Adapter ${adapter} with port ${port} does not exist`, { exception: 'NodeError' });
    if (['qemu', 'docker', 'virtualbox', 'vmware'].includes(kind.name)) {
      if (!has(settings['adapters'])) throw no;
      return `${adapter}/0`;
    }
    if (kind.name === 'iou') {
      if (!has(Number(settings['ethernet_adapters']) + Number(settings['serial_adapters'])) || port > 3) throw no;
    } else if (kind.name === 'dynamips') {
      if (adapter > 6) throw no;
    } else if (adapter !== 0 || !portsOf(node).includes(port)) throw no;
    return `${adapter}/${port}`;
  }

  addNio(node: FakeNode, at: string, body: Bag): Bag {
    const { kind } = node;
    const type = checkedNio(body);
    if (!kind.nioTypes.includes(type))
      throw refusal(409, `NIO of type ${type} is not supported`, { exception: 'NodeError' });
    const busy =
      kind.secondNio === 'refused' || (kind.secondNio === 'refused while started' && node.status === 'started');
    if (node.nios.has(at)) node.doubled.push(at);
    if (node.nios.has(at) && busy)
      throw refusal(409, `Bridge or port ${at} exists`, { exception: kind.always ? 'NodeError' : 'UbridgeError' });
    node.nios.set(at, body);
    return Object.fromEntries(['type', ...(NIO_KEYS[type] ?? [])].map((key) => [key, body[key]]));
  }

  /** Only filters and suspend count. */
  updateNio(node: FakeNode, at: string, body: Bag): Bag {
    const nio = this.connected(node, at);
    node.nios.set(at, { ...nio, filters: body['filters'] ?? {}, suspend: body['suspend'] ?? false });
    return body;
  }

  removeNio(node: FakeNode, at: string): void {
    const { lport } = this.connected(node, at);
    this.endCapture(node, at);
    node.nios.delete(at);
    if (node.kind.name !== 'docker') this.project(node.project_id).udpPorts.delete(Number(lport));
  }

  connected(node: FakeNode, at: string): Bag {
    const nio = node.nios.get(at);
    if (nio === undefined) throw refusal(409, `Port ${at} is not connected`, { exception: 'NodeError' });
    return nio;
  }

  startCapture(node: FakeNode, at: string, { capture_file_name }: Bag): Bag {
    this.connected(node, at);
    if (node.captures.has(at)) throw refusal(409, `Packet capture is already activated on ${at}`);
    const file = `project-files/captures/${String(capture_file_name)}`;
    node.captures.set(at, { file, frames: [], hear: new Set() });
    return { pcap_file_path: `/opt/projects/${node.project_id}/${file}` };
  }

  /** Fine when there is none. */
  endCapture(node: FakeNode, at: string): void {
    const capture = node.captures.get(at);
    node.captures.delete(at);
    for (const hear of capture?.hear ?? []) hear(null);
  }

  endCaptures(node: FakeNode): void {
    for (const at of [...node.captures.keys()]) this.endCapture(node, at);
  }

  record(node: FakeNode): Bag {
    const { kind, project_id, node_id, name, status } = node;
    const console = kind.consoleTypes.length === 0 ? {} : { console: node.console, console_type: node.console_type };
    const shown = {
      node_directory: `/opt/projects/${project_id}/${placeOf(node)}`,
      command_line: '',
    };
    return {
      ...{ project_id, node_id, name, status, ...console, ...node.settings },
      ...Object.fromEntries(kind.shown.map((key) => [key, shown[key]])),
    };
  }
}

export const placeOf = ({ kind, node_id }: FakeNode): string => `project-files/${kind.folder}/${node_id}`;

/** Port numbers of a node whose adapter 0 has them all. */
const portsOf = ({ settings }: FakeNode): number[] => {
  const { ports_mapping, mappings } = settings;
  if (Array.isArray(ports_mapping)) return (ports_mapping as Bag[]).map((port) => Number(port['port_number']));
  if (typeof mappings !== 'object' || mappings === null) return [0];
  return Object.entries(mappings).flatMap((ends) => ends.map((end) => Number.parseInt(String(end), 10)));
};

const checkedNio = (body: Bag): string => {
  const type = String(body['type']);
  const keys = NIO_KEYS[type];
  if (keys === undefined) throw refusal(400, `JSON schema error: ${type} is no type of NIO`);
  const missing = keys.find((key) => body[key] === undefined);
  if (missing !== undefined) throw refusal(400, `JSON schema error: '${missing}' is a required property`);
  const unknown = Object.keys(body).find((key) => ![...keys, 'type', 'filters', 'suspend'].includes(key));
  if (unknown !== undefined) throw refusal(400, `JSON schema error: '${unknown}' was unexpected`);
  return type;
};

export const kindNamed = (name: string): FakeKind => {
  const found = kinds.get(name);
  if (found === undefined) throw notHere();
  return found;
};
