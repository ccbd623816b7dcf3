import {
  NODE_EVENTS,
  NODE_STATES,
  type NodeEffect,
  type NodeState,
  type StateTable,
} from '../../projections/states.ts';
import { machineOf } from '../runtime/machine.ts';

export const nodeTable: StateTable<NodeState, NodeEffect> = { states: NODE_STATES, events: NODE_EVENTS };
export const nodeMachine = machineOf('node', nodeTable);
