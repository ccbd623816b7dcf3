import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { levelStore } from '../src/events/store/level-store.ts';
import { scratchPlace, viewLog } from '../src/events/view-log.ts';
import { tempDir } from './support/temp.ts';

it('a view takes away those of processes that were killed, and leaves those of processes that run', async (t) => {
  const dir = await tempDir();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const place = await scratchPlace();
  const [left, kept] = [`topolog-view-${child.pid}-left`, `topolog-view-${process.ppid}-kept`].map((name) =>
    path.join(place, name),
  ) as [string, string];
  t.after(async () => {
    await rm(kept, { recursive: true, force: true });
    await dir.remove();
  });
  await mkdir(left);
  await mkdir(kept);
  const log = path.join(dir.path, 'log');
  await (await levelStore(log)()).close();
  const view = await viewLog(log);
  await view.close();
  await assert.rejects(access(left));
  await access(kept);
});
