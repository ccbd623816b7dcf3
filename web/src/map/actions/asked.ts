import type { Drawing, Node } from '../../store/records.ts';
import type { Group } from '../groups/groups.ts';
import type { Failure } from './node-actions.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the map asks or shows over itself. Points of nodes and drawings are the map's, those of menus the screen's. */
export type Asked =
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
