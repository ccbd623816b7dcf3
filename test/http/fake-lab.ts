import { randomUUID } from 'node:crypto';
import { PassThrough, type Duplex } from 'node:stream';
import type { Commands, Refusal } from '../../src/actors/commands.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { notFound } from '../../src/errors.ts';
import { buildServer, type HttpDeps } from '../../src/http/server.ts';
import type {
  CollectionName,
  Collections,
  DrawingRecord,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  RecordView,
} from '../../src/projections/records.ts';

/** Records in memory and commands that only merge and remember how they were called. */

export const PROJECT = '11111111-1111-4111-8111-111111111111';
export const NODE = '22222222-2222-4222-8222-222222222222';
export const NODE_2 = '33333333-3333-4333-8333-333333333333';
export const LINK = '44444444-4444-4444-8444-444444444444';
export const DRAWING = '55555555-5555-4555-8555-555555555555';
export const UNKNOWN = '99999999-9999-4999-8999-999999999999';

export const kinds = createKinds();
const STAMP = { created: 1, changed: 1 };

export const project = (over: Partial<ProjectRecord> = {}): ProjectRecord => ({
  project_id: PROJECT,
  name: 'lab',
  path: '/labs/lab',
  filename: 'lab.gns3',
  file_sha256: null,
  extra: {},
  auto_close: true,
  auto_open: false,
  auto_start: false,
  scene_width: 2000,
  scene_height: 1000,
  zoom: 100,
  grid_size: 75,
  drawing_grid_size: 25,
  show_grid: false,
  show_interface_labels: false,
  show_layers: false,
  snap_to_grid: false,
  supplier: null,
  variables: null,
  state: 'opened',
  ...STAMP,
  ...over,
});

export const node = (kindName: string, over: Partial<NodeRecord> = {}): NodeRecord => {
  const kind = kinds.get(kindName);
  if (!kind) throw new Error(`no kind ${kindName}`);
  const identity = { node_id: over.node_id ?? NODE, name: over.name ?? 'PC1' };
  const given = Object.fromEntries(kind.required.map((key) => [key, EXAMPLES[key] ?? 'x']));
  const properties = kind.complete(given, identity);
  const naming = { port_name_format: 'Ethernet{0}', port_segment_size: 0, first_port_name: null, custom_adapters: [] };
  return {
    ...identity,
    ...naming,
    project_id: PROJECT,
    compute_id: 'local',
    kind: kind.name,
    template_id: null,
    console: 5000,
    console_type: kind.capabilities.console_types[0] ?? null,
    console_auto_start: false,
    properties,
    label: { text: identity.name },
    symbol: null,
    width: 65,
    height: 65,
    x: 0,
    y: 0,
    z: 1,
    locked: false,
    ports: kind.ports(properties, { node_id: identity.node_id, ...naming }),
    node_directory: null,
    extra: {},
    state: 'stopped',
    command_line: '',
    engine: null,
    pid: null,
    nios: {},
    captures: {},
    trace: null,
    failure: null,
    ...STAMP,
    ...over,
  };
};

/** Values for the keys that kinds insist on. */
const EXAMPLES: Record<string, unknown> = {
  image: 'alpine',
  ram: 512,
  platform: 'c3725',
  vmname: 'vm',
  linked_clone: true,
};

export const link = (over: Partial<LinkRecord> = {}): LinkRecord => ({
  link_id: LINK,
  project_id: PROJECT,
  link_type: 'ethernet',
  nodes: [NODE, NODE_2].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0, label: { text: '0/0' } })),
  suspend: false,
  filters: {},
  link_style: {},
  extra: {},
  state: 'idle',
  capture: null,
  ...STAMP,
  ...over,
});

export const drawing = (over: Partial<DrawingRecord> = {}): DrawingRecord => ({
  drawing_id: DRAWING,
  project_id: PROJECT,
  x: 0,
  y: 0,
  z: 2,
  rotation: 0,
  locked: false,
  svg: '<svg></svg>',
  extra: {},
  ...STAMP,
  ...over,
});

export class FakeRecords implements RecordView {
  readonly #all = new Map<CollectionName, Map<string, Collections[CollectionName]>>();

  put<C extends CollectionName>(collection: C, id: string, record: Collections[C]): Collections[C] {
    const records = this.#all.get(collection) ?? new Map<string, Collections[CollectionName]>();
    this.#all.set(collection, records.set(id, record));
    return record;
  }

  delete(collection: CollectionName, id: string): void {
    this.#all.get(collection)?.delete(id);
  }

  get<C extends CollectionName>(collection: C, id: string): Collections[C] | undefined {
    return this.#all.get(collection)?.get(id) as Collections[C] | undefined;
  }

  ofProject<C extends Exclude<CollectionName, 'project'>>(collection: C, projectId: string): Collections[C][] {
    const all = [...(this.#all.get(collection)?.values() ?? [])] as Collections[C][];
    return all.filter((record) => record.project_id === projectId);
  }

  projects(): ProjectRecord[] {
    return [...(this.#all.get('project')?.values() ?? [])] as ProjectRecord[];
  }
}

export interface FakeLab {
  records: FakeRecords;
  commands: Commands;
  /** Name and arguments of every command, without the caller. */
  calls: unknown[][];
  callers: unknown[];
  refusals: Refusal[];
  defects: unknown[];
  /** The next call of a command throws this. */
  failNext(error: unknown): void;
  /** Server's side of the consoles that were opened. */
  consoles: PassThrough[];
}

/** A project with two simple PCs, a link between them and a drawing. */
export const fakeLab = (): FakeLab => {
  const records = new FakeRecords();
  records.put('project', PROJECT, project());
  records.put('node', NODE, node('simple_pc'));
  records.put('node', NODE_2, node('simple_pc', { node_id: NODE_2, name: 'PC2' }));
  records.put('link', LINK, link());
  records.put('drawing', DRAWING, drawing());
  const lab = { records, calls: [], callers: [], refusals: [], defects: [], consoles: [] };
  let failure: unknown;
  return {
    ...lab,
    commands: fakeCommands(lab, () => {
      const error = failure;
      failure = undefined;
      // Also what is no Error, as a defect may be.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      if (error !== undefined) throw error;
    }),
    failNext: (error) => {
      failure = error;
    },
  };
};

const fakeCommands = (lab: Omit<FakeLab, 'commands' | 'failNext'>, mayFail: () => void): Commands => {
  const { records, calls, callers } = lab;
  const called = (name: string, caller: unknown, ...args: unknown[]): void => {
    calls.push([name, ...args]);
    callers.push(caller);
    mayFail();
  };
  const must = <C extends CollectionName>(collection: C, id: string): Collections[C] => {
    const record = records.get(collection, id);
    if (!record) throw notFound(collection, id);
    return record;
  };
  const merge = <C extends CollectionName>(collection: C, id: string, changes: object): Collections[C] =>
    records.put(collection, id, { ...must(collection, id), ...changes });
  const drop = (collection: CollectionName, id: string): void => {
    must(collection, id);
    records.delete(collection, id);
  };
  return {
    createProject: async (caller, input) => {
      called('createProject', caller, input);
      const project_id = input.project_id ?? randomUUID();
      return records.put('project', project_id, project({ ...input, project_id }));
    },
    loadProject: async (caller, path) => {
      called('loadProject', caller, path);
      return must('project', PROJECT);
    },
    updateProject: async (caller, id, changes) => {
      called('updateProject', caller, id, changes);
      return merge('project', id, changes);
    },
    openProject: async (caller, id) => {
      called('openProject', caller, id);
      return merge('project', id, { state: 'opened' });
    },
    closeProject: async (caller, id) => {
      called('closeProject', caller, id);
      return merge('project', id, { state: 'closed' });
    },
    forkProject: async (caller, id, input) => {
      called('forkProject', caller, id, input);
      const project_id = randomUUID();
      return records.put('project', project_id, { ...must('project', id), project_id, name: input.name, state: 'closed' });
    },
    deleteProject: async (caller, id) => {
      called('deleteProject', caller, id);
      drop('project', id);
    },
    createNode: async (caller, projectId, input, names) => {
      called('createNode', caller, projectId, input, names);
      must('project', projectId);
      const { kind, ...rest } = input;
      const node_id = input.node_id ?? randomUUID();
      const made = node(kind, { node_id });
      const properties = { ...made.properties, ...input.properties };
      return records.put('node', node_id, { ...made, ...(rest as Partial<NodeRecord>), node_id, properties });
    },
    updateNode: async (caller, projectId, id, changes, names) => {
      called('updateNode', caller, projectId, id, changes, names);
      const properties = { ...must('node', id).properties, ...changes.properties };
      return merge('node', id, { ...changes, properties });
    },
    deleteNode: async (caller, projectId, id) => {
      called('deleteNode', caller, projectId, id);
      drop('node', id);
    },
    duplicateNode: async (caller, projectId, id, at) => {
      called('duplicateNode', caller, projectId, id, at);
      const node_id = randomUUID();
      return records.put('node', node_id, { ...must('node', id), ...at, node_id });
    },
    actOnNode: async (caller, projectId, id, action, args) => {
      called('actOnNode', caller, projectId, id, action, args);
      const state = { start: 'started', resume: 'started', reload: 'started', stop: 'stopped', suspend: 'suspended' };
      return merge('node', id, { state: state[action] });
    },
    actOnProject: async (caller, projectId, action) => {
      called('actOnProject', caller, projectId, action);
      must('project', projectId);
    },
    resetConsole: async (caller, projectId, id) => {
      called('resetConsole', caller, projectId, id);
      must('node', id);
    },
    openConsole: async (projectId, id): Promise<Duplex> => {
      called('openConsole', null, projectId, id);
      const echo = new PassThrough();
      lab.consoles.push(echo);
      return echo;
    },
    addNio: async (caller, projectId, id, port, nio) => {
      called('addNio', caller, projectId, id, port, nio);
      return nio;
    },
    updateNio: async (caller, projectId, id, port, nio) => {
      called('updateNio', caller, projectId, id, port, nio);
      return nio;
    },
    removeNio: async (caller, projectId, id, port) => {
      called('removeNio', caller, projectId, id, port);
    },
    startNodeCapture: async (caller, projectId, id, port, input) => {
      called('startNodeCapture', caller, projectId, id, port, input);
      const file_name = input.capture_file_name ?? 'capture.pcap';
      return { file_name, path: `/labs/lab/${file_name}`, data_link_type: 'DLT_EN10MB' };
    },
    stopNodeCapture: async (caller, projectId, id, port) => {
      called('stopNodeCapture', caller, projectId, id, port);
    },
    createLink: async (caller, projectId, input) => {
      called('createLink', caller, projectId, input);
      must('project', projectId);
      const link_id = input.link_id ?? randomUUID();
      return records.put('link', link_id, link({ link_id }));
    },
    updateLink: async (caller, projectId, id, changes) => {
      called('updateLink', caller, projectId, id, changes);
      return merge('link', id, { ...changes, nodes: must('link', id).nodes });
    },
    deleteLink: async (caller, projectId, id) => {
      called('deleteLink', caller, projectId, id);
      drop('link', id);
    },
    startLinkCapture: async (caller, projectId, id, input) => {
      called('startLinkCapture', caller, projectId, id, input);
      return merge('link', id, { state: 'capturing' });
    },
    stopLinkCapture: async (caller, projectId, id) => {
      called('stopLinkCapture', caller, projectId, id);
      return merge('link', id, { state: 'idle' });
    },
    flushCapture: async () => undefined,
    createDrawing: async (caller, projectId, input) => {
      called('createDrawing', caller, projectId, input);
      must('project', projectId);
      const drawing_id = input.drawing_id ?? randomUUID();
      return records.put('drawing', drawing_id, drawing({ ...input, drawing_id }));
    },
    updateDrawing: async (caller, projectId, id, changes) => {
      called('updateDrawing', caller, projectId, id, changes);
      return merge('drawing', id, changes);
    },
    deleteDrawing: async (caller, projectId, id) => {
      called('deleteDrawing', caller, projectId, id);
      drop('drawing', id);
    },
    leaseUdpPort: (projectId) => {
      called('leaseUdpPort', null, projectId);
      return 20000;
    },
    refused: (_caller, refusal) => {
      lab.refusals.push(refusal);
    },
  };
};

export const serve = (lab: FakeLab, over: Partial<HttpDeps> = {}) =>
  buildServer({
    commands: lab.commands,
    records: lab.records,
    kinds,
    readLog: { page: async () => [] },
    health: () => ({ log: 'ok' }),
    version: '1.2.3',
    local: true,
    computeId: 'local',
    logDefect: (error) => lab.defects.push(error),
    ...over,
  });
