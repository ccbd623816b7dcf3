import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { imageCommands } from '../../src/actors/catalogue/commands.ts';
import { type Answer, testServer, type TestServer } from '../support/server.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

describe('images of a kind', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer(['--image-limit', '1']);
  });
  after(() => server.close());

  const folder = (name = 'QEMU'): string => path.join(server.dataDir, 'images', name);
  const at = (name: string, kind = 'machine_emulator'): string => `/v2/compute/${kind}/images/${name}`;
  const put = (name: string, text: string, kind?: string): Promise<Answer> =>
    server.request('POST', at(name, kind), text);
  const uploads = async (): Promise<Record<string, unknown>[]> => {
    const { body } = await server.request('GET', '/v2/events?type=image.uploaded&limit=1000');
    return (body as { events: { data: Record<string, unknown> }[] }).events.map(({ data }) => data);
  };

  it('are on disk with their checksum beside, listed, read back, and on the record of the server', async () => {
    assert.equal((await put('disks/small.qcow2', 'a disk')).status, 204);
    assert.equal(await readFile(path.join(folder(), 'disks/small.qcow2.md5sum'), 'utf8'), md5('a disk'));
    const listed = await server.request('GET', '/v2/compute/machine_emulator/images');
    assert.deepEqual(listed.body, [
      { filename: 'small.qcow2', path: 'disks/small.qcow2', filesize: 6, md5sum: md5('a disk') },
    ]);
    const read = await server.request('GET', at('disks/small.qcow2'));
    assert.equal(read.text, 'a disk');
    assert.equal(read.headers.get('x-route'), '/v2/compute/machine_emulator/images/{filename}');
    const { upload, ...event } = (await uploads())[0] ?? {};
    assert.match(String(upload), /^[0-9a-f-]{36}$/);
    assert.deepEqual(event, {
      kind: 'machine_emulator',
      filename: 'disks/small.qcow2',
      bytes: 6,
      md5sum: md5('a disk'),
    });
  });

  it('are found by the name that existing tools use for the kind, and through the controller', async () => {
    const way = '/v2/computes/local/qemu/images';
    const sent = await server.request('POST', `${way}/from-a-client.img`, 'bytes');
    assert.deepEqual([sent.status, sent.body], [200, {}]);
    for (const list of [way, '/v2/compute/qemu/images', '/v2/computes/local/machine_emulator/images']) {
      const { status, body } = await server.request('GET', list);
      assert.equal(status, 200, list);
      assert.ok(
        (body as { filename: string }[]).some(({ filename }) => filename === 'from-a-client.img'),
        list,
      );
    }
    assert.equal((await server.request('GET', `${way}/from-a-client.img`)).text, 'bytes');
  });

  it('cannot be written or read outside their directory', async () => {
    const outside = path.join(server.dataDir, 'outside');
    await mkdir(outside, { recursive: true });
    await mkdir(folder(), { recursive: true });
    await writeFile(path.join(outside, 'secret'), 'secret');
    await symlink(outside, path.join(folder(), 'way-out'));
    for (const name of ['..%2f..%2flog', 'a/..%2f..%2f..%2fx', 'way-out/secret', 'way-out/new']) {
      assert.equal((await put(name, 'evil')).status, 403, name);
      assert.equal((await server.request('GET', at(name))).status, 403, name);
    }
    assert.equal((await put('x.md5sum', md5('other'))).status, 403);
    assert.deepEqual(await readdir(outside), ['secret']);
    assert.equal(await readFile(path.join(outside, 'secret'), 'utf8'), 'secret');
  });

  it('that are too large, or end early, leave nothing behind', async () => {
    const large = await put('large.img', 'x'.repeat(1024 * 1024 + 1));
    assert.equal(large.status, 413);
    assert.equal(existsSync(path.join(folder(), 'large.img')), false);
    const left = await readdir(path.join(folder(), '.topolog')).catch(() => []);
    assert.deepEqual(left, []);
    assert.equal(
      (await uploads()).some(({ filename }) => filename === 'large.img'),
      false,
    );
  });

  it('may have names as long as leaves room for that of the checksum, and no longer', async () => {
    assert.equal((await put('n'.repeat(248), 'x')).status, 204);
    assert.ok(existsSync(path.join(folder(), `${'n'.repeat(248)}.md5sum`)));
    for (const length of [249, 255, 256, 1000]) {
      const { status, text } = await put('n'.repeat(length), 'x');
      assert.equal(status, 400, text);
    }
    assert.deepEqual(await readdir(path.join(folder(), '.topolog')).catch(() => []), []);
  });

  it('that come at once under one name are one of them, with its own checksum', async () => {
    const texts = Array.from({ length: 8 }, (_, i) => `version ${i} `.repeat(1000 + i));
    const answers = await Promise.all(texts.map((text) => put('race.img', text)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      texts.map(() => 204),
    );
    const last = await readFile(path.join(folder(), 'race.img'), 'utf8');
    assert.ok(texts.includes(last));
    assert.equal(await readFile(path.join(folder(), 'race.img.md5sum'), 'utf8'), md5(last));
    const events = (await uploads()).filter(({ filename }) => filename === 'race.img');
    assert.equal(events.length, texts.length);
    assert.equal(events.at(-1)?.['md5sum'], md5(last));
  });

  it('of routers are listed only when they are programs of a router', async () => {
    const [big, little] = [
      Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 1, 2, 1),
      Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 1, 1, 1),
    ];
    for (const [kind, directory, image] of [
      ['router_emulator', 'IOS', big],
      ['switch_router_emulator', 'IOU', little],
    ] as const) {
      await mkdir(folder(directory), { recursive: true });
      await writeFile(path.join(folder(directory), 'router.bin'), image);
      await writeFile(path.join(folder(directory), 'notes.txt'), 'no image');
      const { body } = await server.request('GET', `/v2/compute/${kind}/images`);
      assert.deepEqual(
        (body as { filename: string }[]).map(({ filename }) => filename),
        ['router.bin'],
      );
    }
  });

  it('whose event cannot be written are not there either', async () => {
    const log = {
      version: () => 0,
      check: () => undefined,
      writable: true,
      append: () => Promise.reject(new Error('the disk is gone')),
    };
    const kinds = { get: () => ({ images: { folder: 'QEMU', fields: [] } }), all: () => [] };
    const { writeImage } = imageCommands({ log, kinds, settings: { filesDir: server.dataDir } } as never);
    const content = (await import('node:stream')).Readable.from([Buffer.from('bytes')]);
    const caller = { by: { principal: 'a', address: null, agent: null }, request_id: null };
    await assert.rejects(writeImage(caller, 'machine_emulator', 'lost.img', { content, limit: 100 }), /disk is gone/);
    assert.equal(existsSync(path.join(folder(), 'lost.img')), false);
    assert.deepEqual(await readdir(path.join(folder(), '.topolog')).catch(() => []), []);
  });

  it('of which one is in the way of the other have an event for the one that is there', async () => {
    const events: string[] = [];
    const append = (drafts: { data: { filename: string } }[]): Promise<void> => {
      events.push(...drafts.map(({ data }) => data.filename));
      return Promise.resolve();
    };
    const log = { version: () => 0, check: () => undefined, append };
    const kinds = { get: () => ({ images: { folder: 'QEMU', fields: [] } }), all: () => [] };
    const { writeImage } = imageCommands({ log, kinds, settings: { filesDir: server.dataDir } } as never);
    const caller = { by: { principal: 'a', address: null, agent: null }, request_id: null };
    const names = ['way', 'way/deeper'];
    const contents = names.map(() => new PassThrough());
    const writes = names.map((name, n) =>
      writeImage(caller, 'machine_emulator', name, { content: contents[n] ?? assert.fail(), limit: 100 }),
    );
    // Both were taken while nothing was in the way of either.
    for (const content of contents) content.end('bytes');
    const ended = await Promise.allSettled(writes);
    assert.deepEqual(
      events,
      names.filter((_, n) => ended[n]?.status === 'fulfilled'),
    );
    assert.equal(events.length, 1);
    assert.equal(await readFile(path.join(folder(), events[0] ?? ''), 'utf8'), 'bytes');
  });
});
