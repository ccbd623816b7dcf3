import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { adoptFiles } from '../../src/emulators/router_emulator/files.ts';
import type { NodeRecord } from '../../src/projections/records.ts';
import { readTexts } from '../../src/events/read.ts';
import type { AnyEvent } from '../../src/events/schemas.ts';
import { makeTemp } from '../support/temp.ts';
import { CALLER, testLab, type TestLab } from './test-lab.ts';

let t: TestLab;
let project_id: string;
before(async () => {
  t = await testLab({ dir: await makeTemp('topolog-name-lines') });
  ({ project_id } = await t.commands.createProject(CALLER, { name: 'names' }));
});
after(() => t.close());

const make = (kind: string, name: string, properties: Record<string, unknown>): Promise<NodeRecord> =>
  t.commands.createNode(
    CALLER,
    project_id,
    { kind, name, properties: { engine: 'simulated', ...properties } },
    'conflict',
  );
const rename = ({ node_id }: NodeRecord, name: string): Promise<NodeRecord> =>
  t.commands.updateNode(CALLER, { project_id, node_id }, { name }, 'conflict');
const copy = ({ node_id }: NodeRecord): Promise<NodeRecord> =>
  t.commands.duplicateNode(CALLER, { project_id, node_id }, { x: 1, y: 1 });
const text = ({ node_directory }: NodeRecord, name: string): Promise<string> =>
  readFile(path.join(node_directory ?? '', name), 'utf8');

const C7200 = { platform: 'c7200', image: 'i.image', ram: 128 };
const configOf = (node: NodeRecord, what = 'startup'): string =>
  `configs/i${String(node.properties['dynamips_id'])}_${what}-config.cfg`;

describe('a name in start-up texts', () => {
  it('follows a new name of the node, and nothing else of the text changes', async () => {
    const script = 'set pcname PC1\nip 10.0.0.1/24\n# PC1 is mine, not set pcname\n';
    const pc = await make('simple_pc', 'PC1', { startup_script: script });
    await rename(pc, 'Alice');
    const expected = script.replace('set pcname PC1', 'set pcname Alice');
    assert.equal(await text(pc, 'startup.vpc'), expected);
    // What was written into the file since then counts.
    await writeFile(path.join(pc.node_directory ?? '', 'startup.vpc'), 'set pcname other\nip dhcp\n');
    const renamed = await rename(pc, 'Bob');
    assert.equal(await text(pc, 'startup.vpc'), 'set pcname Bob\nip dhcp\n');
    assert.deepEqual(renamed.texts, { startup_script: 'set pcname %h\nip dhcp\n' });
  });

  it('is told by the event of the new name', async () => {
    const pc = await make('simple_pc', 'Told', { startup_script: 'set pcname %h\n' });
    await rename(pc, 'Tell');
    const texts = await readTexts(t.log.store, project_id);
    const last = texts.map((one) => JSON.parse(one) as AnyEvent).at(-1);
    assert.equal(last?.type, 'node.updated');
    assert.deepEqual(
      (last.data as { written?: { path: string }[] }).written?.map((one) => one.path),
      ['startup.vpc'],
    );
  });

  it('follows also while the node runs', async () => {
    const pc = await make('simple_pc', 'Runs', { startup_script: 'set pcname %h\n' });
    await t.commands.actOnNode(CALLER, { project_id, node_id: pc.node_id }, 'start');
    await rename(pc, 'Walks');
    assert.equal(await text(pc, 'startup.vpc'), 'set pcname Walks\n');
  });

  it('stays as it is where a text is given with the name', async () => {
    const pc = await make('simple_pc', 'Given', { startup_script: 'set pcname %h\n' });
    const changes = { name: 'Taken', properties: { startup_script: 'set pcname mine\n' } };
    await t.commands.updateNode(CALLER, { project_id, node_id: pc.node_id }, changes, 'conflict');
    assert.equal(await text(pc, 'startup.vpc'), 'set pcname mine\n');
  });

  it('is that of the copy of a router, whose texts are there before its start', async () => {
    const given = { startup_config_content: '!\nhostname %h\n!\n', private_config_content: 'key\n', dynamips_id: 7 };
    const router = await make('router_emulator', 'R1', { ...C7200, ...given });
    assert.equal(await text(router, configOf(router)), '!\nhostname R1\n!\n');
    const other = await copy(router);
    assert.equal(await text(other, configOf(other)), `!\nhostname ${other.name}\n!\n`);
    assert.equal(await text(other, configOf(other, 'private')), 'key\n');
    await rename(router, 'Edge');
    assert.equal(await text(router, configOf(router)), '!\nhostname Edge\n!\n');
    assert.equal(await text(other, configOf(other)), `!\nhostname ${other.name}\n!\n`);
  });

  it('follows at a router of the other emulator, in both of its texts', async () => {
    const given = {
      path: 'i.bin',
      startup_config_content: 'hostname %h\n',
      private_config_content: 'hostname %h\nkey\n',
    };
    const router = await make('switch_router_emulator', 'I1', given);
    await rename(router, 'Core');
    assert.equal(await text(router, 'startup-config.cfg'), 'hostname Core\n');
    assert.equal(await text(router, 'private-config.cfg'), 'hostname Core\nkey\n');
  });
});

describe('files of a router with another number', () => {
  it('become its own also beside a text that it has already', async () => {
    const directory = await makeTemp('topolog-adopt');
    await mkdir(path.join(directory, 'configs'));
    for (const name of ['configs/i9_startup-config.cfg', 'configs/i4_startup-config.cfg', 'c7200_i4_nvram'])
      await writeFile(path.join(directory, name), name);
    await adoptFiles(directory, 9);
    assert.deepEqual((await readdir(directory)).sort(), ['c7200_i9_nvram', 'configs']);
    assert.equal(
      await readFile(path.join(directory, 'configs/i9_startup-config.cfg'), 'utf8'),
      'configs/i9_startup-config.cfg',
    );
  });
});
