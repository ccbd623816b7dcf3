import type { Flow } from './flow/use-flow.ts';
import type { Chosen } from './actions/object-actions.ts';
import type { MapNode } from './flow/flow.ts';
import type { Rect, Point } from './actions/free-place.ts';
import type { What } from '../undo/edits.ts';
import type { Together } from '../together/together.ts';
import type { RefObject } from 'react';
import type { Arrangement, Place } from './actions/arrange.ts';
import type { WorkbenchStore } from '../store/workbench.ts';
import type { Drawing, Node } from '../store/records.ts';
import type { Group } from './groups/groups.ts';
import type { Failure, ActionScope } from './actions/node-actions.ts';

/** Dialogs and menus over the map. Points of nodes and drawings are the map's, those of menus the screen's. */
export type MapDialog =
  | { readonly what: 'add-drawing'; readonly at: Point }
  | { readonly what: 'edit-drawing'; readonly drawing: Drawing }
  | {
      readonly what: 'link';
      readonly from: string | null;
      readonly to: string | null;
      /** The end that is not known is one of these. */
      readonly among?: readonly string[];
    }
  | { readonly what: 'group'; readonly group: Group | null; readonly nodes: readonly Node[] }
  | { readonly what: 'rename'; readonly id: string }
  | { readonly what: 'addresses'; readonly nodes: readonly Node[] }
  | { readonly what: 'failed'; readonly failed: readonly Failure[] }
  | { readonly what: 'move'; readonly nodes: readonly Node[] }
  | { readonly what: 'template'; readonly node: Node }
  | { readonly what: 'why'; readonly node: Node }
  | { readonly what: 'computes' }
  | { readonly what: 'layout' }
  | { readonly what: 'export' }
  | { readonly what: 'find' }
  | { readonly what: 'help' }
  | { readonly what: 'menu'; readonly ids: readonly string[]; readonly at: Point; readonly place: Point };

/** Functions for menus, besides acting on the server. */
export interface MenuScope extends ActionScope {
  readonly workbench: WorkbenchStore;
  readonly isReadOnly: boolean;
  /** The past is shown: histories can be read, consoles cannot be opened. */
  readonly isPast: boolean;
  readonly ask: (asked: MapDialog) => void;
  readonly arrangeChosen: (arrangement: Arrangement) => void;
  readonly fit: () => void;
  readonly chooseAll: () => void;
  /** Shows the templates, and gives their search the focus. */
  readonly openPalette: () => void;
  readonly openLayers: () => void;
  readonly copy: (isCut?: boolean) => void;
  /** Pastes the clipboard, in the middle of a place of the map. */
  readonly paste: (at: { x: number; y: number }) => Promise<void>;
  readonly duplicate: () => void;
}

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export interface MapScope extends MenuScope {
  readonly together: Together;
  readonly chosenIds: () => string[];
  readonly chosen: () => Chosen;
  readonly move: (places: readonly Place[]) => void;
  /** Keeps the places where things were dragged to. */
  readonly drop: (ids: readonly string[]) => void;
  /** Undoes or redoes an edit, or the next one, after what waits to be told. */
  readonly takeBack: (what: What, position?: number) => void;
  /** Chooses an object alone; `isMore`: or one more, or no longer. */
  readonly chooseOne: (id: string, isMore: boolean) => void;
  /** A menu for what is chosen; an object that is not chosen is, alone, before. `at`: of the screen. */
  readonly askMenu: (id: string | null, at: Point) => void;
  /** The menu of the empty canvas, which is about nothing that is selected. */
  readonly askMapMenu: (at: Point) => void;
  /** Does what a key means, for the object that has the focus. Answers whether it means something. */
  readonly press: (event: KeyPress, focused: string | null) => boolean;
  /** All of them, as they are on the screen. */
  readonly nodes: () => readonly MapNode[];
  /** Puts things elsewhere on the screen only. */
  readonly place: Flow['place'];
  /** The node, or the symbol of a group, at a point of the screen. */
  readonly nodeUnder: (at: Point) => string | null;
  /** Goes to an object, chooses it and gives it the focus. */
  readonly show: (id: string) => void;
  /** The middle of what is seen of the map. */
  readonly middle: () => Point;
  /** The visible part of the map. */
  readonly seen: () => Rect;
  readonly zoom: (by: 'in' | 'out') => void;
  /** Point of the screen, where the pointer is over the map. */
  readonly pointer: RefObject<Point | null>;
  /** A link at the next free ports, or a question for the ports, or for the node of a group. */
  readonly link: (from: string, to: string, withPorts: boolean) => void;
  /** Handles a copy or a cut of the browser's. */
  readonly onCopy: (event: ClipboardEvent) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly chooseNone: () => void;
  /** Chooses exactly these. */
  readonly chooseIds: (ids: Iterable<string>) => void;
  /** Whether everything is shown because nobody looks elsewhere. */
  readonly fitted: RefObject<boolean>;
  /** Shows everything at once. */
  readonly refit: () => void;
}
