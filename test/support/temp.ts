import { appendFileSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** In the environment of everything that a run of the tests starts: its mark, see test-run.ts. */
export const RUN = 'TOPOLOG_TEST_RUN';

/** What runs have made, a file for each with a directory a line; nobody else can write them. */
export const notes = (): string => path.join(tmpdir(), `topolog-test-runs-${process.getuid?.() ?? ''}`);
const notesOf = (run: string): string => path.join(notes(), Buffer.from(run).toString('base64url'));

/** A fresh directory, noted, so that it goes with the run also when the test that made it is killed. `name`: begins with `topolog-`. */
export const makeTemp = async (name: string): Promise<string> => {
  const directory = await mkdtemp(path.join(tmpdir(), `${name}-`));
  const run = process.env[RUN];
  if (run !== undefined && existsSync(notes())) appendFileSync(notesOf(run), `${directory}\n`);
  return directory;
};

/** A directory of its own for a test, gone afterwards: call `remove`. */
export const tempDir = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const directory = await makeTemp('topolog-test');
  return { path: directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }) };
};
