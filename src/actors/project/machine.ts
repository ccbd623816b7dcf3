import {
  PROJECT_EVENTS,
  PROJECT_STATES,
  type ProjectEffect,
  type ProjectState,
  type StateTable,
} from '../../projections/states.ts';
import { machineOf } from '../runtime/machine.ts';

/**
 * A project. Opening brings its cables and always-on nodes up; closing stops every node and takes the cables down. Restoring does both,
 * with the records and files of a snapshot in between.
 */
export const projectTable: StateTable<ProjectState, ProjectEffect> = { states: PROJECT_STATES, events: PROJECT_EVENTS };
export const projectMachine = machineOf('project', projectTable);
