import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { programFile } from '../../src/common/package.ts';
import { type WithServer, withServer } from './with-server.ts';

const ZIP = 'PK\u0003\u0004';

describe('copies of a lab by commands', { timeout: 600_000 }, () => {
  let on: WithServer;
  const inside = (name: string): string => path.join(on.directory, name);
  const headOf = async (file: string): Promise<string> => (await readFile(file)).toString('latin1', 0, 4);

  before(async () => {
    on = await withServer();
    await on.well('new', 'lab');
    await on.well('add', 'lab', 'simple_pc', 'PC1', '--set', 'address=10.0.0.1/24');
  });
  after(() => on.close());

  it('are archives, which become labs again', async () => {
    const file = inside('a.gns3project');
    assert.match(
      await on.well('export', 'lab', '-o', file, '--include-snapshots'),
      /a\.gns3project  written  \d+ octets\n$/,
    );
    assert.equal(await headOf(file), ZIP);
    assert.match(await on.well('import', file), /^lab-1 +closed|^lab +closed/);
    assert.match(await on.well('import', file, '--name', 'again'), /^again +closed +[0-9a-f-]{36}\n$/);
    await on.well('open', 'again');
    assert.match(await on.well('ls', 'again'), /^PC1 +stopped +simple_pc/);
  });

  it('are named after the lab, and go to the standard output where that is wanted', async () => {
    const run = async (...args: string[]): Promise<string> => {
      const options = {
        cwd: on.directory,
        env: { ...process.env, TOPOLOG_DATA_DIR: on.server.dataDir },
        encoding: 'latin1',
      } as const;
      const given = [programFile('cli/topolog'), 'export', 'lab', ...args];
      return (await promisify(execFile)(process.execPath, given, options)).stdout;
    };
    assert.match(await run(), /^lab\.gns3project  written/);
    const printed = await run('-o', '-', '--compression', 'none');
    assert.equal(printed.slice(0, 4), ZIP);
    assert.match(printed, /"PC1"/);
  });

  it('leave a file as it was where there is none', async () => {
    const file = inside('kept.gns3project');
    await writeFile(file, 'what was there');
    await on.well('start', 'lab/PC1');
    await on.ill(1, /cannot be exported while PC1 runs/, 'export', 'lab', '-o', file);
    await on.well('stop', 'lab/PC1');
    assert.equal(await readFile(file, 'utf8'), 'what was there');
    await on.allIll([
      [2, /compression must be zip or none/, 'export', 'lab', '--compression', 'best', '-o', file],
      [2, /x\/y cannot be written: there is no directory \S+\/x$/m, 'export', 'lab', '-o', inside('x/y')],
      [2, /cannot be written: it is a directory$/m, 'export', 'lab', '-o', on.directory],
      [1, /Project lap does not exist; did you mean lab\?$/m, 'export', 'lap'],
      [2, /^usage: topolog export PROJECT/, 'export'],
      [2, /nope cannot be read: it does not exist$/m, 'import', inside('nope')],
      [2, /cannot be read: it is a directory$/m, 'import', on.directory],
      [2, /lab\.gns3 is a project file, not an archive: topolog load/, 'import', 'lab.gns3'],
      [2, /lab\.yaml is a lab as a text: topolog apply/, 'import', 'lab.yaml'],
      [1, /the archive is refused/, 'import', file],
    ]);
    assert.equal(await readFile(file, 'utf8'), 'what was there');
    assert.deepEqual(
      (await readdir(on.directory)).filter((name) => name.includes('.part')),
      [],
    );
  });

  it('pass on which revision of the project file is wanted', async () => {
    const { code } = await on.topolog('export', 'lab', '--revision', '9', '-o', inside('b.gns3project'));
    const asked: string[] = [];
    for await (const line of on.client.lines('/v2/events', { query: { type: 'request.refused' } })) asked.push(line);
    assert.ok(code === 0 || asked.some((line) => line.includes('revision')), asked.join('\n'));
  });

  it('are duplicates, closed and with a name', async () => {
    assert.match(await on.well('duplicate', 'lab', 'the copy'), /^the copy +closed +[0-9a-f-]{36}\n$/);
    assert.match(await on.well('duplicate', 'again', '--reset-mac-addresses'), /^again-1 +closed/);
    await on.ill(2, /^usage: topolog duplicate PROJECT \[NAME\]\n$/, 'duplicate');
  });

  it('are snapshots, which bring the lab back', async () => {
    assert.match(await on.well('snapshot', 'lab', 'before'), /^before +\d{4}-\d\d-\d\dT[\d:.]+Z +[0-9a-f-]{36}\n$/);
    assert.match(await on.well('snapshot', 'lab'), /^\d{4}-\d\d-\d\d [\d:]{8} +/);
    await on.well('rename', 'lab/PC1', 'PC2');
    await on.ill(2, /--yes/, 'snapshot', 'restore', 'lab', 'before');
    assert.match(await on.well('ls', 'lab'), /^PC2/);
    assert.match(await on.well('snapshot', 'restore', 'lab', 'bef', '--yes'), /^lab +opened/);
    assert.match(await on.well('ls', 'lab'), /^PC1/);
    await on.ill(2, /--yes/, 'snapshot', 'rm', 'lab', 'before');
    assert.equal(await on.well('snapshot', 'rm', 'lab', 'before', '-y'), 'snapshot before  deleted\n');
    assert.equal((JSON.parse(await on.well('snapshot', 'ls', 'lab', '--json')) as unknown[]).length, 1);
    assert.deepEqual(
      (await on.well('completion', '--', 'snapshot', 'restore', 'lab', '')).match(/^\d{4}-/gm)?.length,
      1,
    );
    await on.allIll([
      [1, /Snapshot after does not exist/, 'snapshot', 'restore', 'lab', 'after', '-y'],
      [
        2,
        /topolog snapshot takes ls, restore, rm, not restor; did you mean restore\?$/m,
        'snapshot',
        'restor',
        'lab',
        'x',
      ],
      [2, /^usage: topolog snapshot rm PROJECT SNAPSHOT\n$/, 'snapshot', 'rm', 'lab'],
      [2, /^usage: topolog snapshot ls PROJECT\n$/, 'snapshot', 'ls'],
      [2, /^usage: topolog snapshot PROJECT \[NAME\]/, 'snapshot'],
    ]);
  });
});
