import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { VERSION } from '../../src/common/package.ts';
import { fixture } from '../fixtures/fixture.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { KIND_EVENTS, problemsOfFile } from './revision-9.ts';

type Bag = Record<string, unknown>;
interface Lab extends Bag {
  topology: { nodes: Bag[]; links: Bag[]; drawings: Bag[]; computes: Bag[] };
}

describe('a lab that goes to this server and back to the existing one', () => {
  let server: TestServer;
  before(async () => (server = await testServer(['--simulate'])));
  after(() => server.close());

  const send = async (status: number, method: string, at: string, body?: unknown): Promise<Bag> => {
    const answer = await server.request(method, `/v2/projects${at}`, body);
    assert.equal(answer.status, status, answer.text);
    return answer.body as Bag;
  };

  const put = async (name: string, text: string): Promise<string> => {
    const file = path.join(server.dataDir, '..', name, `${name}.gns3`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };

  /** Loads a lab, moves one of its nodes by one to the right, closes it. Returns the file's text. */
  const moved = async (name: string, text: string, index = 0): Promise<string> => {
    const file = await put(name, text);
    const { project_id } = await send(201, 'POST', '/load', { path: file });
    const node = (JSON.parse(text) as Lab).topology.nodes[index];
    const at = `/${String(project_id)}/nodes/${String(node?.['node_id'])}`;
    const { x } = await send(200, 'GET', at);
    await send(200, 'PUT', at, { x: Number(x) + 1 });
    await send(204, 'POST', `/${String(project_id)}/close`);
    return readFile(file, 'utf8');
  };

  const labOf = (nodes: Bag[], more: Bag = {}): Lab => ({
    auto_close: true,
    auto_open: false,
    auto_start: false,
    drawing_grid_size: 25,
    grid_size: 75,
    name: `lab ${randomUUID()}`,
    project_id: randomUUID(),
    revision: 9,
    scene_height: 1000,
    scene_width: 2000,
    show_grid: false,
    show_interface_labels: false,
    show_layers: false,
    snap_to_grid: false,
    supplier: null,
    topology: { computes: [], drawings: [], links: [], nodes },
    type: 'topology',
    variables: null,
    version: '2.2.54',
    zoom: 100,
    ...more,
  });

  const nodeOf = (type: string, name: string, properties: Bag, more: Bag = {}): Bag => ({
    compute_id: 'local',
    console: null,
    console_auto_start: false,
    console_type: KIND_EVENTS[type]?.console.at(-1) ?? 'none',
    custom_adapters: [],
    first_port_name: null,
    height: 59,
    label: { rotation: 0, style: null, text: name, x: null, y: -40 },
    locked: false,
    name,
    node_id: randomUUID(),
    node_type: type,
    port_name_format: 'Ethernet{0}',
    port_segment_size: 0,
    properties,
    symbol: ':/symbols/computer.svg',
    template_id: null,
    width: 65,
    x: 0,
    y: 0,
    z: 1,
    ...more,
  });

  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
  };
  const textOf = (lab: Lab): string => JSON.stringify(sorted(lab), null, 4);

  /** The lines of one text where the other has another. */
  const changed = (before: string, after: string): string[] => {
    const lines = after.split('\n');
    const was = before.split('\n');
    assert.equal(lines.length, was.length);
    return lines.filter((line, i) => line !== was[i]).map((line) => line.trim());
  };

  for (const [type, { properties, needs, nulls }] of Object.entries(KIND_EVENTS)) {
    it(`differs in one coordinate alone: ${type} with every property absent, null and set`, async () => {
      const nodes = [nodeOf(type, `${type}-bare`, needs)];
      for (const [key, [check, sample, beside = {}]] of Object.entries(properties)) {
        nodes.push(nodeOf(type, `${type}-${key}-set`, { ...needs, ...beside, [key]: sample }));
        if (key in needs || (nulls === 'checked' && check(null) !== null)) continue;
        nodes.push(nodeOf(type, `${type}-${key}-null`, { ...needs, [key]: null }));
      }
      const text = textOf(labOf(nodes));
      assert.deepEqual(problemsOfFile(text), []);
      const written = await moved(type, text);
      assert.deepEqual(changed(text, written), ['"x": 1,']);
    });

    it(`is taken back by the existing server: ${type} as clients make it, with every property absent, default and set`, async () => {
      const { project_id, path: directory, filename } = await send(201, 'POST', '', { name: `made ${type}` });
      const at = `/${String(project_id)}/nodes`;
      const make = async (name: string, given: Bag, more: Bag = {}): Promise<Bag> =>
        send(201, 'POST', at, { name, node_type: type, compute_id: 'local', properties: given, ...more });
      const bare = await make('bare', needs);
      for (const [key, [, sample, beside = {}]] of Object.entries(properties))
        await make(`${key} set`, { ...needs, ...beside, [key]: sample });
      // As clients send what they read.
      await send(200, 'PUT', `${at}/${String(bare['node_id'])}`, { properties: bare['properties'], x: 1 });
      for (const console_type of KIND_EVENTS[type]?.console ?? [])
        await make(`console ${console_type}`, needs, { console_type });
      await send(204, 'POST', `/${String(project_id)}/close`);
      const text = await readFile(path.join(String(directory), String(filename)), 'utf8');
      assert.deepEqual(problemsOfFile(text), []);
      assert.equal((JSON.parse(text) as Lab)['version'], '2.2.60');
    });
  }

  for (const [platform, chassis] of [
    ...[undefined, ''].flatMap((none) => ['c2691', 'c3725', 'c3745', 'c7200'].map((name) => [name, none] as const)),
    ...[undefined, ''].flatMap((none) => ['c1700', 'c2600', 'c3600'].map((name) => [name, none] as const)),
  ])
    it(`has no empty chassis: ${platform}, ${chassis === '' ? 'given as empty' : 'not given'}`, async () => {
      const { project_id, path: directory, filename } = await send(201, 'POST', '', { name: `${platform} ${chassis}` });
      const properties = { platform, image: 'a.bin', ram: 128, ...(chassis === undefined ? {} : { chassis }) };
      const body = { name: 'R1', node_type: 'dynamips', compute_id: 'local', properties };
      const node = await send(201, 'POST', `/${String(project_id)}/nodes`, body);
      assert.notEqual((node['properties'] as Bag)['chassis'], '');
      await send(204, 'POST', `/${String(project_id)}/close`);
      assert.deepEqual(problemsOfFile(await readFile(path.join(String(directory), String(filename)), 'utf8')), []);
    });

  it('keeps pictures where they are, until one is changed', async () => {
    const name = '0123456789abcdef0123456789abcdef.svg';
    const drawing = { drawing_id: randomUUID(), locked: false, rotation: 0, svg: name, x: 5, y: 5, z: 2 };
    const lab = labOf([nodeOf('vpcs', 'PC1', {})]);
    const text = textOf({ ...lab, topology: { ...lab.topology, drawings: [drawing] } });
    const file = await put('pictured', text);
    const picture = path.join(path.dirname(file), 'project-files', 'images', name);
    await mkdir(path.dirname(picture), { recursive: true });
    const svg = `<svg height="9" width="9">${'<rect/>'.repeat(300)}</svg>`;
    await writeFile(picture, svg);
    const { project_id } = await send(201, 'POST', '/load', { path: file });
    const at = `/${String(project_id)}/drawings/${drawing.drawing_id}`;
    assert.equal((await send(200, 'GET', at))['svg'], svg);
    await send(201, 'PUT', at, { x: 6 });
    await send(204, 'POST', `/${String(project_id)}/close`);
    assert.deepEqual(changed(text, await readFile(file, 'utf8')), ['"x": 6,']);
    // Not every copy has the pictures of the other's directory.
    const copy = await send(201, 'POST', `/${String(project_id)}/duplicate`, { name: 'pictured again' });
    await send(201, 'POST', `/${String(copy['project_id'])}/open`);
    await send(204, 'POST', `/${String(copy['project_id'])}/close`);
    const copied = JSON.parse(await readFile(path.join(String(copy['path']), String(copy['filename'])), 'utf8')) as Lab;
    assert.equal(copied.topology.drawings[0]?.['svg'], svg);
    await send(201, 'POST', `/${String(project_id)}/open`);
    await send(201, 'PUT', at, { svg: '<svg/>' });
    await send(204, 'POST', `/${String(project_id)}/close`);
    assert.deepEqual(changed(text, await readFile(file, 'utf8')), ['"svg": "<svg/>",', '"x": 6,']);
  });

  it('has what is changed to and back, and what existing tools would refuse is left out', async () => {
    const lab = labOf([
      nodeOf('docker', 'H1', { image: 'alpine', environment: null }),
      nodeOf('dynamips', 'R1', {
        platform: 'c7200',
        image: 'a.bin',
        ram: 512,
        chassis: null,
        idlepc: null,
        sensors: null,
      }),
      nodeOf('vmware', 'D1', { vmx_path: '/vm/one.vmx' }),
    ]);
    const file = await put('changed', textOf(lab));
    const { project_id } = await send(201, 'POST', '/load', { path: file });
    const at = `/${String(project_id)}/nodes/${String(lab.topology.nodes[0]?.['node_id'])}`;
    const environments: unknown[] = [];
    for (const environment of ['A=1', '']) {
      await send(200, 'PUT', at, { properties: { environment } });
      await send(204, 'POST', `/${String(project_id)}/close`);
      const text = await readFile(file, 'utf8');
      assert.deepEqual(problemsOfFile(text), []);
      environments.push(((JSON.parse(text) as Lab).topology.nodes[0]?.['properties'] as Bag)['environment']);
      await send(201, 'POST', `/${String(project_id)}/open`);
    }
    assert.deepEqual(environments, ['A=1', null]);
  });

  it('has what only this server knows in a file beside, and in archives', async () => {
    const file = await put('own', textOf(labOf([nodeOf('vpcs', 'PC1', {}), nodeOf('vpcs', 'PC2', {})])));
    const own = `${file}.topolog.json`;
    const { project_id } = await send(201, 'POST', '/load', { path: file });
    const found = (await send(200, 'GET', `/${String(project_id)}/nodes`)) as unknown as Bag[];
    const [node] = found;
    const at = `/${String(project_id)}/nodes/${String(node?.['node_id'])}`;
    const ends = found.map(({ node_id }) => ({ node_id, adapter_number: 0, port_number: 0 }));
    const filters = { packet_loss: [5], 'delay>': [20, 0] };
    const { link_id } = await send(201, 'POST', `/${String(project_id)}/links`, { nodes: ends, filters });
    const properties = { engine: 'simulated', simulate: { delay_ms: 1 } };
    await send(200, 'PUT', at, { properties });
    await send(200, 'PUT', `/${String(project_id)}`, { record_consoles: true });
    await send(204, 'POST', `/${String(project_id)}/close`);
    assert.deepEqual(problemsOfFile(await readFile(file, 'utf8')), []);
    const nodes = { [String(node?.['node_id'])]: properties };
    const links = { [String(link_id)]: { filters: { 'delay>': [20, 0] } } };
    const settings = { record_consoles: true };
    assert.deepEqual(JSON.parse(await readFile(own, 'utf8')), { version: VERSION, settings, nodes, links });
    const [written] = (JSON.parse(await readFile(file, 'utf8')) as Lab).topology.links;
    assert.deepEqual(written?.['filters'], { packet_loss: [5] });

    const archive = await fetch(`${server.url}/v2/projects/${String(project_id)}/export`);
    const id = randomUUID();
    const url = `${server.url}/v2/projects/${id}/import?name=own%20again`;
    assert.equal((await fetch(url, { method: 'POST', body: await archive.arrayBuffer() })).status, 201);
    const [imported] = (await send(200, 'GET', `/${id}/nodes`)) as unknown as Bag[];
    const { engine, simulate } = imported?.['properties'] as Bag;
    assert.deepEqual({ engine, simulate }, properties);
    assert.equal((await send(200, 'GET', `/${id}`))['record_consoles'], true);
    const [importedLink] = (await send(200, 'GET', `/${id}/links`)) as unknown as Bag[];
    assert.deepEqual(importedLink?.['filters'], filters);

    // As another tool would leave the file.
    await writeFile(file, (await readFile(file, 'utf8')).replace('"zoom": 100', '"zoom": 90'));
    assert.equal((await send(201, 'POST', '/load', { path: file }))['record_consoles'], true);
    assert.equal(((await send(200, 'GET', at))['properties'] as Bag)['engine'], 'simulated');
    const linkAt = `/${String(project_id)}/links/${String(link_id)}`;
    assert.deepEqual((await send(200, 'GET', linkAt))['filters'], filters);
    await send(200, 'PUT', at, { properties: { engine: null, simulate: null } });
    await send(201, 'PUT', linkAt, { filters: {} });
    await send(200, 'PUT', `/${String(project_id)}`, { record_consoles: false });
    await send(204, 'POST', `/${String(project_id)}/close`);
    await assert.rejects(readFile(own), { code: 'ENOENT' });
  });

  for (const name of ['campus', 'exchange'])
    it(`differs in one coordinate alone: ${name}`, async () => {
      const text = fixture(`projects/${name}.gns3`).replace(/"project_id": "[^"]*"/, `"project_id": "${randomUUID()}"`);
      assert.deepEqual(problemsOfFile(text), []);
      const { x } = (JSON.parse(text) as Lab).topology.nodes[0] ?? {};
      assert.deepEqual(changed(text, await moved(name, text)), [`"x": ${Number(x) + 1},`]);
    });
});
