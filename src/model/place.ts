import { z } from 'zod';
import { field } from './field.ts';

/**
 * Project files and events of the first logs may have fractions, as some programs stored coordinates as they came
 * from the mouse.
 */
const coordinate = { stored: z.number(), visual: true } as const;

/**
 * Place of a node or drawing on the map. `layer`: of a new one; `fileLayer`: of one in a project file that lacks it.
 */
export const placeFields = (layer: number, fileLayer = layer) => ({
  x: field(z.int(), 0, {
    ...coordinate,
    text: { title: 'X', help: 'Where it is on the map, from its middle to the right.', unit: 'px', group: 'Position' },
  }),
  y: field(z.int(), 0, {
    ...coordinate,
    text: { title: 'Y', help: 'Where it is on the map, from its middle down.', unit: 'px', group: 'Position' },
  }),
  z: field(z.int(), layer, {
    ...coordinate,
    fileDefault: fileLayer,
    text: { title: 'Layer', help: 'A higher layer covers a lower one.', group: 'Position' },
  }),
  locked: field(z.boolean(), false, {
    visual: true,
    text: { title: 'Locked', help: 'It cannot be moved or deleted.', group: 'Position' },
  }),
});
