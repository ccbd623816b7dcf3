import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { TopologError } from '../../src/common/errors.ts';
import { projectFields, nodeFields, linkFields, drawingFields } from '../../src/events/fields.ts';
import { asOneLine } from '../../src/common/forms/one-line.ts';
import { fixture } from '../fixtures/fixture.ts';
import { type Fields, KINDS, read, toFields, write } from './harness.ts';

const FIXTURES = ['campus', 'unknown-keys', 'broken-nodes', ...[5, 6, 7, 8].map((r) => `revision-${r}`)];
const texts = FIXTURES.map((name) => fixture(`projects/${name}.gns3`));

/** Every place of a value, as the keys that lead there. */
const placesIn = (value: unknown, at: string[] = []): string[][] => [
  at,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) => placesIn(child, [...at, key]))
    : []),
];

const replaceAt = (root: unknown, [key, ...rest]: string[], change: unknown): unknown => {
  if (key === undefined) return change;
  const at = root as Record<string, unknown>;
  const child = replaceAt(at[key], rest, change);
  if (Array.isArray(root)) return root.map((item: unknown, i) => (String(i) === key ? child : item));
  // fromEntries, because a change to undefined is a removed key in JSON, and `__proto__` has to stay an ordinary one.
  return Object.fromEntries([...Object.entries(at).filter(([k]) => k !== key), [key, child]]);
};

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(undefined, null, -1, 1e300, 2 ** 53, '', '__proto__', [], {}, [[]], 'vpcs', '<svg/>'),
);

/** A fixture with some of its values replaced by others, or removed. */
const mutated = fc
  .tuple(fc.constantFrom(...texts), fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 4 }))
  .map(([text, changes]) =>
    changes.reduce<unknown>((value, [n, change]) => {
      const places = placesIn(value);
      return replaceAt(value, places[n % places.length] ?? [], change);
    }, JSON.parse(text)),
  )
  .map((value) => JSON.stringify(value) ?? 'undefined');

/** What must survive being written: everything but the file's own revision and version, and notes on what was repaired. */
const lasting = (fields: Fields): unknown => ({ ...fields, nodes: fields.nodes.map(lastingNode) });

const lastingNode = (node: Fields['nodes'][number]): unknown => {
  const repaired = /its node_id [^;]* was replaced(; )?/;
  const message = node.failure?.message.replace(repaired, '').replace(/^Node .*?: /, '') ?? '';
  return { ...node, failure: message };
};

const readable = (text: string): Fields | undefined => {
  try {
    return toFields(read(text));
  } catch (error) {
    assert.ok(error instanceof TopologError, String(error));
    assert.equal(error.code, 'conflict');
    return undefined;
  }
};

const uuid = fc.uuid();
const name = fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }).map(asOneLine);
const bag = fc.dictionary(
  fc.string({ maxLength: 6 }).map((key) => `x_${key}`),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 3 },
);
const whole = fc.integer({ min: -(2 ** 31) + 1, max: 2 ** 31 - 1 });
const size = fc.nat();
const label = fc.record(
  { text: fc.string(), style: fc.option(fc.string()), x: fc.option(whole), y: whole, rotation: whole },
  { requiredKeys: ['text'] },
);
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });

const nodeArbitrary = fc.record({
  compute_id: fc.oneof(fc.constantFrom('local', 'vm'), uuid),
  node_id: uuid,
  kind: fc.constantFrom(...KINDS, 'quantum_router'),
  name,
  template_id: orNull(uuid),
  console: orNull(fc.integer({ min: 1, max: 65535 })),
  console_type: fc.constantFrom('telnet', 'vnc', 'none'),
  console_auto_start: fc.boolean(),
  properties: bag,
  label,
  symbol: fc.string(),
  width: size,
  height: size,
  x: whole,
  y: whole,
  z: whole,
  locked: fc.boolean(),
  port_name_format: name,
  port_segment_size: size,
  first_port_name: orNull(name),
  custom_adapters: fc.array(
    fc.record(
      { adapter_number: size, port_name: name, adapter_type: name, mac_address: name },
      { requiredKeys: ['adapter_number'] },
    ),
    { maxLength: 2 },
  ),
  extra: bag,
});

const linkArbitrary = fc.record({
  link_id: uuid,
  ends: fc.tuple(fc.nat(), fc.nat()),
  ports: fc.tuple(fc.nat(65535), fc.nat(65535)),
  suspend: fc.boolean(),
  filters: fc.dictionary(fc.constantFrom('delay', 'bpf', 'corrupt'), fc.array(fc.oneof(fc.nat(), fc.string()))),
  link_style: bag,
  label,
  extra: bag,
});

const drawingArbitrary = fc.record({
  drawing_id: uuid,
  x: whole,
  y: whole,
  z: whole,
  rotation: whole,
  locked: fc.boolean(),
  svg: fc.string(),
  extra: bag,
});

const project_id = '1e0fd6a2-93f1-4d0c-8d20-9f6d3c7b5a11';

/** Records as the server may have them. */
const records = fc
  .record({
    project: fc.record({ name, zoom: whole, grid_size: whole, auto_start: fc.boolean(), extra: bag, topology: bag }),
    nodes: fc.uniqueArray(nodeArbitrary, {
      minLength: 1,
      maxLength: 5,
      comparator: (a, b) => a.node_id === b.node_id || a.name === b.name,
    }),
    links: fc.uniqueArray(linkArbitrary, { maxLength: 4, selector: (l) => l.link_id }),
    drawings: fc.uniqueArray(drawingArbitrary, { maxLength: 3, selector: (d) => d.drawing_id }),
  })
  .map(({ project, nodes, links, drawings }): Fields => {
    const base = toFields(read(fixture('projects/campus.gns3'))).project;
    const { topology, extra, ...settings } = project;
    const nodeAt = (n: number): string => nodes[n % nodes.length]?.node_id ?? '';
    return {
      project: { ...base, ...settings, project_id, extra: { ...extra, topology } },
      nodes: nodes.map((n) => ({ ...n, project_id, ports: [], node_directory: null, failure: null })),
      links: links.map(({ ends, ports, label: text, ...l }) => ({
        ...l,
        project_id,
        link_type: 'ethernet',
        nodes: ends.map((n, i) => ({
          node_id: nodeAt(n),
          adapter_number: 0,
          port_number: ports[i] ?? 0,
          label: text,
        })),
      })),
      drawings: drawings.map((d) => ({ ...d, project_id })),
    };
  });

describe('reading and writing project files', () => {
  it('a damaged file is read or refused in words, and what was read survives being written', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const first = readable(text);
        if (first === undefined) return;
        const again = toFields(read(write(first)));
        assert.deepEqual(lasting(again), lasting(first));
      }),
      { numRuns: 300 },
    );
  });

  it('what was read fits the events that will carry it', () => {
    fc.assert(
      fc.property(mutated, (text) => {
        const fields = readable(text);
        if (fields === undefined) return;
        projectFields.parse(fields.project);
        for (const node of fields.nodes) nodeFields.parse(node);
        for (const link of fields.links) linkFields.parse(link);
        for (const drawing of fields.drawings) drawingFields.parse(drawing);
      }),
      { numRuns: 150 },
    );
  });

  it('text that is not even JSON is refused in words', () => {
    const cut = fc.tuple(fc.constantFrom(...texts), fc.nat(), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(cut, ([text, n, insert]) => {
        const at = n % text.length;
        readable(text.slice(0, at) + insert);
        readable(text.slice(0, at) + insert + text.slice(at + 1));
      }),
      { numRuns: 150 },
    );
  });

  it('records are written the same, byte for byte, after having been read from what was written', () => {
    fc.assert(
      fc.property(records, (fields) => {
        const text = write(fields);
        assert.equal(write(toFields(read(text))), text);
      }),
      { numRuns: 150 },
    );
  });
});
