import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { defineKind } from '../../src/emulators/kit/define-kind.ts';
import { filled, nullable, required, text } from '../../src/emulators/kit/fields.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { FakeEngine } from '../actors/fake-engine.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { tempDir } from '../support/temp.ts';

type Bag = Record<string, unknown>;

/** Of another program than is installed: its engine needs nothing. */
const pictured = defineKind({
  name: 'pictured',
  directory: 'pictured',
  look: { symbol: ':/symbols/computer.svg', port_name_format: 'Ethernet{0}', port_segment_size: 0, name: 'P{0}' },
  fields: { image: required(filled), image_md5sum: nullable(text) },
  shown: [],
  hot: [],
  images: { folder: 'QEMU', fields: ['image'] },
  ports: () => [],
  engines: [{ name: 'fake', create: () => new FakeEngine().engine }],
});

const WRONG = '0'.repeat(32);
const md5 = (content: string): string => createHash('md5').update(content).digest('hex');

const serve = async (t: TestContext, ...flags: string[]): Promise<TestServer> => {
  const server = await testServer(flags, {}, { kinds: createKinds([...createKinds().all(), pictured]) });
  t.after(() => server.close());
  const folder = path.join(server.dataDir, 'images', 'QEMU');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'own.img'), 'an image');
  return server;
};

const send = async (server: TestServer, status: number, method: string, at: string, body?: unknown): Promise<Bag> => {
  const answer = await server.request(method, `/v2/projects${at}`, body);
  assert.equal(answer.status, status, answer.text);
  return answer.body as Bag;
};

const nodeWith = async (server: TestServer, properties: Bag): Promise<string> => {
  const { project_id } = await send(server, 201, 'POST', '', { name: 'lab' });
  const body = { name: 'P1', node_type: 'pictured', compute_id: 'local', properties };
  const { node_id } = await send(server, 201, 'POST', `/${String(project_id)}/nodes`, body);
  return `/${String(project_id)}/nodes/${String(node_id)}`;
};

describe('an image with another checksum than the node was made with', () => {
  it('is a warning in the record and in the log, and the node starts', async (t) => {
    const server = await serve(t);
    const at = await nodeWith(server, { image: 'own.img', image_md5sum: WRONG });
    const started = await send(server, 200, 'POST', `${at}/start`);
    assert.equal(started['status'], 'started');
    const { warnings, ...rest } = started['properties'] as Bag;
    const [sentence = '', ...more] = warnings as string[];
    assert.deepEqual(more, []);
    for (const part of ['own.img', WRONG, md5('an image'), 'image_md5sum'])
      assert.ok(sentence.includes(part), sentence);
    const events = await server.request('GET', '/v2/events?type=warning.raised');
    const [event] = (events.body as { events: { data: Bag }[] }).events;
    assert.deepEqual(event?.data, { message: `P1: ${sentence}`, node_id: at.split('/').at(-1) });

    // As clients put back what they have read.
    await send(server, 200, 'PUT', at, { properties: { ...rest, warnings } });
    await send(server, 200, 'POST', `${at}/stop`);
    await send(server, 200, 'PUT', at, { properties: { image_md5sum: md5('an image') } });
    const again = await send(server, 200, 'POST', `${at}/start`);
    assert.equal('warnings' in (again['properties'] as Bag), false);
  });

  it('is refused with --strict-images', async (t) => {
    const server = await serve(t, '--strict-images');
    const at = await nodeWith(server, { image: 'own.img', image_md5sum: WRONG });
    const { message } = await send(server, 409, 'POST', `${at}/start`);
    for (const part of ['own.img', WRONG, md5('an image')]) assert.ok(String(message).includes(part), String(message));
    await send(server, 200, 'PUT', at, { properties: { image_md5sum: md5('an image') } });
    await send(server, 200, 'POST', `${at}/start`);
  });
});

describe('images of other directories', () => {
  it('are listed, read and found, and links to folders are followed', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const put = async (...parts: string[]): Promise<void> => {
      const file = path.join(dir.path, ...parts);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, parts.join('/'));
    };
    await put('one', 'QEMU', 'vendor', 'a.img');
    await put('one', 'QEMU', 'own.img');
    await put('one', 'IOS', 'router.bin');
    await put('two', 'flat.img');
    await put('elsewhere', 'linked.img');
    await symlink(path.join(dir.path, 'elsewhere'), path.join(dir.path, 'one', 'QEMU', 'link'));
    const flags = ['one', 'two'].flatMap((name) => ['--images', path.join(dir.path, name)]);

    const server = await serve(t, ...flags);
    const list = async (of: TestServer): Promise<string[]> => {
      const { body } = await of.request('GET', '/v2/compute/qemu/images');
      return (body as Bag[]).map((image) => String(image['path'])).sort();
    };
    assert.deepEqual(await list(server), ['flat.img', 'link/linked.img', 'own.img', 'vendor/a.img']);
    const read = (name: string) => server.request('GET', `/v2/compute/qemu/images/${name}`);
    assert.equal((await read('vendor/a.img')).text, 'one/QEMU/vendor/a.img');
    assert.equal((await read('own.img')).text, 'an image');
    assert.equal((await read('flat.img')).text, 'two/flat.img');
    assert.equal((await read('none.img')).status, 404);

    for (const [n, image] of ['a.img', 'flat.img', 'linked.img'].entries()) {
      const { project_id } = await send(server, 201, 'POST', '', { name: `lab ${n}` });
      const body = {
        name: 'P1',
        node_type: 'pictured',
        compute_id: 'local',
        properties: { image, image_md5sum: WRONG },
      };
      const { node_id } = await send(server, 201, 'POST', `/${String(project_id)}/nodes`, body);
      const { properties } = await send(server, 200, 'POST', `/${String(project_id)}/nodes/${String(node_id)}/start`);
      const [sentence] = (properties as Bag)['warnings'] as string[];
      assert.ok(sentence?.includes(path.join(dir.path, image === 'flat.img' ? 'two' : 'one')), sentence);
    }

    // Who does not run the server finds nothing over a link that leads out.
    const remote = await serve(t, '--no-local', ...flags);
    assert.deepEqual(await list(remote), ['flat.img', 'own.img', 'vendor/a.img']);
  });
});
