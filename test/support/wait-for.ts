import assert from 'node:assert/strict';
import { type Found, until } from '../../src/common/promises.ts';

/** Far longer than anything takes that is waited for, on a loaded machine too. Milliseconds. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 10;

/** Polls until the answer is truthy, and resolves with it; fails with `what`, which tells what is expected, where that does not come. */
export const waitFor = async <T>(what: string, look: () => T | Promise<T>): Promise<Found<T>> => {
  const found = await until(look, { every: LOOK_MS, within: PATIENCE_MS });
  assert.ok(found, `not within ${PATIENCE_MS / 1000} s: ${what}`);
  return found as Found<T>;
};
