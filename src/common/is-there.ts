import { access } from 'node:fs/promises';

/** Whether there is something at a place that can be used so; `mode`: as fs.access has it, default: in any way. */
export const isThere = (place: string, mode?: number): Promise<boolean> =>
  access(place, mode).then(
    () => true,
    () => false,
  );
