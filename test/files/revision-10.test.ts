import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { unzipSync } from 'fflate';
import { type TestServer, testServer } from '../support/server.ts';
import { zipOf } from '../support/zip.ts';
import { problemsOfFile } from './revision-9.ts';

type Bag = Record<string, unknown>;
interface Lab extends Bag {
  topology: { nodes: Bag[]; links: Bag[]; drawings: Bag[]; computes: Bag[] };
}

const readZip = (bytes: Uint8Array): Map<string, Buffer> =>
  new Map(Object.entries(unzipSync(bytes)).map(([name, data]) => [name, Buffer.from(data)]));

const nodeOf = (node_type: string, name: string, properties: Bag, more: Bag = {}): Bag => ({
  ...{ aux: null, aux_type: 'none', tags: ['rack:7', `vendor:${name}`] },
  ...{ compute_id: 'local', console: null, console_auto_start: false, console_type: 'telnet', custom_adapters: [] },
  ...{ first_port_name: null, height: 45, locked: false, name, node_id: randomUUID(), node_type },
  ...{ label: { rotation: 0, style: null, text: name, x: null, y: -40 }, port_name_format: 'Ethernet{0}' },
  ...{ port_segment_size: 0, properties, symbol: ':/symbols/vpcs_guest.svg', template_id: null, width: 65 },
  ...{ x: 0, y: 0, z: 1, ...more },
});

/** As gns3-server 3.1 writes it. */
const labOf3 = (): Lab => {
  const nodes = [
    nodeOf('vpcs', 'PC1', {}),
    nodeOf('vpcs', 'PC2', {}),
    nodeOf(
      'qemu',
      'VM',
      { aux_type: 'telnet', hda_disk_image_backing_file: 'a.qcow2', maxcpus: 4, adapters: 1, tpm: true, uefi: true },
      { aux: 5900, aux_type: 'telnet' },
    ),
    nodeOf('docker', 'box', { image: 'alpine', memory: 64, cpus: 0.5, aux_type: 'telnet' }, { console_type: 'ssh' }),
  ];
  const ends = nodes.slice(0, 2).map(({ node_id }) => ({
    ...{ node_id, adapter_number: 0, port_number: 0 },
    label: { text: 'e0', x: 1, y: 1, rotation: 0, style: '' },
  }));
  const link_style = { color: '#ff0000', width: 3, type: 2, link_type: 'bezier', bezier_curviness: 30 };
  return {
    ...{ auto_close: true, auto_open: false, auto_start: false, created_by: 'someone', drawing_grid_size: 25 },
    ...{ grid_size: 75, name: `ten ${randomUUID()}`, project_id: randomUUID(), revision: 10, scene_height: 1000 },
    ...{ scene_width: 2000, show_grid: false, show_interface_labels: false, show_layers: false },
    ...{ snap_to_grid: false, supplier: { logo: 'logo.png', url: null }, type: 'topology', version: '3.1.0a2' },
    ...{ variables: [{ name: 'A', value: null }], zoom: 100 },
    topology: {
      computes: [],
      drawings: [{ drawing_id: randomUUID(), locked: false, rotation: 0, svg: '<svg/>', x: 0, y: 0, z: 2 }],
      links: [{ filters: {}, link_id: randomUUID(), link_style, nodes: ends, suspend: false }],
      nodes,
    },
  };
};

describe('a lab of GNS3 3.x (revision 10)', () => {
  let server: TestServer;
  before(async () => (server = await testServer(['--simulate'])));
  after(() => server.close());

  const send = async (status: number, method: string, at: string, body?: unknown): Promise<Bag> => {
    const answer = await server.request(method, `/v2/projects${at}`, body);
    assert.equal(answer.status, status, answer.text);
    return answer.body as Bag;
  };
  const loaded = async (lab: Lab): Promise<{ file: string; at: string }> => {
    const file = path.join(server.dataDir, '..', lab['project_id'] as string, 'ten.gns3');
    await mkdir(path.dirname(file));
    await writeFile(file, JSON.stringify(lab));
    const { project_id } = await send(201, 'POST', '/load', { path: file });
    return { file, at: `/${String(project_id)}` };
  };
  const exported = async (
    at: string,
    query: string,
  ): Promise<{ names: string[]; lab: Lab; text: string; told: string }> => {
    const answer = await fetch(`${server.url}/v2/projects${at}/export${query}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200, bytes.toString());
    const files = readZip(bytes);
    const text = String(files.get('project.gns3'));
    const told = answer.headers.get('x-topolog-left-out') ?? '';
    return { names: [...files.keys()], lab: JSON.parse(text) as Lab, text, told };
  };

  it('loads, and an edit changes nothing else of its file', async () => {
    const lab = labOf3();
    const { file, at } = await loaded(lab);
    assert.equal(((await server.request('GET', `/v2/projects${at}/nodes`)).body as Bag[]).length, 4);
    const node = lab.topology.nodes[0] ?? {};
    await send(200, 'PUT', `${at}/nodes/${String(node['node_id'])}`, { x: 7 });
    await send(204, 'POST', `${at}/close`);
    node['x'] = 7;
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), lab);
  });

  it('stays one in an archive, in what an import makes of it, in a copy and after a restore', async () => {
    const lab = labOf3();
    const { at } = await loaded(lab);
    const { snapshot_id } = await send(201, 'POST', `${at}/snapshots`, { name: 'one' });
    await send(201, 'POST', `${at}/snapshots/${String(snapshot_id)}/restore`);
    const kept = ({ revision, version, created_by, topology: { nodes } }: Lab): unknown => [
      ...[revision, version, created_by],
      nodes.map(({ tags, aux_type }) => [tags, aux_type]),
    ];
    const archive = await fetch(`${server.url}/v2/projects${at}/export`);
    const bytes = Buffer.from(await archive.arrayBuffer());
    const project_id = randomUUID();
    const body = { method: 'POST', body: bytes };
    assert.equal((await fetch(`${server.url}/v2/projects/${project_id}/import`, body)).status, 201);
    const copy = await send(201, 'POST', `${at}/duplicate`, { name: randomUUID() });
    for (const one of [at, `/${project_id}`, `/${String(copy['project_id'])}`])
      assert.deepEqual(kept((await exported(one, '')).lab), kept(lab), one);
    assert.deepEqual(kept((await exported(at, '?revision=10')).lab), kept(lab));
  });

  it('goes to a server of the line 2.2 with revision=9, and what that has no place for is told', async () => {
    const lab = labOf3();
    const { at } = await loaded(lab);
    await send(201, 'POST', `${at}/snapshots`, { name: 'one' });
    const { lab: made, text, told, names } = await exported(at, '?revision=9&include_snapshots=yes');
    assert.deepEqual(problemsOfFile(text), []);
    assert.deepEqual([made['revision'], made['version']], [9, '2.2.60']);
    assert.equal(made.topology.nodes.length, 4);
    assert.equal(made.topology.nodes[3]?.['console_type'], 'telnet');
    for (const word of ['created_by', 'tags', 'aux_type', 'maxcpus', 'memory', 'PC1', 'console_type ssh'])
      assert.ok(told.includes(word), `${word}: ${told}`);
    assert.ok(names.some((name) => name.endsWith('.gns3snapshot')));
    const answer = await fetch(`${server.url}/v2/projects${at}/export?revision=9&include_snapshots=yes`);
    const inner = [...readZip(Buffer.from(await answer.arrayBuffer()))].find(([name]) =>
      name.endsWith('.gns3snapshot'),
    );
    assert.deepEqual(problemsOfFile(String(readZip(inner?.[1] ?? Buffer.alloc(0)).get('project.gns3'))), []);
    // The lab itself is as it was.
    assert.equal((await exported(at, '')).lab['revision'], 10);
  });

  it('of revision 9 goes as it is, without anything told, and is no lab of revision 10', async () => {
    const { project_id } = await send(201, 'POST', '', { name: randomUUID() });
    const at = `/${String(project_id)}`;
    const { lab, told } = await exported(at, '?revision=9');
    assert.deepEqual([lab['revision'], told], [9, '']);
    const refused = await send(409, 'GET', `${at}/export?revision=10`);
    assert.match(String(refused['message']), /revision 9.*3\.x reads/);
    for (const wrong of ['8', '11', '', 'nine', '9.0'])
      assert.match(String((await send(400, 'GET', `${at}/export?revision=${wrong}`))['message']), /revision/);
  });

  it('is refused with a number that is newer', async () => {
    const lab = { ...labOf3(), revision: 11 };
    const project_id = randomUUID();
    const body = zipOf([{ name: 'project.gns3', data: JSON.stringify(lab) }]);
    const answer = await fetch(`${server.url}/v2/projects/${project_id}/import`, { method: 'POST', body });
    assert.equal(answer.status, 409);
    assert.match(
      await answer.text(),
      /more recent version \(version 3\.1\.0a2\): its revision is 11; revisions 1 to 10/,
    );
  });
});
