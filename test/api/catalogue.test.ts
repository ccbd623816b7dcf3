import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { testServer, type TestServer } from '../support/server.ts';

interface Listed {
  filename: string;
  symbol_id: string;
  uses: number;
  used_by: { what: string; name: string; project: string | null }[];
}

describe('the catalogue', () => {
  let server: TestServer;
  let project = '';
  before(async () => {
    server = await testServer();
    const made = await server.request('POST', '/v2/projects', { name: 'lab' });
    project = `/v2/projects/${(made.body as { project_id: string }).project_id}`;
  });
  after(() => server.close());

  const list = async (what: 'images' | 'symbols'): Promise<Listed[]> =>
    (await server.request('GET', `/v2/catalogue/${what}`)).body as Listed[];
  const upload = (name: string): Promise<unknown> =>
    server.request('POST', `/v2/compute/machine_emulator/images/${name}`, 'a disk');
  const template = { name: 'Box', template_type: 'qemu', compute_id: 'local' };

  it('lists images with who needs them, and keeps those', async () => {
    await upload('disks/a.qcow2');
    await upload('b.qcow2');
    const node = await server.request('POST', `${project}/nodes`, {
      ...{ name: 'VM1', node_type: 'qemu', compute_id: 'local', x: 0, y: 0 },
      properties: { hda_disk_image: 'a.qcow2' },
    });
    assert.equal(node.status, 201, node.text);
    await server.request('POST', '/v2/templates', { ...template, hdb_disk_image: 'disks/a.qcow2' });
    const [a, b] = await list('images');
    assert.deepEqual([a?.filename, a?.uses, b?.filename, b?.uses], ['a.qcow2', 2, 'b.qcow2', 0]);
    assert.deepEqual(
      a?.used_by.map(({ what, name, project: lab }) => [what, name, lab]),
      [
        ['node', 'VM1', 'lab'],
        ['template', 'Box', null],
      ],
    );
    const kept = await server.request('DELETE', '/v2/catalogue/images/machine_emulator/disks%2Fa.qcow2');
    assert.equal(kept.status, 409);
    assert.match(kept.text, /VM1 in lab, the template Box/);
    assert.ok(existsSync(path.join(server.dataDir, 'images/QEMU/disks/a.qcow2')));
  });

  it('deletes an image that nobody needs, with its sum and on the record', async () => {
    const gone = await server.request('DELETE', '/v2/catalogue/images/qemu/b.qcow2');
    assert.equal(gone.status, 204, gone.text);
    for (const file of ['b.qcow2', 'b.qcow2.md5sum'])
      assert.equal(existsSync(path.join(server.dataDir, 'images/QEMU', file)), false);
    const { body } = await server.request('GET', '/v2/events?type=image.deleted');
    const { upload, ...data } = (body as { events: { data: Record<string, unknown> }[] }).events[0]?.data ?? {};
    assert.deepEqual(data, { kind: 'machine_emulator', filename: 'b.qcow2' });
    assert.equal(typeof upload, 'string');
    assert.equal((await server.request('DELETE', '/v2/catalogue/images/qemu/b.qcow2')).status, 404);
    assert.equal((await server.request('DELETE', '/v2/catalogue/images/nonsense/b.qcow2')).status, 404);
    assert.equal((await server.request('DELETE', '/v2/catalogue/images/vpcs/b.qcow2')).status, 404);
    assert.equal((await server.request('DELETE', '/v2/catalogue/images/qemu/..%2f..%2fkeys')).status, 403);
  });

  it('lists stored symbols with who has them, and deletes the others only', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>';
    for (const name of ['mine.svg', 'other.svg'])
      assert.equal((await server.request('POST', `/v2/symbols/${name}/raw`, svg)).status, 204);
    const body = { ...template, name: 'Own', symbol: 'mine.svg' };
    assert.equal((await server.request('POST', '/v2/templates', body)).status, 201);
    assert.deepEqual(
      (await list('symbols')).map(({ symbol_id, uses }) => [symbol_id, uses]),
      [
        ['mine.svg', 1],
        ['other.svg', 0],
      ],
    );
    assert.equal((await server.request('DELETE', '/v2/catalogue/symbols/mine.svg')).status, 409);
    assert.equal((await server.request('DELETE', '/v2/catalogue/symbols/other.svg')).status, 204);
    assert.equal((await server.request('DELETE', '/v2/catalogue/symbols/other.svg')).status, 404);
    assert.equal((await server.request('DELETE', '/v2/catalogue/symbols/%3A%2Fsymbols%2Fhub.svg')).status, 404);
    assert.deepEqual((await list('symbols')).length, 1);
  });

  it('reads an appliance, and takes the template that it makes', async () => {
    const file = {
      ...{ name: 'Router', category: 'router', registry_version: 4 },
      qemu: { arch: 'x86_64', ram: 128, adapters: 2, console_type: 'telnet' },
      images: [{ filename: 'a.qcow2', version: '1', md5sum: '5af1f7a5b7d3a1e2f2a6e4f0f1c7c9d1', filesize: 6 }],
      versions: [{ name: '1', images: { hda_disk_image: 'a.qcow2' } }],
    };
    const wrong = await server.request('POST', '/v2/catalogue/appliances', file);
    assert.equal(wrong.status, 200, wrong.text);
    const [image] = await list('images');
    const md5sum = (image as unknown as { md5sum: string }).md5sum;
    const right = await server.request('POST', '/v2/catalogue/appliances', {
      ...file,
      images: [{ ...file.images[0], md5sum }],
    });
    interface Read {
      versions: { images: { found: string | null; other_md5sum: string | null }[]; template: object }[];
    }
    const [before, now] = [(wrong.body as Read).versions[0], (right.body as Read).versions[0]];
    assert.deepEqual([before?.images[0]?.found, before?.images[0]?.other_md5sum], [null, md5sum]);
    assert.equal(now?.images[0]?.found, 'disks/a.qcow2');
    const made = await server.request('POST', '/v2/templates', now.template);
    assert.equal(made.status, 201, made.text);
    assert.equal((made.body as { hda_disk_image: string }).hda_disk_image, 'disks/a.qcow2');
    const refused = await server.request('POST', '/v2/catalogue/appliances', { name: 'x', registry_version: 40 });
    assert.equal(refused.status, 400);
    assert.match(refused.text, /registry_version/);
  });

  it('has what mends a start in the failure of the node and in the answer', async () => {
    const made = await server.request('POST', `${project}/nodes`, {
      ...{ name: 'SR1', node_type: 'iou', compute_id: 'local', x: 0, y: 0 },
      properties: { path: 'images/l3.bin' },
    });
    const { node_id } = made.body as { node_id: string };
    const start = await server.request('POST', `${project}/nodes/${node_id}/start`, {});
    assert.equal(start.status, 409, start.text);
    const { mend } = start.body as { mend?: object };
    assert.deepEqual(mend, { image: 'l3.bin' });
    const { body } = await server.request('GET', `${project}/nodes/${node_id}`);
    assert.deepEqual((body as { properties: { failure: { mend: unknown } } }).properties.failure.mend, mend);
  });
});
