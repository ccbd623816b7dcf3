import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { TopologError } from '../../../src/common/errors.ts';
import { PACKAGE } from '../../../src/common/package.ts';
import { filtersSchema } from '../../../src/fabric/filters/parse.ts';
import { labSchema } from '../../../src/files/lab/yaml/schema.ts';
import { makeTemp } from '../../support/temp.ts';
import { testLab, type TestLab } from '../test-lab.ts';

let t: TestLab;
before(async () => {
  t = await testLab({ dir: await makeTemp('topolog-lab-schema') });
});
after(() => t.close());

const PCS = { A: { kind: 'simple_pc' }, B: { kind: 'vpcs' } };
const AB = ['A', 'B'];
const node = (form: object) => ({ nodes: { A: form } });
const pc = (form: object) => node({ kind: 'simple_pc', ...form });
const link = (filters: object) => ({ nodes: PCS, links: [{ ends: AB, filters }] });
const check = (...checks: unknown[]) => ({ nodes: PCS, checks });
const weather = (entry: object) => ({ nodes: PCS, links: [AB], weather: [entry] });
const from = { from: 'A', to: 'B' };

/** Values of one lab, and whether they are right. */
const RIGHT: readonly object[] = [
  { nodes: PCS, links: [AB] },
  node({ template: 'VPCS' }),
  pc({ address: ['10.0.0.1/24', '2001:db8::1/64'], gateway: '10.0.0.2', startup: 'set pcname A\n' }),
  pc({ properties: { startup_script: 'ip dhcp' }, console_type: 'none' }),
  pc({ startup: { file: 'a.txt' } }),
  node({ kind: 'ethernet_switch', properties: { ports_mapping: [] } }),
  node({ kind: 'docker', properties: { image: 'a', files: [{ path: '/a', content: { file: 'a.txt' } }] } }),
  link({ 'delay>': [50, 5], packet_loss: '2', 'latency<': 0, seed: 7, jitter: [4, 'normal'] }),
  link({ rate: [], frequency_drop: -1, reorder: [5, 2], delay: 1 }),
  check('A reaches B', 'A does not reach 10.0.0.1 within 10s for 1.5m', '  A reaches B first 0s every 1h during rain '),
  check({ reach: from, within: '24h' }, { console: { node: 'A', matches: '^x' }, every: 2, points: 3 }),
  { nodes: PCS, links: [AB], checks: [{ counter: { link: AB, of: 'frames', over: 1 }, before: '0001s' }] },
  weather({ at: '1s', for: '50ms', links: [AB], filters: { delay: 1 } }),
  weather({ for: 1, ramp: { to: { 'packet_loss>': 5 } }, repeat: { every: '10s', times: 2 } }),
  weather({ crash: ['A'], name: 'x' }),
  { settings: { auto_close: true, grid_size: 10 } },
  { vars: { n: 3, k: 'simple_pc' }, nodes: { '${k}${i}': { for: { i: '1..${n}' }, kind: '${k}', z: '${n}' } } },
  { nodes: { 'A${i}': { for: { i: [1, 2] }, do: { kind: 'simple_pc' } } } },
  {
    nodes: PCS,
    links: [{ for: { b: ['B'] }, do: ['A', '${b}'] }],
    checks: [{ for: { b: ['B'] }, do: 'A reaches ${b}' }],
  },
  { nodes: PCS, links: [{ for: { b: ['B'] }, ends: ['A', '${b}'], filters: { delay: 1 } }] },
  { include: 'more.yaml', nodes: PCS, links: [['A', 'C']] },
  check({ exec: { run: { file: 'a.txt' } } }),
  node({
    kind: 'ethernet_hub',
    properties: { ports_mapping: [{ for: { n: '0..3' }, name: 'e${n}', port_number: '${n}' }] },
  }),
];
const WRONG: readonly object[] = [
  node({ kind: 'simple_pcc' }),
  node({}),
  node({ kind: 'vpcs', template: 'VPCS' }),
  pc({ adress: '10.0.0.1/24' }),
  pc({ address: '10.0.0.1' }),
  pc({ address: '10.0.0.1/33' }),
  pc({ gateway: '10.0.0.1' }),
  pc({ address: '10.0.0.1/24', gateway: '10.0.0.2/24' }),
  pc({ at: [1.5, 2] }),
  pc({ console_type: 'vnc' }),
  pc({ properties: { startup: 'x' } }),
  pc({ startup: { files: 'x' } }),
  pc({ locked: 'yes' }),
  node({ kind: 'ethernet_hub', startup: 'x' }),
  node({ kind: 'ethernet_hub', address: '10.0.0.1/24' }),
  node({ kind: 'simple_router', address: '10.0.0.1/24' }),
  node({ kind: 'docker' }),
  { nodes: { 'A\nB': { kind: 'simple_pc' } } },
  { nodes: { '': { kind: 'simple_pc' } } },
  { nodes: PCS, links: [['A']] },
  { nodes: PCS, links: [['A', 'B', 'C']] },
  { nodes: PCS, links: [{ ends: AB, filter: {} }] },
  link({ packet_los: 2 }),
  link({ delay: 'slow' }),
  link({ delay: [1, 2, 3] }),
  link({ delay: -1 }),
  link({ delay: true }),
  link({ frequency_drop: 1.5 }),
  link({ packet_loss: 101 }),
  link({ 'seed>': 1 }),
  link({ bpf: 3 }),
  check('A pings B'),
  check('A reaches B within 10'),
  check('A reaches B within 25h'),
  check('A reaches B within 10x for 1s'),
  check('A reaches B within 10s before 20s'),
  check('A reaches B before 10s for 5s within 20s'),
  check({ name: 'x', reach: from, state: { node: 'A', is: 'started' } }),
  check({ name: 'x' }),
  check({ reach: from, within: '10s', before: '20s' }),
  check({ reach: from, within: '10 s' }),
  check({ reach: from, within: '1441m' }),
  check({ reach: from, every: -1 }),
  check({ reach: { from: 'A' } }),
  check({ state: { node: 'A', is: 'running' } }),
  check({ console: { node: 'A', type: 'x' } }),
  check({ console: { node: 'A', shows: 'x', matches: 'x' } }),
  check({ loss: { ...from, under: 0 } }),
  weather({ for: '1s' }),
  weather({ filters: { delay: 1 }, suspend: true }),
  weather({ ramp: { to: { delay: 1 } } }),
  weather({ for: '49ms', suspend: true }),
  weather({ for: '1s', filters: { dellay: 1 } }),
  weather({ suspend: true, repeat: { every: '5s' } }),
  weather({ crash: ['A'], links: [AB] }),
  weather({ for: '1s', trace: {} }),
  { vars: [1] },
  { vars: { 'a b': 1 } },
  { include: 3 },
  { nodes: { 'A${i}': { for: { i: 3 }, kind: 'simple_pc' } } },
  { nodes: { 'A${i}': { for: { 'i j': [1] }, kind: 'simple_pc' } } },
  { nodes: { 'A${i}': { for: { i: '1..2' }, kind: 'simple_pc', adress: '10.0.0.1/24' } } },
  { nodes: PCS, links: [{ for: { i: '1-2' }, do: ['A', 'B'] }] },
  { version: 2 },
  { settings: { auto_closed: true } },
  { drawings: [{ svg: '<svg/>', rotation: 361 }] },
  { stages: [{ name: 'x', checks: [] }] },
];

describe('the JSON Schema of lab texts', () => {
  let isRight: (value: unknown) => boolean;
  before(() => {
    const schema = labSchema(t.context.kinds.all(), filtersSchema());
    isRight = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  });

  const takes = async (value: object): Promise<boolean> => {
    const text = JSON.stringify(value);
    try {
      await t.commands.planLab({
        text,
        format: 'yaml',
        files: { 'a.txt': 'x', 'more.yaml': 'nodes: { C: { kind: simple_pc } }' },
      });
      return true;
    } catch (error) {
      assert.ok(error instanceof TopologError, String(error));
      return false;
    }
  };

  for (const [what, values, wanted] of [
    ['accepts', RIGHT, true],
    ['refuses', WRONG, false],
  ] as const)
    for (const [i, form] of values.entries())
      it(`${what} what the server ${what}: ${i} ${JSON.stringify(form).slice(0, 120)}`, async () => {
        const value = { lab: `${what} ${i}`, version: 1, ...form };
        assert.deepEqual({ server: await takes(value), schema: isRight(value) }, { server: wanted, schema: wanted });
      });

  it('accepts the examples', () => {
    const folder = path.join(PACKAGE, 'examples');
    const texts = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    assert.ok(texts.length > 3);
    for (const name of texts) assert.ok(isRight(parse(readFileSync(path.join(folder, name), 'utf8'))), name);
  });
});
