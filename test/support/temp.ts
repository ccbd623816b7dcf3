import { appendFileSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** In the environment of everything that a run of the tests starts: its mark, see test-run.ts. */
export const RUN = 'TOPOLOG_TEST_RUN';

/** In the environment of the tests of a run: where its runner has its notes, as the run has a temporary directory of its own. */
export const NOTES = 'TOPOLOG_TEST_NOTES';

/** What runs have made, a file for each with a directory a line; nobody else can write them. */
export const notes = (): string =>
  process.env[NOTES] ?? path.join(tmpdir(), `topolog-test-runs-${process.getuid?.() ?? ''}`);

/** Lets a directory go with a run also when what made it is killed. */
export const note = (run: string, directory: string): void => {
  const file = path.join(notes(), Buffer.from(run).toString('base64url'));
  if (existsSync(notes())) appendFileSync(file, `${directory}\n`);
};

/** A fresh directory, noted. `name`: begins with `topolog-`. */
export const makeTemp = async (name: string): Promise<string> => {
  const directory = await mkdtemp(path.join(tmpdir(), `${name}-`));
  const run = process.env[RUN];
  if (run !== undefined) note(run, directory);
  return directory;
};

/** A directory of its own for a test, gone afterwards: call `remove`. */
export const tempDir = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const directory = await makeTemp('topolog-test');
  return { path: directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }) };
};
