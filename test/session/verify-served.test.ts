import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/events/store/store.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { Records } from '../../src/projections/store.ts';
import { verifyServed } from '../../src/session/verify/verify-log.ts';
import { draftOf, PROJECT, projectData } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';
import { tempDir } from '../support/temp.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('files of a server that writes while they are checked', () => {
  let dir: Awaited<ReturnType<typeof tempDir>>;
  let project: string;
  beforeEach(async () => {
    dir = await tempDir();
    project = path.join(dir.path, 'lab');
    await mkdir(project);
  });
  afterEach(() => dir.remove());

  /** The log of a project that has written this content into these files, one after the other. */
  const logOf = async (...files: [name: string, text: string][]): Promise<Store> => {
    const log = await EventLog.open(() => Promise.resolve(memoryStore()), new Records());
    await log.append([draftOf('project.created', { ...projectData(), path: project })]);
    for (const [name, text] of files)
      await log.append([
        draftOf('file.written', {
          ...{ project_id: PROJECT, node_id: null, path: name, bytes: text.length },
          ...{ sha256: sha256(text), upload: PROJECT },
        }),
      ]);
    return log.store;
  };
  /** Checks a log that goes on as soon as its files have been looked at once. */
  const check = async (first: Store, then: Store, projectId: string | null): Promise<string[]> => {
    let calls = 0;
    const store = (): Store => (++calls <= 2 ? first : then);
    const served = { store, filesDir: dir.path, imagesOf: () => null, retries: 2, pauseMs: 0 };
    const { ok, problems } = await verifyServed(served, projectId);
    assert.equal(ok, problems.length === 0);
    return problems.map(({ where, position }) => `${where} ${position}`);
  };

  for (const projectId of [null, PROJECT])
    it(`fit when their event comes after them, ${projectId === null ? 'in all' : 'in one project'}`, async () => {
      await writeFile(path.join(project, 'a.txt'), 'new');
      const first = await logOf(['a.txt', 'old']);
      assert.deepEqual(await check(first, await logOf(['a.txt', 'old'], ['a.txt', 'new']), projectId), []);
      assert.deepEqual(await check(first, first, projectId), ['file lab/a.txt 2']);
      const others = await logOf(['a.txt', 'old'], ['b.txt', 'new']);
      assert.deepEqual(await check(first, others, projectId), ['file lab/a.txt 2']);
    });
});
