import path from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { clientOf, fabricInProcess, type TestLab, testLab } from '../actors/test-lab.ts';
import { tempDir } from '../support/temp.ts';
import { checkActors, checkFailure, checkRecords, checkStored, checkTopology, checkWorld } from './checks.ts';
import { BEFORE, perform, rounds, type Step } from './steps.ts';

/** After so many rounds the store is closed, opened again and everything compared. */
const REOPEN_EVERY = 5;

const runAll = async (steps: Step[][]): Promise<void> => {
  const dir = await tempDir();
  const fabric = fabricInProcess();
  const client = clientOf(fabric);
  let lab: TestLab = await testLab({ dir: dir.path, fabric: client });
  try {
    for (const step of BEFORE) await perform(lab, step);
    for (const [index, together] of steps.entries()) {
      const results = await Promise.allSettled(together.map((step) => perform(lab, step)));
      for (const result of results) if (result.status === 'rejected') checkFailure(result.reason);
      await checkRecords(lab);
      checkActors(lab);
      checkTopology(lab.records.committed);
      await checkWorld(lab.records.committed, client);
      if ((index + 1) % REOPEN_EVERY === 0 || index === steps.length - 1) lab = await reopened(lab, dir.path, client);
    }
  } finally {
    await lab.close();
    await fabric.close();
    await dir.remove();
  }
};

/** Closes the lab as a stop of the server does, checks what is stored, and brings it back over the same fabric. */
const reopened = async (before: TestLab, dir: string, client: ReturnType<typeof clientOf>): Promise<TestLab> => {
  await before.close();
  await checkStored(before.records, path.join(dir, 'log'));
  const lab = await testLab({ dir, fabric: client });
  await lab.lab.recover(true);
  await checkRecords(lab);
  checkActors(lab);
  await checkWorld(lab.records.committed, client);
  return lab;
};

it('keeps records, log, store, machines and fabric alike through any commands', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, (steps) => runAll(steps)),
    { numRuns: Number(process.env['TOPOLOG_RUNS'] ?? 30), includeErrorInReport: true },
  );
});
