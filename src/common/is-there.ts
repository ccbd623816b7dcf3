import { access } from 'node:fs/promises';

/** Whether there is something at a place that can be used so; `mode`: as fs.access has it, default: in any way. */
export const isThere = (place: string, mode?: number): Promise<boolean> =>
  access(place, mode).then(
    () => true,
    () => false,
  );

/** Whether there is nothing at a place; a place that cannot be looked at is not gone. */
export const isGone = (place: string): Promise<boolean> =>
  access(place).then(
    () => false,
    (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT',
  );
