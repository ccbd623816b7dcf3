import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A directory of its own for a test, gone afterwards: call `remove`. */
export const tempDir = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const dir = await mkdtemp(path.join(tmpdir(), 'topolog-test-'));
  return { path: dir, remove: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }) };
};
