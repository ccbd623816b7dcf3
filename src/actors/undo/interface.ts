import type { Principal } from '../../events/event.ts';
import type { Edit, EditAction, EditType } from '../../projections/edits.ts';
import type { Caller } from '../caller.ts';

export interface ObjectAddress {
  type: EditType;
  id: string;
}

/** Why something is left as it is. */
export type LeftReason =
  /** Somebody has changed it since. */
  | 'changed'
  /** It is gone since. */
  | 'deleted'
  /** It is there again. */
  | 'exists'
  /** It has links that are not of the edit. */
  | 'linked'
  /** A node of the link is not there, or its port has another link. */
  | 'no_end'
  /** The log does not have it: texts in files of a node, and on which compute it is. */
  | 'not_kept';

export interface Left extends ObjectAddress {
  name: string | null;
  fields: string[];
  why: LeftReason;
  /** Who it was; null: nobody knows. */
  by: Principal | null;
}

/** What becomes of one object. */
export interface Planned extends ObjectAddress {
  name: string | null;
  action: Extract<EditAction, 'create' | 'delete' | 'change'>;
  fields: { field: string; from: unknown; to: unknown }[];
}

export interface Undone {
  /** The one that was asked for, or the next one. */
  edit: Edit;
  changes: Planned[];
  left: Left[];
}

export interface Restored {
  /** The moment. */
  position: number;
  changes: Planned[];
  left: Left[];
}

/** What puts back what was, by ordinary steps. */
export interface UndoCommands {
  /** Takes back an edit of the caller's; default: the last one that is not undone. Conflict: nothing of it can be taken back. */
  undo(caller: Caller, projectId: string, position?: number): Promise<Undone>;
  /** Makes again what the caller has undone; default: what was undone last. */
  redo(caller: Caller, projectId: string, position?: number): Promise<Undone>;
  /**
   * Makes objects, or (absent) the lab, what they were at a moment: one edit. `plan`: only says what would change.
   */
  restore(
    caller: Caller,
    projectId: string,
    wish: { at: string; objects?: readonly ObjectAddress[]; plan?: boolean },
  ): Promise<Restored>;
}
