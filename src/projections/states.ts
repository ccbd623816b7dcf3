import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type StateNode,
  fromCallback,
  setup,
  type StateValueFrom,
} from 'xstate';
import type { AnyEvent, EventType } from '../events/schemas.ts';

/**
 * State machines of nodes, projects and captures. `src/actors` asks a machine whether an event is possible, appends it, and only then goes
 * to the next state; a state that is entered invokes its effect, whose outcome is the next event. The fold reads the state after an event
 * from the same machines.
 */

type EventOf<T extends EventType> = Extract<AnyEvent, { type: T }>;

/**
 * An effect that a state invokes, by its name: what runs is of `src/actors`, which keeps the state of thousands of nodes and no XState actor
 * for each (4.8 KB).
 */
const effect = fromCallback(() => undefined);

/** `shown`: the word of the interface. `aim`: the state that it is on the way to. */
interface NodeMeta {
  shown: 'stopped' | 'started' | 'suspended';
  aim: 'stopped' | 'started' | 'suspended';
}

export type NodeEventType =
  | 'node.start_requested'
  | 'node.started'
  | 'node.start_failed'
  | 'node.stop_requested'
  | 'node.stopped'
  | 'node.stop_failed'
  | 'node.suspend_requested'
  | 'node.suspended'
  | 'node.suspend_failed'
  | 'node.resume_requested'
  | 'node.resumed'
  | 'node.resume_failed'
  | 'node.reload_requested'
  | 'node.reloaded'
  | 'node.reload_failed'
  | 'node.exited'
  | 'node.lost'
  | 'node.adopted'
  | 'node.deleted';

export const nodeMachine = setup({
  types: {
    events: {} as EventOf<NodeEventType>,
    meta: {} as NodeMeta,
  },
  actors: { start: effect, stop: effect, suspend: effect, resume: effect, reload: effect },
  guards: {
    isSuspended: ({ event }) => event.type === 'node.adopted' && event.data.state === 'suspended',
  },
}).createMachine({
  id: 'node',
  initial: 'stopped',
  on: {
    'node.adopted': [{ guard: 'isSuspended', target: '.suspended' }, { target: '.started' }],
  },
  states: {
    stopped: {
      meta: { shown: 'stopped', aim: 'stopped' },
      on: { 'node.start_requested': 'starting', 'node.deleted': 'deleted' },
    },
    starting: {
      meta: { shown: 'stopped', aim: 'started' },
      invoke: { src: 'start' },
      on: { 'node.started': 'started', 'node.start_failed': 'stopped', 'node.lost': 'stopped' },
    },
    started: {
      meta: { shown: 'started', aim: 'started' },
      on: {
        'node.stop_requested': 'stopping',
        'node.suspend_requested': 'suspending',
        'node.reload_requested': 'reloading',
        'node.exited': 'stopped',
        'node.lost': 'stopped',
      },
    },
    suspending: {
      meta: { shown: 'started', aim: 'suspended' },
      invoke: { src: 'suspend' },
      on: {
        'node.suspended': 'suspended',
        'node.suspend_failed': 'started',
        'node.exited': 'stopped',
        'node.lost': 'stopped',
      },
    },
    suspended: {
      meta: { shown: 'suspended', aim: 'suspended' },
      on: {
        'node.resume_requested': 'resuming',
        'node.stop_requested': 'stopping',
        'node.exited': 'stopped',
        'node.lost': 'stopped',
      },
    },
    resuming: {
      meta: { shown: 'suspended', aim: 'started' },
      invoke: { src: 'resume' },
      on: {
        'node.resumed': 'started',
        'node.resume_failed': 'suspended',
        'node.exited': 'stopped',
        'node.lost': 'stopped',
      },
    },
    reloading: {
      meta: { shown: 'started', aim: 'started' },
      invoke: { src: 'reload' },
      on: {
        'node.reloaded': 'started',
        'node.reload_failed': 'started',
        'node.exited': 'stopped',
        'node.lost': 'stopped',
      },
    },
    stopping: {
      meta: { shown: 'started', aim: 'stopped' },
      invoke: { src: 'stop' },
      on: { 'node.stopped': 'stopped', 'node.stop_failed': 'started', 'node.lost': 'stopped' },
    },
    deleted: { type: 'final' },
  },
});

export type ProjectEventType =
  | 'project.open_requested'
  | 'project.opened'
  | 'project.open_failed'
  | 'project.close_requested'
  | 'project.closed'
  | 'project.restore_requested'
  | 'project.restored'
  | 'project.restore_failed'
  | 'project.replaced'
  | 'project.deleted';

/** Restoring closes and opens, with the records and files of a snapshot in between. */
export const projectMachine = setup({
  types: { events: {} as EventOf<ProjectEventType> },
  actors: { open: effect, restore: effect, close: effect },
}).createMachine({
  id: 'project',
  initial: 'closed',
  states: {
    closed: {
      on: { 'project.open_requested': 'opening', 'project.replaced': 'closed', 'project.deleted': 'deleted' },
    },
    opening: {
      invoke: { src: 'open' },
      on: { 'project.opened': 'opened', 'project.open_failed': 'closed' },
    },
    opened: {
      on: { 'project.close_requested': 'closing', 'project.restore_requested': 'restoring' },
    },
    restoring: {
      invoke: { src: 'restore' },
      on: { 'project.restored': 'opening', 'project.restore_failed': 'opened' },
    },
    closing: {
      invoke: { src: 'close' },
      on: { 'project.closed': 'closed' },
    },
    deleted: { type: 'final' },
  },
});

export type CaptureEventType =
  'capture.start_requested' | 'capture.started' | 'capture.failed' | 'capture.stop_requested' | 'capture.stopped';

/** `shown`: the state of the link. */
export interface CaptureMeta {
  shown: 'idle' | 'capture_starting' | 'capturing' | 'capture_stopping';
}

/** A capture at one port, asked for at a link or at a node's port. It outlives restarts of the node. */
export const captureMachine = setup({
  types: {
    events: {} as EventOf<CaptureEventType>,
    meta: {} as CaptureMeta,
  },
  actors: { start: effect, stop: effect },
}).createMachine({
  id: 'capture',
  initial: 'off',
  states: {
    off: {
      meta: { shown: 'idle' },
      on: { 'capture.start_requested': 'starting' },
    },
    starting: {
      meta: { shown: 'capture_starting' },
      invoke: { src: 'start' },
      on: { 'capture.started': 'capturing', 'capture.failed': 'off' },
    },
    capturing: {
      meta: { shown: 'capturing' },
      on: { 'capture.stop_requested': 'stopping', 'capture.failed': 'off' },
    },
    stopping: {
      meta: { shown: 'capture_stopping' },
      invoke: { src: 'stop' },
      on: { 'capture.stopped': 'off' },
    },
  },
});

export type NodeState = Exclude<StateValueFrom<typeof nodeMachine>, 'deleted'>;
export type NodeEffect = 'start' | 'stop' | 'suspend' | 'resume' | 'reload';
export type ProjectState = Exclude<StateValueFrom<typeof projectMachine>, 'deleted'>;
export type ProjectEffect = 'open' | 'restore' | 'close';
export type CaptureState = StateValueFrom<typeof captureMachine>;
export type CaptureEffect = 'start' | 'stop';

/** Reads a machine. Its states are flat and its transitions depend on events alone, so that all actors share one snapshot of each state. */
export class States<State extends string, Effect extends string, Meta = undefined> {
  readonly #machine: AnyStateMachine;
  readonly #snapshots: ReadonlyMap<string, AnyMachineSnapshot>;
  /** By type of event, a state in which it is possible. */
  readonly #from = new Map<string, AnyMachineSnapshot>();

  constructor(machine: AnyStateMachine) {
    this.#machine = machine;
    const names = Object.keys(machine.states);
    this.#snapshots = new Map(names.map((value) => [value, machine.resolveState({ value, context: {} })]));
    const typesOf = (state: StateNode | undefined) => state?.ownEvents ?? [];
    for (const [name, snapshot] of this.#snapshots)
      for (const type of [...typesOf(machine.root), ...typesOf(machine.states[name])]) this.#from.set(type, snapshot);
  }

  /** Events that the machine has. */
  has(type: string): boolean {
    return this.#from.has(type);
  }

  /** The state to which an event leads; null: it is not possible in this one. */
  next(state: State | 'deleted', event: Happening): State | 'deleted' | null {
    return this.#target(this.#snapshots.get(state), event);
  }

  /** The state that an event on record has led to. */
  after(event: Happening): State {
    return this.#target(this.#from.get(event.type), event) as State;
  }

  #target(snapshot: AnyMachineSnapshot | undefined, event: Happening): State | 'deleted' | null {
    if (snapshot === undefined) return null;
    const [transition] = this.#machine.getTransitionData(snapshot, event);
    return (transition?.target?.[0]?.key as State | 'deleted' | undefined) ?? null;
  }

  /** The effect that a state invokes. */
  effect(state: State | 'deleted'): Effect | undefined {
    return this.#machine.states[state]?.invoke[0]?.src as Effect | undefined;
  }

  meta(state: State): Meta {
    return this.#machine.states[state]?.meta as Meta;
  }
}

/** An event, or its draft. */
interface Happening {
  type: string;
  data: unknown;
}

export const NODE_STATES = new States<NodeState, NodeEffect, NodeMeta>(nodeMachine);
export const PROJECT_STATES = new States<ProjectState, ProjectEffect>(projectMachine);
export const CAPTURE_STATES = new States<CaptureState, CaptureEffect, CaptureMeta>(captureMachine);

/** Capture state of a link by its shown state. */
export const captureStateOf = (shown: CaptureMeta['shown']): CaptureState =>
  (['starting', 'capturing', 'stopping'] as const).find((state) => CAPTURE_STATES.meta(state).shown === shown) ?? 'off';

/** One of three states of the interface for the eight internal ones: a node shows `started` only once the engine runs. */
export const shownStatus = (state: NodeState): NodeMeta['shown'] => NODE_STATES.meta(state).shown;
