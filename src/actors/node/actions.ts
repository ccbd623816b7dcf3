import type { NodeRecord } from '../../projections/records.ts';
import type { NodeAction } from './interface.ts';
import type { NodeEffect, NodeEventType } from '../../projections/states.ts';

/** What an action asks for in a state; null: it holds already. Absent states refuse it. */
export const REQUESTS: Record<NodeAction, Partial<Record<NodeRecord['state'], NodeEventType | null>>> = {
  start: { stopped: 'node.start_requested', started: null, suspended: 'node.resume_requested' },
  stop: { stopped: null, started: 'node.stop_requested', suspended: 'node.stop_requested' },
  suspend: { stopped: null, started: 'node.suspend_requested', suspended: null },
  resume: { started: null, suspended: 'node.resume_requested' },
  reload: { stopped: null, started: 'node.reload_requested', suspended: 'node.resume_requested' },
};

/** The outcome of an effect that failed. */
export const FAILED: Record<NodeEffect, NodeEventType> = {
  start: 'node.start_failed',
  stop: 'node.stop_failed',
  suspend: 'node.suspend_failed',
  resume: 'node.resume_failed',
  reload: 'node.reload_failed',
};
