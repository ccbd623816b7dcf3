import type { CheckForm, CheckRecord } from '../../common/forms/check.ts';
import type { Caller } from '../caller.ts';
import type { Finding } from './decide.ts';
import type { LastLook } from './loop.ts';

export interface CheckAddress {
  project_id: string;
  check_id: string;
}

export type { Finding };

export interface CheckCommands {
  /** Nodes and links by id, name or ends; in what it resolves with, by id. */
  createCheck(caller: Caller, projectId: string, form: CheckForm): Promise<CheckRecord>;
  /** The whole of it. */
  updateCheck(caller: Caller, at: CheckAddress, form: CheckForm): Promise<CheckRecord>;
  deleteCheck(caller: Caller, at: CheckAddress): Promise<void>;
  /** Looks at once. What is found is no verdict, and is not on record. */
  lookAtCheck(at: CheckAddress): Promise<Finding>;
  /** Lets a node send a ping, of which nothing is on record. */
  tryReach(projectId: string, reach: NonNullable<CheckForm['reach']>): Promise<Finding>;
  /** What the run that goes on has found last; null: nothing yet, or none goes on. */
  lastLookAt(at: CheckAddress): LastLook | null;
}
