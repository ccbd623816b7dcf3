import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import type { Kind, Properties } from '../../src/emulators/kit/contract.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { IDENTITY, LEAST, NODE_ID, nodeOf, PROJECT_ID } from './sample.ts';

const kinds = createKinds();
const kindOf = (name: string): Kind => {
  const kind = kinds.get(name);
  assert.ok(kind);
  return kind;
};

describe('record of a machine emulator', () => {
  const kind = kindOf('machine_emulator');
  const MD5 = [
    ...['bios_image', 'cdrom_image', 'hda_disk_image', 'hdb_disk_image', 'hdc_disk_image', 'hdd_disk_image'],
    ...['initrd', 'kernel_image'],
  ].map((image) => `${image}_md5sum`);
  const FIELDS = [
    ...['name', 'node_id', 'project_id', 'status', 'command_line', 'node_directory', 'console', 'console_type'],
    ...['acpi_shutdown', 'adapter_type', 'adapters', 'bios_image', 'boot_priority', 'cdrom_image', 'cpu_throttling'],
    ...['cpus', 'hda_disk_image', 'hdb_disk_image', 'hdc_disk_image', 'hdd_disk_image', 'hda_disk_interface'],
    ...['hdb_disk_interface', 'hdc_disk_interface', 'hdd_disk_interface', 'initrd', 'kernel_image'],
    ...['kernel_command_line', 'legacy_networking', 'linked_clone', 'mac_address', 'options', 'platform'],
    ...['process_priority', 'qemu_path', 'ram', 'usage', 'on_close', 'replicate_network_connection_state'],
    ...['tpm', 'uefi', 'create_config_disk', ...MD5],
  ];

  it('has every field, null only for checksums, from a name alone', () => {
    const record = kind.record(nodeOf(kind, {}, { console: 5000 }));
    assert.deepEqual(Object.keys(record).toSorted(), FIELDS.toSorted());
    const nulls = Object.keys(record).filter((key) => record[key] === null);
    assert.deepEqual(nulls.toSorted(), MD5.toSorted());
  });

  it('has the documented defaults', () => {
    const record = kind.record(nodeOf(kind, {}, { console: 5000 }));
    const expected = {
      name: 'N1',
      node_id: NODE_ID,
      project_id: PROJECT_ID,
      status: 'stopped',
      ram: 256,
      cpus: 1,
      adapters: 1,
      adapter_type: 'e1000',
      boot_priority: 'c',
      console_type: 'telnet',
      cpu_throttling: 0,
      process_priority: 'low',
      platform: 'x86_64',
      linked_clone: true,
      hda_disk_interface: 'ide',
      acpi_shutdown: false,
      on_close: 'power_off',
      legacy_networking: false,
      mac_address: '0c:aa:bb:cc:00:00',
      options: '',
      qemu_path: '',
      kernel_command_line: '',
      usage: '',
      command_line: '',
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, record[key]])), expected);
  });

  it('takes null for "the default" where the interface has it, and nowhere else', () => {
    const nullable = [
      ...['acpi_shutdown', 'adapter_type', 'adapters', 'console', 'cpu_throttling', 'cpus', 'kernel_command_line'],
      ...['legacy_networking', 'mac_address', 'options', 'platform', 'process_priority', 'qemu_path', 'ram', ...MD5],
    ];
    const nulls = Object.fromEntries(nullable.map((key) => [key, null]));
    assert.deepEqual(kind.create.safeParse({ name: 'N1', ...nulls }).error?.issues, undefined);
    const { console: port, ...properties } = nulls;
    assert.equal(port, null);
    assert.deepEqual(kind.complete(properties, IDENTITY), kind.complete({}, IDENTITY));
    for (const key of ['name', 'boot_priority', 'console_type', 'linked_clone', 'node_id', 'usage', 'hda_disk_image'])
      assert.equal(kind.create.safeParse({ name: 'N1', [key]: null }).success, false, key);
  });

  it('takes the platform from the binary when only that is given', () => {
    const platform = (given: Properties) => kind.complete(given, IDENTITY)['platform'];
    assert.equal(platform({ qemu_path: '/usr/bin/qemu-system-arm' }), 'arm');
    assert.equal(platform({ qemu_path: 'C:\\qemu\\qemu-system-i386w.exe' }), 'i386');
    assert.equal(platform({ qemu_path: '/opt/qemu' }), 'x86_64');
    assert.equal(platform({ qemu_path: '/usr/bin/qemu-system-arm', platform: 'ppc' }), 'ppc');
  });

  it('takes the console types and boot orders of both interfaces', () => {
    for (const console_type of ['telnet', 'vnc', 'spice', 'spice+agent', 'none'])
      assert.ok(kind.create.safeParse({ name: 'N1', console_type }).success);
    for (const boot_priority of ['c', 'd', 'n', 'cn', 'cd', 'dn', 'dc', 'nc', 'nd'])
      assert.ok(kind.create.safeParse({ name: 'N1', boot_priority }).success);
    assert.equal(kind.create.safeParse({ name: 'N1', boot_priority: 'x' }).success, false);
    assert.equal(kind.create.safeParse({ name: 'N1', adapters: 1.5 }).success, false);
    assert.equal(kind.create.safeParse({ name: 'N1', adapters: 276 }).success, false);
  });
});

describe('closing a machine', () => {
  for (const name of ['machine_emulator', 'desktop_vm_a', 'desktop_vm_b']) {
    const kind = kindOf(name);
    const closing = (...given: Properties[]): unknown[] => {
      // As the server does it: each change is laid over what is there.
      let properties: Properties = { ...LEAST[name] };
      for (const change of given) properties = kind.complete({ ...properties, ...change }, IDENTITY);
      const record = kind.record({ ...nodeOf(kind), properties });
      return [record['acpi_shutdown'], record['on_close']];
    };

    it(`keeps acpi_shutdown and on_close of ${name} in step, whichever is changed last`, () => {
      assert.deepEqual(closing({}), [false, 'power_off']);
      assert.deepEqual(closing({ acpi_shutdown: true }), [true, 'shutdown_signal']);
      assert.deepEqual(closing({ on_close: 'shutdown_signal' }), [true, 'shutdown_signal']);
      assert.deepEqual(closing({ acpi_shutdown: true }, { on_close: 'save_vm_state' }), [false, 'save_vm_state']);
      assert.deepEqual(closing({ on_close: 'save_vm_state' }, { acpi_shutdown: true }), [true, 'shutdown_signal']);
      assert.deepEqual(closing({ on_close: 'shutdown_signal' }, { acpi_shutdown: false }), [false, 'power_off']);
      assert.deepEqual(closing({ on_close: 'save_vm_state', acpi_shutdown: false }), [false, 'save_vm_state']);
    });
  }
});

/** Fields of the other specified records. */
const RECORDS: Record<string, string[]> = {
  desktop_vm_a: [
    ...['acpi_shutdown', 'adapter_type', 'adapters', 'console', 'console_type', 'headless', 'linked_clone', 'name'],
    ...['node_directory', 'node_id', 'project_id', 'ram', 'status', 'use_any_adapter', 'vmname'],
  ],
  desktop_vm_b: [
    ...['acpi_shutdown', 'adapter_type', 'adapters', 'console', 'console_type', 'headless', 'linked_clone', 'name'],
    ...['node_directory', 'node_id', 'project_id', 'status', 'use_any_adapter', 'vmx_path'],
  ],
  trace_tool: [
    ...['command_line', 'console', 'console_type', 'default_destination', 'ip_address', 'name', 'node_directory'],
    ...['node_id', 'project_id', 'status'],
  ],
  nat: ['name', 'node_id', 'project_id', 'status', 'ports_mapping'],
};

describe('records of the other specified kinds', () => {
  for (const [name, fields] of Object.entries(RECORDS)) {
    it(`of ${name} have every field`, () => {
      const kind = kindOf(name);
      const record = kind.record(nodeOf(kind));
      assert.deepEqual(
        fields.filter((key) => record[key] === undefined),
        [],
      );
    });
  }

  it('of a NAT node have one port nat0 unless others are given, which are kept', () => {
    const kind = kindOf('nat');
    const mapping = (given: Properties) => kind.record(nodeOf(kind, given))['ports_mapping'];
    assert.deepEqual(mapping({}), [{ interface: 'nat0', name: 'nat0', port_number: 0, type: 'ethernet' }]);
    const virbr0 = { interface: 'virbr0', name: 'nat0', port_number: 0, type: 'ethernet' };
    assert.deepEqual(mapping({ ports_mapping: [virbr0] }), [virbr0]);
    assert.deepEqual(mapping({ ports_mapping: [{ name: 'out' }] }), [{ ...virbr0, interface: 'nat0', name: 'out' }]);
  });

  it('of a NAT node can be sent as a create, and a name is not needed', () => {
    const kind = kindOf('nat');
    assert.ok(kind.create.safeParse(kind.record(nodeOf(kind))).success);
    assert.ok(kind.create.safeParse({}).success);
  });

  it('show the simulated engine where it was asked for', () => {
    const kind = kindOf('simple_pc');
    assert.equal(kind.record(nodeOf(kind, { engine: 'simulated' }))['engine'], 'simulated');
    assert.equal('engine' in kind.record(nodeOf(kind)), false);
  });

  it('can be described in an OpenAPI document', () => {
    for (const kind of kinds.all())
      for (const schema of [kind.properties, kind.create, kind.update, kind.output, kind.startBody])
        assert.equal(z.toJSONSchema(schema, { io: 'input' })['type'], 'object');
  });
});

describe('texts that become files', () => {
  const files = (name: string, given: Properties) => kindOf(name).files?.(given, IDENTITY);

  it('are not kept as properties', () => {
    const kind = kindOf('simple_pc');
    assert.deepEqual(kind.complete({ startup_script: 'ip dhcp' }, IDENTITY), {});
    assert.deepEqual(files('simple_pc', { startup_script: 'set pcname %h\r\nip dhcp\r\n' }), [
      { name: 'startup.vpc', content: 'set pcname N1\nip dhcp\n' },
    ]);
    assert.deepEqual(files('simple_pc', { startup_script: null }), []);
  });

  it('carry the number of a router, as existing projects name them', () => {
    const kind = kindOf('router_emulator');
    const id = kind.complete(LEAST['router_emulator'] ?? {}, IDENTITY)['dynamips_id'];
    const given = { startup_config_content: 'hostname %h', private_config_content: '!' };
    assert.deepEqual(
      files('router_emulator', given)?.map((file) => file.name),
      [`configs/i${String(id)}_startup-config.cfg`, `configs/i${String(id)}_private-config.cfg`],
    );
    assert.equal(files('router_emulator', { ...given, dynamips_id: 7 })?.[0]?.name, 'configs/i7_startup-config.cfg');
    assert.equal(files('switch_router_emulator', given)?.[0]?.content, 'hostname N1');
  });
});
