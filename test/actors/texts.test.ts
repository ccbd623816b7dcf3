import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { NodeTexts } from '../../src/actors/node/texts.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, cutAfterAppend, testLab, type TestLab } from './test-lab.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000b1';
const NODE = '00000000-0000-4000-8000-000000000001';
const ADA = { ...CALLER, request_id: 'one' };
const at = { project_id: PROJECT, node_id: NODE };
const withText = (startup_script: string) => ({
  ...{ node_id: NODE, name: 'PC1', kind: 'simple_pc', compute_id: 'local' },
  properties: { startup_script },
});

const labIn = async (t: TestContext): Promise<TestLab & { project: string }> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const { path: project } = await lab.commands.createProject(CALLER, { name: 'texts', project_id: PROJECT });
  return { ...lab, project };
};

/** The server ends right after the next events of a command are on disk, and starts again. */
const cut = async (lab: TestLab, command: () => Promise<unknown>): Promise<void> => {
  await cutAfterAppend(lab, command);
  await lab.lab.sweepFiles();
};

const textOf = (project: string, id = NODE): Promise<string> =>
  readFile(path.join(project, 'project-files', 'vpcs', id, 'startup.vpc'), 'utf8');
const fileOf = ({ node_directory }: { node_directory: string }): string => path.join(node_directory, 'startup.vpc');
const left = (project: string): Promise<string[]> => readdir(path.join(project, '.topolog')).catch(() => []);

describe('the text of a node', () => {
  it('is in its file after a create that the end of the server has cut off behind its event', async (t) => {
    const lab = await labIn(t);
    await cut(lab, () => lab.commands.createNode(CALLER, PROJECT, withText('ip 10.0.0.1/24'), 'conflict'));
    assert.equal(await textOf(lab.project), 'ip 10.0.0.1/24');
    assert.deepEqual(await left(lab.project), []);
  });

  it('is in its file after an update, and after a batch, that were cut off so', async (t) => {
    const lab = await labIn(t);
    await lab.commands.createNode(CALLER, PROJECT, withText('first'), 'conflict');
    const changes = (startup_script: string) => ({ properties: { startup_script } });
    await cut(lab, () => lab.commands.updateNode(CALLER, at, changes('second'), 'conflict'));
    assert.equal(await textOf(lab.project), 'second');
    const step = { action: 'update', type: 'node', id: NODE, changes: changes('third') } as const;
    await cut(lab, () => lab.commands.batch(CALLER, PROJECT, [step]));
    assert.equal(await textOf(lab.project), 'third');
    assert.deepEqual(await left(lab.project), []);
  });

  it('leaves no directory of a project that was deleted while it was written', async (t) => {
    const lab = await labIn(t);
    const texts = new NodeTexts(lab.context, PROJECT);
    await texts.stage();
    await lab.commands.deleteProject(CALLER, PROJECT);
    // As a write does that was under way.
    await mkdir(path.join(lab.project, '.topolog', 'upload-1'), { recursive: true });
    await texts.end();
    await assert.rejects(readdir(lab.project), { code: 'ENOENT' });
  });

  it('is waited for by who copies files until those of all nodes are there', async (t) => {
    const lab = await labIn(t);
    const texts = new NodeTexts(lab.context, PROJECT);
    const kind = lab.context.kinds.get('simple_pc') ?? assert.fail('no such kind');
    // To make its directories takes the second one longer.
    const deep = path.join('deep', ...Array.from({ length: 40 }, (_, n) => String(n)));
    const ids = ['near', deep].map((place, n) => ({
      node_id: `00000000-0000-4000-8000-00000000000${n + 1}`,
      name: place,
      node_directory: path.join(lab.project, place),
    }));
    for (const { node_id, name } of ids)
      await lab.commands.createNode(CALLER, PROJECT, { node_id, name, kind: 'simple_pc' }, 'conflict');
    for (const owner of ids) texts.told(kind, { startup_script: owner.name }, owner);
    await texts.stage();
    const copied = lab.context.placing.settled(PROJECT).then(() => ids.map((owner) => existsSync(fileOf(owner))));
    await Promise.all(ids.map(({ node_id }) => texts.place(node_id)));
    await texts.end();
    assert.deepEqual(await copied, [true, true]);
  });

  it('leaves nothing of a command that is refused, and the file as it was', async (t) => {
    const lab = await labIn(t);
    await lab.commands.createNode(CALLER, PROJECT, withText('kept'), 'conflict');
    const refused = lab.commands.createNode(CALLER, PROJECT, withText('another'), 'conflict');
    await assert.rejects(refused, /in use/);
    const append = lab.log.append.bind(lab.log);
    lab.log.append = () => Promise.reject(new Error('no room'));
    const changes = { properties: { startup_script: 'another' } };
    await assert.rejects(lab.commands.updateNode(CALLER, at, changes, 'conflict'), /no room/);
    lab.log.append = append;
    assert.equal(await textOf(lab.project), 'kept');
    assert.deepEqual(await left(lab.project), []);
  });

  it('has the name that the node really got', async (t) => {
    const lab = await labIn(t);
    const { node_id: _, ...given } = withText('set pcname %h');
    const made = await Promise.all(
      Array.from({ length: 4 }, () => lab.commands.createNode(CALLER, PROJECT, given, 'make_unique')),
    );
    assert.equal(new Set(made.map(({ name }) => name)).size, 4);
    for (const { node_id, name } of made) assert.equal(await textOf(lab.project, node_id), `set pcname ${name}`);
  });
});

describe('a node', () => {
  it('takes commands from the moment on that its event is told, and these come last', async (t) => {
    const lab = await labIn(t);
    const updated = new Promise((resolve, reject) => {
      lab.log.onCommitted((events) => {
        if (!events.some(({ type }) => type === 'node.created')) return;
        const changes = { properties: { startup_script: 'of the update' } };
        setImmediate(() => void lab.commands.updateNode(CALLER, at, changes, 'conflict').then(resolve, reject));
      });
    });
    await lab.commands.createNode(CALLER, PROJECT, withText('of the create'), 'conflict');
    await updated;
    assert.equal(await textOf(lab.project), 'of the update');
  });

  it('that is a copy has the files of the original, also where the end of the server came behind its event', async (t) => {
    const lab = await labIn(t);
    const original = await lab.commands.createNode(CALLER, PROJECT, withText('ip 10.0.0.1/24'), 'conflict');
    await writeFile(path.join(original.node_directory ?? '', 'disk'), 'written by the node');
    await cut(lab, () => lab.commands.duplicateNode(CALLER, original, { x: 1, y: 2 }));
    const copy = lab.context.committed.ofProject('node', PROJECT).find(({ node_id }) => node_id !== NODE);
    assert.equal(await textOf(lab.project, copy?.node_id), 'ip 10.0.0.1/24');
    assert.equal(await readFile(path.join(copy?.node_directory ?? '', 'disk'), 'utf8'), 'written by the node');
    assert.deepEqual(await left(lab.project), []);
  });

  const keptFile = (project: string): string => path.join(project, '.topolog', `node-${NODE}`, 'startup.vpc');

  it('comes back with its node as it was, and is refused where what is kept of it has changed', async (t) => {
    const lab = await labIn(t);
    await lab.commands.createNode(CALLER, PROJECT, withText('ip 10.0.0.1/24'), 'conflict');
    await lab.commands.deleteNode(ADA, at);
    await lab.commands.undo(ADA, PROJECT);
    assert.equal(await textOf(lab.project), 'ip 10.0.0.1/24');

    await lab.commands.deleteNode(ADA, at);
    await writeFile(keptFile(lab.project), 'ip 10.0.0.3/24');
    const refused = /PC1: its file startup\.vpc is kept in .*startup\.vpc, and is not what was written/;
    await assert.rejects(lab.commands.undo(ADA, PROJECT), refused);
    assert.equal(lab.context.committed.get('node', NODE), undefined);
    await rm(keptFile(lab.project));
    await lab.commands.undo(ADA, PROJECT);
    assert.equal(lab.context.committed.get('node', NODE)?.name, 'PC1');
  });

  it('may be another one in what is kept of a node that has run', async (t) => {
    const lab = await labIn(t);
    await lab.commands.createNode(CALLER, PROJECT, withText('ip 10.0.0.1/24'), 'conflict');
    await lab.commands.actOnNode(CALLER, at, 'start');
    await lab.commands.updateNode(CALLER, at, { properties: { startup_script: 'ip 10.0.0.2/24' } }, 'conflict');
    await lab.commands.actOnNode(CALLER, at, 'stop');
    await lab.commands.deleteNode(ADA, at);
    await writeFile(keptFile(lab.project), 'ip 10.0.0.3/24');
    await lab.commands.undo(ADA, PROJECT);
    assert.equal(await textOf(lab.project), 'ip 10.0.0.3/24');
  });
});
