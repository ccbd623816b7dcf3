import type { Template } from '../../map/palette/templates.ts';
import type { Node } from '../../store/records.ts';

/** Of what: a new one, one that there is, or a node. */
export type Subject =
  | { readonly what: 'new' }
  | { readonly what: 'template'; readonly template: Template }
  | { readonly what: 'node'; readonly node: Node };
