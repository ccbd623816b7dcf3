import { createKinds } from '../../src/emulators/registry.ts';
import type {
  CollectionName,
  Collections,
  ComputeRecord,
  DrawingRecord,
  InsideCollection,
  LinkRecord,
  NodeRecord,
  ProjectRecord,
  ServerCollection,
  TemplateRecord,
  RecordView,
} from '../../src/projections/records.ts';
import { PROJECT_SETTINGS } from '../support/events.ts';

/** Records of every collection as they come out of the projections, and a view of them in memory. */

export const PROJECT = '11111111-1111-4111-8111-111111111111';
export const NODE = '22222222-2222-4222-8222-222222222222';
export const NODE_2 = '33333333-3333-4333-8333-333333333333';
export const LINK = '44444444-4444-4444-8444-444444444444';
export const DRAWING = '55555555-5555-4555-8555-555555555555';
const TEMPLATE = '66666666-6666-4666-8666-666666666666';
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
  ...PROJECT_SETTINGS,
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
    recording: null,
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

export const compute = (over: Partial<ComputeRecord> = {}): ComputeRecord => ({
  ...{ compute_id: 'far', name: 'far', protocol: 'http', host: '192.0.2.1', port: 3080, user: null },
  ...{ connected: true, capabilities: null, last_error: null, created: 1, changed: 1 },
  ...over,
});

export const template = (over: Partial<TemplateRecord> = {}): TemplateRecord => ({
  template_id: TEMPLATE,
  kind: 'simple_pc',
  name: 'PC',
  compute_id: 'local',
  default_name_format: 'PC{0}',
  symbol: ':/symbols/vpcs_guest.svg',
  category: 'guest',
  settings: {},
  builtin: false,
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

  ofProject<C extends InsideCollection>(collection: C, projectId: string): Collections[C][] {
    const all = [...(this.#all.get(collection)?.values() ?? [])] as Collections[C][];
    return all.filter((record) => record.project_id === projectId);
  }

  count(collection: InsideCollection, projectId: string): number {
    return this.ofProject(collection, projectId).length;
  }

  projects(): ProjectRecord[] {
    return [...(this.#all.get('project')?.values() ?? [])] as ProjectRecord[];
  }

  #nodes(is: (node: NodeRecord) => boolean): NodeRecord[] {
    return ([...(this.#all.get('node')?.values() ?? [])] as NodeRecord[]).filter(is);
  }

  holders(console: number): NodeRecord[] {
    return this.#nodes((node) => node.console === console);
  }

  named(projectId: string, name: string): NodeRecord[] {
    return this.#nodes((node) => node.project_id === projectId && node.name === name);
  }

  linksOf(nodeId: string): LinkRecord[] {
    const links = [...(this.#all.get('link')?.values() ?? [])] as LinkRecord[];
    return links.filter(({ nodes }) => nodes.some(({ node_id }) => node_id === nodeId));
  }

  ofServer<C extends ServerCollection>(collection: C): Collections[C][] {
    return [...(this.#all.get(collection)?.values() ?? [])] as Collections[C][];
  }
}
