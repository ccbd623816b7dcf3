import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { assertBrokenBodies, assertMalformedIds, assertWrongFields, type Bag, id, startApi } from './api.ts';
import { assertFields, type FieldTable, NODE_STATUS } from './fields.ts';
import { freePort } from '../support/free-port.ts';

const POST = 'POST /v2/compute/projects/{project_id}/machine_emulator/nodes';
const GET = 'GET /v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}';

const BOOT = ['c', 'd', 'n', 'cn', 'cd'] as const;
const CONSOLES = ['telnet', 'vnc', 'spice'] as const;
const PRIORITIES = ['realtime', 'very high', 'high', 'normal', 'low', 'very low'] as const;
const PLATFORMS = [
  ...['aarch64', 'alpha', 'arm', 'cris', 'i386', 'lm32', 'm68k', 'microblaze', 'microblazeel', 'mips', 'mips64'],
  ...['mips64el', 'mipsel', 'moxie', 'or32', 'ppc', 'ppc64', 'ppcemb', 's390x', 'sh4', 'sh4eb', 'sparc', 'sparc64'],
  ...['tricore', 'unicore32', 'x86_64', 'xtensa', 'xtensaeb'],
] as const;
const DISKS = ['hda', 'hdb', 'hdc', 'hdd'] as const;

/** Path strings: never null. */
const PATHS = ['bios_image', 'cdrom_image', ...DISKS.map((disk) => `${disk}_disk_image`), 'initrd', 'kernel_image'];
const SUMS = PATHS.map((image) => `${image}_md5sum`);

/** Input fields that may be null, with a value each. */
const NULLABLE: Bag = {
  acpi_shutdown: true,
  adapter_type: 'virtio-net-pci',
  adapters: 4,
  cpu_throttling: 80,
  cpus: 2,
  kernel_command_line: 'console=ttyS0',
  legacy_networking: true,
  mac_address: '0c:11:22:33:44:00',
  options: '-nographic',
  platform: 'i386',
  process_priority: 'normal',
  qemu_path: '/usr/bin/qemu-system-i386',
  ram: 1024,
  ...Object.fromEntries(SUMS.map((sum, i) => [sum, String(i).repeat(32)])),
};
/** Input fields that may not be null, with a value each. */
const NEVER_NULL: Bag = {
  boot_priority: 'cd',
  console_type: 'vnc',
  linked_clone: false,
  usage: 'Log in as root.',
  ...Object.fromEntries(PATHS.map((image) => [image, `/images/${image}`])),
  ...Object.fromEntries(DISKS.map((disk) => [`${disk}_disk_interface`, 'virtio'])),
};

const OUTPUT: FieldTable = {
  name: 'string',
  node_id: 'uuid',
  acpi_shutdown: 'boolean',
  adapter_type: 'string',
  adapters: 'integer',
  boot_priority: BOOT,
  console: 'integer',
  console_type: CONSOLES,
  cpu_throttling: 'integer',
  cpus: 'integer|null',
  kernel_command_line: 'string',
  legacy_networking: 'boolean',
  linked_clone: 'boolean',
  mac_address: 'string',
  options: 'string',
  platform: PLATFORMS,
  process_priority: PRIORITIES,
  qemu_path: 'string',
  ram: 'integer',
  usage: 'string',
  ...Object.fromEntries(PATHS.map((image) => [image, 'string' as const])),
  ...Object.fromEntries(SUMS.map((sum) => [sum, 'string|null' as const])),
  ...Object.fromEntries(DISKS.map((disk) => [`${disk}_disk_interface`, 'string' as const])),
  command_line: 'string',
  node_directory: 'string',
  project_id: 'uuid',
  status: NODE_STATUS,
};

const api = await startApi();
after(() => api.close());

describe('a machine emulator', () => {
  let project_id = '';
  let count = 0;
  before(async () => {
    project_id = await api.project();
  });
  const named = (body: Bag = {}): Bag => ({ name: `vm${String((count += 1))}`, ...body });
  const create = (body: Bag): Promise<Bag> => api.get(201, POST, { project_id }, named(body));
  const all = (): Bag => ({ ...NULLABLE, ...NEVER_NULL });

  it(`[${POST} 201] [fields machine_emulator input] is created with nothing but a name, and every other field has a value`, async () => {
    const record = await create({});
    assertFields(record, OUTPUT);
    assert.equal(record['status'], 'stopped');
    assert.deepEqual(await api.get(200, GET, { project_id, node_id: id(record) }), record);
  });

  it('[fields machine_emulator input] keeps every field it is created with', async () => {
    const given: Bag = { ...all(), node_id: randomUUID(), console: await freePort() };
    const record = await create(given);
    assertFields(record, OUTPUT);
    for (const [field, value] of Object.entries(given)) assert.deepEqual(record[field], value, field);
  });

  it('[fields machine_emulator input] [fields machine_emulator output] takes null for each field that may be null, and answers with a value', async () => {
    for (const field of [...Object.keys(NULLABLE), 'console']) {
      const record = await create({ ...all(), mac_address: null, [field]: null });
      assertFields(record, OUTPUT);
    }
    assertFields(await create(Object.fromEntries(Object.keys(NULLABLE).map((field) => [field, null]))), OUTPUT);
  });

  it('[fields machine_emulator input] takes every value of its enumerations and no other', async () => {
    const enums = { boot_priority: BOOT, console_type: CONSOLES, platform: PLATFORMS, process_priority: PRIORITIES };
    for (const [field, values] of Object.entries(enums)) {
      for (const value of values) assert.equal((await create({ [field]: value }))[field], value);
      await api.get(400, POST, { project_id }, named({ [field]: 'another' }));
    }
  });

  it('[fields machine_emulator output] has every field with its type, stopped, started, suspended and in a list', async () => {
    const made = await create({});
    const at = { project_id, node_id: id(made) };
    const actions = { start: 'started', suspend: 'suspended', resume: 'started', stop: 'stopped' };
    for (const [action, status] of Object.entries(actions)) {
      await api.ask(`POST /v2/compute/projects/{project_id}/machine_emulator/nodes/{node_id}/${action}`, at);
      const record = await api.get(200, GET, at);
      assertFields(record, OUTPUT);
      assert.equal(record['status'], status);
    }
    const { command_line } = await api.get(200, GET, at);
    assert.notEqual(command_line, '', 'the last command line stays when the machine has stopped');
  });

  it(`[${POST} 400] is not created without a name, with wrong or unknown fields, or null where null may not be`, async () => {
    await assertMalformedIds(api, POST, { project_id });
    await assertBrokenBodies(api, POST, { project_id });
    await assertWrongFields(
      api,
      POST,
      { project_id },
      {
        name: { ram: 256 },
        node_id: named({ node_id: 'one' }),
        ram: named({ ram: '256' }),
        cpus: named({ cpus: 1.5 }),
        adapters: named({ adapters: -1 }),
        console: named({ console: 0 }),
        mac_address: named({ mac_address: 'none' }),
        colour: named({ colour: 'red' }),
        ...Object.fromEntries(Object.keys(NEVER_NULL).map((field) => [field, named({ [field]: null })])),
      },
    );
    await api.get(400, POST, { project_id }, { name: '' });
    await api.get(400, POST, { project_id }, { name: null });
    await api.get(400, POST, { project_id }, {});
    await api.get(400, POST, { project_id });
  });

  it(`[${POST} 409] [rule 3] [error 409] is not created with an id, a name or a console that another node has`, async () => {
    const other = await create({ name: 'taken' });
    const before = await api.list(project_id, 'nodes');
    await api.get(409, POST, { project_id }, { name: 'taken' });
    await api.get(409, POST, { project_id }, named({ node_id: other['node_id'] }));
    await api.get(409, POST, { project_id }, named({ console: other['console'] }));
    assert.deepEqual(await api.list(project_id, 'nodes'), before);
    const elsewhere = await api.project();
    await api.get(201, POST, { project_id: elsewhere }, { name: 'taken' });
  });

  it('[error 404] is not created in a project that does not exist', async () => {
    await api.get(404, POST, { project_id: randomUUID() }, { name: 'nowhere' });
  });
});
