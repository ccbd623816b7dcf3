import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TopologError } from '../../src/common/errors.ts';
import type { ParsedNode, ParsedProject } from '../../src/files/read/parsed.ts';
import { fixture } from '../fixtures/fixture.ts';
import { KINDS, read } from './harness.ts';

const lab = (name: string): ParsedProject => read(fixture(`projects/${name}.gns3`));

const nodeOf = (project: ParsedProject, name: string): ParsedNode => {
  const node = project.nodes.find((n) => n.name === name);
  assert.ok(node, `no node ${name}`);
  return node;
};

const refusal = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof TopologError);
    assert.equal(error.code, 'conflict');
    return error.message;
  }
  throw new assert.AssertionError({ message: 'it was read' });
};

const minimal = (changes: Record<string, unknown> = {}, topology: Record<string, unknown> = {}): string =>
  JSON.stringify({
    project_id: '6a0c0d52-27c9-4bb4-9a8f-6c64c0d1a001',
    name: 'minimal',
    type: 'topology',
    revision: 9,
    version: '2.2.54',
    topology: { nodes: [], links: [], drawings: [], computes: [], ...topology },
    ...changes,
  });

describe('a project file of the current revision', () => {
  const campus = lab('campus');

  it('gives every kind under its neutral name, without a problem', () => {
    // Existing tools write none of a kind that they do not know: test/api/simple-router.test.ts.
    const known = KINDS.filter((kind) => kind !== 'simple_router');
    assert.deepEqual(new Set(campus.nodes.map((n) => n.kind)), new Set(known));
    assert.deepEqual(
      campus.nodes.filter((n) => n.problem !== null),
      [],
    );
    assert.deepEqual(campus.warnings, []);
  });

  it('gives settings, links with filters and suspend, drawings and computes as they are in the file', () => {
    assert.deepEqual(campus.settings.supplier, { logo: 'logo.png', url: 'https://example.net/' });
    assert.deepEqual(campus.settings.variables, [{ name: 'ROOM', value: 'B12' }, { name: 'EMPTY' }]);
    assert.equal(campus.settings.show_interface_labels, true);
    assert.equal(campus.links.length, 13);
    assert.deepEqual(campus.links[1]?.filters, {
      delay: [40, 5],
      packet_loss: [2],
      bpf: ['icmp[icmptype] == icmp-echo'],
    });
    assert.deepEqual(
      campus.links.map((l) => l.suspend).filter((suspend) => suspend),
      [true],
    );
    assert.deepEqual(campus.drawings.map((d) => [d.rotation, d.locked, d.z]).at(-1), [-45, true, -3]);
    assert.equal(campus.computes.length, 1);
  });

  it('keeps other computes, port naming and adapters of a node', () => {
    assert.equal(nodeOf(campus, 'Guest B').compute_id, 'vm');
    const edge = nodeOf(campus, 'Edge');
    assert.equal(edge.first_port_name, 'Mgmt');
    assert.equal(edge.port_name_format, 'Gi0/{0}');
    assert.deepEqual(edge.custom_adapters, [
      {
        adapter_number: 1,
        port_name: 'Uplink',
        adapter_type: 'virtio-net-pci',
        mac_address: '0c:11:22:33:00:99',
      },
    ]);
  });

  it('makes one line of names with line ends and control characters, and says so', () => {
    const file = JSON.parse(fixture('projects/campus.gns3')) as {
      name: string;
      topology: { nodes: { name: string }[] };
    };
    file.name = ' Campus\n\u0000of \u2028today';
    const [first, second] = file.topology.nodes;
    assert.ok(first && second);
    [first.name, second.name] = ['a\r\nb', '\n'];
    const project = read(JSON.stringify(file));
    assert.equal(project.settings.name, 'Campus of  today');
    assert.deepEqual(
      project.nodes.slice(0, 2).map(({ name, problem }) => [name, problem]),
      [
        ['a b', null],
        ['_', null],
      ],
    );
    const told = project.warnings.filter((warning) => warning.includes('line ends or control characters'));
    assert.deepEqual(told, [
      'The name of the project had line ends or control characters; it is Campus of  today now',
      'The name of a node had line ends or control characters; it is a b now',
      'The name of a node had line ends or control characters; it is _ now',
    ]);
  });

  it('leaves out what is empty of an adapter: existing tools refuse it', () => {
    const file = JSON.parse(fixture('projects/campus.gns3')) as { topology: { nodes: Record<string, unknown>[] } };
    for (const node of file.topology.nodes)
      node['custom_adapters'] = [{ adapter_number: 1, port_name: '', adapter_type: 'e1000', mac_address: '' }];
    const edge = nodeOf(read(JSON.stringify(file)), 'Edge');
    assert.deepEqual(edge.custom_adapters, [{ adapter_number: 1, adapter_type: 'e1000' }]);
    assert.equal(edge.problem, null);
  });

  it('may use neutral names, and may start with a byte order mark', () => {
    const project = read(`\uFEFF${fixture('projects/neutral-names.gns3')}`);
    assert.equal(nodeOf(project, 'PC1').kind, 'simple_pc');
    assert.equal(nodeOf(project, 'PC1').problem, null);
  });

  it('keeps unknown keys at every level', () => {
    const project = lab('unknown-keys');
    assert.deepEqual(project.extra, {
      created_by: 'someone',
      x_top: { nested: [1, { deep: null }] },
      topology: { x_topology: [true] },
    });
    assert.deepEqual(nodeOf(project, 'PC1').extra, { x_node: { a: 1 } });
    assert.deepEqual(nodeOf(project, 'PC1').properties, { x_property: [1, 2] });
    assert.deepEqual(project.links[0]?.extra, { x_link: 'kept' });
    assert.deepEqual(project.drawings[0]?.extra, { x_drawing: 1.5 });
    assert.deepEqual(project.warnings, []);
  });

  it('leaves settings that it does not have to the caller', () => {
    assert.deepEqual(read(minimal({ zoom: null })).settings, { name: 'minimal' });
  });

  it('rounds coordinates that are not whole', () => {
    const svg = { drawing_id: '6a0c0d52-27c9-4bb4-9a8f-6c64c0d1a002', svg: '<svg/>', x: 10.6, y: -0.2 };
    const [drawing] = read(minimal({}, { drawings: [svg] })).drawings;
    assert.deepEqual([drawing?.x, drawing?.y], [11, 0]);
  });
});

describe('older revisions', () => {
  it('5: serial consoles become telnet, the remote console switch goes', () => {
    const project = lab('revision-5');
    assert.equal(project.revision, 5);
    assert.equal(project.version, '2.0.0dev1');
    const vm = nodeOf(project, 'VM1');
    assert.equal(vm.console_type, 'telnet');
    assert.equal('enable_remote_console' in vm.properties, false);
    assert.equal(vm.properties.on_close, 'power_off');
    assert.equal(nodeOf(project, 'PC1').console_type, 'telnet');
  });

  for (const revision of [5, 6, 7]) {
    it(`${revision}: start-up texts leave the properties, everything else stays`, () => {
      const project = lab(`revision-${revision}`);
      assert.deepEqual(nodeOf(project, 'PC1').properties, {});
      assert.deepEqual(project.warnings, []);
      for (const node of project.nodes) {
        assert.deepEqual(
          Object.keys(node.properties).filter((key) => /^(startup|private)_/.test(key)),
          [],
        );
      }
    });
  }

  it('6: a router keeps its instance number, by which its files are found', () => {
    assert.equal(nodeOf(lab('revision-6'), 'R1').properties.dynamips_id, 2);
  });

  it('8: what happens on close becomes one choice, by its meaning', () => {
    const project = lab('revision-8');
    const choices = ['Soft', 'Hard', 'Saved'].map((name) => nodeOf(project, name).properties);
    assert.deepEqual(
      choices.map((p) => p.on_close),
      ['shutdown_signal', 'power_off', 'save_vm_state'],
    );
    assert.ok(choices.every((p) => !('acpi_shutdown' in p) && !('save_vm_state' in p)));
  });

  it('8: template ids, console types, grids and variables get their new form', () => {
    const project = lab('revision-8');
    const pc = nodeOf(project, 'PC1');
    assert.match(pc.template_id ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(pc.extra, {});
    assert.equal(pc.console_type, 'none');
    assert.equal(project.settings.drawing_grid_size, 50);
    assert.deepEqual(project.settings.variables, [{ name: 'KEPT', value: '1' }]);
  });
});

describe('broken parts', () => {
  const project = lab('broken-nodes');
  const problem = (name: string): string => nodeOf(project, name).problem?.message ?? '';

  it('do not keep the good parts from being read', () => {
    for (const name of ['PC1', 'SW1', 'NoId', 'OddId']) assert.equal(nodeOf(project, name).problem, null);
    assert.equal(project.nodes.length, 10);
  });

  it('a node of an unknown kind keeps its type and its content, and its links', () => {
    const q = nodeOf(project, 'Q1');
    assert.equal(q.kind, 'quantum_router');
    assert.deepEqual(q.properties, { qubits: 7 });
    assert.match(problem('Q1'), /node_type "quantum_router" is not a kind/);
    assert.ok(project.links.some((l) => l.nodes.some((end) => end.node_id === q.node_id)));
  });

  it('a node with wrong fields names each of them, and keeps what it had', () => {
    const node = nodeOf(project, 'BadFields');
    for (const key of ['console', 'x', 'label', 'properties', 'custom_adapters', 'locked', 'compute_id']) {
      assert.match(problem('BadFields'), new RegExp(`\\b${key} must be`));
    }
    assert.equal(node.problem?.code, 'conflict');
    assert.equal(node.y, 300);
    assert.equal(node.console, null);
    assert.equal(node.extra.console, '5000');
  });

  it('a node without a name or type says so', () => {
    const nameless = project.nodes.find((n) => n.problem?.message.includes('name is missing'));
    assert.ok(nameless?.name.startsWith('unnamed-'));
    assert.match(problem('NoType'), /node_type is missing/);
  });

  it('a second node with the same id gets a new one and a problem', () => {
    assert.notEqual(nodeOf(project, 'Twin').node_id, nodeOf(project, 'PC1').node_id);
    assert.match(problem('Twin'), /node_id .* is that of an earlier one/);
  });

  it('ids that are missing or no UUIDs are replaced, and links still find their node', () => {
    for (const name of ['NoId', 'OddId']) assert.match(nodeOf(project, name).node_id, /^00000000-/);
    assert.ok(project.links.some((l) => l.nodes.some((end) => end.node_id === nodeOf(project, 'OddId').node_id)));
  });

  it('a name that is taken gets a number', () => {
    assert.ok(project.nodes.some((n) => n.name === 'PC1-1'));
    assert.ok(project.warnings.some((w) => w.includes('PC1-1')));
  });

  it('links and drawings that cannot be used are kept as they were, with a warning each', () => {
    const kept = project.extra.topology as Record<string, unknown[]>;
    assert.equal(kept.nodes?.[0], 42);
    assert.equal(kept.links?.length, 4);
    assert.equal(kept.drawings?.length, 2);
    for (const part of ['Node 11', 'Link 3', 'Link 4', 'Link 5', 'Link 8', 'Drawing 2', 'Drawing 3']) {
      assert.ok(
        project.warnings.some((w) => w.startsWith(`${part} of the file was left out: `)),
        part,
      );
    }
  });

  it('a link with unreadable filters or suspend works without them', () => {
    const link = project.links.find((l) => 'filters' in l.extra);
    assert.deepEqual([link?.filters, link?.suspend], [{}, false]);
    assert.deepEqual(link?.extra, { filters: { delay: 50 }, suspend: 'no' });
  });

  it('a setting that cannot be read is ignored with a warning', () => {
    assert.equal('zoom' in project.settings, false);
    assert.ok(project.warnings.some((w) => w.includes('zoom must be a whole number')));
  });
});

describe('what is no project file that can be read', () => {
  it('is refused with the reason', () => {
    assert.match(refusal('{"type": "topology",'), /not JSON/);
    assert.match(refusal(''), /not JSON/);
    assert.match(refusal('[]'), /type must be "topology"/);
    assert.match(refusal(minimal({ type: 'appliance' })), /type must be "topology"/);
    assert.match(refusal(minimal({ project_id: '../../etc' })), /project_id must be a UUID, not "..\/..\/etc"/);
    assert.match(refusal(minimal({ name: ['x'] })), /name must be/);
    assert.match(refusal(minimal({ topology: null })), /topology must be an object/);
    assert.match(refusal(minimal({}, { links: {} })), /topology.links must be a list/);
  });

  it('a newer revision is refused with revision and version', () => {
    const message = refusal(minimal({ revision: 11, version: '3.1.0' }));
    assert.match(
      message,
      /more recent version \(version 3\.1\.0\): its revision is 11; revisions 1 to 10, and files of before/,
    );
  });

  it('an odd revision, and none with the form of today, is refused with those that are read', () => {
    for (const revision of [0, -1, undefined, null, '9', 8.5]) {
      assert.match(
        refusal(minimal({ revision })),
        /revisions 1 to 10, and files of before there were numbers, are read/,
      );
    }
  });

  it('nesting that would exhaust the stack later is refused', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    assert.match(refusal(minimal().replace('"computes":[]', `"computes":${deep}`)), /nested deeper/);
  });
});

describe('hostile keys', () => {
  it('__proto__ changes no prototype and is not kept', () => {
    const text = minimal({}, { nodes: [{ node_type: 'vpcs', name: 'PC1', properties: {} }] })
      .replace('"properties":{}', '"properties":{"__proto__":{"polluted":true}},"__proto__":{"polluted":true}')
      .replace('"version"', '"__proto__":{"polluted":true},"version"');
    const project = read(text);
    assert.equal(text.split('__proto__').length, 4);
    assert.doesNotMatch(JSON.stringify(project), /polluted/);
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.equal((project.nodes[0]?.properties as { polluted?: unknown }).polluted, undefined);
  });

  it('names of object methods are kinds as unknown as any other', () => {
    const [node] = read(minimal({}, { nodes: [{ node_type: 'constructor', name: 'toString' }] })).nodes;
    assert.equal(node?.kind, 'constructor');
    assert.match(node?.problem?.message ?? '', /not a kind/);
  });
});
