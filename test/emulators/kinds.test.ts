import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Kind, Properties } from '../../src/emulators/kit/contract.ts';
import { createKinds } from '../../src/emulators/registry.ts';
import { arbitraryOf } from './arbitrary.ts';
import { IDENTITY, LEAST, naming, NODE_ID, nodeOf } from './sample.ts';

const kinds = createKinds();
const kindOf = (name: string): Kind => {
  const kind = kinds.get(name);
  assert.ok(kind, `there is no kind ${name}`);
  return kind;
};

const ALIASES: Record<string, string> = {
  simple_router: 'simple_router',
  simple_pc: 'vpcs',
  trace_tool: 'traceng',
  machine_emulator: 'qemu',
  container: 'docker',
  router_emulator: 'dynamips',
  switch_router_emulator: 'iou',
  desktop_vm_a: 'virtualbox',
  desktop_vm_b: 'vmware',
};
const DIRECTORIES: Record<string, string> = {
  ...Object.fromEntries(Object.values(ALIASES).map((name) => [name, name])),
  cloud: 'builtin',
  nat: 'builtin',
};
const ALWAYS_ON = ['ethernet_switch', 'ethernet_hub', 'frame_relay_switch', 'atm_switch', 'nat', 'cloud'];

describe('the registry', () => {
  it('has the fifteen kinds, each under both its names', () => {
    const names = kinds.all().map((kind) => kind.name);
    assert.deepEqual(names.toSorted(), [...new Set([...Object.keys(ALIASES), ...ALWAYS_ON])].toSorted());
    for (const [name, alias] of Object.entries(ALIASES)) assert.equal(kinds.get(alias), kindOf(name));
  });

  it('says of each what people call it in the other language of the page', () => {
    assert.deepEqual(
      kinds.all().filter(({ titles }) => titles?.['de'] === undefined),
      [],
    );
  });

  it('refuses two kinds of one name', () => {
    const pc = kindOf('simple_pc');
    assert.throws(
      () => createKinds([pc, { ...kindOf('nat'), alias: 'vpcs' }]),
      /simple_pc and nat are both called vpcs/,
    );
  });
});

describe('types of nodes before revision 5', () => {
  const takers = (type: string): Kind[] => kinds.all().filter(({ old }) => old?.types.includes(type));

  it('become one kind each, but for those that a kind takes some of', () => {
    const all = [...new Set(kinds.all().flatMap(({ old }) => old?.types ?? []))];
    for (const type of all) {
      const [one, ...others] = takers(type).filter(({ old }) => old?.only === undefined);
      assert.deepEqual(others, [], type);
      if (one === undefined) assert.ok(takers(type).length === 1, type);
    }
  });

  it('are all that there were', () => {
    const types = [
      ...[
        'VPCSDevice',
        'QemuVM',
        'DockerVM',
        'EthernetSwitch',
        'EthernetHub',
        'FrameRelaySwitch',
        'ATMSwitch',
        'Cloud',
        'Host',
      ],
      ...['IOUDevice', 'VirtualBoxVM', 'VMwareVM', 'EtherSwitchRouter'],
      ...['C1700', 'C2600', 'C2691', 'C3600', 'C3620', 'C3640', 'C3660', 'C3725', 'C3745', 'C7200'],
    ];
    for (const type of types) assert.ok(takers(type).length > 0, type);
  });
});

for (const kind of kinds.all()) {
  describe(`kind ${kind.name}`, () => {
    const least = LEAST[kind.name] ?? {};

    it('needs no more than its name and what it says it requires', () => {
      assert.deepEqual(kind.required.toSorted(), Object.keys(least).toSorted());
      assert.ok(kind.create.safeParse({ name: 'N1', ...least }).success);
      for (const key of kind.required) {
        const short = Object.fromEntries(Object.entries(least).filter(([name]) => name !== key));
        assert.equal(kind.create.safeParse({ name: 'N1', ...short }).success, false);
        assert.throws(() => kind.complete(short, IDENTITY), { code: 'invalid_request', message: new RegExp(key) });
      }
    });

    it('refuses fields that nothing knows, in every body, and names them', () => {
      const bodies: [Kind['create'], Properties][] = [
        [kind.properties, least],
        [kind.create, { name: 'N1', ...least }],
        [kind.update, {}],
      ];
      for (const [schema, body] of bodies) {
        const result = schema.safeParse({ ...body, bogus_field: 1 });
        assert.match(result.error?.issues[0]?.message ?? '', /bogus_field/);
      }
    });

    it('keeps its directory, name and start as existing projects have them', () => {
      const alwaysOn = ALWAYS_ON.includes(kind.name);
      assert.equal(kind.directory, DIRECTORIES[kind.alias] ?? 'dynamips');
      assert.equal(kind.capabilities.directory, !alwaysOn);
      assert.equal(kind.capabilities.always_on, alwaysOn);
      assert.equal(kind.capabilities.reload, !alwaysOn);
      assert.match(kind.look.name, /\{0\}/);
    });

    it('keeps unknown keys of a project file, and drops what all nodes have', () => {
      const done = kind.complete({ ...least, from_elsewhere: { a: [1] }, status: 'started', name: 'x' }, IDENTITY);
      assert.deepEqual(done['from_elsewhere'], { a: [1] });
      assert.equal('status' in done || 'name' in done, false);
    });

    it('refuses a wrong value of a project file, naming the key', () => {
      for (const key of Object.keys(kind.properties.shape)) {
        if (kind.properties.safeParse({ [key]: Symbol.iterator }).success) continue;
        assert.throws(() => kind.complete({ ...least, [key]: Symbol.iterator }, IDENTITY), {
          code: 'invalid_request',
          message: new RegExp(key),
        });
      }
    });

    it('makes a record of any create body, which can be put back as it was read', () => {
      fc.assert(
        fc.property(arbitraryOf(kind.create), (any) => {
          const body = tamed(any as Properties);
          const node = nodeOf(kind, body);
          const record = kind.record(node);
          const output = kind.output.safeParse(record);
          assert.deepEqual(output.error?.issues, undefined);
          assert.equal(record['node_id'], NODE_ID);
          const back = kind.update.safeParse(record);
          assert.deepEqual(back.error?.issues, undefined);
          assert.deepEqual(
            kind.complete({ ...node.properties, ...propertiesOf(kind, record) }, IDENTITY),
            node.properties,
          );
        }),
        { numRuns: 60 },
      );
    });

    it('gives every port a place and a name of its own', () => {
      fc.assert(
        fc.property(arbitraryOf(kind.create), (any) => {
          const { ports } = nodeOf(kind, tamed(any as Properties));
          const places = ports.map((port) => `${port.adapter_number}/${port.port_number}`);
          assert.equal(new Set(places).size, ports.length);
          for (const port of ports) assert.ok(Object.keys(port.data_link_types).length > 0);
        }),
        { numRuns: 30 },
      );
    });

    it('lets a running node keep what it has, and its texts change', () => {
      const { properties } = nodeOf(kind);
      assert.deepEqual(kind.needsStop(properties, { ...properties }), []);
      assert.deepEqual(kind.needsStop(properties, { ...properties, usage: 'other', simulate: { delay_ms: 1 } }), []);
      assert.deepEqual(kind.needsStop(properties, { ...properties, engine: 'simulated' }), ['engine']);
    });

    it('takes its own engines and simulated, and no other', () => {
      for (const engine of [...kind.engines.map((factory) => factory.name), 'simulated'])
        assert.ok(kind.properties.safeParse({ engine }).success);
      assert.equal(kind.properties.safeParse({ engine: 'magic' }).success, false);
    });

    it('names its ports by its own rules unless the node says otherwise', () => {
      assert.doesNotThrow(() => kind.ports(kind.complete(least, IDENTITY), naming(kind)));
    });
  });
}

/** What a schema cannot say and other tests look at: numbers given twice, cards that fit, circuits that meet. */
const tamed = (body: Properties): Properties => {
  const other = /^(name|node_id|console|console_type|custom_adapters|slot\d|wic\d|chassis|mappings)$/;
  const kept = Object.entries(body).filter(([key]) => !other.test(key));
  const properties = Object.fromEntries(kept);
  const mapping = properties['ports_mapping'];
  if (Array.isArray(mapping))
    properties['ports_mapping'] = mapping.map((entry: object, port_number) => ({ ...entry, port_number }));
  if (Number(properties['ethernet_adapters']) + Number(properties['serial_adapters']) > 16)
    properties['serial_adapters'] = 0;
  return properties;
};

const propertiesOf = (kind: Kind, record: Properties): Properties =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key in kind.properties.shape));
