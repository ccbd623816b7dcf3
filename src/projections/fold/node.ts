import type { EventType } from '../../events/schemas.ts';
import type { NodeRecord, RecordView } from '../records.ts';
import { NODE_STATES, type NodeEventType as StateEventType } from '../states.ts';
import { type EventOf, type Folds, gone, merge, node, onNode, portKey, type RecordChange, without } from './change.ts';

type NodeEventType = Extract<EventType, `node.${string}`>;

const withoutProcess = (record: NodeRecord): NodeRecord => {
  // Copying without a key costs as much as the rest of the fold, and most nodes are no processes.
  if (record.pid_started === undefined) return { ...record, pid: null };
  const { pid_started: _, ...rest } = record;
  return { ...rest, pid: null };
};

/** Node that is no longer to be restarted. */
const withoutRestart = (record: NodeRecord): NodeRecord => {
  if (record.restart === undefined) return record;
  const { restart: _, ...rest } = record;
  return rest;
};

/** Node that is no longer awaited from an earlier server. */
const givenUp = (record: NodeRecord): NodeRecord => {
  if (record.server === undefined) return record;
  const { server: _s, unreachable: _u, ...rest } = record;
  return rest;
};

type StateEvent = EventOf<StateEventType>;

/** Changes the state only. */
const moves = (view: RecordView, event: StateEvent): RecordChange[] =>
  onNode(view, event.data.node_id, (r) => ({ ...r, state: NODE_STATES.after(event) }));

/** The node no longer runs. */
const ends = (view: RecordView, event: StateEvent): RecordChange[] =>
  onNode(view, event.data.node_id, (r) => ({ ...withoutProcess(r), state: NODE_STATES.after(event) }));

const runs = (view: RecordView, event: EventOf<'node.started' | 'node.reloaded' | 'node.adopted'>): RecordChange[] => {
  const { node_id, pid, pid_started, engine, command_line, warnings } = event.data;
  return onNode(view, node_id, (r) => ({
    ...withoutRestart(withoutProcess(r)),
    state: NODE_STATES.after(event),
    pid,
    ...(pid_started == null ? {} : { pid_started }),
    engine,
    command_line,
    console: event.data.console ?? r.console,
    failure: null,
    ...(warnings === undefined ? {} : { warnings }),
  }));
};

const hasNio = (view: RecordView, { data }: EventOf<'node.nio_added' | 'node.nio_updated'>): RecordChange[] =>
  onNode(view, data.node_id, (r) => ({ ...r, nios: { ...r.nios, [portKey(data)]: data.nio } }));

export const nodeFolds: Folds<NodeEventType> = {
  'node.created': (_view, { data: { written: _, ...data } }) =>
    node({
      ...data,
      state: 'stopped',
      command_line: '',
      engine: null,
      pid: null,
      nios: {},
      captures: {},
      trace: null,
      recording: null,
    }),
  'node.updated': (view, { data }) => onNode(view, data.node_id, (r) => merge(r, data.changes)),
  'node.deleted': (_view, { data }) => gone('node', data.node_id),
  'node.restored': (_view, { data }) => node({ ...data, state: 'stopped', pid: null, captures: {}, recording: null }),
  'node.start_requested': (view, event) =>
    onNode(view, event.data.node_id, ({ warnings: _, ...r }) => ({
      ...withoutRestart(r),
      state: NODE_STATES.after(event),
      failure: null,
    })),
  'node.started': runs,
  'node.reloaded': runs,
  'node.adopted': runs,
  'node.start_failed': (view, event) =>
    onNode(view, event.data.node_id, (r) => ({
      ...withoutProcess(r),
      state: NODE_STATES.after(event),
      failure: event.data.failure,
    })),
  'node.stopped': ends,
  'node.exited': ends,
  'node.lost': (view, event) =>
    onNode(view, event.data.node_id, (r) => ({ ...withoutProcess(givenUp(r)), state: NODE_STATES.after(event) })),
  'node.stop_requested': (view, event) =>
    onNode(view, event.data.node_id, (r) => ({
      ...withoutRestart(r),
      state: NODE_STATES.after(event),
      ...(event.data.restart === true ? { restart: true } : {}),
    })),
  'node.stop_failed': (view, event) =>
    onNode(view, event.data.node_id, (r) => ({ ...withoutRestart(r), state: NODE_STATES.after(event) })),
  'node.suspend_requested': moves,
  'node.suspended': moves,
  'node.suspend_failed': moves,
  'node.resume_requested': moves,
  'node.resumed': moves,
  'node.resume_failed': moves,
  'node.reload_requested': moves,
  'node.reload_failed': moves,
  'node.recording_started': (view, { data }) => onNode(view, data.node_id, (r) => ({ ...r, recording: data.file })),
  'node.recording_stopped': (view, { data }) => onNode(view, data.node_id, (r) => ({ ...r, recording: null })),
  'node.config_collected': (view, { data }) =>
    onNode(view, data.node_id, (r) => ({ ...r, config_sha256: data.sha256 })),
  'node.unreachable': (view, { data: { node_id, reason, server } }) =>
    onNode(view, node_id, (r) => ({ ...r, unreachable: reason, ...(server === undefined ? {} : { server }) })),
  'node.reachable': (view, { data }) => onNode(view, data.node_id, ({ unreachable: _u, server: _s, ...r }) => r),
  'node.nio_added': hasNio,
  'node.nio_updated': hasNio,
  'node.nio_removed': (view, { data }) =>
    onNode(view, data.node_id, (r) => ({ ...r, nios: without(r.nios, portKey(data)) })),
  'node.trace_finished': (view, { data: { node_id, destination, reached, hops } }) =>
    onNode(view, node_id, (r) => ({ ...r, trace: { destination, reached, hops } })),
};
