import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { tempDir } from '../../support/temp.ts';
import { contentOf, Disk, writeTree } from './disk.ts';
import { makeRecorder, mark, type Op, readRecord, recordingEnv, whyNoRecorder } from './record.ts';

/** What a program does to files, by Node's ways and by LevelDB's, which are streams of the C library. */
const PROGRAM = `
const fs = require('node:fs');
const { Level } = require('level');
process.chdir(process.argv[1]);
fs.mkdirSync('deep/down', { recursive: true });
const fd = fs.openSync('a', 'w');
fs.writeSync(fd, 'hello'); fs.writeSync(fd, 'J', 0); fs.fsyncSync(fd); fs.ftruncateSync(fd, 4); fs.closeSync(fd);
fs.appendFileSync('a', '!');
fs.copyFileSync('a', 'deep/down/b');
fs.linkSync('a', 'c'); fs.symlinkSync('a', 'd'); fs.renameSync('c', 'deep/c');
fs.writeFileSync('gone', 'x'); fs.unlinkSync('gone'); fs.mkdirSync('e'); fs.rmSync('e', { recursive: true });
(async () => {
  await fs.promises.writeFile('later', 'async');
  const level = new Level('log');
  await level.put('key', 'value', { sync: true });
  await level.close();
})();
`;

it('records every change of files, so that they can be made again', { skip: whyNoRecorder() ?? false }, async (t) => {
  const dir = await tempDir();
  t.after(() => dir.remove());
  const [root, base, ops] = ['root', 'base', 'ops'].map((name) => path.join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const place of [root, base]) mkdirSync(place);
  mark(ops, 'begun');
  const env = { ...process.env, ...recordingEnv(makeRecorder(dir.path), ops, root, 0) };
  execFileSync(process.execPath, ['-e', PROGRAM, root], { env, cwd: import.meta.dirname });

  const record = readRecord(ops);
  const disk = new Disk(base);
  for (const op of record) disk.feed(op);
  assert.deepEqual(disk.unseen, []);
  const made = path.join(dir.path, 'made');
  writeTree(disk.root, made, { has: () => true, content: (file) => contentOf(file, () => true) });
  const listing = (place: string): string =>
    execFileSync('sh', ['-c', 'find . -type f -o -type l | sort | xargs md5sum; find . | sort'], {
      cwd: place,
    }).toString();
  assert.equal(listing(made), listing(root));

  assert.deepEqual(record[0], { op: 'mark', text: 'begun' });
  const kinds = (name: string): Op['op'][] => {
    const opened = record.filter((op) => op.op === 'open' && op.path === name).map((op) => ('h' in op ? op.h : ''));
    return record.filter((op) => 'h' in op && op.h === opened[0]).map(({ op }) => op);
  };
  assert.deepEqual(kinds('a'), ['open', 'write', 'write', 'sync', 'truncate', 'close']);
  const journal = record.find((op) => op.op === 'open' && /log\/\d+\.log$/.test(op.path));
  assert.deepEqual(journal?.op === 'open' && kinds(journal.path).slice(0, 3), ['open', 'write', 'sync']);
});
