import fc from 'fast-check';
import type { NodeAction, ProjectAction } from '../../src/actors/commands.ts';
import { portsOf } from '../../src/emulators/recorded-node.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import type { LinkRecord, NodeRecord, RecordView } from '../../src/projections/records.ts';
import { CALLER, type TestLab } from '../actors/test-lab.ts';

/** One command. Numbers choose among what is there; `NOTHING` chooses an id that nothing has. */
export type Step =
  | { do: 'create project'; name: string }
  | { do: 'update project'; project: number; name?: string; zoom?: number }
  | { do: 'open' | 'close' | 'delete project'; project: number }
  | { do: 'all'; project: number; action: ProjectAction }
  | { do: 'create node'; project: number; kind: string; name: string; unique: boolean; console?: number; fail?: string }
  | { do: 'update node'; node: number; name?: string; x?: number; locked?: boolean; console?: number; ports?: number }
  | { do: 'delete node' | 'duplicate node'; node: number }
  | { do: 'act'; node: number; action: NodeAction }
  | { do: 'create link'; a: number; b: number; port: number; loss: number }
  | { do: 'update link'; link: number; suspend?: boolean; loss?: number }
  | { do: 'delete link' | 'capture' | 'stop capture'; link: number }
  | { do: 'add nio' | 'update nio' | 'remove nio'; node: number; port: number; lport: number; type: string }
  | { do: 'capture port' | 'stop port capture'; node: number; port: number }
  | { do: 'create drawing'; project: number; x: number }
  | { do: 'update drawing'; drawing: number; x?: number; locked?: boolean }
  | { do: 'delete drawing'; drawing: number };

const NOTHING = 9;
const UNKNOWN = '99999999-9999-4999-8999-999999999999';

/** Kinds of every sort: runs in the fabric or only simulated, always on, suspends, leads out, has no port that matters. */
const KINDS = ['simple_pc', 'simple_pc', 'ethernet_switch', 'ethernet_hub', 'nat', 'cloud', 'container', 'trace_tool'];

const choice = fc.oneof({ weight: 20, arbitrary: fc.nat(NOTHING - 1) }, { weight: 1, arbitrary: fc.constant(NOTHING) });
const first = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: choice });
const name = fc.constantFrom('PC1', 'PC2', 'SW');
const port = fc.nat(2);
const loss = fc.constantFrom(0, 0, 10, 10, 101);
const console = fc.constantFrom(12_001, 12_002);

const is = <D extends Step['do']>(...words: D[]): fc.Arbitrary<D> => fc.constantFrom(...words);
const some = { weight: 1 };
const many = { weight: 4 };

const step = fc.oneof(
  { ...some, arbitrary: fc.record({ do: is('create project'), name }) },
  {
    ...some,
    arbitrary: fc.record(
      { do: is('update project'), project: first, name, zoom: fc.nat(200) },
      { requiredKeys: ['do', 'project'], noNullPrototype: true },
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: is('open', 'open', 'open', 'close', 'close', 'delete project'), project: first }),
  },
  {
    ...some,
    arbitrary: fc.record({
      do: is('all'),
      project: first,
      action: fc.constantFrom('start', 'stop', 'suspend', 'reload'),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record(
      {
        do: is('create node'),
        project: first,
        kind: fc.constantFrom(...KINDS),
        name,
        unique: fc.boolean(),
        console,
        fail: fc.constantFrom('start', 'stop', 'suspend', 'reload'),
      },
      { requiredKeys: ['do', 'project', 'kind', 'name', 'unique'], noNullPrototype: true },
    ),
  },
  {
    ...many,
    arbitrary: fc.record(
      { do: is('update node'), node: choice, name, x: fc.nat(9), locked: fc.boolean(), console, ports: fc.nat(3) },
      { requiredKeys: ['do', 'node'], noNullPrototype: true },
    ),
  },
  { ...many, arbitrary: fc.record({ do: is('delete node', 'duplicate node'), node: choice }) },
  {
    weight: 14,
    arbitrary: fc.record({
      do: is('act'),
      node: choice,
      action: fc.constantFrom('start', 'start', 'suspend', 'suspend', 'stop', 'resume', 'reload'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: is('create link'), a: choice, b: choice, port, loss }) },
  {
    ...some,
    arbitrary: fc.record(
      { do: is('update link'), link: choice, suspend: fc.boolean(), loss },
      { requiredKeys: ['do', 'link'], noNullPrototype: true },
    ),
  },
  { ...many, arbitrary: fc.record({ do: is('delete link', 'capture', 'stop capture'), link: choice }) },
  {
    ...many,
    arbitrary: fc.record({
      do: is('add nio', 'update nio', 'remove nio'),
      node: choice,
      port,
      lport: fc.constantFrom(20_001, 20_002),
      type: fc.constantFrom('nio_udp', 'nio_udp', 'nio_tap'),
    }),
  },
  { ...some, arbitrary: fc.record({ do: is('capture port', 'stop port capture'), node: choice, port }) },
  { ...some, arbitrary: fc.record({ do: is('create drawing'), project: first, x: fc.nat(9) }) },
  {
    ...some,
    arbitrary: fc.record(
      { do: is('update drawing'), drawing: choice, x: fc.nat(9), locked: fc.boolean() },
      { requiredKeys: ['do', 'drawing'], noNullPrototype: true },
    ),
  },
  { ...some, arbitrary: fc.record({ do: is('delete drawing'), drawing: choice }) },
) as fc.Arbitrary<Step>;

/** Rounds of steps; those of one round are asked for at the same time. */
export const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4, size: 'max' }), {
  minLength: 1,
  maxLength: 12,
  size: 'max',
});

/** What there is before the first round: enough that most choices are of something. */
export const BEFORE: Step[] = [
  { do: 'create project', name: 'first' },
  { do: 'create node', project: 0, kind: 'simple_pc', name: 'PC1', unique: false },
  { do: 'create node', project: 0, kind: 'ethernet_switch', name: 'SW', unique: false },
  { do: 'create node', project: 0, kind: 'simple_pc', name: 'PC2', unique: false },
  { do: 'create link', a: 0, b: 1, port: 0, loss: 0 },
  { do: 'create drawing', project: 0, x: 1 },
  { do: 'act', node: 0, action: 'start' },
  { do: 'add nio', node: 2, port: 0, lport: 20_001, type: 'nio_udp' },
];

const chosen = <T>(items: T[], index: number): T | undefined =>
  index === NOTHING ? undefined : items[index % Math.max(1, items.length)];

const inside = <C extends 'node' | 'link' | 'drawing'>(view: RecordView, collection: C) =>
  view.projects().flatMap((p) => view.ofProject(collection, p.project_id));

/** Asks for one step. */
export const perform = async (lab: TestLab, step: Step): Promise<unknown> => {
  const { commands, records } = lab;
  const view = records.committed;
  const projectId = (index: number): string => chosen(view.projects(), index)?.project_id ?? UNKNOWN;
  switch (step.do) {
    case 'create project':
      return commands.createProject(CALLER, { name: step.name, record_consoles: step.name === 'PC1' });
    case 'update project': {
      const { do: _, project, ...changes } = step;
      // With one number more, every recorded sequence of steps would be another.
      const recording = step.zoom === undefined ? {} : { record_consoles: step.zoom % 2 === 0 };
      return commands.updateProject(CALLER, projectId(project), { ...changes, ...recording });
    }
    case 'open':
      return commands.openProject(CALLER, projectId(step.project));
    case 'close':
      return commands.closeProject(CALLER, projectId(step.project));
    case 'delete project':
      return commands.deleteProject(CALLER, projectId(step.project));
    case 'all':
      return commands.actOnProject(CALLER, projectId(step.project), step.action);
    case 'create node':
      return createNode(lab, projectId(step.project), step);
    case 'create drawing':
      return commands.createDrawing(CALLER, projectId(step.project), { x: step.x });
    case 'update drawing':
    case 'delete drawing': {
      const drawing = chosen(inside(view, 'drawing'), step.drawing);
      const at = { project_id: drawing?.project_id ?? UNKNOWN, drawing_id: drawing?.drawing_id ?? UNKNOWN };
      if (step.do === 'delete drawing') return commands.deleteDrawing(CALLER, at);
      const { do: _, drawing: __, ...changes } = step;
      return commands.updateDrawing(CALLER, at, changes);
    }
    case 'update link':
    case 'delete link':
    case 'capture':
    case 'stop capture':
      return onLink(lab, chosen(inside(view, 'link'), step.link), step);
    case 'create link':
      return createLink(lab, chosen(inside(view, 'node'), step.a), chosen(inside(view, 'node'), step.b), step);
    default:
      return onNode(lab, chosen(inside(view, 'node'), step.node), step);
  }
};

type Of<D extends Step['do']> = Extract<Step, { do: D }>;

const createNode = ({ commands }: TestLab, projectId: string, step: Of<'create node'>): Promise<unknown> => {
  const { kind, name, unique, fail } = step;
  const properties = {
    ...(kind === 'container' ? { image: 'alpine' } : {}),
    // Nothing runs outside of this process, whatever is installed here.
    ...(['nat', 'container'].includes(kind) || fail !== undefined ? { engine: 'simulated' } : {}),
    ...(fail === undefined ? {} : { simulate: { fail } }),
  };
  const console = step.console === undefined ? {} : { console: step.console };
  const input = { kind, name, properties, ...console };
  return commands.createNode(CALLER, projectId, input, unique ? 'make_unique' : 'conflict');
};

const createLink = (
  { commands }: TestLab,
  a: NodeRecord | undefined,
  b: NodeRecord | undefined,
  step: Of<'create link'>,
): Promise<unknown> => {
  const end = (node: NodeRecord | undefined) => {
    const ports = node === undefined ? [] : portsOf(createKinds(), node);
    const port = ports[step.port % Math.max(1, ports.length)];
    const { adapter_number = 0, port_number = 0 } = port ?? {};
    return { node_id: node?.node_id ?? UNKNOWN, adapter_number, port_number };
  };
  const filters = step.loss === 0 ? {} : { packet_loss: [step.loss] };
  return commands.createLink(CALLER, a?.project_id ?? UNKNOWN, { nodes: [end(a), end(b)], filters });
};

const onLink = (
  { commands }: TestLab,
  link: LinkRecord | undefined,
  step: Of<'update link' | 'delete link' | 'capture' | 'stop capture'>,
): Promise<unknown> => {
  const at = { project_id: link?.project_id ?? UNKNOWN, link_id: link?.link_id ?? UNKNOWN };
  switch (step.do) {
    case 'update link': {
      const filters = step.loss === undefined ? {} : { filters: { packet_loss: [step.loss] } };
      const suspend = step.suspend === undefined ? {} : { suspend: step.suspend };
      return commands.updateLink(CALLER, at, { ...filters, ...suspend });
    }
    case 'delete link':
      return commands.deleteLink(CALLER, at);
    case 'capture':
      return commands.startLinkCapture(CALLER, at, {});
    case 'stop capture':
      return commands.stopLinkCapture(CALLER, at);
  }
};

type NodeStep = Extract<Step, { node: number }>;

const onNode = ({ commands }: TestLab, node: NodeRecord | undefined, step: NodeStep): Promise<unknown> => {
  const at = { project_id: node?.project_id ?? UNKNOWN, node_id: node?.node_id ?? UNKNOWN };
  const port = 'port' in step ? { adapter_number: 0, port_number: step.port } : { adapter_number: 0, port_number: 0 };
  switch (step.do) {
    case 'update node': {
      const { do: _, node: __, ports, ...changes } = step;
      const mapping = Array.from({ length: ports ?? 0 }, (___, n) => ({
        name: `e${n}`,
        port_number: n,
        type: 'access',
        vlan: 1,
      }));
      const properties = ports === undefined ? {} : { properties: { ports_mapping: mapping } };
      return commands.updateNode(CALLER, at, { ...changes, ...properties }, 'conflict');
    }
    case 'delete node':
      return commands.deleteNode(CALLER, at);
    case 'duplicate node':
      return commands.duplicateNode(CALLER, at, { x: 1, y: 1 });
    case 'act':
      return commands.actOnNode(CALLER, at, step.action);
    case 'add nio':
      return commands.addNio(CALLER, { ...at, ...port }, nio(step));
    case 'update nio':
      return commands.updateNio(CALLER, { ...at, ...port }, nio(step));
    case 'remove nio':
      return commands.removeNio(CALLER, { ...at, ...port });
    case 'capture port':
      return commands.startNodeCapture(CALLER, { ...at, ...port }, { capture_file_name: 'port.pcap' });
    case 'stop port capture':
      return commands.stopNodeCapture(CALLER, { ...at, ...port });
  }
};

const nio = ({ type, lport }: Of<'add nio' | 'update nio' | 'remove nio'>) => ({
  type,
  lport,
  rhost: '127.0.0.1',
  rport: 20_010,
});
