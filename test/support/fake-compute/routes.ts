import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { type Ability, type Bag, type FakeKind, kinds, keysOf } from './kinds.ts';
import { type FakeLab, type FakeNode, kindNamed, md5Of, notHere, placeOf, Refusal, refusal, textOf } from './lab.ts';

/** The compute group of a GNS3 2.2 server as rows: compute-protocol.md, 2 and 3.3, and v2-surface.md, 3.2 to 4. */

export interface Call {
  lab: FakeLab;
  /** Parts of the path that the row has in brackets. */
  path: Record<string, string>;
  /** JSON; a Buffer where the row takes bytes. */
  body: unknown;
  /** What the compute says of itself. */
  about: { capabilities: Bag; interfaces: readonly Bag[]; statistics: Bag };
}

export interface Reply {
  status: number;
  /** An object or a list is JSON, a Buffer octets. null: empty. */
  body: Bag | readonly unknown[] | Buffer | null;
  headers?: Record<string, string>;
  /** Writes the rest of the answer by itself. */
  stream?: (response: ServerResponse) => void;
}

export interface Row {
  method: string;
  pattern: RegExp;
  raw: boolean;
  run(call: Call): Reply;
}

const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** `{name}`: one part of the path, `{name:n}`: digits, `{name:rest}`: what is left of it. */
const patternOf = (template: string): RegExp => {
  const part = { n: '\\d+', rest: '.+' };
  const source = template.replace(/\{(\w+)(?::(n|rest))?\}/g, (_, name: string, kind?: 'n' | 'rest') =>
    kind === undefined ? `(?<${name}>[^/]+)` : `(?<${name}>${part[kind]})`,
  );
  return new RegExp(`^/v2/compute${source}$`);
};

const row = (call: string, run: Row['run'], raw = false): Row => {
  const [method = '', template = ''] = call.split(' ');
  return { method, pattern: patternOf(template), raw, run };
};

const ok = (status: number, body: Reply['body'] = null): Reply => ({ status, body });

const P = '/projects/{project_id}';
const N = `${P}/{kind}/nodes/{node_id}`;
const PORT = `${N}/adapters/{adapter:n}/ports/{port:n}`;

const bagOf = (body: unknown): Bag => {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Bag;
  throw refusal(400, 'The request is not an object of JSON');
};

const projectId = ({ path: { project_id = '' } }: Call): string => {
  if (!UUID.test(project_id)) throw refusal(400, `Project ID ${project_id} is not a valid UUID`);
  return project_id;
};

const nodeOf = (call: Call, ...needs: Ability[]): FakeNode => {
  const { kind = '', node_id = '' } = call.path;
  const found = kindNamed(kind);
  if (needs.some((need) => !found.can.has(need))) throw notHere();
  const project = projectId(call);
  if (!UUID.test(node_id)) throw refusal(400, `Node ID ${node_id} is not a valid UUID`);
  return call.lab.node(project, kind, node_id);
};

/** Refuses with what the existing server adds to a 400. */
const checkKeys = (call: Call, kind: FakeKind, given: Bag, update: boolean): Bag => {
  const body = bagOf(call.body);
  const wrong = (message: string): Refusal =>
    refusal(400, `JSON schema error: ${message}`, {
      path: '/v2/compute',
      method: update ? 'PUT' : 'POST',
      request: body,
    });
  const keys = keysOf(kind, given, update);
  const unknown = Object.keys(body).find((key) => !keys.has(key));
  if (unknown !== undefined) throw wrong(`Additional properties are not allowed ('${unknown}' was unexpected)`);
  const missing = update ? undefined : kind.required.find((key) => body[key] === undefined);
  if (missing !== undefined) throw wrong(`'${missing}' is a required property`);
  const defaults = kind.fields(body);
  for (const [key, value] of Object.entries(body)) {
    const like = defaults[key];
    const fits = like === undefined || like === null || (typeof value === typeof like && value !== null);
    if (!fits) throw wrong(`${JSON.stringify(value)} is not of type '${typeof like}' in ${key}`);
  }
  return body;
};

/** A node whose record breaks its own schema is there, and cannot be told. */
const recordOf = (lab: FakeLab, node: FakeNode): Bag => {
  if (node.broken) throw refusal(400, 'JSON schema error: the answer breaks the schema of the record');
  return lab.record(node);
};

const create = (call: Call): Reply => {
  const { lab } = call;
  const kind = kindNamed(call.path['kind'] ?? '');
  const project = projectId(call);
  lab.project(project);
  const body = checkKeys(call, kind, bagOf(call.body), false);
  const node_id = typeof body['node_id'] === 'string' ? body['node_id'] : crypto.randomUUID();
  return ok(201, recordOf(lab, lab.create(project, kind, { ...body, node_id })));
};

const update = (call: Call): Reply => {
  const node = nodeOf(call);
  call.lab.update(node, checkKeys(call, node.kind, node.settings, true));
  return ok(200, recordOf(call.lab, node));
};

const start = (call: Call): Reply => {
  const node = nodeOf(call);
  call.lab.start(node);
  return node.kind.start === 200 ? ok(200, call.lab.record(node)) : ok(204);
};

const suspend = (call: Call): Reply => {
  const node = nodeOf(call);
  if (node.kind.can.has('suspend')) call.lab.to(node, 'suspended');
  return ok(204);
};

const duplicate = (call: Call): Reply => {
  const { lab } = call;
  const node = nodeOf(call, 'duplicate');
  const copy = lab.node(node.project_id, node.kind.name, String(bagOf(call.body)['destination_node_id']));
  const files = lab.filesOf(node.project_id);
  for (const [name, bytes] of [...files])
    if (name.startsWith(`${placeOf(node)}/`)) files.set(name.replace(placeOf(node), placeOf(copy)), bytes);
  return ok(201, lab.record(copy));
};

/** A node, and the key of its port. */
const portOf = (call: Call, ...needs: Ability[]): [FakeNode, string] => {
  const node = nodeOf(call, ...needs);
  return [node, call.lab.portKey(node, Number(call.path['adapter']), Number(call.path['port']))];
};

const updateNio = (call: Call): Reply => {
  if (!kindNamed(call.path['kind'] ?? '').can.has('update nio')) throw new Refusal(405, '405: Method Not Allowed');
  const [node, at] = portOf(call);
  return ok(201, call.lab.updateNio(node, at, bagOf(call.body)));
};

/** Header of a capture file of Ethernet frames, as the machine orders octets (pcap-savefile(5)). */
const PCAP = Buffer.from('d4c3b2a1020004000000000000000000ffff000001000000', 'hex');

const pcap = (call: Call): Reply => {
  const [node, at] = portOf(call);
  const capture = node.captures.get(at);
  if (capture === undefined) throw refusal(409, `Nothing is captured on ${at}`);
  const stream = (response: ServerResponse): void => {
    const hear = (chunk: Buffer | null): void => void (chunk === null ? response.end() : response.write(chunk));
    capture.hear.add(hear);
    response.on('close', () => capture.hear.delete(hear));
    for (const chunk of [PCAP, ...capture.frames]) hear(chunk);
  };
  return { status: 200, body: null, headers: { 'content-type': 'application/vnd.tcpdump.pcap' }, stream };
};

const inside = (name: string): string => {
  const normal = path.posix.normalize(name);
  if (normal.startsWith('/') || normal.startsWith('..')) throw new Refusal(403, null);
  return normal;
};

const readFile = (call: Call): Reply => {
  const project = call.lab.project(projectId(call));
  const name = inside(call.path['file'] ?? '');
  const bytes = call.lab.filesOf(project.project_id).get(name);
  if (bytes === undefined) throw refusal(404, '404: Not Found');
  // Its library takes the name for an encoding of the answer.
  const headers = {
    'content-type': 'application/octet-stream',
    ...(/\.t?gz$/.test(name) ? { 'content-encoding': 'gzip' } : {}),
  };
  return { status: 200, body: bytes, headers };
};

const listFiles = (call: Call): Reply => {
  const project = call.lab.project(projectId(call));
  const files = [...call.lab.filesOf(project.project_id)];
  return ok(
    200,
    files.map(([name, bytes]) => ({ path: name, md5sum: md5Of(bytes) })),
  );
};

const writeFile = (call: Call): Reply => {
  const project = call.lab.project(projectId(call));
  call.lab.filesOf(project.project_id).set(inside(call.path['file'] ?? ''), call.body as Buffer);
  return ok(201);
};

const withImages = ({ path: { kind = '' } }: Call): FakeKind => {
  const found = kindNamed(kind);
  if (found.images.length === 0 && kind !== 'docker') throw notHere();
  return found;
};

const listImages = (call: Call): Reply => {
  const { name } = withImages(call);
  const images = [...call.lab.imagesOf(name)].map(([inFolder, bytes]) => ({
    ...{ filename: path.posix.basename(inFolder), path: inFolder, filesize: bytes.length, md5sum: md5Of(bytes) },
  }));
  if (name === 'docker')
    return ok(
      200,
      images.map(({ path: image }) => ({ image })),
    );
  return ok(
    200,
    images.sort((a, b) => (a.filename < b.filename ? -1 : 1)),
  );
};

const ports = ({ lab }: Call): Reply =>
  ok(200, {
    console_port_range: [5000, 10000],
    console_ports: [...lab.projects.values()].flatMap(({ consoles }) => [...consoles]),
    udp_port_range: [20000, 30000],
    udp_ports: [...lab.projects.values()].flatMap(({ udpPorts }) => [...udpPorts]),
  });

const told = (project: { project_id: string; name: string; variables: unknown }): Bag => ({
  ...{ project_id: project.project_id, name: project.name, variables: project.variables },
});

const openProject = (call: Call): Reply => {
  const body = bagOf(call.body);
  if (typeof body['name'] !== 'string' || body['name'] === '') throw refusal(400, 'JSON schema error: name is needed');
  const project_id = body['project_id'] ?? crypto.randomUUID();
  if (!UUID.test(textOf(project_id))) throw refusal(400, 'Project ID is not a valid UUID');
  return ok(201, told(call.lab.openProject({ ...body, project_id })));
};

const deleteProject = (call: Call): Reply => {
  call.lab.closeProject(projectId(call));
  call.lab.files.delete(projectId(call));
  return ok(204);
};

const resume = (call: Call, ability: 'resume' | 'pause'): Reply => {
  call.lab.to(nodeOf(call, ability), 'started');
  return ok(204);
};

/** Measured, though the router does not run. */
const idlepcOf = (call: Call): string[] => {
  if (nodeOf(call).kind.name !== 'dynamips') throw notHere();
  return ['0x60c09aa0', '0x60c09b14'];
};

const PROJECTS: readonly Row[] = [
  row('GET /capabilities', ({ about }) => ok(200, about.capabilities)),
  row('GET /version', ({ about }) => ok(200, { version: about.capabilities['version'], local: false })),
  row('GET /network/interfaces', ({ about }) => ok(200, about.interfaces)),
  row('GET /network/ports', ports),
  row('GET /statistics', ({ about }) => ok(200, about.statistics)),
  row('GET /projects', ({ lab }) => ok(200, [...lab.projects.values()].map(told))),
  row('POST /projects', openProject),
  row(`GET ${P}`, (call) => ok(200, told(call.lab.project(projectId(call))))),
  row(`PUT ${P}`, (call) => {
    const project = call.lab.project(projectId(call));
    const { variables = project.variables } = bagOf(call.body);
    project.variables = variables;
    return ok(200, told(project));
  }),
  row(`DELETE ${P}`, deleteProject),
  row(`POST ${P}/close`, (call) => {
    call.lab.closeProject(projectId(call));
    return ok(204);
  }),
  row(`POST ${P}/ports/udp`, (call) => ok(201, { udp_port: call.lab.udpPort(projectId(call)) })),
  row(`GET ${P}/files`, listFiles),
  row(`GET ${P}/files/{file:rest}`, readFile),
  row(`POST ${P}/files/{file:rest}`, writeFile, true),
  row('GET /{kind}/images', listImages),
  row('GET /{kind}/images/{file:rest}', (call) => {
    const bytes = call.lab.imagesOf(withImages(call).name).get(inside(call.path['file'] ?? ''));
    const image = call.path['file'];
    if (bytes === undefined)
      throw refusal(409, `The image ${image} is missing`, { exception: 'ImageMissingError', image });
    return ok(200, bytes);
  }),
  row(
    'POST /{kind}/images/{file:rest}',
    (call) => {
      call.lab.imagesOf(withImages(call).name).set(inside(call.path['file'] ?? ''), call.body as Buffer);
      return ok(204);
    },
    true,
  ),
];

const NODES: readonly Row[] = [
  row(`POST ${P}/{kind}/nodes`, create),
  row(`GET ${N}`, (call) => {
    if (!kindNamed(call.path['kind'] ?? '').can.has('get')) throw new Refusal(405, '405: Method Not Allowed');
    return ok(200, recordOf(call.lab, nodeOf(call)));
  }),
  row(`PUT ${N}`, update),
  row(`DELETE ${N}`, (call) => {
    call.lab.delete(nodeOf(call));
    return ok(204);
  }),
  row(`POST ${N}/start`, start),
  row(`POST ${N}/stop`, (call) => {
    call.lab.stop(nodeOf(call));
    return ok(204);
  }),
  row(`POST ${N}/suspend`, suspend),
  row(`POST ${N}/resume`, (call) => resume(call, 'resume')),
  row(`POST ${N}/unpause`, (call) => resume(call, 'pause')),
  row(`POST ${N}/pause`, (call) => {
    call.lab.to(nodeOf(call, 'pause'), 'suspended');
    return ok(204);
  }),
  row(`POST ${N}/reload`, (call) => {
    const node = nodeOf(call, 'reload');
    if (node.status === 'started') call.lab.tell(node);
    return ok(204);
  }),
  row(`POST ${N}/duplicate`, duplicate),
  row(`POST ${N}/console/reset`, (call) => {
    nodeOf(call, 'console');
    return ok(204);
  }),
  row(`POST ${N}/resize_disk`, (call) => {
    const node = nodeOf(call);
    if (node.kind.name !== 'qemu') throw notHere();
    if (node.status !== 'stopped') throw refusal(409, `${node.name} runs`, { exception: 'QemuError' });
    if (bagOf(call.body)['extend'] === undefined) throw refusal(400, "JSON schema error: 'extend' is needed");
    return ok(201);
  }),
  row(`GET ${N}/auto_idlepc`, (call) => ok(200, { idlepc: idlepcOf(call)[0] })),
  row(`GET ${N}/idlepc_proposals`, (call) => ok(200, idlepcOf(call))),
  row(`POST ${PORT}/nio`, (call) => {
    const [node, at] = portOf(call);
    return ok(201, call.lab.addNio(node, at, bagOf(call.body)));
  }),
  row(`PUT ${PORT}/nio`, updateNio),
  row(`DELETE ${PORT}/nio`, (call) => {
    call.lab.removeNio(...portOf(call));
    return ok(204);
  }),
  row(`POST ${PORT}/start_capture`, (call) => ok(200, call.lab.startCapture(...portOf(call), bagOf(call.body)))),
  row(`POST ${PORT}/stop_capture`, (call) => {
    const [node, at] = portOf(call);
    call.lab.connected(node, at);
    call.lab.endCapture(node, at);
    return ok(204);
  }),
  row(`GET ${PORT}/pcap`, pcap),
];

const ROWS: readonly Row[] = [...PROJECTS, ...NODES];

/** The row of a request; 404 for a path that is not there, 405 for another method. */
export const rowFor = (method: string, where: string): { row: Row; path: Record<string, string> } => {
  const fitting = ROWS.flatMap((one) => {
    const found = one.pattern.exec(where);
    return found === null ? [] : [{ row: one, path: { ...found.groups } }];
  });
  const found = fitting.find(({ row: one }) => one.method === method);
  if (found !== undefined) return found;
  const isKind = fitting.every(({ path: { kind } }) => kind === undefined || kinds.has(kind));
  throw fitting.length > 0 && isKind ? new Refusal(405, '405: Method Not Allowed') : notHere();
};
