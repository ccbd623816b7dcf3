import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fixture } from '../fixtures/fixture.ts';
import { read, toFields, write } from './harness.ts';

interface Written {
  [key: string]: unknown;
  topology: Record<'nodes' | 'links' | 'drawings' | 'computes', Record<string, unknown>[]>;
}

const written = (name: string): Written =>
  JSON.parse(write(toFields(read(fixture(`projects/${name}.gns3`))))) as Written;

const given = (name: string): Written => JSON.parse(fixture(`projects/${name}.gns3`)) as Written;

const sorted = (list: readonly string[]): string[] => [...list].sort();

describe('a written project file', () => {
  it('of a file that needs no change says the same, with the version whose interface we speak', () => {
    for (const name of ['campus', 'unknown-keys']) {
      assert.deepEqual(written(name), { ...given(name), version: '2.2.60' });
    }
  });

  it('is revision 9 with the names of existing tools', () => {
    const file = written('neutral-names');
    assert.equal(file.revision, 9);
    assert.equal(file.type, 'topology');
    assert.deepEqual(
      file.topology.nodes.map((n) => n.node_type),
      ['vpcs', 'ethernet_switch'],
    );
  });

  it('of an old file has exactly the fields that existing tools take', () => {
    const file = written('revision-5');
    assert.deepEqual(sorted(Object.keys(file)), sorted(Object.keys(given('campus'))));
    assert.deepEqual(sorted(Object.keys(file.topology)), ['computes', 'drawings', 'links', 'nodes']);
    const model = given('campus').topology;
    for (const list of ['nodes', 'links', 'drawings'] as const) {
      const keys = sorted(Object.keys(model[list][0] ?? {}));
      for (const entry of file.topology[list]) assert.deepEqual(sorted(Object.keys(entry)), keys);
    }
  });

  it('has sorted keys, four spaces, ASCII alone and no line feed at the end, as existing tools write', () => {
    const text = write(toFields(read(fixture('projects/campus.gns3'))));
    assert.equal(text, fixture('projects/campus.gns3').replace('"version": "2.2.54"', '"version": "2.2.60"'));
    const exchange = fixture('projects/exchange.gns3');
    assert.match(exchange, /Z\\u00fcrich/);
    assert.match(write(toFields(read(exchange))), /"name": "Z\\u00fcrich 1"/);
  });

  it('gives broken nodes, links and drawings back', () => {
    const before = given('broken-nodes').topology;
    const after = written('broken-nodes').topology;
    assert.deepEqual(
      after.nodes.find((n) => n.name === 'Q1'),
      before.nodes.find((n) => n.name === 'Q1'),
    );
    assert.deepEqual(
      after.nodes.find((n) => n.name === 'BadFields'),
      before.nodes.find((n) => n.name === 'BadFields'),
    );
    assert.equal(after.nodes.at(-1), 42);
    for (const index of [2, 3, 4, 7]) {
      assert.ok(after.links.some((l) => JSON.stringify(l) === JSON.stringify(before.links[index])));
    }
    assert.deepEqual(after.links.find((l) => l.suspend === 'no')?.filters, { delay: 50 });
    assert.equal(after.drawings.find((d) => d.svg === '<svg/>')?.x, 'far');
    assert.equal(after.drawings.at(-1), null);
  });

  it('has the new value once somebody set a field that could not be read', () => {
    const fields = toFields(read(fixture('projects/broken-nodes.gns3')));
    const repaired = fields.nodes.map((node) =>
      node.name === 'BadFields' ? { ...node, x: 25, label: { text: 'good' }, failure: null } : node,
    );
    const { topology } = JSON.parse(write({ ...fields, nodes: repaired })) as Written;
    const node = topology.nodes.find((n) => n.name === 'BadFields');
    assert.equal(node?.x, 25);
    assert.deepEqual(node.label, { text: 'good' });
    assert.equal(node.console, '5000', 'nobody has set this one');
  });

  it('has neither engine nor simulate, and on_close without its older form', () => {
    const fields = toFields(read(fixture('projects/campus.gns3')));
    const properties = [
      { engine: 'simulated', simulate: { start_ms: 5 } },
      { engine: null, simulate: false },
      { acpi_shutdown: true, on_close: 'shutdown_signal' },
    ];
    const nodes = fields.nodes.slice(0, 3).map((node, i) => ({ ...node, properties: properties[i] ?? {} }));
    const { topology } = JSON.parse(write({ ...fields, nodes, links: [] })) as Written;
    assert.deepEqual(
      topology.nodes.map((n) => n.properties),
      [{}, {}, { on_close: 'shutdown_signal' }],
    );
  });
});

describe('every project file of the fixtures', () => {
  for (const name of readdirSync('test/fixtures/projects')) {
    it(`${name} is written the same however often it is read`, () => {
      const first = toFields(read(fixture(`projects/${name}`)));
      const text = write(first);
      assert.equal(write(toFields(read(text))), text);
    });
  }
});
