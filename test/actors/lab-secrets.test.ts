import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { appendOne, toKindNode } from '../../src/actors/context.ts';
import { showLab } from '../../src/actors/lab-text/show.ts';
import { readTexts } from '../../src/events/read.ts';
import { ownStore } from '../support/own-log.ts';
import { tempDir } from '../support/temp.ts';
import { CALLER, testLab, type TestLab } from './test-lab.ts';

const PROJECT = '00000000-0000-4000-8000-0000000000b1';
const NODE = '00000000-0000-4000-8000-000000000001';
const at = { project_id: PROJECT, node_id: NODE };
const container = (environment: string) => ({
  ...{ node_id: NODE, name: 'C1', kind: 'container', compute_id: 'local' },
  properties: { image: 'box', environment },
});

const labIn = async (t: TestContext): Promise<TestLab & { dir: string }> => {
  const dir = await tempDir();
  const lab = await testLab({ dir: dir.path });
  t.after(async () => {
    await lab.close();
    await dir.remove();
  });
  const variables = [{ name: 'API_TOKEN', value: 'hunter2var' }];
  await lab.commands.createProject(CALLER, { name: 'secret', project_id: PROJECT, variables });
  await lab.commands.createNode(CALLER, PROJECT, container('A=1\nDB_PASSWORD=hunter2env'), 'conflict');
  return { ...lab, dir: dir.path };
};

const logOf = async ({ log }: TestLab, projectId = PROJECT): Promise<string> =>
  (await readTexts(log.store, projectId, { from: 1, limit: 1000 })).join('\n');

const givenTo = ({ context }: TestLab, id = NODE) => {
  const record = context.committed.get('node', id) ?? assert.fail('no such node');
  const { properties, project } = toKindNode(context, record);
  return { environment: properties['environment'], variables: project?.variables };
};

const WHOLE = { environment: 'A=1\nDB_PASSWORD=hunter2env', variables: [{ name: 'API_TOKEN', value: 'hunter2var' }] };

describe('secrets of a lab', () => {
  it('are in no event and in no record, and engines get them', async (t) => {
    const lab = await labIn(t);
    assert.doesNotMatch(await logOf(lab), /hunter2/);
    assert.doesNotMatch(JSON.stringify(lab.context.committed.get('node', NODE)), /hunter2/);
    assert.deepEqual(givenTo(lab), WHOLE);
  });

  it('are not changed by who sends back what is shown, and no event says so', async (t) => {
    const lab = await labIn(t);
    const before = lab.log.version(PROJECT);
    const shown = { properties: { environment: 'A=1\nDB_PASSWORD=***' } };
    await lab.commands.updateNode(CALLER, at, shown, 'conflict');
    await lab.commands.updateProject(CALLER, PROJECT, { variables: [{ name: 'API_TOKEN', value: '***' }] });
    assert.equal(lab.log.version(PROJECT), before);
    const added = { properties: { environment: 'B=2\nDB_PASSWORD=***' } };
    await lab.commands.updateNode(CALLER, at, added, 'conflict');
    assert.equal(givenTo(lab).environment, 'B=2\nDB_PASSWORD=hunter2env');
  });

  it('come back with an undo, and go along with duplicates of node and project', async (t) => {
    const lab = await labIn(t);
    const ada = { ...CALLER, request_id: 'change' };
    await lab.commands.updateNode(ada, at, { properties: { environment: 'DB_PASSWORD=other' } }, 'conflict');
    assert.equal(givenTo(lab).environment, 'DB_PASSWORD=other');
    await lab.commands.undo({ ...CALLER, request_id: 'undo' }, PROJECT);
    assert.deepEqual(givenTo(lab), WHOLE);
    await lab.commands.redo({ ...CALLER, request_id: 'redo' }, PROJECT);
    const copy = await lab.commands.duplicateNode(CALLER, at, { x: 0, y: 0 });
    assert.equal(givenTo(lab, copy.node_id).environment, 'DB_PASSWORD=other');
    const project = await lab.commands.duplicateProject(CALLER, PROJECT, { name: 'copy' });
    const [node] = lab.context.committed.ofProject('node', project.project_id);
    assert.equal(givenTo(lab, node?.node_id).environment, 'DB_PASSWORD=other');
    assert.doesNotMatch(await logOf(lab, project.project_id), /other|hunter2/);
  });

  it('are stored before the event is: an event whose secret cannot be stored is none', async (t) => {
    const lab = await labIn(t);
    const before = lab.log.version(PROJECT);
    t.mock.method(lab.context.secrets, 'flush', () => Promise.reject(new Error('disk')));
    await assert.rejects(
      lab.commands.updateNode(CALLER, at, { properties: { environment: 'DB_PASSWORD=new' } }, 'conflict'),
      { code: 'log_read_only' },
    );
    assert.equal(lab.log.version(PROJECT), before);
    assert.deepEqual(givenTo(lab), WHOLE);
  });

  it('are not in what an engine tells', async (t) => {
    const lab = await labIn(t);
    const message = 'DB_PASSWORD=hunter2env is not understood';
    await appendOne(lab.context, CALLER, PROJECT, 'warning.raised', { message, node_id: NODE });
    assert.doesNotMatch(await logOf(lab), /hunter2/);
  });

  it('are there after a start, and in no project file', async (t) => {
    const dir = await tempDir();
    const first = await testLab({ dir: dir.path });
    await first.commands.createProject(CALLER, { name: 'secret', project_id: PROJECT });
    await first.commands.createNode(CALLER, PROJECT, container('DB_PASSWORD=hunter2env'), 'conflict');
    const place = first.context.committed.get('project', PROJECT)?.path ?? '';
    await first.close();
    const files = (await readdir(place)).filter((name) => name.includes('.gns3'));
    assert.ok(files.length > 0);
    for (const name of files) assert.doesNotMatch(await readFile(path.join(place, name), 'utf8'), /hunter2|\*\*\*\w/);
    const next = await testLab({ dir: dir.path, open: ownStore(path.join(dir.path, 'log')) });
    t.after(async () => {
      await next.close();
      await dir.remove();
    });
    assert.equal(givenTo(next).environment, 'DB_PASSWORD=hunter2env');
    await next.commands.loadProject(CALLER, path.join(place, files.find((name) => name.endsWith('.gns3')) ?? ''));
    assert.equal(givenTo(next).environment, 'DB_PASSWORD=hunter2env');
  });
});

describe('a log of an earlier version', () => {
  it('has its records without secrets after a start', async (t) => {
    const dir = await tempDir();
    t.after(() => dir.remove());
    const first = await testLab({ dir: dir.path });
    // As an earlier version wrote them.
    t.mock.method(first.context.secrets, 'sealed', (_of: unknown, value: unknown) => value);
    const variables = [{ name: 'API_TOKEN', value: 'hunter2var' }];
    await first.commands.createProject(CALLER, { name: 'secret', project_id: PROJECT, variables });
    await first.commands.createNode(CALLER, PROJECT, container(WHOLE.environment), 'conflict');
    await first.close();
    const next = await testLab({ dir: dir.path });
    t.after(() => next.close());
    await next.lab.recover(false);
    assert.doesNotMatch(JSON.stringify(next.context.committed.get('node', NODE)), /hunter2/);
    assert.doesNotMatch(JSON.stringify(next.context.committed.get('project', PROJECT)), /hunter2/);
    assert.deepEqual(givenTo(next), WHOLE);
    const { position } = next.log.status();
    await next.lab.recover(false);
    assert.equal(next.log.status().position, position);
  });
});

describe('an archive', () => {
  it('has no secrets, says whose are left out, and is imported with a warning', async (t) => {
    const lab = await labIn(t);
    const pc = {
      name: 'PC1',
      kind: 'simple_pc',
      properties: { startup_script: '# enable secret hunter2up\nset pcname PC1\n' },
    };
    const { node_directory } = await lab.commands.createNode(CALLER, PROJECT, pc, 'conflict');
    await writeFile(path.join(node_directory ?? '', 'notes.txt'), 'see hunter2env');
    const { content, leftOut } = await lab.commands.exportProject(PROJECT, {});
    assert.deepEqual(leftOut, ['secret variables', 'secrets of C1, PC1']);
    const octets = await buffer(content);
    assert.doesNotMatch(octets.toString('latin1'), /hunter2/);
    assert.match(octets.toString('latin1'), /# enable secret \*\*\*\nset pcname PC1/);
    assert.match(octets.toString('latin1'), /see \*\*\*/);
    const archive = { content: Readable.from([octets]), limit: 1 << 20 };
    const { project_id } = await lab.commands.importProject(CALLER, randomUUID(), {}, archive);
    const warnings = (await logOf(lab, project_id)).match(/has \*\*\* in the place of a secret/g);
    assert.equal(warnings?.length, 2);
  });
});

describe('the start-up text of a node', () => {
  const ROUTER = '00000000-0000-4000-8000-000000000002';
  const there = { project_id: PROJECT, node_id: ROUTER };
  const config = 'hostname R1\nenable secret hunter2up\nsnmp-server community ***secret:hunter2mark*** ro\n';
  const whole = 'hostname R1\nenable secret hunter2up\nsnmp-server community hunter2mark ro\n';

  const routerIn = async (t: TestContext): Promise<TestLab & { file: string }> => {
    const lab = await labIn(t);
    const properties = { platform: 'c7200', image: 'ios.bin', startup_config_content: config };
    const input = { node_id: ROUTER, name: 'R1', kind: 'router_emulator', properties };
    const { node_directory } = await lab.commands.createNode(CALLER, PROJECT, input, 'conflict');
    const [file = ''] = await readdir(path.join(node_directory ?? '', 'configs'));
    return { ...lab, file: path.join(node_directory ?? '', 'configs', file) };
  };

  it('has its secrets in its file, and nowhere else', async (t) => {
    const lab = await routerIn(t);
    assert.equal(await readFile(lab.file, 'utf8'), whole);
    assert.doesNotMatch(await logOf(lab), /hunter2/);
    const shown = await showLab(lab.context, PROJECT, 'yaml');
    assert.match(shown, /enable secret \*\*\*\n\s*snmp-server community \*\*\* ro/);
    assert.doesNotMatch(shown, /hunter2|\*\*\*\w/);
    const { content } = await lab.commands.exportProject(PROJECT, {});
    assert.doesNotMatch((await buffer(content)).toString('latin1'), /hunter2/);
  });

  it('keeps them where it is sent back as it is shown', async (t) => {
    const lab = await routerIn(t);
    const shown = whole.replaceAll(/hunter2\w+/g, '***').replace('R1', 'R2');
    const changes = { properties: { startup_config_content: shown } };
    await lab.commands.updateNode(CALLER, there, changes, 'conflict');
    assert.equal(await readFile(lab.file, 'utf8'), whole.replace('R1', 'R2'));
    await lab.commands.batch(CALLER, PROJECT, [{ action: 'update', type: 'node', id: ROUTER, changes }]);
    assert.equal(await readFile(lab.file, 'utf8'), whole.replace('R1', 'R2'));
  });

  it('is no change in the text of the lab as it is shown', async (t) => {
    const lab = await routerIn(t);
    const text = await showLab(lab.context, PROJECT, 'yaml');
    const plan = await lab.commands.planLab({ format: 'yaml', text, project_id: PROJECT, files: {} });
    assert.deepEqual(plan.changes, []);
    const other = await lab.commands.planLab({
      format: 'yaml',
      text: text.replace(/ ro$/m, ' rw'),
      project_id: PROJECT,
      files: {},
    });
    assert.equal(other.changes.length, 1);
    assert.doesNotMatch(JSON.stringify(other), /hunter2/);
  });
});
