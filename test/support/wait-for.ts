import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than anything takes that is waited for, on a loaded machine too. Milliseconds. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 5;

/** Looks again and again whether something is so, and fails with `what`, which tells what is expected, where that does not come. */
export const waitFor = async (what: string, holds: () => Promise<boolean> | boolean): Promise<void> => {
  const end = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > end) assert.fail(`not within ${PATIENCE_MS / 1000} s: ${what}`);
    await sleep(LOOK_MS);
  }
};
