import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TopologError } from '../../src/common/errors.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import {
  type Appliance,
  type Available,
  kindsOfAppliance,
  parseAppliance,
  readAppliance,
  type VersionOfAppliance,
} from '../../src/files/appliance/appliance.ts';

const kinds = createKinds();
const SUM = '0123456789abcdef0123456789abcdef';
const OTHER = 'f'.repeat(32);
const nothing: Available = { kinds, images: () => [], hasSymbol: (id) => id.startsWith(':/') };
const withImage = (filename: string, md5sum: string): Available => ({
  ...nothing,
  images: () => [{ filename, path: `disks/${filename}`, filesize: 3, md5sum }],
});

const read = (content: object, here: Available = nothing): Appliance => readAppliance(parseAppliance(content), here);
const first = (content: object, here?: Available): VersionOfAppliance => {
  const [version] = read(content, here).versions;
  return version ?? assert.fail('no version');
};
const refused = (content: unknown): TopologError => {
  try {
    read(content as object);
  } catch (error) {
    if (error instanceof TopologError) return error;
    throw error;
  }
  return assert.fail('it was taken');
};

const MACHINE = {
  ...{ appliance_id: 'x', name: 'Router', category: 'router', registry_version: 6, vendor_name: 'Somebody' },
  ...{ description: 'Routes.', status: 'stable', usage: 'admin/admin', port_name_format: 'eth{0}' },
  product_url: 'javascript:alert(1)',
  qemu: { arch: 'i386', ram: 512, kvm: 'disable', options: '-nographic', console_type: 'telnet', adapters: 4 },
  images: [
    { filename: 'r-1.qcow2', version: '1', md5sum: SUM, filesize: 25_980_000_000, download_url: 'https://a.example/r' },
    { filename: 'r-2.qcow2', version: '2', md5sum: OTHER, filesize: 5, compression: 'gzip' },
  ],
  versions: [
    { name: '1', images: { hda_disk_image: 'r-1.qcow2' } },
    { name: '2', images: { hda_disk_image: 'r-2.qcow2', floppy_image: 'x' } },
  ],
};

describe('an appliance file', () => {
  it('of a machine becomes a template of each version, with the images that are missing', () => {
    const { versions, product_url, vendor } = read(MACHINE);
    assert.deepEqual([product_url, vendor, versions.length], [null, 'Somebody', 2]);
    assert.deepEqual(versions[0]?.images, [
      {
        ...{ slot: 'hda_disk_image', filename: 'r-1.qcow2', md5sum: SUM, filesize: 25_980_000_000, compression: null },
        ...{ download_url: 'https://a.example/r', direct_download_url: null, found: null, other_md5sum: null },
      },
    ]);
    assert.deepEqual(versions[0].template, {
      ...{ name: 'Router 1', category: 'router', symbol: ':/symbols/router.svg' },
      settings: {
        ...{ usage: 'admin/admin', platform: 'i386', port_name_format: 'eth{0}', ram: 512, adapters: 4 },
        ...{ console_type: 'telnet', options: '-nographic -machine accel=tcg' },
        ...{ hda_disk_image: 'r-1.qcow2', hda_disk_image_md5sum: SUM },
      },
    });
    assert.deepEqual(
      versions[1]?.problems.map(({ field }) => field),
      ['floppy_image'],
    );
  });

  it('finds an image by its sum, whatever its name, and tells one of its name that is another', () => {
    const found = first(MACHINE, withImage('renamed.img', SUM));
    assert.equal(found.images[0]?.found, 'disks/renamed.img');
    assert.equal(found.template?.settings['hda_disk_image'], 'disks/renamed.img');
    const other = first(MACHINE, withImage('r-1.qcow2', OTHER)).images[0];
    assert.deepEqual([other?.found, other?.other_md5sum], [null, OTHER]);
    const unsummed = { ...MACHINE, images: [{ filename: 'r-1.qcow2', version: '1' }] };
    assert.equal(first(unsummed, withImage('r-1.qcow2', OTHER)).images[0]?.found, 'disks/r-1.qcow2');
  });

  it('of a container has one template, without versions', () => {
    const file = {
      ...{ name: 'Firefox', category: 'guest', registry_version: 4 },
      docker: { image: 'firefox:1', adapters: 2, console_type: 'vnc', environment: 'A=1,\nB=2' },
    };
    const { name, images, template } = first(file);
    assert.deepEqual([name, images, template?.name, template?.symbol], [null, [], 'Firefox', null]);
    assert.equal(template?.settings['image'], 'firefox:1');
  });

  it('of a router takes its idle value and leaves empty slots out', () => {
    const file = {
      ...{ name: 'c3745', category: 'router', registry_version: 4 },
      dynamips: { platform: 'c3745', ram: 256, slot0: 'GT96100-FE', slot1: '' },
      images: [{ filename: 'c3745.bin', version: '1', md5sum: SUM, filesize: 9 }],
      versions: [{ name: '1', idlepc: '0x60aa1da0', images: { image: 'c3745.bin' } }],
    };
    const { settings } = first(file).template ?? assert.fail();
    assert.deepEqual(settings, {
      ...{ platform: 'c3745', ram: 256, slot0: 'GT96100-FE', idlepc: '0x60aa1da0' },
      ...{ image: 'c3745.bin', image_md5sum: SUM },
    });
  });

  it('of a router on the host names its image as its path', () => {
    const file = {
      ...{ name: 'L2', category: 'multilayer_switch', registry_version: 4 },
      iou: { ethernet_adapters: 4, serial_adapters: 0, ram: 256, nvram: 128 },
      images: [{ filename: 'l2.bin', version: '1', md5sum: SUM, filesize: 9 }],
      versions: [{ name: '1', images: { image: 'l2.bin' } }],
    };
    const { template } = first(file);
    assert.equal(template?.category, 'switch');
    assert.equal(template.settings['path'], 'l2.bin');
    assert.equal(template.settings['use_default_iou_values'], false);
  });

  it('of version 8 has settings that versions name, with what they inherit', () => {
    const file = {
      ...{ name: 'Eight', category: 'firewall', registry_version: 8 },
      settings: [
        { name: 'small', template_type: 'qemu', template_properties: { ram: 64, platform: 'arm', category: 'switch' } },
        { name: 'large', default: true, template_type: 'qemu', template_properties: { ram: 512, cpus: 2 } },
        {
          ...{ name: 'bare', inherit_default_properties: false, template_type: 'qemu' },
          template_properties: { adapters: 9, default_name_format: 'FW{0}' },
        },
      ],
      images: [{ filename: 'a.img', version: '1', checksum: SUM, checksum_type: 'md5', filesize: 1 }],
      versions: [
        { name: '1', images: { hda_disk_image: 'a.img' } },
        { name: '2', settings: 'small' },
        { name: '3', settings: 'bare' },
      ],
    };
    const [one, two, three] = read(file).versions.map(({ template }) => template ?? assert.fail());
    assert.deepEqual(one?.settings, { ram: 512, cpus: 2, hda_disk_image: 'a.img', hda_disk_image_md5sum: SUM });
    assert.deepEqual([two?.settings, two?.category], [{ ram: 64, cpus: 2, platform: 'arm' }, 'switch']);
    assert.deepEqual(three, {
      ...{ name: 'Eight 3', category: 'firewall', symbol: ':/symbols/firewall.svg', default_name_format: 'FW{0}' },
      settings: { adapters: 9 },
    });
  });

  it('says what of it cannot be used, and leaves that out', () => {
    const { problems, template } = first({
      ...MACHINE,
      port_name_format: 'dp0p{3}',
      qemu: { arch: 'i386', ram: 'much', cpu_fan: 3 },
    });
    assert.deepEqual(problems.map(({ field }) => field).sort(), ['cpu_fan', 'port_name_format', 'ram']);
    assert.equal(template?.settings['ram'], undefined);
    const without = first({ name: 'c', category: 'guest', registry_version: 3, docker: { adapters: 1 } });
    assert.equal(without.template, null);
    assert.deepEqual(
      without.problems.map(({ field }) => field),
      ['image'],
    );
  });

  it('that cannot be read is refused with the name of the field', () => {
    const base = { name: 'a', registry_version: 4 };
    const wrong: [unknown, string][] = [
      [[], ''],
      [{ registry_version: 4 }, 'name'],
      [{ ...base, registry_version: 9, qemu: {} }, 'registry_version'],
      [{ ...base, qemu: {}, versions: [{}] }, 'versions.0.name'],
      [{ ...base, qemu: {}, images: 3 }, 'images'],
      [{ ...base, qemu: 3 }, 'qemu'],
      [{ ...base, qemu: {}, docker: {} }, 'docker'],
      [
        { ...base, registry_version: 8, settings: [{ template_type: 'x', template_properties: {} }] },
        'settings.0.template_type',
      ],
    ];
    for (const [content, field] of wrong) {
      const error = refused(content);
      assert.deepEqual([error.status, error.details['field']], [400, field], JSON.stringify(content));
    }
    assert.match(refused(base).message, /qemu/);
  });

  it('makes templates that their kind takes, or says why not, whatever it has', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('', 'telnet', 'x86_64', 512, 'c3745', 'firefox', true));
    const key = fc.constantFrom('ram', 'arch', 'image', 'platform', 'console_type', 'slot1', 'options', 'kvm', 'x');
    const section = fc.dictionary(key, value, { maxKeys: 6 });
    const file = fc.record({
      name: fc.string({ minLength: 1, maxLength: 20 }),
      registry_version: fc.integer({ min: 1, max: 8 }),
      emulator: fc.constantFrom('qemu', 'docker', 'iou', 'dynamips'),
      section,
      slots: fc.dictionary(fc.constantFrom('image', 'hda_disk_image', 'other'), fc.string({ maxLength: 9 })),
    });
    fc.assert(
      fc.property(file, ({ name, registry_version, emulator, section: given, slots }) => {
        const content = { name, registry_version, [emulator]: given, versions: [{ name: '1', images: slots }] };
        const parsed = parseAppliance(content);
        const [kind] = kindsOfAppliance(parsed, kinds);
        const [version] = readAppliance(parsed, nothing).versions;
        assert.equal(version?.kind, kind?.name);
        if (version?.template == null) assert.notEqual(version?.problems.length, 0);
        else kind?.template.complete(kind.template.settings.parse(version.template.settings));
      }),
    );
  });

  it('never makes anything but an appliance or a refusal of what is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (content) => {
        try {
          parseAppliance(content);
        } catch (error) {
          assert.ok(error instanceof TopologError && error.status === 400);
        }
      }),
    );
  });
});
