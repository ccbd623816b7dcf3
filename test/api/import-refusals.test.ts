import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { emptyProject, type ZipEntry, zipOf } from '../support/zip.ts';
import { type Api, type Bag, startApi } from './api.ts';

/** A project file, and 3 MB of zeros, as bzip2 and Zstandard have them. */
const TEXT =
  '{"name":"packed","project_id":"6e0c2a55-9f0f-4d0c-8b8e-1d5a3a1b2c3d","revision":9,"type":"topology","version":"2.2.54","topology":{"computes":[],"drawings":[],"links":[],"nodes":[]}}';
const packedAs = (method: number, text: string, zeros: string) => ({
  ...{ method, zeros: Buffer.from(zeros, 'base64') },
  packed: { name: 'project.gns3', data: TEXT, method, packed: Buffer.from(text, 'base64') },
});
const PACKED = {
  bzip2: packedAs(
    12,
    'QlpoOTFBWSZTWVa3eewAAFmbgBAHf3AACr+/36ogAJVDVMjI0yeoABoB6gDUyj1M1IaMxTTygGGhALTqPleIPIBNlBE0gRMiy1kC' +
      'Wc4PFyJK92CzQ7VoVEyNUZJhEASBiAeEpdXHk/MLomsDdnsNZk7bnryyT3+43DPamo5J+a+oSJh4gq3DpAOsHYN1UH3wN0xSKXNd' +
      '7JBIhdDAW/w8/F3JFOFCQVrd57A=',
    'QlpoOTFBWSZTWaZFgLIAFvpACMAAQAAACCAAMMwJqmmpAi2pIEXi7kinChIUyLAWQA==',
  ),
  Zstandard: packedAs(
    93,
    'KLUv/QRoTQQAgkkeGWCvDks7ay3Yq38S94AGwc/JFJjbeREEARdZliDxUtNrH1uhxlZLZvqWIPFSTxSO7jwW2wkIPOA9d/X2q7nQ' +
      'xXd6fONrejvi7a1SrTq/nQ7zLYIcJKSCa2Mx3Awo4ZiAORyE8s2gi8fTqkyznZvx22k/U+LHdyTtsQQALpkQMw+wJRoGFQXnbQMB',
    'KLUv/QRoTAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAAC' +
      'ABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAzYOAAPJr9Y=',
  ),
};

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api.close());

/** Every name below the data directory, but for the log and what says where the server is. */
const everything = async (): Promise<string[]> => {
  const names = (await readdir(api.server.dataDir, { recursive: true })).map(String);
  return names.filter((name) => !name.startsWith('log') && name !== 'staging').sort();
};

const upload = async (
  body: Buffer | FormData,
  project_id: string = randomUUID(),
  headers: Record<string, string> = {},
) => {
  const answer = await fetch(`${api.url}/v2/projects/${project_id}/import`, { method: 'POST', body, headers });
  return { status: answer.status, body: (await answer.json()) as Bag };
};

const project = { name: 'project.gns3', data: emptyProject() };
const withEntries = (...entries: ZipEntry[]): Buffer => zipOf([project, ...entries]);
const LINK = 0o120777;
const good = zipOf([project, { name: 'project-files/a.txt', data: 'a' }]);
const CENTRAL = Buffer.from([0x50, 0x4b, 0x01, 0x02]);

/** A stored entry whose bytes are others than were put in. */
const damaged = (): Buffer => {
  const bytes = withEntries({ name: 'a', data: 'the very text', method: 0 });
  bytes.write('X', bytes.indexOf('the very text'));
  return bytes;
};

const REFUSED: Record<string, [archive: Buffer, sentence: RegExp]> = {
  'a name that steps up': [withEntries({ name: '../x', data: 'x' }), /(leads out|invalid relative).*\.\.\/x/],
  'a name that steps up in the middle': [withEntries({ name: 'a/../../x' }), /leads out|invalid relative/],
  'an absolute name': [withEntries({ name: '/etc/x', data: 'x' }), /absolute/],
  'a drive letter': [withEntries({ name: 'C:/x', data: 'x' }), /C:\/x/],
  'a drive letter without a slash': [withEntries({ name: 'c:x', data: 'x' }), /c:x/],
  'a backslash': [withEntries({ name: '..\\x', data: 'x' }), /invalid characters|backslash/],
  'a zero byte in a name': [withEntries({ name: 'a\0b', data: 'x' }), /control character/],
  'an empty part': [withEntries({ name: 'a//b', data: 'x' }), /empty part/],
  'a link to an absolute name': [withEntries({ name: 'l', data: '/etc/passwd', mode: LINK }), /link to/],
  'a link that steps out': [withEntries({ name: 'd/l', data: '../../x', mode: LINK }), /link to/],
  'a link that steps out by way of another': [
    withEntries({ name: 'd/e', data: '.', mode: LINK }, { name: 'l', data: 'd/e/../../x', mode: LINK }),
    /link to/,
  ],
  'something below a link': [
    withEntries({ name: 'l', data: 'd', mode: LINK }, { name: 'l/x', data: 'x' }),
    /directory and something else/,
  ],
  'a link that takes the place of a directory': [
    withEntries({ name: 'l/x', data: 'x' }, { name: 'l', data: 'd', mode: LINK }),
    /directory and something else/,
  ],
  'a hard link': [
    withEntries({
      ...{ name: 'h', extra: Buffer.concat([Buffer.from([0x0d, 0, 19, 0]), Buffer.alloc(12), Buffer.from('target!')]) },
    }),
    /hard link/,
  ],
  'a second name for the same bytes': [withEntries({ name: 'copy', same: 0 }), /same bytes/],
  'a device': [withEntries({ name: 'dev', mode: 0o020666 }), /device/],
  'a pipe': [withEntries({ name: 'pipe', mode: 0o010666 }), /pipe/],
  'a name twice': [withEntries({ name: 'a', data: '1' }, { name: 'a', data: '2' }), /twice/],
  'names that differ by case only': [
    withEntries({ name: 'a/B', data: '1' }, { name: 'A/b', data: '2' }),
    /by case only/,
  ],
  'names that are one once composed': [withEntries({ name: '\u00e9' }, { name: 'e\u0301' }), /by case only/],
  'a bomb': [withEntries({ name: 'zeros', data: Buffer.alloc(1 << 20), size: 2 ** 31 - 1 }), /would unpack to/],
  'a bomb that lies about its size': [withEntries({ name: 'zeros', data: Buffer.alloc(1 << 20), size: 10 }), /damaged/],
  'a wrong checksum': [withEntries({ name: 'a', data: 'text', crc: 1 }), /damaged.*checksum/],
  'changed bytes': [damaged(), /damaged.*checksum/],
  'a wrong checksum of the project file': [zipOf([{ ...project, crc: 1 }]), /checksum/],
  'an encrypted entry': [withEntries({ name: 'a', data: 'x', flags: 1 }), /encrypted/],
  'a compression that is not read': [withEntries({ name: 'a', data: 'x', method: 14 }), /method 14/],
  ...Object.fromEntries(
    Object.entries(PACKED).flatMap(([what, { method, packed, zeros }]): [string, [Buffer, RegExp]][] => [
      [`${what} that is none`, [withEntries({ name: 'a', data: 'x', method }), /is damaged/]],
      [`${what} that is cut off`, [zipOf([{ ...packed, packed: packed.packed.subarray(0, -9) }]), /damaged/]],
      [
        `${what} that is larger than it says`,
        [withEntries({ name: 'a', data: 'x', method, packed: zeros }), /larger than its table of contents/],
      ],
    ]),
  ),
  'a truncated archive': [good.subarray(0, -30), /no whole zip/],
  'an archive without its end': [good.subarray(0, good.indexOf(CENTRAL)), /no whole zip/],
  'an archive with its beginning cut off': [good.subarray(40), /refused/],
  'no archive': [Buffer.from('this is no archive at all'), /no whole zip/],
  nothing: [Buffer.alloc(0), /no whole zip/],
  'no project file': [zipOf([{ name: 'other.json', data: emptyProject() }]), /no project\.gns3/],
  'two project files, neither under the usual name': [
    zipOf(['a', 'b'].map((name) => ({ name: `${name}.gns3`, data: emptyProject() }))),
    /2 project files/,
  ],
  'a folder with a link out of it': [
    zipOf([
      { name: 'lab/lab.gns3', data: emptyProject() },
      { name: 'other', data: 'x' },
      { name: 'lab/l', data: '../other', mode: LINK },
    ]),
    /link to/,
  ],
  'a project file that is not JSON': [zipOf([{ name: 'project.gns3', data: 'not json' }]), /not JSON/],
  'a project file that is no lab': [zipOf([{ name: 'project.gns3', data: '{}' }]), /not a project file/],
  'a project file that is not UTF-8': [zipOf([{ name: 'project.gns3', data: Buffer.from([0xff, 0xfe]) }]), /UTF-8/],
  'an unknown revision': [
    zipOf([{ name: 'project.gns3', data: emptyProject({ revision: 99 }) }]),
    /more recent version.*99/,
  ],
  'an old revision of a later form': [
    zipOf([{ name: 'project.gns3', data: emptyProject({ revision: 4 }) }]),
    /its revision is 4, but topology\.(computes|drawings)/,
  ],
};

describe('an import is refused, with nothing written', () => {
  for (const [what, [archive, sentence]] of Object.entries(REFUSED))
    it(`for ${what}`, async () => {
      const was = await everything();
      const id = randomUUID();
      const { status, body } = await upload(archive, id);
      assert.equal(status, 409, JSON.stringify(body));
      assert.match(String(body['message']), sentence);
      assert.deepEqual(await everything(), was);
      assert.deepEqual(await readdir(path.join(api.server.dataDir, 'staging')), []);
      await api.get(404, 'GET /v2/projects/{project_id}', { project_id: id });
      // What was refused does not keep its id from anything else.
      assert.equal((await upload(good, id)).status, 201);
      await api.get(204, 'DELETE /v2/projects/{project_id}', { project_id: id });
    });

  it('a wrong id', async () => {
    const was = await everything();
    for (const wrong of ['x', '..', '..%2f..%2fx', `${randomUUID()}0`]) {
      const { status } = await upload(good, wrong);
      assert.ok(status === 400 || status === 404, `${wrong}: ${status}`);
    }
    assert.deepEqual(await everything(), was);
  });

  it('an id in use, also by an import that is under way', async () => {
    const id = randomUUID();
    const both = await Promise.all([upload(good, id), upload(good, id)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409]);
    const was = await everything();
    assert.equal((await upload(good, id)).status, 409);
    assert.deepEqual(await everything(), was);
  });

  it('a form without a file, or that breaks off', async () => {
    const form = new FormData();
    form.append('other', 'x');
    assert.equal((await upload(form)).status, 400);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    assert.equal((await upload(Buffer.from(`${head}PK`), undefined, headers)).status, 400);
    assert.equal((await upload(Buffer.from('PK'), undefined, { 'content-type': 'multipart/form-data' })).status, 400);
  });

  it('a sender who goes away in the middle', async () => {
    const was = await everything();
    const sending = httpRequest(`${api.url}/v2/projects/${randomUUID()}/import`, {
      method: 'POST',
      headers: { 'content-length': String(good.length * 2) },
    });
    const closed = new Promise((resolve) => sending.on('error', () => undefined).once('close', resolve));
    sending.write(good);
    // Received as far as it came: its directory is there.
    for (let seen: string[] = []; seen.length === 0;)
      seen = await readdir(path.join(api.server.dataDir, 'staging')).catch(() => []);
    sending.destroy();
    await closed;
    for (let left = ['']; left.length > 0;) left = await readdir(path.join(api.server.dataDir, 'staging'));
    assert.deepEqual(await everything(), was);
  });
});

describe('an import takes', () => {
  for (const [what, { packed }] of Object.entries(PACKED))
    it(`an archive of ${what}`, async () => {
      const answer = await upload(zipOf([packed, { ...packed, name: 'project-files/a/b/copy.json' }]));
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const place = String(answer.body['path']);
      assert.equal(await readFile(path.join(place, 'project-files/a/b/copy.json'), 'utf8'), TEXT);
    });

  it('directories, links inside, executables, and what other systems name', async () => {
    const id = randomUUID();
    const entries: ZipEntry[] = [
      { name: 'project-files/' },
      { name: 'project-files/empty/' },
      { name: 'project-files/run.sh', data: '#!/bin/sh', mode: 0o100755 },
      { name: 'project-files/deep/link', data: '../run.sh', mode: LINK },
      { name: 'project-files/\u{1f600} name', data: 'x' },
      { name: '.topolog/restore-x/plan.json', data: '{}' },
    ];
    const { status, body } = await upload(withEntries(...entries), id);
    assert.equal(status, 201, JSON.stringify(body));
    const there = (await readdir(String(body['path']), { recursive: true })).map(String).sort();
    assert.deepEqual(there, [
      ...[
        String(body['filename']),
        'project-files',
        'project-files/deep',
        'project-files/deep/link',
        'project-files/empty',
      ],
      ...['project-files/run.sh', 'project-files/\u{1f600} name'],
    ]);
  });

  it('labs of older revisions', async () => {
    for (const revision of [5, 6, 7, 8])
      assert.equal((await upload(zipOf([{ name: 'project.gns3', data: emptyProject({ revision }) }]))).status, 201);
  });
});
