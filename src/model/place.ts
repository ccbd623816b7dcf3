import { z } from 'zod';
import { field } from './field.ts';

/** Project files may have fractions, as programs wrote coordinates as they came from the mouse; events of the first logs have them too. */
const coordinate = { stored: z.number(), visual: true } as const;

/** Where a node or a drawing is on the map. `layer`: of a new one; `fileLayer`: of one in a project file that does not say it. */
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
