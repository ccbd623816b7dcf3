import {
  CAPTURE_EVENTS,
  CAPTURE_STATES,
  type CaptureEffect,
  type CaptureState,
  type StateTable,
} from '../../projections/states.ts';
import { machineOf } from '../runtime/machine.ts';

/** A capture at one port, asked for at a link or at a node's port. It outlives restarts of the node. */
export const captureTable: StateTable<CaptureState, CaptureEffect> = { states: CAPTURE_STATES, events: CAPTURE_EVENTS };
export const captureMachine = machineOf('capture', captureTable);
