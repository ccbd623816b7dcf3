import assert from 'node:assert/strict';
import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { recordingName, Recordings, recordingsDirectory } from '../../src/files/recordings.ts';
import { tempDir } from '../support/temp.ts';

const NODE = '22222222-2222-4222-8222-222222222222';
const NAME = '20261121T122700.123Z.cast';
const HEADER = '{"version":3,"term":{"cols":80,"rows":24},"timestamp":1795264020,';
const OURS = `${HEADER}"topolog":{"started_at":"2026-11-21T12:27:00.123Z"}}\n`;
const EVENTS = '[0.100, "o", "PC1> "]\n# a comment\n[2.345, "i", "a\\u20ac]"]\n[10, "x", "0"]\n';

let project: Awaited<ReturnType<typeof tempDir>>;
let directory: string;

const file = (name: string): string => path.join(directory, name);
const recordings = new Recordings();
const read = async (name: string): Promise<string> => text(await recordings.open(project.path, NODE, name));

beforeEach(async () => {
  project = await tempDir();
  directory = recordingsDirectory(project.path, NODE);
  await mkdir(directory, { recursive: true });
});
afterEach(() => project.remove());

describe('the name of a recording', () => {
  it('is its time, which sorts', () => {
    assert.equal(recordingName(Date.parse('2026-11-21T12:27:00.123Z')), NAME);
  });
});

describe('recordings of a node', () => {
  it('are none where there is no directory', async () => {
    assert.deepEqual(await recordings.list(path.join(project.path, 'nothing'), NODE), []);
  });

  it('are listed by time, with how long they are', async () => {
    const other = `${HEADER}"title":"by another tool"}\n[1.5,"o","x"]\n`;
    await writeFile(file('20261121T122701.000Z.cast'), other);
    await writeFile(file(NAME), OURS + EVENTS);
    assert.deepEqual(await recordings.list(project.path, NODE), [
      {
        name: NAME,
        bytes: Buffer.byteLength(OURS + EVENTS),
        started_at: '2026-11-21T12:27:00.123Z',
        seconds: 12.445,
      },
      {
        name: '20261121T122701.000Z.cast',
        bytes: Buffer.byteLength(other),
        started_at: '2026-11-21T12:27:00.000Z',
        seconds: 1.5,
      },
    ]);
  });

  it('that go on are measured again', async () => {
    await writeFile(file(NAME), OURS);
    assert.equal((await recordings.list(project.path, NODE))[0]?.seconds, 0);
    await appendFile(file(NAME), EVENTS);
    assert.equal((await recordings.list(project.path, NODE))[0]?.seconds, 12.445);
  });

  it('have whole lines only, when they are listed and when they are read', async () => {
    const long = `[1, "o", ${JSON.stringify('y'.repeat(200_000))}]\n`;
    await writeFile(file(NAME), `${OURS}${long}[5, "o", "torn`);
    assert.equal((await recordings.list(project.path, NODE))[0]?.seconds, 1);
    assert.equal(await read(NAME), OURS + long);
    await writeFile(file(NAME), `${OURS}${'z'.repeat(200_000)}`);
    assert.equal(await read(NAME), OURS);
    await writeFile(file(NAME), '{"version":3');
    assert.equal(await read(NAME), '');
  });

  it('are nothing else: no links, no directories, no other files', async () => {
    const secret = path.join(project.path, 'secret.cast');
    await writeFile(secret, OURS + EVENTS);
    await symlink(secret, file('link.cast'));
    await mkdir(file('directory.cast'));
    await writeFile(file('text.cast'), 'no recording');
    await writeFile(file('old.cast'), '{"version":2,"width":80,"height":24}\n');
    await writeFile(file('notes.txt'), OURS);
    assert.deepEqual(await recordings.list(project.path, NODE), []);
    const names = ['link.cast', 'directory.cast', 'notes.txt', 'nothing.cast', '../secret.cast', '..', ''];
    for (const name of names) await assert.rejects(read(name), { code: 'not_found' }, name);
  });

  it('are not read from a directory that a link puts in place of theirs', async () => {
    const elsewhere = path.join(project.path, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(path.join(elsewhere, NAME), OURS);
    const other = '33333333-3333-4333-8333-333333333333';
    await symlink(elsewhere, recordingsDirectory(project.path, other));
    assert.deepEqual(await recordings.list(project.path, other), []);
    await assert.rejects(recordings.open(project.path, other, NAME), { code: 'not_found' });
  });

  it('are those of a project whose own directory is a link', async () => {
    await writeFile(file(NAME), OURS + EVENTS);
    const link = path.join(project.path, 'as-link');
    await symlink(project.path, link);
    assert.equal((await recordings.list(link, NODE)).length, 1);
    assert.equal(await text(await recordings.open(link, NODE, NAME)), OURS + EVENTS);
  });
});
