import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { LabApplied, LabPlan } from '../../../src/actors/commands.ts';
import { showLab } from '../../../src/actors/lab-text/show.ts';
import { updateText } from '../../../src/actors/lab-text/update.ts';
import { TopologError } from '../../../src/common/errors.ts';
import type { AnyEvent } from '../../../src/events/schemas.ts';
import { history } from '../../../src/events/history.ts';
import { makeTemp } from '../../support/temp.ts';
import { CALLER, testLab, type TestLab } from '../test-lab.ts';

let t: TestLab;
before(async () => {
  t = await testLab({ dir: await makeTemp('topolog-lab-text') });
});
after(() => t.close());

const input = (text: string, project_id?: string) => ({
  ...{ text, format: 'yaml' as const, files: {} },
  ...(project_id === undefined ? {} : { project_id }),
});
const apply = (text: string, start = false): Promise<LabApplied> =>
  t.commands.applyLab({ ...CALLER, request_id: randomUUID() }, { ...input(text), start });
const plan = (text: string): Promise<LabPlan> => t.commands.planLab(input(text));
const show = (id: string): Promise<string> => showLab(t.context, id, 'yaml');

const eventsAfter = async (id: string, position: number): Promise<AnyEvent[]> => {
  const { texts } = await history(t.log.store, t.log.status().position, {
    project_id: id,
    limit: 1000,
    from: position,
  });
  return texts.map((text) => JSON.parse(text) as AnyEvent);
};

/** What is done, in short. */
const said = ({ changes }: LabPlan): string[] =>
  changes.map(({ action, type, name, restart, fields }) =>
    [action, type, name, ...(restart ? ['restart'] : []), ...fields.map(({ field }) => field)].join(' '),
  );

interface Form {
  nodes: Record<string, Record<string, unknown>>;
  links: unknown[];
  [key: string]: unknown;
}
const textOf = (name: string, form: Partial<Form>): string => stringify({ lab: name, version: 1, ...form });

const pc = (address?: string, more: object = {}) => ({
  ...{ kind: 'simple_pc' },
  ...(address === undefined ? {} : { address }),
  ...more,
});
const SWITCH = { kind: 'ethernet_switch' };

const node = (id: string, name: string) => {
  const [found] = t.context.committed.named(id, name);
  assert.ok(found !== undefined, name);
  return found;
};

describe('applying a text', () => {
  it('makes a lab with one cause, starts it, and does nothing the second time', async () => {
    const text = textOf('first', { nodes: { A: pc('10.0.0.1/24'), S: SWITCH }, links: [['A', 'S:0']] });
    const made = await apply(text, true);
    assert.deepEqual(said(made), ['add project first', 'add node A', 'add node S', 'add link A – S:0']);
    const { project_id: id, position } = made;
    assert.ok(position !== null);
    const events = await eventsAfter(id, position);
    const caused = events.filter(({ type }) => /^(node|link)\.created$|nodes_requested|apply_finished/.test(type));
    assert.ok(caused.length === 5 && caused.every(({ cause }) => cause === position));
    assert.ok(t.context.committed.ofProject('node', id).every(({ state }) => state === 'started'));
    assert.deepEqual(made.started, ['A']);
    const before = t.log.status().position;
    assert.deepEqual(said(await apply(text, true)), []);
    assert.deepEqual(said(await plan(text)), []);
    assert.equal(t.log.status().position, before);
  });

  it('stops, changes and starts those alone that need it', async () => {
    const form = (address: string, x: number) =>
      textOf('restart', { nodes: { A: pc(address), B: pc('10.0.0.2/24', { at: [x, 0] }) }, links: [['A', 'B']] });
    const { project_id: id } = await apply(form('10.0.0.1/24', 0), true);
    const changed = form('10.0.0.9/24', 50);
    assert.deepEqual(said(await plan(changed)), ['change node A restart startup_script', 'change node B x']);
    const { position } = await apply(changed);
    const stopped = (await eventsAfter(id, position ?? 0)).filter(({ type }) => type === 'node.stopped');
    assert.deepEqual(
      stopped.map(({ data }) => (data as { node_id: string }).node_id),
      [node(id, 'A').node_id],
    );
    assert.equal(node(id, 'A').state, 'started');
    assert.equal(node(id, 'B').x, 50);
    assert.deepEqual(said(await plan(changed)), []);
  });

  it('renames a node that was another, and makes another one for another kind', async () => {
    const { project_id: id } = await apply(textOf('names', { nodes: { A: pc(), B: pc() }, links: [['A', 'B']] }));
    const { node_id } = node(id, 'A');
    const renamed = textOf('names', { nodes: { C: pc(undefined, { was: 'A' }), B: pc() }, links: [['C', 'B']] });
    assert.deepEqual(said(await apply(renamed)), ['change node C name']);
    assert.equal(node(id, 'C').node_id, node_id);
    assert.deepEqual(said(await apply(renamed)), []);
    const other = textOf('names', { nodes: { C: SWITCH, B: pc() }, links: [['C:0', 'B']] });
    assert.deepEqual(said(await apply(other)), [
      'remove link C:0 – B:0',
      'remove node C',
      'add node C',
      'add link C:0 – B',
    ]);
    assert.notEqual(node(id, 'C').node_id, node_id);
  });

  it('takes a name over from a node that keeps its own', async () => {
    const { project_id: id } = await apply(textOf('taken', { nodes: { A: pc(), B: pc() } }));
    const { node_id } = node(id, 'A');
    await apply(textOf('taken', { nodes: { B: pc(undefined, { was: 'A' }), C: pc(undefined, { was: 'B' }) } }));
    // B is in the text by its name, so that it stays: A is the one that goes.
    assert.notEqual(node(id, 'B').node_id, node_id);
  });

  it('turns filters of one direction with the ends of the link', async () => {
    const form = (ends: string[], filters: object) =>
      textOf('ways', { nodes: { A: pc(), B: pc() }, links: [{ ends, filters }] });
    const { project_id: id } = await apply(form(['A', 'B'], { 'delay>': 5, packet_loss: [3] }));
    assert.deepEqual(said(await plan(form(['B', 'A'], { 'delay<': 5, packet_loss: 3 }))), []);
    await apply(form(['B', 'A'], { 'delay>': 5 }));
    const [link] = t.context.committed.ofProject('link', id);
    assert.deepEqual(link?.filters, { 'delay<': [5] });
    await apply(form(['B', 'A'], {}));
    assert.deepEqual(t.context.committed.ofProject('link', id)[0]?.filters, {});
  });

  it('leaves what the text does not say, and moves nothing', async () => {
    const { project_id: id } = await apply(textOf('unsaid', { nodes: { A: pc('10.0.0.1/24', { at: [7, 8] }) } }));
    await t.commands.createDrawing(CALLER, id, { svg: '<svg/>' });
    const more = textOf('unsaid', { nodes: { A: { kind: 'simple_pc' }, B: pc() } });
    assert.deepEqual(said(await apply(more)), ['add node B']);
    assert.deepEqual([node(id, 'A').x, node(id, 'A').y], [7, 8]);
    assert.match(await show(id), /address: 10\.0\.0\.1\/24/);
    assert.equal(t.context.committed.count('drawing', id), 1);
    assert.deepEqual(said(await apply(textOf('unsaid', { nodes: { A: pc(), B: pc() }, drawings: [] }))), [
      'remove drawing at 0, 0',
    ]);
  });

  it('is one edit, which its person takes back', async () => {
    const { project_id: id } = await apply(textOf('edit', { nodes: { A: pc() } }));
    const state = await show(id);
    await apply(textOf('edit', { nodes: { B: pc(), C: pc() }, links: [['B', 'C']] }));
    await t.commands.undo({ ...CALLER, request_id: randomUUID() }, id);
    assert.equal(await show(id), state);
  });

  for (const [what, form, expected] of [
    [
      'an unknown kind',
      { nodes: { A: { kind: 'pc' } } },
      /^line 5, column 5: nodes\.A\.kind pc is not one of simple_pc, /,
    ],
    ['an unknown template', { nodes: { A: { template: 'T' } } }, /nodes\.A\.template T is not one of VPCS, /],
    [
      'an unknown compute',
      { nodes: { A: pc(undefined, { compute: 'far' }) } },
      /nodes\.A\.compute far is no compute of this server/,
    ],
    [
      'an unknown property',
      { nodes: { A: { kind: 'ethernet_switch', properties: { ram: 1 } } } },
      /line 7, column 7: nodes\.A\.properties\.ram is no setting of this kind; it has ports_mapping/,
    ],
    [
      'a port that is not there',
      { nodes: { A: pc(), S: SWITCH }, links: [['A', 'S:9']] },
      /links\[0\] names port 9 of S: it has e0, e1/,
    ],
    [
      'an end without a port',
      { nodes: { A: pc(), S: SWITCH }, links: [['A', 'S']] },
      /links\[0\] must say which port of S: it has e0/,
    ],
    [
      'a port that is used twice',
      {
        nodes: { A: pc(), B: pc(), S: SWITCH },
        links: [
          ['A', 'S:0'],
          ['B', 'S:e0'],
        ],
      },
      /links\[1\] uses port e0 of S, which another link has/,
    ],
    [
      'an address that no text of the kind takes',
      { nodes: { S: { ...SWITCH, address: '10.0.0.1/24' } } },
      /nodes\.S\.address is not for this kind/,
    ],
    [
      'a filter that is none',
      { nodes: { A: pc(), B: pc() }, links: [{ ends: ['A', 'B'], filters: { dely: 1 } }] },
      /line \d+, column \d+: links\[0\]\.filters.*dely/,
    ],
  ] as const)
    it(`is refused for ${what}, at its place, and nothing is made`, async () => {
      const name = `refused ${what}`;
      await assert.rejects(apply(textOf(name, form as Partial<Form>)), (error: Error) => {
        assert.match(error.message.replace('The request is not valid: ', ''), expected);
        return true;
      });
      assert.ok(!t.context.committed.projects().some((project) => project.name === name));
    });

  const errorsOf = async (form: Partial<Form>, more = ''): Promise<string[]> => {
    const refused = await apply(`${textOf('many', form)}${more}`).catch((error: unknown) => error);
    assert.ok(refused instanceof TopologError, String(refused));
    const errors = refused.details['errors'] as { field: string; problem: string }[];
    return errors.map(({ field, problem }) =>
      `${field} ${problem}`.replace(/(is not one of|it has|known are) .*/, '$1 …'),
    );
  };

  it('is refused for all that is wrong with its nodes, whatever its form is', async () => {
    const nodes = { A: { kind: 'pc' }, B: { template: 'T' }, S: { ...SWITCH, properties: { ram: 1 } }, C: pc() };
    const wrong = [
      'nodes.A.kind pc is not one of …',
      'nodes.B.template T is not one of …',
      'nodes.S.properties.ram is no setting of this kind; it has …',
    ];
    assert.deepEqual(await errorsOf({ nodes }), wrong);
    assert.deepEqual(await errorsOf({ nodes }, 'colour: red\n'), [...wrong, 'colour is an unknown key; known are …']);
  });

  it('is planned over a closed lab as over an open one, and opens it only for a change', async () => {
    const form = { nodes: { A: pc(), B: pc() }, links: [['A', 'B']] };
    const { project_id: id } = await apply(textOf('closed', form));
    await t.commands.closeProject(CALLER, id);
    assert.deepEqual(said(await apply(textOf('closed', form))), []);
    assert.equal(t.context.committed.get('project', id)?.state, 'closed');
    assert.deepEqual(said(await plan(textOf('closed', { ...form, links: [] }))), ['remove link A:0 – B:0']);
    await apply(textOf('closed', { ...form, links: [] }));
    assert.equal(t.context.committed.get('project', id)?.state, 'opened');
  });

  it('blames no line for what it does not have and what cannot be removed', async () => {
    await apply(textOf('kept here', { nodes: { A: pc(undefined, { locked: true }), B: pc() } }));
    const refused: unknown = await plan(textOf('kept here', { nodes: { B: pc() } })).catch((error: unknown) => error);
    assert.ok(refused instanceof TopologError, String(refused));
    assert.equal(refused.message, 'node A, which the text does not have, cannot be removed: A is locked');
    assert.equal(refused.details['line'], undefined);
  });

  it('is refused for all links that name ports which are not there', async () => {
    const links: [string, string][] = [
      ['A', 'S:98'],
      ['B', 'S:0'],
      ['C', 'S:99'],
    ];
    assert.deepEqual(await errorsOf({ nodes: { A: pc(), B: pc(), C: pc(), S: SWITCH }, links }), [
      'links[0] names port 98 of S: it has …',
      'links[2] names port 99 of S: it has …',
    ]);
  });

  it('takes filters of the weather as it takes those of a link, and refuses them with the same words', async () => {
    const nodes = { A: pc(), B: pc() };
    const links = (filters: object) => ({ nodes, links: [{ ends: ['A', 'B'], filters }] }) as Partial<Form>;
    const weather = (entry: object): string =>
      `weather:\n  - ${JSON.stringify({ at: '1s', for: '3s', links: [['A', 'B']], ...entry })}\n`;
    const refusal = async (form: Partial<Form>, more = ''): Promise<string> => {
      const refused = await apply(`${textOf('many', form)}${more}`).catch((error: unknown) => error);
      assert.ok(refused instanceof TopologError, String(refused));
      return refused.message.replace(/^.*line \d+, column \d+: /, '');
    };
    for (const [filters, problem] of [
      [{ dellay: 3 }, 'dellay: there is no filter dellay; did you mean delay?'],
      [{ delay: true }, 'delay must be a number, a text, or a list of such'],
      [{ packet_loss: [5, 6] }, 'packet_loss: filter packet_loss takes 1 value, not 2'],
    ] as const) {
      const plain = { nodes, links: [['A', 'B']] } as Partial<Form>;
      assert.equal(await refusal(links(filters)), `links[0].filters.${problem}`);
      assert.equal(await refusal(plain, weather({ filters })), `weather[0].filters.${problem}`);
      assert.equal(await refusal(plain, weather({ ramp: { to: filters } })), `weather[0].ramp.to.${problem}`);
    }
    const text = `${textOf(randomUUID(), { nodes, links: [['A', 'B']] })}${weather({ filters: { packet_loss: 10 } })}`;
    const { project_id: id } = await apply(text);
    assert.deepEqual(t.context.committed.get('project', id)?.weather?.[0]?.filters, { packet_loss: [10] });
    assert.deepEqual(said(await plan(text)), []);
    const ramp = weather({ ramp: { from: { delay: 1 }, to: { delay: 9 } } });
    await apply(text.replace(/^weather:[^]*/m, ramp));
    const { from, to } = t.context.committed.get('project', id)?.weather?.[0]?.ramp ?? {};
    assert.deepEqual([from, to], [{ delay: [1] }, { delay: [9] }]);
  });

  it('is refused for ports, checks, weather and stages beside nodes that are not right', async () => {
    const links = [
      ['A', 'S:98'],
      ['B', 'S:0'],
    ];
    const stages = [{ name: 'first', checks: ['A reaches B', 'A reaches S'], unlocks: ['last'] }];
    const form = { nodes: { A: pc(), B: { kind: 'pc' }, S: SWITCH }, links, checks: ['A reaches B'], stages };
    const wrong = [
      'nodes.B.kind pc is not one of …',
      'links[0] names port 98 of S: it has …',
      'stages[0].checks[1] names A reaches S, which is no check of this lab; there are A reaches B',
      'stages[0].unlocks[0] names last, which is no stage; there are first',
    ];
    assert.deepEqual(await errorsOf(form), wrong);
    const weather = { weather: [{ crash: ['X'], for: '1s' }] };
    const named = 'weather[0].crash names X, which is no node of this lab';
    assert.deepEqual(await errorsOf({ ...form, ...weather }), [...wrong, named]);
    const right = { ...form, nodes: { A: pc(), B: pc(), S: SWITCH }, links: [['A', 'S:0']] };
    assert.deepEqual(await errorsOf(right), wrong.slice(2));
  });

  it('names nodes that do not start, and does the rest', async () => {
    const fails = { ...pc(), properties: { engine: 'simulated', simulate: { fail: 'no such luck' } } };
    const made = await apply(textOf('fails', { nodes: { A: fails, B: pc() } }), true);
    assert.deepEqual(
      made.failed.map(({ name }) => name),
      ['A'],
    );
    assert.equal(node(made.project_id, 'B').state, 'started');
  });

  it('does nothing the second time, also where a node has not started', async () => {
    const fails = { ...pc('10.0.0.1/24'), properties: { engine: 'simulated', simulate: { fail: 'no such luck' } } };
    const text = textOf('failed before', { nodes: { A: fails } });
    const { project_id } = await apply(text, true);
    assert.notEqual(node(project_id, 'A').failure, null);
    const { position } = t.log.status();
    assert.deepEqual(said(await plan(text)), []);
    assert.deepEqual(said(await apply(text)), []);
    assert.equal(t.log.status().position, position);
  });
});

describe('a lab as a text', () => {
  it('keeps comments, order and anchors of a text that is brought up to date', async () => {
    const text = `# The lab of the house
lab: kept
version: 1
nodes:
  # by name
  B: &pc { kind: simple_pc, at: [0, 0] } # an anchor
  A: *pc
  S:
    # ports are those of the kind
    kind: ethernet_switch
    at: [0, 150]
links:
  - [A, S:0] # in short
  - { ends: [S:1, B], filters: { delay: 5 } }
`;
    const { project_id: id } = await apply(text);
    assert.equal(await updateText(t.context, id, { text, files: {} }), text);
    await t.commands.updateNode(CALLER, { project_id: id, node_id: node(id, 'S').node_id }, { x: 9 }, 'conflict');
    await t.commands.createNode(CALLER, id, { name: 'C', kind: 'simple_pc', x: 1, y: 2 }, 'conflict');
    const [first, second] = t.context.committed.ofProject('link', id);
    assert.ok(first !== undefined && second !== undefined);
    await t.commands.deleteLink(CALLER, { project_id: id, link_id: first.link_id });
    await t.commands.updateLink(CALLER, { project_id: id, link_id: second.link_id }, { filters: { delay: [7, 1] } });
    const updated = await updateText(t.context, id, { text, files: {} });
    assert.equal(
      updated,
      `# The lab of the house
lab: kept
version: 1
nodes:
  # by name
  B: &pc { kind: simple_pc, at: [0, 0] } # an anchor
  A: *pc
  S:
    # ports are those of the kind
    kind: ethernet_switch
    at: [9, 150]
  C:
    kind: simple_pc
    at: [1, 2]
links:
  - {ends: [S:1, B], filters: {delay: [7, 1]}}
`,
    );
    assert.deepEqual(said(await plan(updated)), []);
  });

  it('keeps the comments of nodes that are called otherwise now, and of checks beside one that is new', async () => {
    const name = randomUUID();
    const text = `lab: ${name}
version: 1
nodes:
  # the first
  A:
    kind: simple_pc # is renamed on the page
    at: [5, 5] # here
  B: { kind: simple_pc, at: [9, 9] } # the second
  # is to be renamed by the text
  D: {kind: ethernet_hub, was: C, at: [7, 0]}
  S: { kind: ethernet_switch }
links:
  - [A:0, S:0] # a cable
  - {ends: [B, D:0], filters: {delay: 5}} # another
checks:
  # of old
  - A reaches B within 10s # a sentence
  - {name: quiet, capture: {link: [A:0, S:0], filter: icmp, is: never}} # a form
weather:
  - {name: rain, at: 1s, for: 1s, links: [[S:0, A:0]], filters: {delay: [9]}} # in spring
  - {at: 3s, for: 1s, crash: [A]}
stages:
  - { name: first, checks: [quiet] } # of two
`;
    const { project_id: id } = await apply(
      text.replace('D: {kind: ethernet_hub, was: C', 'C: {kind: ethernet_hub').replace('D:0', 'C:0'),
    );
    const at = (of: string) => ({ project_id: id, node_id: node(id, of).node_id });
    await t.commands.updateNode(CALLER, at('A'), { name: 'Alpha' }, 'conflict');
    await t.commands.createCheck(CALLER, id, { state: { node: 'B', is: 'started' } });
    const updated = await updateText(t.context, id, { text, files: {} });
    const expected = text
      .replaceAll(/\bA\b/g, 'Alpha')
      .replace('D: {kind: ethernet_hub, was: C', 'C: {kind: ethernet_hub')
      .replace('D:0', 'C:0')
      .replace('weather:', '  - state: {node: B, is: started}\nweather:');
    assert.equal(updated, expected);
    assert.deepEqual(said(await plan(updated)), []);
  });

  it('has a check that names a node by its new name as a sentence, where one says it', async () => {
    const text = textOf('sentences', { nodes: { A: pc(), B: pc() }, checks: ['A does not reach 10.0.0.9 within 15s'] });
    const { project_id: id } = await apply(text);
    const at = { project_id: id, node_id: node(id, 'A').node_id };
    await t.commands.updateNode(CALLER, at, { name: 'Alpha' }, 'conflict');
    const updated = await updateText(t.context, id, { text, files: {} });
    assert.match(updated, /^ {2}- Alpha does not reach 10\.0\.0\.9 within 15s$/m);
    assert.match(await show(id), /^ {2}- Alpha does not reach 10\.0\.0\.9 within 15s$/m);
    assert.deepEqual(said(await plan(updated)), []);
  });

  it('is what makes it again, and the same text but for order', async () => {
    await fc.assert(
      fc.asyncProperty(labs, async (form) => {
        const { project_id: id } = await apply(textOf(randomUUID(), form));
        const text = await show(id);
        const again = await apply(text.replace(/^lab: .*$/m, `lab: ${randomUUID()}`));
        const lines = (one: string): string[] =>
          one
            .split('\n')
            .filter((line) => !line.startsWith('lab:'))
            .toSorted();
        assert.deepEqual(lines(await show(again.project_id)), lines(text));
        for (const project of [id, again.project_id]) await t.commands.deleteProject(CALLER, project);
      }),
      { numRuns: 15 },
    );
  });
});

const NAMES = ['A', 'B', 'C', 'D', 'E'];
const place = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }));
const someNode = fc.oneof(
  fc.record({ kind: fc.constant('simple_pc'), at: place, address: fc.constantFrom('10.0.0.1/24', '10.0.0.2/24') }),
  fc.record({ kind: fc.constant('ethernet_hub'), at: place }),
  fc.record({
    ...{ kind: fc.constant('ethernet_switch'), at: place },
    properties: fc.record({
      ports_mapping: fc.integer({ min: 2, max: 6 }).map((count) =>
        Array.from({ length: count }, (_, port_number) => ({
          ...{ name: `Ethernet${port_number}`, port_number, type: 'access', vlan: 5 },
        })),
      ),
    }),
  }),
);
const someFilters = fc.option(fc.record({ delay: fc.integer({ min: 1, max: 90 }) }), { nil: undefined });

/** Each link is of two nodes that are there, at their first ports that are free. */
const labs = fc
  .record({
    nodes: fc.dictionary(fc.constantFrom(...NAMES), someNode, { minKeys: 1, maxKeys: 5 }),
    pairs: fc.array(fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES), someFilters), { maxLength: 5 }),
  })
  .map(({ nodes, pairs }) => ({ nodes, links: linksOf(nodes, pairs) }));

type Pair = [string, string, object | undefined];

const linksOf = (nodes: Record<string, unknown>, pairs: readonly Pair[]): unknown[] => {
  const used = new Map<string, number>();
  const links: unknown[] = [];
  for (const [a, b, filters] of pairs) {
    const isFull = (name: string): boolean => {
      const { kind } = (nodes[name] ?? {}) as { kind?: string };
      return kind === undefined || (used.get(name) ?? 0) >= (kind === 'simple_pc' ? 1 : 2);
    };
    if (a === b || isFull(a) || isFull(b)) continue;
    const ends = [a, b].map((name) => {
      const port = used.get(name) ?? 0;
      used.set(name, port + 1);
      return `${name}:${port}`;
    });
    links.push(filters === undefined ? ends : { ends, filters });
  }
  return links;
};

/** Nodes, and pairs of them that are linked where both are there and have ports that are free. */
const wirings = fc.record({
  nodes: fc.dictionary(fc.constantFrom(...NAMES), someNode, { minKeys: 1, maxKeys: 5 }),
  pairs: fc.array(
    fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES), someFilters).map(([a, b, filters]): Pair => {
      // The same ports the other way round are the same link, which keeps the way that it had.
      return a < b ? [a, b, filters] : [b, a, filters];
    }),
    { maxLength: 5 },
  ),
});
type Wiring = typeof wirings extends fc.Arbitrary<infer T> ? T : never;

/** Edits that do not touch what another of them does: each at a node or a link of its own. */
const edits = fc.uniqueArray(
  fc.oneof(
    fc.record({ at: fc.constantFrom(...NAMES), node: fc.option(someNode, { nil: null }) }),
    fc.record({ at: fc.nat(4), filters: someFilters }),
  ),
  { selector: ({ at }) => at, maxLength: 5 },
);
type Edit = (typeof edits extends fc.Arbitrary<infer T> ? T : never)[number];

const edited = ({ nodes, pairs }: Wiring, edit: Edit): Wiring => {
  if ('filters' in edit)
    return { nodes, pairs: pairs.map(([a, b, was], i): Pair => [a, b, i === edit.at ? edit.filters : was]) };
  const others = Object.entries(nodes).filter(([name]) => name !== edit.at);
  const changed = edit.node === null ? others : [...others, [edit.at, edit.node] as const];
  return { nodes: Object.fromEntries(changed), pairs };
};

describe('edits of a text', () => {
  it('applied one after another in any order make the same lab as applied at once', async () => {
    await fc.assert(
      fc.asyncProperty(wirings, edits, fc.boolean(), async (wiring, changes, start) => {
        const said = (name: string, { nodes, pairs }: Wiring): string =>
          textOf(name, { nodes, links: linksOf(nodes, pairs) });
        const finals: string[] = [];
        for (const order of [changes, changes.toReversed(), null]) {
          const name = randomUUID();
          await apply(said(name, wiring), start);
          let now = wiring;
          for (const change of order ?? changes) {
            now = edited(now, change);
            if (order !== null) await apply(said(name, now));
          }
          const { project_id: id } = await apply(said(name, now));
          finals.push((await show(id)).replace(name, 'lab').split('\n').toSorted().join('\n'));
          const position = t.log.status().position;
          await apply(said(name, now));
          // The project file is written when there is time for it.
          const others = (await eventsAfter(id, position + 1)).filter(({ type }) => type !== 'project.file_written');
          assert.deepEqual(others, []);
          await t.commands.deleteProject(CALLER, id);
        }
        assert.equal(new Set(finals).size, 1, finals.join('\n----\n'));
      }),
      { numRuns: 12 },
    );
  });
});

describe('checks and stages of a text', () => {
  it('are those of the lab: known ones keep their ids, and others go', async () => {
    const form = (checks?: unknown[], stages?: unknown[]) =>
      textOf('checked', {
        ...{ nodes: { A: pc(), B: pc() }, links: [['A', 'B']] },
        ...(checks === undefined ? {} : { checks }),
        ...(stages === undefined ? {} : { stages }),
      });
    const named = { name: 'kept', capture: { link: ['A', 'B'], filter: 'icmp', is: 'never' } };
    const text = form(['A reaches B within 10s', named], [{ name: 'one', checks: ['kept'] }]);
    const { project_id: id } = await apply(text);
    const checks = () => t.context.committed.get('project', id)?.checks ?? [];
    const [first, second] = checks();
    assert.equal(first?.reach?.from, node(id, 'A').node_id);
    assert.equal(second?.capture?.link, t.context.committed.ofProject('link', id)[0]?.link_id);
    assert.deepEqual(said(await apply(text)), []);
    assert.deepEqual(said(await apply(form())), []);
    const shown = await show(id);
    assert.match(shown, /^checks:\n[^]*- A reaches B within 10s$[^]*link: \[A:0, B:0\][^]*^stages:\n/m);
    const changed = form([{ ...named, capture: { ...named.capture, filter: 'arp' } }]);
    const [project] = (await plan(changed)).changes;
    const [checksChange] = project?.fields ?? [];
    assert.deepEqual((checksChange?.from as unknown[])[1], {
      ...named,
      capture: { ...named.capture, link: ['A:0', 'B:0'] },
    });
    assert.deepEqual(said(await apply(changed)), ['change project checked checks']);
    assert.deepEqual(
      checks().map(({ check_id, capture }) => [check_id, capture?.filter]),
      [[second?.check_id, 'arp']],
    );
    assert.deepEqual(said(await plan(await updateText(t.context, id, { text, files: {} }))), []);
    await assert.rejects(
      apply(form([{ state: { node: 'C', is: 'started' } }])),
      /line \d+, column \d+: checks\[0\] names C, which is no node of this lab$/,
    );
    const stage = (more: object) => form([named], [{ name: 'one', checks: ['kept'], ...more }]);
    await assert.rejects(apply(stage({ checks: ['kpt'] })), /stages\[0\]\.checks\[0\] names kpt.*there are kept/);
    await assert.rejects(apply(stage({ unlocks: ['two'] })), /stages\[0\]\.unlocks\[0\] names two.*there are one/);
  });
});
