import type { BatchStep, Caller, Commands, NodeAction, ProjectAction } from '../../../src/actors/commands.ts';
import type { AnyEvent } from '../../../src/events/schemas.ts';
import type { NodeRecord, RecordView } from '../../../src/projections/records.ts';
import type { Outcome, Thing } from '../../faults/expectations.ts';
import {
  type Chooser,
  createLink,
  deleteLink,
  linkCapture,
  nio,
  nodeCapture,
  nodeOf,
  pick,
  updateLink,
} from './links.ts';
import { check, collect, putBack, weather } from './labs.ts';
import { applyText, batch, drawing, keyed } from './own.ts';
import { copyLab, image, licence, symbol, writeFile } from './uploads.ts';
import type { World } from '../world.ts';

/** A write that a client may ask for. */
export interface Operation {
  what: string;
  run(commands: Commands, caller: Caller): Promise<unknown>;
  /** Events of these types that an answered one has brought about, each once. */
  events?: readonly AnyEvent['type'][];
  /** What the client's own things are once it is answered. */
  done?: Outcome;
  /** Events that are all there or none of them. */
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
  favourite: Chooser;
}

const KINDS = ['simple_pc', 'simple_pc', 'ethernet_switch', 'ethernet_hub', 'program', 'program'] as const;
export const MOST_PROJECTS = 3;
const MOST_NODES = 5;

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

const createNode: Chooser = ({ world, records, name }, { project_id }) => {
  if (records.ofProject('node', project_id).length >= MOST_NODES) return null;
  const input = { kind: pick(world, KINDS), name: name(), x: world.random.below(1000) };
  return {
    what: `create ${input.kind}`,
    run: (c, by) => c.createNode(by, project_id, input, 'make_unique'),
    events: ['node.created'],
  };
};

const changesOf = ({ world, name }: Choice, { kind }: NodeRecord) =>
  pick(world, [
    { x: world.random.below(1000) },
    { name: name() },
    { locked: world.chance(0.1) },
    ...(kind === 'simple_pc' ? [{ properties: { startup_script: `set pcname ${name()}` } }] : []),
  ]);

const updateNode: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  if (node === undefined) return null;
  const changes = changesOf(choice, node);
  const { project_id, node_id } = node;
  return {
    what: `update node ${node.name} ${JSON.stringify(changes)}`,
    run: (c, by) => c.updateNode(by, { project_id, node_id }, changes, 'make_unique'),
  };
};

/** Nodes that others change at the same time, one by one. */
const updateNodes: Chooser = (choice, { project_id }) => {
  const nodes = choice.records.ofProject('node', project_id);
  if (nodes.length === 0) return null;
  const steps = nodes.map((node): BatchStep => {
    return { action: 'update', type: 'node', id: node.node_id, changes: changesOf(choice, node) };
  });
  return { what: `update ${steps.length} nodes at once`, run: (c, by) => c.batch(by, project_id, steps) };
};

const deleteNode: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  if (node === undefined) return null;
  const { project_id, node_id } = node;
  return {
    what: `delete node ${node.name}`,
    run: (c, by) => c.deleteNode(by, { project_id, node_id }),
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
    run: (c, by) => c.duplicateNode(by, { project_id, node_id }, { x: 1, y: 1 }),
    events: ['node.created'],
  };
};

const ACTIONS: readonly NodeAction[] = ['start', 'start', 'start', 'stop', 'stop', 'suspend', 'resume', 'reload'];
const actOnNode: Chooser = (choice, project) => {
  const node = nodeOf(choice, project);
  if (node === undefined) return null;
  const action = pick(choice.world, ACTIONS);
  const { project_id, node_id } = node;
  return { what: `${action} ${node.name}`, run: (c, by) => c.actOnNode(by, { project_id, node_id }, action) };
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
      run: (c, by) => c.restoreSnapshot(by, { project_id, snapshot_id }),
      events: ['project.restore_requested'],
    };
  return {
    what: 'delete snapshot',
    run: (c, by) => c.deleteSnapshot(by, { project_id, snapshot_id }),
    events: ['snapshot.deleted'],
  };
};

const template: Chooser = ({ world, records, name }, { project_id }) => {
  const there = world.random.pick(records.ofServer('template'));
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

const WEIGHTS: readonly [number, Chooser][] = [
  [2, createProject],
  [2, updateProject],
  [5, openProject],
  [1, closeProject],
  [1, deleteProject],
  [8, createNode],
  [4, updateNode],
  [2, updateNodes],
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
  [5, writeFile],
  [3, applyText],
  [2, image],
  [2, symbol],
  [1, licence],
  [2, copyLab],
  [3, putBack],
  [4, weather],
  [2, check],
  [1, collect],
];
const TOTAL = WEIGHTS.reduce((sum, [weight]) => sum + weight, 0);

/** What a client asks for again and again, so that rare operations meet each other and a crash. */
export const favouriteOf = (world: World): Chooser => pick(world, WEIGHTS)[1];

/** Something to do next, as the records are that the client has read. */
export const chooseOperation = (choice: Choice): Operation => {
  const { world, records } = choice;
  const loved = world.chance(0.3) ? world.random.pick(records.projects()) : undefined;
  const again = loved === undefined ? null : choice.favourite(choice, loved);
  if (again !== null) return again;
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
