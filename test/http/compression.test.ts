import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { testServer, type TestServer } from '../support/server.ts';

/** Octets as they came, which fetch would decompress. */
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<{ status: number; headers: Record<string, string | undefined>; octets: Buffer }>((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers as Record<string, string>,
          octets: Buffer.concat(parts),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync };

describe('compressed answers', () => {
  let server: TestServer;
  const labs = new Map<number, string>();
  before(async () => {
    server = await testServer();
    for (const count of [1, 30, 300]) {
      const { body } = await server.request('POST', '/v2/projects', { name: `of ${count}` });
      const { project_id } = body as { project_id: string };
      const svg = `<svg><text>${'x'.repeat(300)}</text></svg>`;
      for (let n = 0; n < count; n += 1) await server.request('POST', `/v2/projects/${project_id}/drawings`, { svg });
      labs.set(count, project_id);
    }
  });
  after(() => server.close());
  const drawings = (count: number): string => `${server.url}/v2/projects/${labs.get(count)}/drawings`;

  for (const count of [30, 300])
    for (const [encoding, decode] of Object.entries(DECODERS))
      it(`of a list with ${count} records have the same octets in ${encoding}, for those who take it`, async () => {
        const plain = await ask(drawings(count));
        assert.equal(plain.headers['content-encoding'], undefined);
        assert.equal((JSON.parse(plain.octets.toString()) as unknown[]).length, count);
        const packed = await ask(drawings(count), { 'accept-encoding': `${encoding}, identity;q=0.5` });
        assert.equal(packed.headers['content-encoding'], encoding);
        assert.match(String(packed.headers['vary']), /accept-encoding/i);
        assert.equal(packed.headers['etag'], plain.headers['etag']);
        assert.deepEqual(decode(packed.octets), plain.octets);
        assert.ok(packed.octets.length * 5 < plain.octets.length);
        const refused = await ask(drawings(count), { 'accept-encoding': `${encoding};q=0` });
        assert.equal(refused.headers['content-encoding'], undefined);
      });

  it('are none where an answer is short, or one record', async () => {
    const accept = { 'accept-encoding': 'gzip, br' };
    const short = await ask(drawings(1), accept);
    assert.equal(short.headers['content-encoding'], undefined);
    const record = await ask(`${server.url}/v2/projects/${labs.get(1)}`, accept);
    assert.equal(record.headers['content-encoding'], undefined);
  });

  it('have the ETag of a list, which changes with it', async () => {
    for (const count of [30, 300]) {
      const { headers } = await ask(drawings(count));
      const etag = String(headers['etag']);
      for (const encoding of ['br', 'identity']) {
        const known = await ask(drawings(count), { 'if-none-match': etag, 'accept-encoding': encoding });
        assert.deepEqual([known.status, known.octets.length, known.headers['etag']], [304, 0, etag]);
      }
      const [first] = JSON.parse((await ask(drawings(count))).octets.toString()) as { drawing_id: string }[];
      await server.request('PUT', drawings(count).replace(server.url, '') + `/${first?.drawing_id}`, { x: 12 });
      const moved = await ask(drawings(count), { 'if-none-match': etag });
      assert.equal(moved.status, 200);
      assert.notEqual(moved.headers['etag'], etag);
      await server.request('DELETE', drawings(count).replace(server.url, '') + `/${first?.drawing_id}`);
      const fewer = await ask(drawings(count), { 'if-none-match': String(moved.headers['etag']) });
      assert.equal((JSON.parse(fewer.octets.toString()) as unknown[]).length, count - 1);
    }
  });

  it('are whole also where they are made later', async () => {
    const { octets, headers } = await ask(`${server.url}/metrics`, { 'accept-encoding': 'gzip' });
    assert.equal(headers['content-encoding'], 'gzip');
    assert.match(gunzipSync(octets).toString(), /\n$/);
  });

  for (const document of ['/v2/openapi.json', '/v2/labs/schema'])
    it(`of ${document} are kept by clients, which ask whether they are still the same`, async () => {
      const plain = await ask(server.url + document);
      for (const [encoding, decode] of Object.entries(DECODERS)) {
        const packed = await ask(server.url + document, { 'accept-encoding': encoding });
        assert.equal(packed.headers['content-encoding'], encoding);
        assert.deepEqual(decode(packed.octets), plain.octets);
        assert.equal(packed.headers['cache-control'], 'no-cache');
        const etag = String(packed.headers['etag']);
        const again = await ask(server.url + document, { 'accept-encoding': encoding, 'if-none-match': etag });
        assert.deepEqual([again.status, again.octets.length], [304, 0]);
      }
      const head = await ask(server.url + document, { 'accept-encoding': 'gzip' }, 'HEAD');
      assert.deepEqual([head.status, head.headers['content-encoding'], head.octets.length], [200, 'gzip', 0]);
    });
});
