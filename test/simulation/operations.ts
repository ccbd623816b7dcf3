import { Readable } from 'node:stream';
import type { BatchStep, Caller, Commands, NodeAction, ProjectAction } from '../../src/actors/commands.ts';
import type { AnyFact } from '../../src/events/facts.ts';
import type { NodeRecord, ProjectRecord, RecordView } from '../../src/projections/records.ts';
import type { Outcome, Thing } from '../faults/expectations.ts';
import type { World } from './world.ts';

/** A write that a client may ask for. */
export interface Operation {
  what: string;
  run(commands: Commands, caller: Caller): Promise<unknown>;
  /** Events of these types that an answered one has brought about, each once. */
  events?: readonly AnyFact['type'][];
  /** What the client's own things are once it is answered. */
  done?: Outcome;
  /** Facts that are all there or none of them. */
  together?: number;
  /** Of a request with an Idempotency-Key: what it makes bears this mark, once at most. */
  mark?: string;
}

/** What a client knows when it chooses. */
export interface Choice {
  world: World;
  records: RecordView;
  /** The client's own project and drawings: nobody else changes those. */
  home: string;
  own: readonly [string, Thing][];
  /** Under which name what it makes goes. */
  name: () => string;
  attended: (() => void)[];
}

type Chooser = (choice: Choice, project: ProjectRecord) => Operation | null;

const KINDS = ['simple_pc', 'simple_pc', 'ethernet_switch', 'ethernet_hub', 'program', 'program'] as const;
const MOST_PROJECTS = 3;
const MOST_NODES = 5;
const MOST_DRAWINGS = 6;

const nodeOf = ({ records, world }: Choice, { project_id }: ProjectRecord): NodeRecord | undefined =>
  world.random.pick(records.ofProject('node', project_id));

const pick = <T>(world: World, items: readonly T[]): T => items[world.random.below(items.length)] as T;

const createProject: Chooser = ({ world, records, name }) => {
  if (records.projects().length >= MOST_PROJECTS) return null;
  const given = {
    name: name(),
    auto_close: world.chance(0.5),
    auto_start: world.chance(0.2),
    record_consoles: world.chance(0.3),
  };
  return { what: 'create project', run: (c, by) => c.createProject(by, given), events: ['project.created'] };
};

const updateProject: Chooser = ({ world }, { project_id }) => {
  const changes = pick(world, [
    { scene_width: world.random.below(4000) },
    { auto_close: world.chance(0.5) },
    { auto_start: world.chance(0.5) },
    { auto_open: world.chance(0.5) },
    { record_consoles: world.chance(0.5) },
  ]);
  return {
    what: `update project ${JSON.stringify(changes)}`,
    run: (c, by) => c.updateProject(by, project_id, changes),
  };
};

const openProject: Chooser = (_, { project_id }) => ({ what: 'open', run: (c, by) => c.openProject(by, project_id) });
const closeProject: Chooser = (_, { project_id }) => ({
  what: 'close',
  run: (c, by) => c.closeProject(by, project_id),
});

/** Not the home of the clients' own things. */
const deleteProject: Chooser = ({ home }, { project_id }) =>
  project_id === home
    ? null
    : { what: 'delete project', run: (c, by) => c.deleteProject(by, project_id), events: ['project.deleted'] };

const duplicateProject: Chooser = ({ records }, { project_id }) =>
  records.projects().length >= MOST_PROJECTS
    ? null
    : {
        what: 'duplicate project',
        run: (c, by) => c.duplicateProject(by, project_id, { name: null }),
        events: ['project.created'],
      };

const createNode: Chooser = ({ world, records, name }, { project_id }) => {
  if (records.ofProject('node', project_id).length >= MOST_NODES) return null;
  const input = { kind: pick(world, KINDS), name: name(), x: world.random.below(1000) };
  return {
    what: `create ${input.kind}`,
    run: (c, by) => c.createNode(by, project_id, input, 'make_unique'),
    events: ['node.created'],
  };
};

const updateNode: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  if (node === undefined) return null;
  const { world, name } = choice;
  const changes = pick(world, [{ x: world.random.below(1000) }, { name: name() }, { locked: world.chance(0.1) }]);
  const { project_id, node_id } = node;
  return {
    what: `update node ${node.name} ${JSON.stringify(changes)}`,
    run: (c, by) => c.updateNode(by, project_id, node_id, changes, 'make_unique'),
  };
};

const deleteNode: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  if (node === undefined) return null;
  const { project_id, node_id } = node;
  return {
    what: `delete node ${node.name}`,
    run: (c, by) => c.deleteNode(by, project_id, node_id),
    events: ['node.deleted'],
  };
};

const duplicateNode: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  const { records } = choice;
  if (node === undefined || records.ofProject('node', project.project_id).length >= MOST_NODES) return null;
  const { project_id, node_id } = node;
  return {
    what: `duplicate node ${node.name}`,
    run: (c, by) => c.duplicateNode(by, project_id, node_id, { x: 1, y: 1 }),
    events: ['node.created'],
  };
};

const ACTIONS: readonly NodeAction[] = ['start', 'start', 'start', 'stop', 'stop', 'suspend', 'resume', 'reload'];
const actOnNode: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  if (node === undefined) return null;
  const action = pick(choice.world, ACTIONS);
  const { project_id, node_id } = node;
  return { what: `${action} ${node.name}`, run: (c, by) => c.actOnNode(by, project_id, node_id, action) };
};

const PROJECT_ACTIONS: readonly ProjectAction[] = ['start', 'start', 'stop', 'suspend', 'reload'];
const actOnProject: Chooser = ({ world }, { project_id }) => {
  const action = pick(world, PROJECT_ACTIONS);
  return {
    what: `${action} all`,
    run: (c, by) => c.actOnProject(by, project_id, action),
    events: ['project.nodes_requested'],
  };
};

interface FreePort {
  node_id: string;
  adapter_number: number;
  port_number: number;
}

const freePorts = ({ records }: Choice, { project_id }: ProjectRecord): FreePort[] =>
  records.ofProject('node', project_id).flatMap((node) => {
    const used = records.linksOf(node.node_id).flatMap(({ nodes }) => nodes);
    return node.ports
      .map(({ adapter_number, port_number }) => ({ node_id: node.node_id, adapter_number, port_number }))
      .filter((port) => !used.some((end) => end.node_id === port.node_id && end.port_number === port.port_number))
      .slice(0, 3);
  });

const createLink: Chooser = (choice, project) => {
  const ports = freePorts(choice, project);
  const [a, b] = [pick(choice.world, ports), pick(choice.world, ports)];
  if (ports.length === 0 || a.node_id === b.node_id) return null;
  const nodes = [a, b];
  const { project_id } = project;
  return { what: 'create link', run: (c, by) => c.createLink(by, project_id, { nodes }), events: ['link.created'] };
};

const updateLink: Chooser = ({ world, records }, { project_id }) => {
  const link = world.random.pick(records.ofProject('link', project_id));
  if (link === undefined) return null;
  const changes = pick(world, [
    { suspend: world.chance(0.5) },
    { filters: { frequency_drop: [1 + world.random.below(9)] } },
    { filters: { delay: [world.random.below(100), 0] } },
    { filters: {} },
  ]);
  const { link_id } = link;
  return {
    what: `update link ${JSON.stringify(changes)}`,
    run: (c, by) => c.updateLink(by, project_id, link_id, changes),
  };
};

const deleteLink: Chooser = ({ world, records }, { project_id }) => {
  const link = world.random.pick(records.ofProject('link', project_id));
  if (link === undefined) return null;
  const { link_id } = link;
  return {
    what: `delete link ${link_id.slice(0, 8)}`,
    run: (c, by) => c.deleteLink(by, project_id, link_id),
    events: ['link.deleted'],
  };
};

const linkCapture: Chooser = ({ world, records, name }, { project_id }) => {
  const link = world.random.pick(records.ofProject('link', project_id));
  if (link === undefined) return null;
  const { link_id, state } = link;
  if (state === 'capturing' && world.chance(0.5))
    return { what: 'stop capture', run: (c, by) => c.stopLinkCapture(by, project_id, link_id) };
  const given = { capture_file_name: `${name()}.pcap` };
  return { what: 'start capture', run: (c, by) => c.startLinkCapture(by, project_id, link_id, given) };
};

const nodeCapture: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  if (node === undefined) return null;
  const { project_id, node_id } = node;
  const port = { adapter_number: 0, port_number: 0 };
  if (Object.keys(node.captures).length > 0)
    return { what: 'stop port capture', run: (c, by) => c.stopNodeCapture(by, project_id, node_id, port) };
  const given = { capture_file_name: `${choice.name()}.pcap` };
  return { what: 'start port capture', run: (c, by) => c.startNodeCapture(by, project_id, node_id, port, given) };
};

const nio: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  const port = choice.world.random.pick(freePorts(choice, project).filter(({ node_id }) => node_id === node?.node_id));
  if (node === undefined) return null;
  const { project_id, node_id } = node;
  const [key] = Object.keys(node.nios);
  if (key !== undefined) {
    const [adapter_number = 0, port_number = 0] = key.split('/').map(Number);
    const at = { adapter_number, port_number };
    return {
      what: 'remove nio',
      run: (c, by) => c.removeNio(by, project_id, node_id, at),
      events: ['node.nio_removed'],
    };
  }
  if (port === undefined) return null;
  const lport = 20_000 + choice.world.random.below(9_000);
  const given = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport: lport + 1 };
  return {
    what: 'add nio',
    run: (c, by) => c.addNio(by, project_id, node_id, port, given as never),
    events: ['node.nio_added'],
  };
};

const snapshot: Chooser = ({ world, records, name, home }, { project_id }) => {
  const there = world.random.pick(records.ofProject('snapshot', project_id));
  if (there === undefined || world.chance(0.3))
    return {
      what: 'create snapshot',
      run: (c, by) => c.createSnapshot(by, project_id, { name: name() }),
      events: ['snapshot.created'],
    };
  const { snapshot_id } = there;
  if (project_id !== home && world.chance(0.7))
    return {
      what: 'restore snapshot',
      run: (c, by) => c.restoreSnapshot(by, project_id, snapshot_id),
      events: ['project.restore_requested'],
    };
  return {
    what: 'delete snapshot',
    run: (c, by) => c.deleteSnapshot(by, project_id, snapshot_id),
    events: ['snapshot.deleted'],
  };
};

const template: Chooser = ({ world, records, name }, { project_id }) => {
  const there = world.random.pick(records.templates());
  const given = { kind: pick(world, KINDS), name: name() };
  if (there === undefined)
    return { what: 'create template', run: (c, by) => c.createTemplate(by, given), events: ['template.created'] };
  const { template_id } = there;
  return pick<Operation>(world, [
    { what: 'update template', run: (c, by) => c.updateTemplate(by, template_id, { name: given.name }) },
    { what: 'delete template', run: (c, by) => c.deleteTemplate(by, template_id), events: ['template.deleted'] },
    {
      what: 'node of template',
      run: (c, by) => c.createNodeFromTemplate(by, project_id, template_id, { x: 1, y: 2 }),
      events: ['node.created'],
    },
  ]);
};

const attend: Chooser = ({ attended }, { project_id }) => ({
  what: attended.length > 0 ? 'leave' : 'attend',
  run: (c) => {
    const leave = attended.pop();
    if (leave === undefined) attended.push(c.attend(project_id));
    else leave();
    return Promise.resolve();
  },
});

const writeFile: Chooser = ({ world, name }, { project_id }) => {
  const text = `${name()}${'x'.repeat(world.random.below(3000))}`;
  const upload = () => ({ content: Readable.from([Buffer.from(text)]), limit: 1e6 });
  return {
    what: 'write file',
    run: (c, by) => c.writeFile(by, project_id, null, `file-${world.random.below(3)}.txt`, upload()),
    events: ['file.written'],
  };
};

const drawing = (choice: Choice): Operation => {
  const { world, own, home, name } = choice;
  const [key, thing] = world.random.pick(own) ?? [null, null];
  const id = key?.slice('drawing/'.length) ?? '';
  if (key === null || thing === null || (own.length < MOST_DRAWINGS && world.chance(0.4))) {
    const drawing_id = world.random.uuid();
    const fields = { x: world.random.below(1000), svg: `<svg>${name()}</svg>` };
    return {
      what: `create drawing ${drawing_id.slice(0, 8)}`,
      run: (c, by) => c.createDrawing(by, home, { drawing_id, ...fields }),
      events: ['drawing.created'],
      done: { [`drawing/${drawing_id}`]: { ...fields, z: 2 } },
    };
  }
  if (world.chance(0.3))
    return {
      what: `delete drawing ${id.slice(0, 8)}`,
      run: (c, by) => c.deleteDrawing(by, home, id),
      events: ['drawing.deleted'],
      done: { [key]: null },
    };
  const changes = { x: world.random.below(1000), z: world.random.below(9) };
  return {
    what: `update drawing ${id.slice(0, 8)} ${JSON.stringify(changes)}`,
    run: (c, by) => c.updateDrawing(by, home, id, changes),
    done: { [key]: { ...thing, ...changes } },
  };
};

const batch = (choice: Choice): Operation => {
  const { world, home, name } = choice;
  const steps: BatchStep[] = [];
  const done: Record<string, Thing> = {};
  for (let n = 2 + world.random.below(4); n > 0; n--) {
    const drawing_id = world.random.uuid();
    const fields = { x: world.random.below(1000), svg: `<svg>${name()}</svg>` };
    steps.push({ action: 'create', type: 'drawing', input: { drawing_id, ...fields } });
    done[`drawing/${drawing_id}`] = { ...fields, z: 2 };
  }
  return { what: `batch of ${steps.length}`, run: (c, by) => c.batch(by, home, steps), done, together: steps.length };
};

const keyed = (choice: Choice): Operation => {
  const { home, name } = choice;
  const mark = name();
  const request = { key: mark, method: 'POST', path: `/v2/projects/${home}/drawings`, body_sha256: 'a'.repeat(64) };
  return {
    what: `keyed ${mark}`,
    run: (c, by) =>
      c.once(by, request, async () => {
        const { drawing_id } = await c.createDrawing(by, home, { svg: `<svg>${mark}</svg>` });
        return { status: 201, body: drawing_id };
      }),
    mark,
  };
};

const WEIGHTS: readonly [number, Chooser][] = [
  [2, createProject],
  [2, updateProject],
  [5, openProject],
  [1, closeProject],
  [1, deleteProject],
  [1, duplicateProject],
  [8, createNode],
  [4, updateNode],
  [3, deleteNode],
  [2, duplicateNode],
  [16, actOnNode],
  [5, actOnProject],
  [7, createLink],
  [5, updateLink],
  [3, deleteLink],
  [5, linkCapture],
  [2, nodeCapture],
  [3, nio],
  [3, snapshot],
  [2, template],
  [2, attend],
  [2, writeFile],
];
const TOTAL = WEIGHTS.reduce((sum, [weight]) => sum + weight, 0);

/** Something to do next, as the records are that the client has read. */
export const chooseOperation = (choice: Choice): Operation => {
  const { world, records } = choice;
  const own = world.random.below(10);
  if (own < 2) return drawing(choice);
  if (own === 2) return world.chance(0.6) ? batch(choice) : keyed(choice);
  for (let tries = 0; tries < 5; tries++) {
    let left = world.random.below(TOTAL);
    const [, chooser] = WEIGHTS.find(([weight]) => (left -= weight) < 0) ?? WEIGHTS[0] ?? [0, createProject];
    const project = world.random.pick(records.projects());
    const operation = project === undefined ? null : chooser(choice, project);
    if (operation !== null) return operation;
  }
  return drawing(choice);
};
