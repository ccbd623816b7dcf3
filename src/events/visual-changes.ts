import { visualKeys } from '../model/derive.ts';
import { DRAWING } from '../model/drawing.ts';
import { LINK } from '../model/link.ts';
import { NODE } from '../model/node.ts';
import type { AnyEvent } from './schemas.ts';

/** Fields that only say where and how something is drawn; the lab behaves the same. */
const VISUAL_KEYS = new Set([
  'width',
  'height',
  'label',
  'symbol',
  'template_id',
  'nodes',
  ...visualKeys(NODE),
  ...visualKeys(DRAWING),
  ...visualKeys(LINK),
]);

/** Whether an update only changes how the map looks. */
export const isVisualChange = ({ data }: Pick<AnyEvent, 'data'>): boolean => {
  const { changes } = data as { changes?: object };
  return changes !== undefined && Object.keys(changes).every((key) => VISUAL_KEYS.has(key));
};
