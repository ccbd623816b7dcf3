import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { LEAST } from '../emulators/sample.ts';
import { fakeLab, kinds, LINK, NODE, NODE_2, node, PROJECT, serve } from './fake-lab.ts';

type Body = Readonly<Record<string, unknown>>;

let lab = fakeLab();
let app = serve(lab);
beforeEach(async () => {
  await app.close();
  lab = fakeLab();
  app = serve(lab);
});
after(() => app.close());

const ask = (row: string, payload: object) => {
  const [method = '', url = ''] = row.split(' ');
  return app.inject({ method: method as 'POST', url, payload });
};

/** The status, and what was asked of the commands: a null that is as if it was absent changes neither. */
const asked = async (row: string, payload: object): Promise<{ status: number; calls: unknown[][] }> => {
  lab.calls.length = 0;
  const { statusCode, body } = await ask(row, payload);
  assert.ok(statusCode < 300, `${row} ${JSON.stringify(payload)}: ${body}`);
  // As JSON: a key that is undefined is absent.
  return { status: statusCode, calls: JSON.parse(JSON.stringify(lab.calls)) as unknown[][] };
};

/** Fields whose null says something: none any more, or the usual one. */
const MEANT = new Set([
  ...['template_id', 'symbol', 'first_port_name', 'console', 'console_type'],
  ...['supplier', 'variables', 'user', 'password', 'compute_id'],
]);

const ONE = `/v2/projects/${PROJECT}`;
const COMPUTE = '/v2/compute/projects';
const ends = [NODE, NODE_2].map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
const NODE_FIELDS = ['template_id', 'node_directory', 'command_line', 'console', 'console_type', 'symbol'];
const PROJECT_FIELDS = ['path', 'supplier', 'variables'];
const NEW_PROJECT = { name: 'a' };
const NEW_NODE = { name: 'a', node_type: 'vpcs', compute_id: 'local' };
const CREDENTIALS = ['user', 'password'];

/** Bodies of the controller group, and what a gns3-server 2.2 takes null for in them: its JSON schemas. */
const CONTROLLER: readonly [row: string, body: Body, fields: readonly string[]][] = [
  ['POST /v2/projects', NEW_PROJECT, [...PROJECT_FIELDS, 'project_id']],
  [`PUT ${ONE}`, {}, [...PROJECT_FIELDS, 'name']],
  [`POST ${ONE}/duplicate`, NEW_PROJECT, [...PROJECT_FIELDS, 'project_id']],
  [`POST ${ONE}/nodes`, NEW_NODE, [...NODE_FIELDS, 'first_port_name']],
  [`PUT ${ONE}/nodes/${NODE}`, {}, [...NODE_FIELDS, 'first_port_name']],
  [`POST ${ONE}/links`, { nodes: ends }, ['capture_file_name', 'capture_file_path', 'capture_compute_id']],
  [`PUT ${ONE}/links/${LINK}`, {}, ['capture_file_name', 'capture_file_path', 'capture_compute_id']],
  [`POST ${ONE}/snapshots`, { name: 'a' }, ['description']],
  ['POST /v2/computes', { protocol: 'http', host: '127.0.0.1', port: 3080 }, CREDENTIALS],
  ['POST /v2/templates', { name: 'a', template_type: 'vpcs' }, ['compute_id']],
  [`POST ${COMPUTE}`, NEW_PROJECT, [...PROJECT_FIELDS, 'project_id']],
  [`PUT ${COMPUTE}/${PROJECT}`, {}, [...PROJECT_FIELDS, 'name']],
];

const SUMS = ['hda_disk', 'hdb_disk', 'hdc_disk', 'hdd_disk', 'cdrom', 'bios', 'kernel'].map(
  (of) => `${of}_image_md5sum`,
);
const CARDS = [...[0, 1, 2, 3, 4, 5, 6].map((n) => `slot${n}`), ...[0, 1, 2].map((n) => `wic${n}`)];
const VM = [
  ...['qemu_path', 'console', ...SUMS, 'initrd_md5sum', 'ram', 'cpus', 'adapters', 'adapter_type', 'mac_address'],
  ...['kernel_command_line', 'legacy_networking', 'replicate_network_connection_state', 'tpm', 'uefi', 'options'],
  ...['create_config_disk', 'cpu_throttling'],
];
const CONTAINER = ['console', 'adapters', 'mac_address', 'start_command', 'environment', 'extra_hosts'];
const ROUTER = ['image_md5sum', 'console', 'mac_addr', ...CARDS];
const IMAGE = ['console', 'md5sum', 'use_default_iou_values'];

/** The same of the compute group, by kind: fields of its create, and of its update. */
const KINDS: Readonly<Record<string, readonly [create: readonly string[], update: readonly string[]]>> = {
  vpcs: [
    ['console', 'startup_script'],
    ['name', 'console'],
  ],
  traceng: [['console'], ['name', 'console']],
  ethernet_switch: [['console'], ['console']],
  cloud: [['remote_console_port'], ['remote_console_port']],
  qemu: [VM, ['name', ...VM]],
  docker: [[...CONTAINER, 'aux', 'console_resolution'], CONTAINER],
  dynamips: [[...ROUTER, 'dynamips_id', 'aux'], ROUTER],
  iou: [
    [
      ...[...IMAGE, 'ram', 'nvram', 'l1_keepalives', 'application_id'],
      ...['startup_config_content', 'private_config_content'],
    ],
    IMAGE,
  ],
  virtualbox: [['console'], ['console', 'node_directory']],
  vmware: [['console'], ['console', 'node_directory']],
};

describe('null, where the existing server takes it,', () => {
  it('is as if it was absent in bodies of the controller group', async () => {
    for (const [row, body, fields] of CONTROLLER) {
      const without = await asked(row, body);
      for (const field of fields) {
        const given = await asked(row, { ...body, [field]: null });
        assert.equal(given.status, without.status, `${row} ${field}`);
        if (!MEANT.has(field)) assert.deepEqual(given.calls, without.calls, `${row} ${field}`);
      }
      await asked(row, { ...body, ...Object.fromEntries(fields.map((field) => [field, null])) });
    }
  });

  it('is taken in labels', async () => {
    const label = { text: 'a', style: null, x: null };
    await asked(`POST ${ONE}/nodes`, { ...NEW_NODE, label });
    await asked(`PUT ${ONE}/nodes/${NODE}`, { label });
    await asked(`POST ${ONE}/links`, { nodes: ends.map((end) => ({ ...end, label })) });
    await asked(`PUT ${ONE}/links/${LINK}`, { nodes: [{ ...ends[0], label }] });
  });

  it('is as if it was absent in bodies of the compute group', async () => {
    for (const [alias, [create, update]] of Object.entries(KINDS)) {
      const name = kinds.get(alias)?.name ?? '';
      const nodes = `${COMPUTE}/${PROJECT}/${alias}/nodes`;
      lab.records.put('node', NODE, node(name));
      const body = { name: 'a', ...LEAST[name] };
      for (const field of create) await asked(`POST ${nodes}`, { ...body, [field]: null });
      for (const field of update) await asked(`PUT ${nodes}/${NODE}`, { [field]: null });
      await asked(`POST ${nodes}`, { ...body, ...Object.fromEntries(create.map((field) => [field, null])) });
      const unnamed = await asked(`PUT ${nodes}/${NODE}`, { name: null, ...LEAST[name] });
      assert.equal(JSON.stringify(unnamed.calls).includes('"name"'), false, alias);
    }
  });

  it('is as if it was absent for each property of a node, also one that nobody knows: a controller leaves it out', async () => {
    const unknown = ['startup_script_command', 'console', 'console_type', 'node_id', 'container_id'];
    for (const { name, properties } of kinds.all()) {
      lab.records.put('node', NODE, node(name));
      const base = { name: 'a', node_type: name, compute_id: 'local' };
      const nulls = Object.fromEntries([...Object.keys(properties.shape), ...unknown].map((field) => [field, null]));
      await asked(`POST ${ONE}/nodes`, { ...base, properties: { ...nulls, ...LEAST[name] } });
      await asked(`PUT ${ONE}/nodes/${NODE}`, { properties: nulls });
      const { calls } = await asked(`POST ${ONE}/nodes`, { ...base, properties: { colour: null } });
      assert.equal(JSON.stringify(calls).includes('colour'), false, name);
    }
  });

  it('is the default for each setting of a template', async () => {
    for (const { name, template } of kinds.all()) {
      const nulls = Object.fromEntries(Object.keys(template.settings.shape).map((field) => [field, null]));
      await asked('POST /v2/templates', { ...nulls, ...LEAST[name], name: 'a', template_type: name });
    }
  });

  it('is no place for a node of a template', async () => {
    const made = await ask('POST /v2/templates', { name: 'a', template_type: 'vpcs' });
    const { template_id } = made.json<{ template_id: string }>();
    const { calls } = await asked(`POST ${ONE}/templates/${template_id}`, { x: 0, y: 0, name: null, compute_id: null });
    assert.deepEqual(calls, [['createNodeFromTemplate', PROJECT, template_id, { x: 0, y: 0 }]]);
  });
});

describe('null, where it is not taken,', () => {
  it('is refused with the field', async () => {
    const refused = async (row: string, body: object, field: string) => {
      const answer = await ask(row, body);
      assert.equal(answer.statusCode, 400, row);
      assert.match(answer.json<{ message: string }>().message, new RegExp(`not valid: ${field} `));
    };
    await refused('POST /v2/projects', { name: null }, 'name');
    await refused(`PUT ${ONE}`, { auto_start: null }, 'auto_start');
    await refused(`POST ${ONE}/nodes`, { ...NEW_NODE, x: null }, 'x');
    await refused(`POST ${ONE}/nodes`, { ...NEW_NODE, colour: null }, 'colour');
    await refused(`POST ${ONE}/drawings`, { svg: null }, 'svg');
    await refused(`POST ${COMPUTE}/${PROJECT}/qemu/nodes`, { name: 'a', usage: null }, 'usage');
  });
});
