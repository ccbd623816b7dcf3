import assert from 'node:assert/strict';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { request as rawRequest } from 'node:http';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { createKinds } from '../../src/emulators/registry.ts';
import { type Bag, id, startApi } from './api.ts';

const api = await startApi();
const { server } = api;
after(() => api.close());

interface Entry {
  symbol_id: string;
  filename: string;
  theme: string;
  builtin: boolean;
}
const list = async (): Promise<Entry[]> => (await server.request('GET', '/v2/symbols')).body as Entry[];
const raw = (symbol: string) => server.request('GET', `/v2/symbols/${symbol}/raw`);
const size = (symbol: string): Promise<Bag> =>
  server.request('GET', `/v2/symbols/${symbol}/dimensions`).then((answer) => answer.body as Bag);
const COMPUTER = (await raw(':/symbols/computer.svg')).text;

interface Told {
  status: number;
  route: string | undefined;
  body: string;
}
/** Sends a path as it is: other clients tidy it up first. */
const ask = (method: string, where: string, body?: Uint8Array): Promise<Told> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const sent = rawRequest({ method, hostname, port, path: where }, (answer) => {
      let text = '';
      answer.on('data', (block: Buffer) => (text += block.toString()));
      answer.on('end', () => {
        const route = answer.headers['x-route'];
        resolve({ status: answer.statusCode ?? 0, route: route?.toString(), body: text });
      });
    });
    sent.on('error', reject).end(body);
  });
const upload = (name: string, body: string | Uint8Array): Promise<Told> =>
  ask('POST', `/v2/symbols/${name}/raw`, typeof body === 'string' ? Buffer.from(body) : body);

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50"><rect width="9" height="9"/></svg>';
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the symbols that every server has', () => {
  it('are pictures whose first tag says how wide and high they are', async () => {
    const builtin = (await list()).filter((s) => s.builtin);
    assert.ok(builtin.length > 100);
    for (const { symbol_id, filename, theme } of builtin) {
      const { status, text, headers } = await raw(symbol_id);
      assert.equal(status, 200, symbol_id);
      assert.equal(headers.get('content-type'), 'image/svg+xml');
      assert.match(text, /^<svg [^>]*width="65"[^>]*height="65"[^>]*>\n/, symbol_id);
      assertWellFormed(text, symbol_id);
      assert.ok(symbol_id.endsWith(`/${filename}`) && theme !== '', symbol_id);
    }
  });

  it('are there for each kind of node, and for what each theme is to show', async () => {
    const ids = new Set((await list()).map((s) => s.symbol_id));
    for (const { name, look } of createKinds().all()) assert.ok(ids.has(look.symbol), `${name}: ${look.symbol}`);
    const themes = (await server.request('GET', '/v2/default_symbols')).body as Record<string, Record<string, string>>;
    assert.ok('Classic' in themes && 'Affinity-square-blue' in themes && 'Affinity-circle-red' in themes);
    const roles = Object.keys(themes['Classic'] ?? {});
    assert.ok(roles.includes('router') && roles.includes('vpcs_guest'));
    for (const [theme, symbols] of Object.entries(themes)) {
      assert.deepEqual(Object.keys(symbols), roles);
      for (const symbol of Object.values(symbols)) assert.ok(ids.has(symbol), `${theme}: ${symbol}`);
    }
    const used = new Set((await list()).map((s) => s.theme));
    assert.deepEqual(
      [...used].filter((theme) => !(theme in themes)),
      [],
    );
  });

  it('are found with a colon, with two slashes, encoded, and under the names of other servers; never redirected', async () => {
    const router = (await raw(':/symbols/router.svg')).text;
    assert.notEqual(router, COMPUTER);
    for (const name of [
      ':/symbols/router.svg',
      '/symbols/router.svg',
      '%3A%2Fsymbols%2Frouter.svg',
      ':/symbols/classic/router.svg',
      ':/symbols/other/theme/router.svg',
      'router.svg',
    ]) {
      const answer = await ask('GET', `/v2/symbols/${name}/raw`);
      assert.deepEqual([answer.status, answer.route, answer.body], [200, '/v2/symbols/{symbol_id}/raw', router], name);
      const measured = await ask('GET', `/v2/symbols/${name}/dimensions?a=/raw`);
      assert.deepEqual(
        [measured.route, JSON.parse(measured.body)],
        ['/v2/symbols/{symbol_id}/dimensions', { width: 65, height: 65 }],
      );
    }
  });

  it('stand in for those that are not there: the computer', async () => {
    for (const name of [
      ':/symbols/nothing.svg',
      'nothing',
      '..',
      '/symbols/../package.json',
      '%00',
      '../../package.json',
    ])
      assert.equal((await ask('GET', `/v2/symbols/${name}/raw`)).body, COMPUTER, name);
    assert.equal((await ask('GET', '/v2/symbols/x.svg')).status, 404);
    assert.equal((await ask('PUT', '/v2/symbols//symbols/x.svg/raw')).status, 405);
  });
});

describe('an uploaded symbol', () => {
  it('is listed, served by what it is, measured, and sizes the nodes that have it', async () => {
    assert.equal((await upload('wide.svg', SVG)).status, 204);
    assert.equal((await upload(':/symbols/dot.gif', GIF)).status, 204);
    assert.equal((await upload('/symbols/dot.png', PNG)).status, 204);
    const own = (await list()).filter((s) => !s.builtin);
    assert.deepEqual(own[2], { symbol_id: 'wide.svg', filename: 'wide.svg', theme: 'Custom', builtin: false });
    assert.equal(own.length, 3);
    assert.equal((await raw('wide.svg')).text, SVG);
    assert.equal((await raw('dot.gif')).headers.get('content-type'), 'image/gif');
    assert.equal((await raw(':/symbols/dot.png')).headers.get('content-type'), 'image/png');
    assert.deepEqual(
      [await size('wide.svg'), await size('dot.png')],
      [
        { width: 100, height: 50 },
        { width: 1, height: 1 },
      ],
    );
    const project_id = await api.project();
    const node = await api.get(
      201,
      'POST /v2/projects/{project_id}/nodes',
      { project_id },
      {
        ...{ name: 'PC1', node_type: 'vpcs', compute_id: 'local', symbol: 'wide.svg' },
      },
    );
    assert.deepEqual([node['width'], node['height'], (node['label'] as Bag)['y']], [100, 50, -35]);
    const where = { project_id, node_id: id(node) };
    const row = 'PUT /v2/projects/{project_id}/nodes/{node_id}';
    const changed = await api.get(200, row, where, { symbol: ':/symbols/router.svg' });
    assert.deepEqual([changed['width'], changed['height']], [65, 65]);
    await server.restart();
    const after = await api.get(200, row, where, { symbol: 'wide.svg' });
    assert.deepEqual([after['width'], after['height']], [100, 50]);
  });

  it('without a size gets one in its first tag, as clients read it there', async () => {
    await upload('box.svg', '<?xml version="1.0"?>\n<!-- a --><svg viewBox="0 0 30 20"><g/></svg>');
    assert.match(
      (await raw('box.svg')).text,
      /^<\?xml version="1.0"\?>\n<!-- a --><svg width="30" height="20" viewBox=/,
    );
  });

  it('cannot run script where it is opened', async () => {
    assert.equal((await upload('evil.svg', `<svg onload="alert(1)"><script>alert(1)</script></svg>`)).status, 204);
    const { headers } = await raw('evil.svg');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  });

  it('goes nowhere but into the symbol directory', async () => {
    for (const name of [
      '../../up.svg',
      '%2e%2e%2f%2e%2e%2fup.svg',
      '/etc/up.svg',
      ':/symbols/../../up.svg',
      'a%5C..%5Cup.svg',
    ])
      assert.equal((await upload(name, SVG)).status, 204, name);
    const stored = (await readdir(path.join(server.dataDir, 'symbols'))).filter((name) => name.includes('up'));
    assert.deepEqual(stored, ['up.svg']);
    for (const name of [
      '..',
      '.svg',
      '.hidden.svg',
      'a%00.svg',
      'noending',
      'page.html',
      `${'x'.repeat(300)}.svg`,
      'a%0a.svg',
    ])
      assert.equal((await upload(name, SVG)).status, 400, name);
    // A file of a project may be on its way to its place.
    const entries = (await readdir(server.dataDir, { recursive: true })).filter(
      (name) => !name.endsWith('.gns3.topolog-tmp'),
    );
    assert.deepEqual(
      entries.filter((name) => /up\.svg|tmp$/.test(name)),
      ['symbols/up.svg'],
    );
  });

  it('is refused when it is no picture, another one than its name says, or too large', async () => {
    for (const body of [
      '',
      'text',
      '<html></html>',
      '<svg',
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>',
      Uint8Array.of(0xff, 0xfe),
    ])
      assert.equal((await upload('no.svg', body)).status, 400);
    assert.equal((await upload('no.png', SVG)).status, 400);
    assert.equal((await upload('no.svg', PNG)).status, 400);
    assert.equal((await upload('no.svg', Buffer.alloc((1 << 20) + 1, 32))).status, 413);
    assert.equal((await raw('no.svg')).text, COMPUTER);
  });

  it('is not read through a link that leads elsewhere', async () => {
    await mkdir(path.join(server.dataDir, 'symbols'), { recursive: true });
    await writeFile(path.join(server.dataDir, 'other.svg'), SVG);
    await symlink(path.join(server.dataDir, 'other.svg'), path.join(server.dataDir, 'symbols/linked.svg'));
    assert.equal((await raw('linked.svg')).text, COMPUTER);
  });

  it('is an event that says what was stored', async () => {
    const { body } = await server.request('GET', '/v2/events?type=symbol.stored');
    const [event] = (body as { events: { data: Bag; by: Bag }[] }).events;
    assert.deepEqual([event?.data['file'], event?.data['bytes']], ['wide.svg', SVG.length]);
    assert.match(String(event?.data['sha256']), /^[0-9a-f]{64}$/);
  });
});

/** Every tag is closed in its turn. */
const assertWellFormed = (text: string, name: string): void => {
  const open: string[] = [];
  for (const [, end, tag = '', alone] of text.matchAll(/<(\/?)([a-z]+)(?:\s[a-zA-Z-]+="[^"<>]*")*(\/?)>/g)) {
    if (end === '/') assert.equal(open.pop(), tag, name);
    else if (alone === '') open.push(tag);
  }
  assert.deepEqual(open, [], name);
  assert.equal(text.replace(/<\/?[a-z]+(?:\s[a-zA-Z-]+="[^"<>]*")*\/?>/g, '').trim(), '', name);
};
