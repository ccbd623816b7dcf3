import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hashOf, routeOf } from '../src/app/router.ts';
import { type ApplianceFile, isAppliance, placeOf } from '../src/catalogue/appliance-files.ts';
import { bodyOf, templateOfNode } from '../src/catalogue/template-draft.ts';
import { shownIn } from '../src/inspector/form/drafts.ts';
import { specOf } from '../src/inspector/form/spec.ts';
import { mendOf } from '../src/map/actions/failure.ts';
import { sayFieldSince, saySince } from '../src/snapshots/snapshots.ts';

const specs = {
  own: [specOf('symbol', { type: 'string', 'x-widget': 'symbol' })],
  ofKind: [
    specOf('ram', { type: 'integer', minimum: 1, title: 'RAM' }),
    specOf('tpm', { type: 'boolean' }),
    specOf('mac_address', { type: 'string', 'x-unique': true }),
  ],
};
const [ram, tpm] = specs.ofKind;

describe('the form of a template', () => {
  it('sends what was typed, and nothing else', () => {
    assert.deepEqual(bodyOf(specs, { ram: '64' }), { body: { ram: 64 }, problems: {} });
    assert.deepEqual(bodyOf(specs, {}), { body: {}, problems: {} });
    const { body, problems } = bodyOf(specs, { ram: 'much', tpm: true });
    assert.deepEqual([body, Object.keys(problems)], [{ tpm: true }, ['ram']]);
  });

  it('shows what was typed before what the template has, and no value of a default that it does not know', () => {
    if (ram === undefined || tpm === undefined) assert.fail();
    assert.equal(shownIn(ram, { ram: '1' }, { ram: 2 }), '1');
    assert.equal(shownIn(ram, {}, { ram: 2 }), '2');
    assert.equal(shownIn(ram, {}, {}), '');
    assert.equal(shownIn(tpm, {}, {}), null);
  });

  it('takes of a node what nodes can share', () => {
    const node = { name: 'VM1', symbol: 'a.svg', properties: { ram: 64, tpm: null, mac_address: '0c:00', other: 1 } };
    assert.deepEqual(templateOfNode(specs, node), { symbol: 'a.svg', ram: 64 });
  });
});

describe('an appliance that was dropped', () => {
  const image = (filename: string, found: string | null) => ({
    ...{ slot: 'hda_disk_image', filename, found, md5sum: null, filesize: null, compression: null },
    ...{ download_url: null, direct_download_url: null, other_md5sum: null },
  });
  const all: ApplianceFile[] = [
    { id: 1, fileName: 'broken.gns3a', content: {}, appliance: null, problem: 'no' },
    {
      ...{ id: 2, fileName: 'a.gns3a', content: {}, problem: null },
      appliance: {
        ...{ name: 'A', vendor: null, description: null, status: null, registry_version: 4 },
        ...{ documentation_url: null, product_url: null, usage: null },
        versions: [
          {
            ...{ name: '1', node_type: 'machine', template: null, problems: [] },
            images: [image('there.img', 'there.img'), image('box.ova/disk.vmdk', null)],
          },
        ],
      },
    },
  ];

  it('says where an image belongs that it lacks', () => {
    assert.deepEqual(placeOf(all, 'disk.vmdk'), { nodeType: 'machine', name: 'box.ova/disk.vmdk' });
    assert.equal(placeOf(all, 'there.img'), null);
    assert.equal(placeOf(all, 'other.img'), null);
  });

  it('is known by its ending', () => {
    assert.deepEqual(['a.gns3a', 'A.GNS3A', 'a.gns3appliance', 'a.gns3'].map(isAppliance), [true, true, true, false]);
  });
});

describe('a snapshot compared with now', () => {
  const change = { type: 'node' as const, id: 'x', name: 'PC1', fields: [] };

  it('says what has happened since, not what a restore would do', () => {
    assert.equal(saySince({ ...change, action: 'create' }), 'PC1 was deleted');
    assert.equal(saySince({ ...change, action: 'delete' }), 'PC1 was added');
    assert.equal(saySince({ ...change, action: 'change', name: null }), 'a node was changed');
    assert.equal(sayFieldSince({ field: 'properties.ram', from: 64, to: 32 }), 'ram: 32 → 64');
  });
});

describe('what mends a failed start', () => {
  const failed = (failure: unknown) => mendOf({ status: 'stopped', properties: { failure } });

  it('is what the server says, where it says something', () => {
    assert.deepEqual(failed({ message: 'x', mend: { image: 'a.img' } }), { image: 'a.img', install: null });
    assert.deepEqual(failed({ mend: { install: 'apt-get install x' } }), { image: null, install: 'apt-get install x' });
    assert.equal(failed({ mend: {} }), null);
    assert.equal(failed({ message: 'x' }), null);
    assert.equal(failed(undefined), null);
    assert.equal(mendOf({ status: 'started', properties: { failure: { mend: { image: 'a' } } } }), null);
  });
});

describe('the address of the catalogue', () => {
  it('names the section', () => {
    for (const section of ['images', 'templates', 'appliances', 'symbols'] as const)
      assert.deepEqual(routeOf(hashOf({ view: 'catalogue', section })), { view: 'catalogue', section });
    assert.deepEqual(routeOf('#/catalogue'), { view: 'catalogue', section: 'images' });
    assert.deepEqual(routeOf('#/catalogue/nonsense'), { view: 'catalogue', section: 'images' });
  });
});
