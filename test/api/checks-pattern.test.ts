import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { type Bag, id, startApi } from './api.ts';

const P = '/v2/projects/{project_id}';
const C = `${P}/checks`;
const api = await startApi();
after(() => api.close());

const REFUSED =
  'must be a regular expression without lookahead, lookbehind, flags of groups and references to groups such as \\1';

const labOf = async (): Promise<{ project_id: string }> => {
  const at = { project_id: await api.project() };
  const pcs = [];
  for (const host of [1, 2]) {
    const body = { name: `PC${host}`, startup_script: `ip 10.0.0.${host}/24\n` };
    pcs.push(id(await api.node(at.project_id, 'simple_pc', body)));
  }
  const nodes = pcs.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  await api.get(201, `POST ${P}/links`, at, { nodes });
  return at;
};
const shows = (matches: string): Bag => ({ console: { node: 'PC1', type: `echo ${'a'.repeat(60)}`, matches } });
const make = async (at: { project_id: string }, check: Bag): Promise<{ project_id: string; check_id: string }> => {
  const { check_id } = await api.get(201, `POST ${C}`, at, check);
  return { ...at, check_id: String(check_id) };
};
const start = (at: { project_id: string }) => api.get(204, `POST ${P}/nodes/start`, at, {});
const look = (check: { project_id: string; check_id: string }) => api.get(200, `POST ${C}/{check_id}/look`, check, {});

describe('the pattern of a check', { timeout: 60_000 }, () => {
  it('holds up no lab, however many ways it could match', async () => {
    const at = await labOf();
    const reach = await make(at, { reach: { from: 'PC1', to: 'PC2' } });
    const pattern = await make(at, shows('(a|a)*b'));
    await start(at);
    const { holds, text } = await look(pattern);
    assert.deepEqual([holds, /does not show/.test(String(text))], [false, true]);
    assert.equal((await look(reach))['holds'], true);
  });

  it('is refused with its place where it cannot be looked for in one pass', async () => {
    const at = await labOf();
    const fieldOf = async (call: string, values: Record<string, string>, body: Bag): Promise<unknown> => {
      const { message, line, field } = await api.get(400, call, values, body);
      assert.ok(String(message).includes(REFUSED), String(message));
      return line ?? field;
    };
    const one = await make(at, shows('a+$'));
    const { check_id } = one;
    assert.equal(await fieldOf(`POST ${C}`, at, shows('(?<=a)b')), 'console.matches');
    assert.equal(await fieldOf(`PUT ${C}/{check_id}`, one, shows('(a)\\1')), 'console.matches');
    const known = (await api.get(200, `GET ${P}`, at))['checks'] as Bag[];
    const checks = [...known, { ...shows('(?!a)b'), check_id: at.project_id }];
    assert.equal(await fieldOf(`PUT ${P}`, at, { checks }), 'checks.1.console.matches');
    const lab = { name: 'wrong', checks: checks.slice(1) };
    assert.equal(await fieldOf('POST /v2/projects', {}, lab), 'checks.0.console.matches');
    const text =
      'lab: Wrong\nversion: 1\nnodes:\n  A: { kind: simple_pc }\nchecks:\n  - { state: { node: A, is: started } }\n  - console: { node: A, matches: "(?=a)" }\n';
    assert.equal(await fieldOf('POST /v2/labs/plan', {}, { text, format: 'yaml' }), 7);
    assert.deepEqual(
      ((await api.get(200, `GET ${P}`, at))['checks'] as Bag[]).map((check) => check['check_id']),
      [check_id],
    );
  });

  it('that an earlier server took is told as not carried out, after a start of the server too', async () => {
    const from = await labOf();
    await make(from, shows('a+$'));
    await api.get(204, `POST ${P}/close`, from, {});
    const record = await api.get(200, `GET ${P}`, from);
    const source = path.join(String(record['path']), String(record['filename']));
    const folder = path.join(api.server.dataDir, 'earlier');
    await mkdir(folder);
    const file = path.join(folder, 'earlier.gns3');
    await writeFile(file, await readFile(source));
    const beside = await readFile(`${source}.topolog.json`, 'utf8');
    assert.ok(beside.includes('a+$'));
    await writeFile(`${file}.topolog.json`, beside.replace('a+$', 'a(?=b)'));
    const loaded = await api.server.request('POST', '/v2/projects/load?new_id=true', { path: file });
    const at = { project_id: String((loaded.body as Bag)['project_id']) };
    const [one] = (await api.get(200, `GET ${C}`, at)) as unknown as Bag[];
    const check = { ...at, check_id: String(one?.['check_id']) };
    await start(at);
    const found = { holds: null, text: `it is not carried out: matches ${REFUSED}`, evidence: {} };
    assert.deepEqual(await look(check), found);
    // Another change of the list, which is recorded whole.
    await make(at, { state: { node: 'PC1', is: 'started' } });
    await api.server.restart();
    assert.deepEqual(await look(check), found);
  });
});
