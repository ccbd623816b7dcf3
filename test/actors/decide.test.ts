import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BatchStep, NodeInput } from '../../src/actors/commands.ts';
import { LabCaches, type LabContext } from '../../src/actors/context.ts';
import { decideDrawing } from '../../src/actors/drawing/decide.ts';
import { decideLink } from '../../src/actors/link/decide.ts';
import { decideNode } from '../../src/actors/node/decide.ts';
import { DEFAULT_SETTINGS } from '../../src/model/project.ts';
import type { Decision, NewEvent } from '../../src/actors/runtime/decision.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { fold } from '../../src/projections/fold/fold.ts';
import { Records } from '../../src/projections/store.ts';

const PROJECT = '00000000-0000-4000-8000-000000000001';
const id = (n: number): string => `00000000-0000-4000-8000-0000000001${String(n).padStart(2, '0')}`;

/** Records that events have made, and what is decided on them; nothing else of a server is there. */
class Scene {
  readonly #records = new Records();
  readonly #context: LabContext;
  #position = 0;

  constructor() {
    const settings = { local: true, computeId: 'local', consoleRange: [5000, 5009], allowedInterfaces: [] };
    this.#context = {
      pending: this.#records.committed,
      kinds: createKinds(),
      computes: { isHere: () => true },
      symbols: { sizeOf: () => ({ width: 65, height: 59 }) },
      settings,
      secrets: { known: (_: string, value: unknown) => value },
      caches: new LabCaches(),
    } as unknown as LabContext;
    const at = { project_id: PROJECT };
    const project = { ...DEFAULT_SETTINGS, ...at, name: 'lab', path: '/lab', filename: 'lab.gns3', file_sha256: null };
    this.happened({ type: 'project.created', data: { ...project, extra: {} } });
    this.happened({ type: 'project.open_requested', data: at });
    this.happened({ type: 'project.opened', data: at });
  }

  happened(event: NewEvent): void {
    const { committed } = this.#records;
    this.#records.apply(fold(committed, { ...event, position: ++this.#position, project_id: PROJECT } as AnyEvent));
  }

  decide(step: BatchStep): Decision {
    if (step.type === 'drawing') return decideDrawing(this.#context.pending, PROJECT, step);
    if (step.type === 'link') return decideLink(this.#context, PROJECT, step);
    return decideNode(this.#context, PROJECT, step);
  }

  given(...steps: BatchStep[]): this {
    for (const step of steps) for (const event of this.decide(step).events) this.happened(event);
    return this;
  }

  /** Types of the events of a step, with what they change. */
  when(step: BatchStep): unknown[] {
    return this.decide(step).events.map(({ type, data }) => ('changes' in data ? [type, data.changes] : type));
  }

  refuses(step: BatchStep, reason: RegExp): void {
    const before = this.#records.committed.get('node', id(1));
    assert.throws(() => this.decide(step), reason);
    assert.equal(this.#records.committed.get('node', id(1)), before);
  }
}

const pc = (n: number, more: Partial<NodeInput> = {}): BatchStep => ({
  ...{ action: 'create', type: 'node' },
  input: { node_id: id(n), name: `PC${n}`, kind: 'simple_pc', ...more },
});
const link = (n: number, a: number, b: number): BatchStep => ({
  ...{ action: 'create', type: 'link' },
  input: {
    link_id: id(n),
    nodes: [a, b].map((pc) => ({ node_id: id(pc), adapter_number: 0, port_number: 0 })),
  },
});
const drawing: BatchStep = { action: 'create', type: 'drawing', input: { drawing_id: id(50), x: 3 } };

describe('what is decided about a node', () => {
  const moved = (x: number): BatchStep => ({ action: 'update', type: 'node', id: id(1), changes: { x } });

  it('given none, a new one has the first free console port', () => {
    const [created] = new Scene().decide(pc(1)).events;
    assert.ok(created?.type === 'node.created');
    assert.deepEqual([created.data.name, created.data.console, created.data.x], ['PC1', 5000, 0]);
  });

  it('given its name is taken, a new one gets the next', () => {
    const [created] = new Scene().given(pc(1)).decide(pc(2, { name: 'PC1' })).events;
    assert.ok(created?.type === 'node.created');
    assert.deepEqual([created.data.name, created.data.console], ['PC2', 5001]);
  });

  it('given its id is taken, there is no new one', () =>
    new Scene().given(pc(1)).refuses(pc(1), /node_id .* is in use/));

  it('given another place, it moves; given the same, nothing happens', () => {
    const scene = new Scene().given(pc(1));
    assert.deepEqual(scene.when(moved(7)), [['node.updated', { x: 7 }]]);
    assert.deepEqual(scene.when(moved(0)), []);
  });

  it('its links go with it', () => {
    const scene = new Scene().given(pc(1), pc(2), link(3, 1, 2));
    assert.deepEqual(scene.when({ action: 'delete', type: 'node', id: id(1) }), ['link.deleted', 'node.deleted']);
  });

  it('it stays while it runs, and while it is locked', () => {
    const gone: BatchStep = { action: 'delete', type: 'node', id: id(1) };
    const running = new Scene().given(pc(1));
    running.happened({
      ...{ type: 'node.start_requested' },
      data: { node_id: id(1), project_id: PROJECT, arguments: {} },
    });
    running.refuses(gone, /PC1 runs; stop it first/);
    new Scene().given(pc(1, { locked: true })).refuses(gone, /PC1 is locked/);
  });
});

describe('what is decided about a link', () => {
  it('given free ports, there is one; given a used port, there is none', () => {
    const scene = new Scene().given(pc(1), pc(2), pc(4));
    assert.deepEqual(scene.when(link(3, 1, 2)), ['link.created']);
    scene.given(link(3, 1, 2)).refuses(link(5, 1, 4), /port 0\/0 of PC1 is already used by link/);
  });

  it('a node is not linked to itself', () =>
    new Scene().given(pc(1)).refuses(link(3, 1, 1), /cannot join a node to itself/));

  it('given it is suspended already, suspending it changes nothing', () => {
    const suspend: BatchStep = { action: 'update', type: 'link', id: id(3), changes: { suspend: true } };
    const scene = new Scene().given(pc(1), pc(2), link(3, 1, 2));
    assert.deepEqual(scene.when(suspend), [['link.updated', { suspend: true }]]);
    assert.deepEqual(scene.given(suspend).when(suspend), []);
  });

  it('given none with this id, there is nothing to delete', () =>
    new Scene().refuses({ action: 'delete', type: 'link', id: id(3) }, /Link .* does not exist/));
});

describe('what is decided about a drawing', () => {
  const changed = (changes: object): BatchStep => ({ action: 'update', type: 'drawing', id: id(50), changes });

  it('given what it has already, nothing happens', () => {
    const scene = new Scene().given(drawing);
    assert.deepEqual(scene.when(changed({ x: 3 })), []);
    assert.deepEqual(scene.when(changed({ x: 3, y: 4 })), [['drawing.updated', { y: 4 }]]);
  });

  it('a locked one stays', () =>
    new Scene()
      .given(drawing, changed({ locked: true }))
      .refuses({ action: 'delete', type: 'drawing', id: id(50) }, /locked/));

  it('given a project that is closed, nothing is decided', () => {
    const scene = new Scene();
    scene.happened({ type: 'project.close_requested', data: { project_id: PROJECT } });
    scene.refuses(drawing, /not open|closed/);
  });
});
