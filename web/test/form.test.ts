import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Forms, formsOf, type OpenApi, titlesOf } from '../src/inspector/edit/forms.ts';
import { fieldHistory } from '../src/inspector/form/field-history.tsx';
import { changeOf } from '../src/inspector/edit/targets.ts';
import { filledDown, rowAfter } from '../src/inspector/form/table-control.tsx';
import { byGroup, sharedSpecs, type Spec, specOf } from '../src/inspector/form/spec.ts';
import { everything } from '../src/words/german.ts';
import { agreedOf, draftOf, type Row, sayValue, valueOf } from '../src/inspector/form/values.ts';

interface App {
  inject(url: string): Promise<{ json(): OpenApi }>;
  close(): Promise<void>;
}
let document: OpenApi;
let forms: Forms;

before(async () => {
  const url = pathToFileURL(`${process.cwd()}/dist/test/http/fake-lab.js`).href;
  const server = (await import(url)) as { fakeLab: () => unknown; serve: (lab: unknown) => App };
  const app = server.serve(server.fakeLab());
  document = (await app.inject('/v2/openapi.json')).json();
  await app.close();
  forms = formsOf(document);
});

const specIn = (specs: readonly Spec[], key: string): Spec =>
  specs.find((spec) => spec.key === key) ?? assert.fail(`there is no ${key}`);

describe('forms of the server’s schemas', () => {
  it('name the fields that events and differences tell of, in both languages', () => {
    const titles = titlesOf(document);
    for (const field of ['record_consoles', 'command_line', 'link_style', 'svg', 'adapters', 'ram'])
      assert.ok(everything[titles.get(field) ?? ''] !== undefined, `${field}: ${titles.get(field)}`);
  });

  it('have a field for every setting of every kind, under both its names', () => {
    for (const { name, alias } of document['x-kinds'] ?? []) {
      const specs = forms.properties(name);
      assert.ok(specs.length >= 2, name);
      assert.equal(forms.properties(alias).length, specs.length);
      for (const { key, title, help, widget, options, columns } of specs) {
        assert.notEqual(title, key, `${name}.${key}`);
        assert.match(help, /\.$/, `${name}.${key}`);
        if (widget === 'select') assert.ok(options.length > 1, `${name}.${key}`);
        if (widget === 'table' || widget === 'row') assert.ok(columns.length > 0, `${name}.${key}`);
      }
    }
  });

  it('keep what a record has when nothing is typed', () => {
    const values: Record<string, unknown> = {
      ram: 256,
      cpus: 1,
      environment: 'A=1\nB=x=y',
      extra_hosts: 'web:10.0.0.1',
      extra_volumes: ['/a', '/b'],
      sensors: [22, 22, 22, 22],
      mappings: { '1:101': '10:301' },
      ports_mapping: [{ name: 'Ethernet0', port_number: 0, type: 'access', vlan: 1 }],
      linked_clone: true,
      adapter_type: 'e1000',
    };
    for (const { name } of document['x-kinds'] ?? [])
      for (const spec of forms.properties(name)) {
        const value = values[spec.key];
        if (value === undefined || (spec.key === 'ports_mapping' && !spec.columns.some(({ key }) => key === 'vlan')))
          continue;
        assert.deepEqual(valueOf(spec, draftOf(spec, value)), value, `${name}.${spec.key}`);
      }
  });

  it('have the consoles and the names of ports that the kind of the node has', () => {
    assert.deepEqual(
      specIn(forms.node('simple_pc'), 'console_type').options.map(({ value }) => value),
      ['telnet', 'none'],
    );
    const keys = (type: string): string[] => forms.node(type).map(({ key }) => key);
    assert.ok(!keys('ethernet_hub').some((key) => key.startsWith('console')));
    assert.ok(!keys('simple_pc').includes('port_name_format'));
    assert.ok(keys('machine_emulator').includes('custom_adapters'));
  });

  it('say what a node that runs cannot take, and which values are each node’s own', () => {
    const machine = forms.properties('machine_emulator');
    assert.equal(specIn(machine, 'ram').needsStop, true);
    assert.equal(specIn(machine, 'on_close').needsStop, false);
    assert.equal(specIn(machine, 'mac_address').isUnique, true);
    assert.equal(specIn(forms.properties('simple_pc'), 'startup_script').needsStop, false);
  });

  it('share of several kinds what is alike', () => {
    const shared = sharedSpecs([forms.properties('desktop_vm_a'), forms.properties('desktop_vm_b')]);
    const keys = shared.map(({ key }) => key);
    assert.ok(keys.includes('headless') && !keys.includes('vmname') && !keys.includes('adapters'));
    assert.deepEqual([...byGroup(forms.drawing).keys()], ['Position', 'Advanced']);
  });
});

describe('values of fields', () => {
  const ram = specOf('ram', { type: 'integer', minimum: 0, maximum: 1024, 'x-unit': 'MB' });

  it('are refused with the range, and empty only where that means something', () => {
    assert.equal(valueOf(ram, ' 512 '), 512);
    assert.throws(() => valueOf(ram, '2048'), /0 to 1,?024/);
    assert.throws(() => valueOf(ram, '1.5'), /whole number/);
    assert.throws(() => valueOf(ram, ''), /whole number/);
    assert.equal(valueOf({ ...ram, isNullable: true }, ''), null);
    assert.throws(() => valueOf(specOf('m', { type: 'string', pattern: '^a$' }), 'b'), /right form/);
    assert.throws(() => valueOf(specOf('m', { type: 'string', maxLength: 2 }), 'abc'), /at most 2/);
  });

  it('are mixed where the records differ', () => {
    assert.deepEqual(agreedOf([1, 1]), { isMixed: false, value: 1 });
    assert.equal(agreedOf([{ a: 1 }, { a: 2 }]).isMixed, true);
    assert.equal(agreedOf([null, undefined]).isMixed, false);
  });

  it('are said as people say them', () => {
    assert.equal(sayValue(ram, 512), '512 MB');
    assert.equal(sayValue(ram, null), 'nothing');
    assert.equal(
      sayValue(specOf('c', { enum: ['power_off'], 'x-options': { power_off: 'Power off' } }), 'power_off'),
      'Power off',
    );
  });

  it('are sent alone, so that nothing else of the record changes', () => {
    assert.deepEqual(changeOf({ spec: ram, isOfKind: true }, 1), { properties: { ram: 1 } });
    assert.deepEqual(changeOf({ spec: ram, isOfKind: false }, 1), { ram: 1 });
  });
});

describe('tables', () => {
  const ports = (): Spec => specIn(forms.properties('ethernet_switch'), 'ports_mapping');
  const row = (number: number): Row => ({
    name: `Ethernet${number}`,
    port_number: String(number),
    type: 'dot1q',
    vlan: '7',
    ethertype: '',
  });

  it('go on from the last row', () => {
    assert.deepEqual(rowAfter(ports().columns, [row(8), row(9)]), row(10));
    assert.deepEqual(rowAfter(ports().columns, []), {
      name: '',
      port_number: '0',
      type: 'access',
      vlan: '',
      ethertype: '',
    });
  });

  it('fill a value down, counted where each is there once', () => {
    const [, , , vlan] = ports().columns;
    const filled = filledDown([{ ...row(0), vlan: '20' }, row(1), row(2)], 0, vlan ?? assert.fail());
    assert.deepEqual(
      filled.map((one) => one['vlan']),
      ['20', '20', '20'],
    );
    const [name] = ports().columns;
    assert.equal(filledDown([row(4), row(0), row(0)], 0, name ?? assert.fail())[2]?.['name'], 'Ethernet6');
  });

  it('leave out what a row of its type does not have, and name the column that is missing', () => {
    const cloud = specIn(forms.properties('cloud'), 'ports_mapping');
    const udp = { name: 'u', port_number: '0', type: 'udp', interface: 'eth0', lport: '1', rhost: 'h', rport: '2' };
    assert.deepEqual(valueOf(cloud, [udp]), [
      { name: 'u', port_number: 0, type: 'udp', lport: 1, rhost: 'h', rport: 2 },
    ]);
    assert.throws(() => valueOf(cloud, [{ ...udp, type: 'tap', interface: '' }]), /Interface is missing/);
    assert.throws(() => valueOf(ports(), [{ ...row(0), vlan: '4095' }]), /VLAN: Must be 1 to 4,?094/);
  });
});

describe('the history of a field', () => {
  it('has each value once, newest first, with who set it', () => {
    const spec = specOf('ram', { type: 'integer' });
    const told = (position: number, data: unknown, principal = 'ada') => ({
      position,
      at: '2026-01-01T00:00:00.000Z',
      by: { principal },
      data,
    });
    const events = [
      told(1, { name: 'R1', properties: { ram: 256, cpus: 1 } }),
      told(2, { changes: { x: 4 } }),
      told(3, { changes: { properties: { ram: 256, cpus: 2 } } }),
      told(4, { changes: { properties: { ram: 512, cpus: 2 } } }, 'grace'),
      told(5, { pid: 7 }),
    ];
    assert.deepEqual(
      fieldHistory({ spec, isOfKind: true }, events).map(({ value, by, position }) => [value, by, position]),
      [
        [512, 'grace', 4],
        [256, 'ada', 1],
      ],
    );
    assert.deepEqual(
      fieldHistory({ spec: { ...spec, key: 'x' }, isOfKind: false }, events).map(({ value }) => value),
      [4],
    );
  });
});
