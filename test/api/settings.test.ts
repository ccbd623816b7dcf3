import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { readLicense } from '../../src/emulators/switch_router_emulator/license.ts';
import { entries } from '../../src/events/store/store.ts';
import { readLog } from '../support/own-log.ts';
import { type Bag, startApi } from './api.ts';
import { assertFields } from './fields.ts';

const api = await startApi();
const { server } = api;
after(() => api.close());

const LICENSE = 'PUT /v2/iou_license';
const SECRET = '[license]\nhost = 0123456789abcdef;\n';

describe('the licence of images', () => {
  it('is none at first, is kept over a restart, and changes field by field', async () => {
    const get = (): Promise<unknown> => api.get(200, 'GET /v2/iou_license');
    assert.deepEqual(await get(), { iourc_content: '', license_check: true });
    const given = { iourc_content: SECRET, license_check: true };
    assert.deepEqual(await api.get(201, LICENSE, {}, given), given);
    assert.deepEqual(await api.get(201, LICENSE, {}, { license_check: false }), { ...given, license_check: false });
    await server.restart();
    assert.deepEqual(await get(), { iourc_content: SECRET, license_check: false });
    assert.deepEqual(await readLicense(server.dataDir), { iourc_content: SECRET, license_check: false });
    await api.get(400, LICENSE, {}, { iourc_content: 5 });
    await api.get(400, LICENSE, {}, { licence: '' });
  });

  it('is in a file that only the user of the server can read, and in no event', async () => {
    const file = path.join(server.dataDir, 'iou_license.json');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await server.running.close('to look at its log');
    const store = await readLog(path.join(server.dataDir, 'log'));
    const stored: string[] = [];
    for await (const entry of entries(store, { gte: '', lte: '~' })) stored.push(entry.join(' '));
    await store.close();
    await server.restart();
    assert.ok(stored.some((text) => text.includes('"license.changed"')));
    assert.deepEqual(
      stored.filter((text) => text.includes('0123456789abcdef')),
      [],
    );
  });
});

describe('a licence of images that has changed on the disk', () => {
  it('is refused by the name of its file, and never taken', async () => {
    const file = path.join(server.dataDir, 'iou_license.json');
    const whole = await readFile(file);
    const changed = Buffer.from(whole);
    const at = changed.indexOf('0123456789abcdef');
    changed[at] = (changed[at] ?? 0) ^ 1;
    await writeFile(file, changed);
    try {
      const damaged = /iou_license\.json is damaged, or was changed by hand: it does not fit its checksum/;
      await assert.rejects(readLicense(server.dataDir), damaged);
      for (const [method, body] of [['GET'], ['PUT', { license_check: true }]] as const) {
        const { status, text } = await server.request(method, '/v2/iou_license', body);
        assert.equal(status, 409, text);
        assert.match(text, damaged);
      }
    } finally {
      await writeFile(file, whole);
    }
  });
});

describe('what this server does without', () => {
  it('answers that there is none of it: appliances, helper machine, its hypervisors', async () => {
    assert.deepEqual((await server.request('GET', '/v2/appliances?update=yes&symbol_theme=Classic')).body, []);
    const settings = await api.get(200, 'GET /v2/gns3vm');
    assert.equal(settings['enable'], false);
    const engines = (await server.request('GET', '/v2/gns3vm/engines')).body as Bag[];
    assert.deepEqual(
      engines.map((engine) => engine['engine_id']),
      [settings['engine']],
    );
    assertFields(engines[0] ?? {}, {
      ...{ engine_id: 'string', name: 'string', description: 'string' },
      ...{ support_when_exit: 'boolean', support_headless: 'boolean', support_ram: 'boolean' },
    });
    assert.deepEqual((await server.request('GET', '/v2/gns3vm/engines/remote/vms')).body, []);
    const other = await api.get(404, 'GET /v2/gns3vm/engines/{engine}/vms', { engine: 'other' });
    assert.match(String(other['message']), /other/);
    await api.get(409, 'PUT /v2/gns3vm', {}, { ...settings, enable: true });
    assert.deepEqual(await api.get(201, 'PUT /v2/gns3vm', {}, settings), settings);
  });
});
