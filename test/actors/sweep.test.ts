import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { draft } from '../../src/actors/context.ts';
import { readTexts } from '../../src/events/read.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, cutAfter, cutAfterAppend, testLab, type TestLab } from './test-lab.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000b1';
const idOf = (n: number): string => `00000000-0000-4000-8000-00000000000${n}`;

interface Swept extends TestLab {
  project: string;
  dataDir: string;
}

const labIn = async (t: TestContext): Promise<Swept> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path });
  const { path: project } = await lab.commands.createProject(CALLER, { name: 'sweep', project_id: PROJECT });
  const swept = { ...lab, project, dataDir: dir.path };
  t.after(async () => {
    await swept.close();
    await dir.remove();
  });
  return swept;
};

/** The server is killed right after the next event of the command; the next one has its place. */
const killedAt = async (lab: Swept, command: () => Promise<unknown>): Promise<void> => {
  await cutAfterAppend(lab, command);
  await lab.log.close();
  Object.assign(lab, await testLab({ dir: lab.dataDir }));
};

/** What a kill leaves behind the event of an upload. `content` null: it has been moved; `plan`: other than it ought to be. */
const left = async (
  { log, project }: TestLab & { project: string },
  n: number,
  name: string,
  content: string | null,
  plan?: string,
): Promise<void> => {
  const upload = idOf(n);
  const directory = path.join(project, '.topolog', `upload-${upload}`);
  await mkdir(directory, { recursive: true });
  const whole = JSON.stringify({ file: path.join(project, name), upload, version: log.version(PROJECT) });
  await writeFile(path.join(directory, 'plan.json'), plan ?? whole);
  if (content !== null) await writeFile(path.join(directory, 'content'), content);
  const data = { project_id: PROJECT, node_id: null, path: name, bytes: 1, sha256: '', upload };
  await log.append([draft(CALLER, PROJECT, 'file.written', data)]);
};

const textOf = (...parts: string[]): Promise<string> => readFile(path.join(...parts), 'utf8');

describe('the sweep at the start', () => {
  it('gives a new project the directory that its server did not come to make', async (t) => {
    const lab = await labIn(t);
    await killedAt(lab, () => lab.commands.createProject(CALLER, { name: 'new' }));
    await lab.lab.sweepFiles();
    const made = lab.records.committed.projects().find(({ name }) => name === 'new');
    assert.deepEqual(await readdir(made?.path ?? ''), ['new.gns3']);
  });

  for (const command of ['forkProject', 'duplicateProject'] as const)
    it(`gives a copy by ${command} the files of its nodes, wherever its server ended`, async (t) => {
      const lab = await labIn(t);
      const properties = { startup_script: 'ip 10.0.0.1/24' };
      const given = { name: 'PC1', kind: 'simple_pc', compute_id: 'local', properties };
      await lab.commands.createNode(CALLER, PROJECT, given, 'make_unique');
      await killedAt(lab, () => lab.commands[command](CALLER, PROJECT, { name: 'copy' }));
      await lab.lab.sweepFiles();
      const copy = lab.records.committed.projects().find(({ name }) => name === 'copy');
      const [node] = lab.records.committed.ofProject('node', copy?.project_id ?? '');
      assert.equal(await textOf(node?.node_directory ?? '', 'startup.vpc'), properties.startup_script);
      assert.deepEqual(await readdir(path.join(lab.dataDir, 'staging')), []);
      assert.deepEqual(lab.reports, []);
    });

  it('finishes every upload by itself, also behind one whose content has moved already', async (t) => {
    const lab = await labIn(t);
    await left(lab, 1, 'a', null);
    await left(lab, 2, 'b', 'answered');
    await lab.lab.sweepFiles();
    assert.equal(await textOf(lab.project, 'b'), 'answered');
    assert.deepEqual(await readdir(path.join(lab.project, '.topolog')), []);
    assert.deepEqual(lab.reports, []);
  });

  it('never puts older content over a newer file that was answered', async (t) => {
    const lab = await labIn(t);
    await left(lab, 1, 'a', 'older');
    const newer = { content: Readable.from([Buffer.from('newer')]), limit: 99 };
    await lab.commands.writeFile(CALLER, { project_id: PROJECT, node_id: null, name: 'a' }, newer);
    await lab.lab.sweepFiles();
    assert.equal(await textOf(lab.project, 'a'), 'newer');
    assert.deepEqual(await readdir(path.join(lab.project, '.topolog')), []);
  });

  it('takes the later of two that wait for the same place, whatever their names sort like', async (t) => {
    const lab = await labIn(t);
    await left(lab, 9, 'a', 'older');
    await left(lab, 1, './a', 'newer');
    await lab.lab.sweepFiles();
    assert.equal(await textOf(lab.project, 'a'), 'newer');
  });

  it('puts an upload with a plan that was cut off aside, says so once, and goes on', async (t) => {
    const lab = await labIn(t);
    await left(lab, 1, 'a', 'kept', '{"file":"/x');
    await left(lab, 2, 'b', 'answered');
    await lab.lab.sweepFiles();
    assert.equal(await textOf(lab.project, 'b'), 'answered');
    const kept = path.join(lab.project, '.topolog', `broken-upload-${idOf(1)}`);
    assert.equal(await textOf(kept, 'content'), 'kept');
    assert.equal(lab.reports.length, 1);
    assert.ok(lab.reports[0]?.includes(kept), lab.reports[0]);
    await lab.lab.sweepFiles();
    assert.equal(lab.reports.length, 1);
    assert.equal(await textOf(kept, 'content'), 'kept');
  });

  it('keeps an upload whose place cannot be written, and finishes the others', async (t) => {
    const lab = await labIn(t);
    await left(lab, 1, 'in/the/way', 'kept');
    await writeFile(path.join(lab.project, 'in'), 'a file where a directory is needed');
    await left(lab, 2, 'b', 'answered');
    await lab.lab.sweepFiles();
    assert.equal(await textOf(lab.project, 'b'), 'answered');
    assert.equal(await textOf(lab.project, '.topolog', `broken-upload-${idOf(1)}`, 'content'), 'kept');
    assert.match(lab.reports.join('\n'), /uploaded file could not take its place/);
  });

  it('takes files away that have no event: nobody was answered', async (t) => {
    const lab = await labIn(t);
    const directory = path.join(lab.project, '.topolog', `upload-${idOf(1)}`);
    await mkdir(directory, { recursive: true });
    await writeFile(path.join(directory, 'content'), 'x');
    await lab.lab.sweepFiles();
    assert.deepEqual(await readdir(path.join(lab.project, '.topolog')), []);
  });

  it('removes the directory of a project whose deletion was cut off, and no other that it does not know', async (t) => {
    const lab = await labIn(t);
    const [mine = '', late = '', foreign = ''] = [1, 2, 3].map((n) => path.join(lab.dataDir, 'projects', idOf(n)));
    for (const project_id of [idOf(1), idOf(2)]) {
      await lab.commands.createProject(CALLER, { name: `mine ${project_id}`, project_id });
      await lab.commands.closeProject(CALLER, project_id);
      await lab.log.append([draft(CALLER, project_id, 'project.deleted', { project_id })]);
    }
    // In earlier logs, its file may have been written once more.
    const written = { project_id: idOf(2), file_sha256: '', version: '0.2.0' };
    await lab.log.append(Array.from({ length: 40 }, () => draft(CALLER, idOf(2), 'project.file_written', written)));
    await mkdir(foreign);
    for (const place of [mine, late]) await writeFile(path.join(place, 'left'), 'x');
    await lab.lab.sweepFiles();
    assert.deepEqual((await readdir(path.join(lab.dataDir, 'projects'))).sort(), [idOf(3), PROJECT].sort());
    assert.deepEqual(lab.reports, []);
  });

  it('removes the directory of a node whose deletion was cut off, and no other that it does not know', async (t) => {
    const lab = await labIn(t);
    const ids = [idOf(1), idOf(2), idOf(3)];
    const [gone = '', foreign = '', there = ''] = ids.map((id) => path.join(lab.project, 'project-files', 'vpcs', id));
    for (const id of [idOf(1), idOf(3)])
      await lab.commands.createNode(CALLER, PROJECT, { node_id: id, kind: 'simple_pc', name: id }, 'conflict');
    await lab.commands.deleteNode(CALLER, { project_id: PROJECT, node_id: idOf(1) });
    for (const place of [gone, foreign, there]) {
      await mkdir(place, { recursive: true });
      await writeFile(path.join(place, 'startup.vpc'), 'left');
    }
    await lab.lab.sweepFiles();
    assert.deepEqual((await readdir(path.dirname(gone))).sort(), [idOf(2), idOf(3)]);
    assert.equal(await textOf(there, 'startup.vpc'), 'left');
    assert.deepEqual(lab.reports, []);
  });

  it("removes half a copy of a node's directory, and puts back what it was to replace", async (t) => {
    const lab = await labIn(t);
    const place = path.join(lab.project, 'project-files', 'vpcs');
    for (const name of [
      idOf(1),
      `${idOf(1)}.${idOf(9)}.tmp`,
      `${idOf(2)}.${idOf(8)}.tmp`,
      `${idOf(2)}.${idOf(8)}.tmp.old`,
    ]) {
      await mkdir(path.join(place, name), { recursive: true });
      await writeFile(path.join(place, name, 'startup.vpc'), name);
    }
    await lab.lab.sweepFiles();
    assert.deepEqual((await readdir(place)).sort(), [idOf(1), idOf(2)]);
    assert.equal(await textOf(place, idOf(1), 'startup.vpc'), idOf(1));
    assert.match(await textOf(place, idOf(2), 'startup.vpc'), /\.old$/);
  });

  it('removes files that were being written', async (t) => {
    const lab = await labIn(t);
    await mkdir(path.join(lab.dataDir, 'symbols'));
    await mkdir(path.join(lab.dataDir, 'images', 'QEMU', 'deep'), { recursive: true });
    const left = ['symbols/.a.topolog-tmp', '.b.topolog-tmp', 'images/QEMU/deep/.c.topolog-tmp'].map((name) =>
      path.join(lab.dataDir, name),
    );
    for (const file of left) await writeFile(file, 'half');
    await lab.lab.sweepFiles();
    assert.deepEqual(await readdir(path.join(lab.dataDir, 'symbols')), []);
    assert.deepEqual(await readdir(path.join(lab.dataDir, 'images', 'QEMU', 'deep')), []);
    assert.ok(!(await readdir(lab.dataDir)).includes('.b.topolog-tmp'));
  });

  it('puts the project file in its place where its event is on disk', async (t) => {
    const lab = await labIn(t);
    await cutAfter(lab, 'project.file_written', () => lab.commands.closeProject(CALLER, PROJECT));
    await lab.log.close();
    Object.assign(lab, await testLab({ dir: lab.dataDir }));
    await lab.lab.sweepFiles();
    const text = await textOf(lab.project, 'sweep.gns3');
    const { file_sha256 } = lab.records.committed.get('project', PROJECT) ?? {};
    assert.equal(createHash('sha256').update(text).digest('hex'), file_sha256);
    assert.deepEqual(await readdir(lab.project), ['sweep.gns3']);
  });

  it('removes a project file that was being written, and what stands beside it', async (t) => {
    const lab = await labIn(t);
    await lab.lab.flush();
    const before = await textOf(lab.project, 'sweep.gns3');
    for (const name of ['sweep.gns3', 'sweep.gns3.topolog.json'])
      await writeFile(path.join(lab.project, `${name}.topolog-tmp`), 'half');
    await lab.lab.sweepFiles();
    assert.deepEqual(await readdir(lab.project), ['sweep.gns3']);
    assert.equal(await textOf(lab.project, 'sweep.gns3'), before);
  });

  it('puts a symbol and a setting in their places where their events are on disk, and older ones nowhere', async (t) => {
    const lab = await labIn(t);
    const symbols = path.join(lab.dataDir, 'symbols');
    const svg = (color: string): string =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect fill="${color}" width="9" height="9"/></svg>`;
    const cut = (work: () => Promise<unknown>): Promise<void> => killedAt(lab, work);
    await lab.commands.storeSymbol(CALLER, 'mine.svg', Buffer.from(svg('red')));
    await cut(() => lab.commands.storeSymbol(CALLER, 'mine.svg', Buffer.from(svg('green'))));
    await cut(() => lab.commands.storeSymbol(CALLER, 'mine.svg', Buffer.from(svg('blue'))));
    await cut(() => lab.commands.changeKindSetting(CALLER, 'switch_router_emulator', { iourc_content: 'bought' }));
    await lab.lab.sweepFiles();
    assert.deepEqual(await readdir(symbols), ['mine.svg']);
    assert.match(await textOf(symbols, 'mine.svg'), /blue/);
    assert.match(await textOf(lab.dataDir, 'iou_license.json'), /bought/);
    assert.ok(!(await readdir(lab.dataDir)).some((name) => name.endsWith('.topolog-tmp')));
  });

  it('removes symbols and images whose deletion was cut off, and none that came back since', async (t) => {
    const lab = await labIn(t);
    const [symbols, images] = [path.join(lab.dataDir, 'symbols'), path.join(lab.dataDir, 'images', 'QEMU')];
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const image = (name: string) => {
      const content = { content: Readable.from([Buffer.from('a disk')]), limit: 99 };
      return lab.commands.writeImage(CALLER, 'machine_emulator', name, content);
    };
    for (const name of ['gone', 'again']) {
      await lab.commands.storeSymbol(CALLER, `${name}.svg`, svg);
      await image(`${name}.img`);
      await killedAt(lab, () => lab.commands.deleteSymbol(CALLER, `${name}.svg`));
    }
    await killedAt(lab, () => lab.commands.deleteImage(CALLER, 'machine_emulator', 'gone.img'));
    await lab.commands.storeSymbol(CALLER, 'again.svg', svg);
    await lab.lab.sweepFiles();
    assert.deepEqual(await readdir(symbols), ['again.svg']);
    assert.deepEqual(
      (await readdir(images)).filter((name) => name.endsWith('.img')),
      ['again.img'],
    );
  });

  it('removes an image that could not be removed after its event', async (t) => {
    const lab = await labIn(t);
    const images = path.join(lab.dataDir, 'images', 'QEMU');
    const content = { content: Readable.from([Buffer.from('a disk')]), limit: 99 };
    await lab.commands.writeImage(CALLER, 'machine_emulator', 'gone.img', content);
    const sum = path.join(images, 'gone.img.md5sum');
    await rm(sum, { force: true });
    // A directory of that name cannot be removed as a file.
    await mkdir(sum);
    await assert.rejects(lab.commands.deleteImage(CALLER, 'machine_emulator', 'gone.img'));
    await rm(sum, { recursive: true });
    assert.ok((await readdir(images)).includes('gone.img'));
    await lab.lab.sweepFiles();
    assert.deepEqual(
      (await readdir(images)).filter((name) => !name.startsWith('.topolog')),
      [],
    );
  });

  it('removes files of nodes that were being written', async (t) => {
    const lab = await labIn(t);
    const node = { node_id: idOf(1), kind: 'simple_pc', name: 'PC1' };
    await lab.commands.createNode(CALLER, PROJECT, node, 'conflict');
    const place = path.join(lab.project, 'project-files', 'vpcs', idOf(1));
    await mkdir(path.join(place, 'deep'), { recursive: true });
    for (const name of ['.a.topolog-tmp', 'deep/.b.topolog-tmp', 'deep/kept'])
      await writeFile(path.join(place, name), '');
    await lab.lab.sweepFiles();
    assert.deepEqual(await readdir(place), ['deep']);
    assert.deepEqual(await readdir(path.join(place, 'deep')), ['kept']);
  });

  it('finishes one new project when the plan of another was cut off', async (t) => {
    const lab = await labIn(t);
    const ids = [idOf(1), idOf(2)];
    for (const [n, id] of ids.entries()) {
      await lab.commands.createProject(CALLER, { name: id, project_id: id });
      const staging = path.join(lab.dataDir, 'staging', id);
      await mkdir(path.join(staging, 'project'), { recursive: true });
      await writeFile(path.join(staging, 'project', 'notes'), id);
      const plan = JSON.stringify({ path: path.join(lab.dataDir, 'projects', id), images: [] });
      await writeFile(path.join(staging, 'plan.json'), n === 0 ? plan.slice(0, 9) : plan);
    }
    await lab.lab.sweepFiles();
    assert.equal(await textOf(lab.dataDir, 'projects', ids[1] ?? '', 'notes'), ids[1]);
    const aside = path.join(lab.dataDir, 'staging', `broken-${ids[0]}`);
    assert.equal(await textOf(aside, 'project', 'notes'), ids[0]);
    assert.ok(lab.reports.some((line) => line.includes(aside)));
  });
});

describe('uploads of one file that come together', () => {
  it('leave the content of the last event', async (t) => {
    const lab = await labIn(t);
    for (let round = 0; round < 10; round++) {
      const texts = Array.from({ length: 8 }, (_, n) => `${round} ${n}`);
      await Promise.all(
        texts.map((text) =>
          lab.commands.writeFile(
            CALLER,
            { project_id: PROJECT, node_id: null, name: 'a' },
            {
              content: Readable.from([Buffer.from(text)]),
              limit: 99,
            },
          ),
        ),
      );
      const last = await lastWritten(lab);
      const now = createHash('sha256')
        .update(await textOf(lab.project, 'a'))
        .digest('hex');
      assert.equal(now, last);
    }
  });
});

const lastWritten = async ({ log }: TestLab): Promise<string | undefined> => {
  const events = (await readTexts(log.store, PROJECT)).map(
    (text) => JSON.parse(text) as { type: string; data: { sha256: string } },
  );
  return events.filter(({ type }) => type === 'file.written').at(-1)?.data.sha256;
};
