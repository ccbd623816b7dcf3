import type { AnyEvent, EventType } from '../events/schemas.ts';

/**
 * State machines of nodes, projects and captures: for each event the states in which it is possible, and the state
 * that it leads to. Both the machines of src/actors and the fold are made of these tables.
 */
export interface StateTable<State extends string, Effect extends string = string> {
  /** The first state is the initial one. `effect`: the action performed in it, whose outcome is the next event. */
  states: Readonly<Record<State, { readonly effect?: Effect; readonly shown?: string; readonly aim?: string }>>;
  events: Readonly<Partial<Record<EventType, Transition<State>>>>;
}

interface Transition<State extends string> {
  from: readonly State[] | 'any';
  /** A list: the event's data names one of them. */
  to: State | 'deleted' | readonly State[];
}

/** `shown`: the state on the interface. `aim`: the state that it is on the way to. */
export const NODE_STATES = {
  stopped: { shown: 'stopped', aim: 'stopped' },
  starting: { shown: 'stopped', aim: 'started', effect: 'start' },
  started: { shown: 'started', aim: 'started' },
  suspending: { shown: 'started', aim: 'suspended', effect: 'suspend' },
  suspended: { shown: 'suspended', aim: 'suspended' },
  resuming: { shown: 'suspended', aim: 'started', effect: 'resume' },
  reloading: { shown: 'started', aim: 'started', effect: 'reload' },
  stopping: { shown: 'started', aim: 'stopped', effect: 'stop' },
} as const;
export type NodeState = keyof typeof NODE_STATES;
export type NodeEffect = Extract<(typeof NODE_STATES)[NodeState], { effect: string }>['effect'];

const RUNS = ['started', 'suspending', 'suspended', 'resuming', 'reloading'] as const;

export const NODE_EVENTS = {
  'node.start_requested': { from: ['stopped'], to: 'starting' },
  'node.started': { from: ['starting'], to: 'started' },
  'node.start_failed': { from: ['starting'], to: 'stopped' },
  'node.stop_requested': { from: ['started', 'suspended'], to: 'stopping' },
  'node.stopped': { from: ['stopping'], to: 'stopped' },
  'node.stop_failed': { from: ['stopping'], to: 'started' },
  'node.suspend_requested': { from: ['started'], to: 'suspending' },
  'node.suspended': { from: ['suspending'], to: 'suspended' },
  'node.suspend_failed': { from: ['suspending'], to: 'started' },
  'node.resume_requested': { from: ['suspended'], to: 'resuming' },
  'node.resumed': { from: ['resuming'], to: 'started' },
  'node.resume_failed': { from: ['resuming'], to: 'suspended' },
  'node.reload_requested': { from: ['started'], to: 'reloading' },
  'node.reloaded': { from: ['reloading'], to: 'started' },
  'node.reload_failed': { from: ['reloading'], to: 'started' },
  'node.exited': { from: RUNS, to: 'stopped' },
  'node.lost': { from: ['starting', ...RUNS, 'stopping'], to: 'stopped' },
  'node.adopted': { from: 'any', to: ['suspended', 'started'] },
  'node.deleted': { from: ['stopped'], to: 'deleted' },
} as const;

export const PROJECT_STATES = {
  closed: {},
  opening: { effect: 'open' },
  opened: {},
  restoring: { effect: 'restore' },
  closing: { effect: 'close' },
} as const;
export type ProjectState = keyof typeof PROJECT_STATES;
export type ProjectEffect = Extract<(typeof PROJECT_STATES)[ProjectState], { effect: string }>['effect'];

export const PROJECT_EVENTS = {
  'project.open_requested': { from: ['closed'], to: 'opening' },
  'project.opened': { from: ['opening'], to: 'opened' },
  'project.open_failed': { from: ['opening'], to: 'closed' },
  'project.close_requested': { from: ['opened'], to: 'closing' },
  'project.closed': { from: ['closing'], to: 'closed' },
  'project.restore_requested': { from: ['opened'], to: 'restoring' },
  'project.restored': { from: ['restoring'], to: 'opening' },
  'project.restore_failed': { from: ['restoring'], to: 'opened' },
  'project.replaced': { from: ['closed'], to: 'closed' },
  'project.deleted': { from: ['closed'], to: 'deleted' },
} as const;

/** `shown`: the state of the link. */
export const CAPTURE_STATES = {
  off: { shown: 'idle' },
  starting: { shown: 'capture_starting', effect: 'start' },
  capturing: { shown: 'capturing' },
  stopping: { shown: 'capture_stopping', effect: 'stop' },
} as const;
export type CaptureState = keyof typeof CAPTURE_STATES;
export type CaptureEffect = Extract<(typeof CAPTURE_STATES)[CaptureState], { effect: string }>['effect'];

export const CAPTURE_EVENTS = {
  'capture.start_requested': { from: ['off'], to: 'starting' },
  'capture.started': { from: ['starting'], to: 'capturing' },
  'capture.failed': { from: ['starting', 'capturing'], to: 'off' },
  'capture.stop_requested': { from: ['capturing'], to: 'stopping' },
  'capture.stopped': { from: ['stopping'], to: 'off' },
} as const;

export type NodeEventType = keyof typeof NODE_EVENTS;
export type ProjectEventType = keyof typeof PROJECT_EVENTS;
export type CaptureEventType = keyof typeof CAPTURE_EVENTS;

type EventOf<T extends EventType> = Extract<AnyEvent, { type: T }>;

/** The state that a node has after an event. */
export const nodeStateAfter = (event: EventOf<Exclude<NodeEventType, 'node.deleted'>>): NodeState =>
  event.type === 'node.adopted' ? event.data.state : NODE_EVENTS[event.type].to;

/** Capture state of a link by its shown state. */
export const captureStateOf = (shown: (typeof CAPTURE_STATES)[CaptureState]['shown']): CaptureState =>
  (Object.keys(CAPTURE_STATES) as CaptureState[]).find((state) => CAPTURE_STATES[state].shown === shown) ?? 'off';

/**
 * One of three states of the interface for the eight internal ones: a node shows `started` only once the engine runs.
 */
export const shownStatus = (state: NodeState): 'stopped' | 'started' | 'suspended' => NODE_STATES[state].shown;
