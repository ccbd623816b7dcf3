import type { ConsoleSession } from '../../src/fabric/console/console.ts';

/** Of a console that nobody asks anything. */
export const noSeat = (): ConsoleSession => ({
  last: () => new Uint8Array(0),
  isInUse: () => false,
  type: () => undefined,
});
