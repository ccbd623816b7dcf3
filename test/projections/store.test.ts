import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { AnyEvent } from '../../src/events/schemas.ts';
import type { RecordView } from '../../src/projections/records.ts';
import { Records } from '../../src/projections/store.ts';
import type { RecordChange } from '../../src/projections/fold/change.ts';
import { drawingData, PROJECT, projectData } from '../support/events.ts';
import { eventOf, linkData, nodeData } from '../support/events-of-node.ts';

const { drawing_id } = drawingData(1);
const created = eventOf('project.created', projectData(), 1);
const drawn = eventOf('drawing.created', drawingData(1), 2);
const moved = (x: number, position: number) =>
  eventOf('drawing.updated', { drawing_id, project_id: PROJECT, changes: { x } }, position);
const erased = eventOf('drawing.deleted', { drawing_id, project_id: PROJECT }, 5);

/** `x` of the drawing for reads and for decisions. */
const both = (records: Records): (number | undefined)[] =>
  [records.committed, records.pending].map((view) => view.get('drawing', drawing_id)?.x);

describe('records', () => {
  it('keep what is staged for decisions until as much of it is committed as was staged', () => {
    const records = new Records();
    const events = [created, drawn, moved(5, 3), moved(6, 4)];
    const staged = events.map((event) => records.stage(event));
    assert.deepEqual(both(records), [undefined, 6]);
    for (const [i, expected] of [
      [0, undefined],
      [1, 1],
      [2, 5],
      [3, 6],
    ] as const) {
      records.commit(staged[i] ?? [], events.slice(i, i + 1));
      assert.deepEqual(both(records), [expected, 6], `after commit ${i}`);
    }
  });

  it('list what is staged, and not what a staged event deletes', () => {
    const records = new Records();
    for (const event of [created, drawn]) records.commit(records.stage(event), [event]);
    const deleted = records.stage(erased);
    const inProject = (): number[] =>
      [records.committed, records.pending].map((view) => view.ofProject('drawing', PROJECT).length);
    assert.deepEqual(inProject(), [1, 0]);
    records.stage(eventOf('drawing.created', drawingData(2), 6));
    assert.deepEqual(inProject(), [1, 1]);
    records.commit(deleted, [erased]);
    assert.deepEqual(inProject(), [0, 1]);
  });

  it('forget everything staged when it is discarded', () => {
    const records = new Records();
    for (const event of [created, drawn]) records.commit(records.stage(event), [event]);
    records.stage(moved(9, 3));
    records.discard();
    assert.deepEqual(both(records), [1, 1]);
  });

  it('are listed in the order of their creation after they were stored', () => {
    const records = new Records();
    const stored: RecordChange[] = [];
    for (const n of [3, 1, 2]) {
      const id = drawingData(n).drawing_id;
      stored.push({ collection: 'drawing', id, record: { ...drawingData(n), created: 10 - n, changed: 20 } });
    }
    records.restore(stored);
    assert.deepEqual(
      records.committed.ofProject('drawing', PROJECT).map((d) => d.created),
      [7, 8, 9],
    );
  });
});

describe('what is looked up by console port, name and end', () => {
  const NAMES = ['PC1', 'PC2'];
  const ids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-0000000000${n}0`);
  const node = fc.record({
    what: fc.constant('node' as const),
    id: fc.constantFrom(...ids),
    console: fc.constantFrom(5000, 5001, null),
    name: fc.constantFrom(...NAMES),
    there: fc.boolean(),
  });
  const link = fc.record({
    what: fc.constant('link' as const),
    id: fc.constantFrom('L1', 'L2'),
    ends: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 2, maxLength: 2 }),
    there: fc.boolean(),
  });
  const end = fc.oneof(
    fc.record({ what: fc.constant('commit' as const) }),
    fc.record({ what: fc.constant('discard' as const) }),
  );
  type Step = typeof node | typeof link extends fc.Arbitrary<infer S> ? S : never;

  const nodes = linkData().nodes;
  /** The event that brings it about; null when it is so already. */
  const eventFor = (view: RecordView, step: Step): AnyEvent | null => {
    const known = view.get(step.what, step.id) !== undefined;
    if (step.what === 'link') {
      const place = { link_id: step.id, project_id: PROJECT };
      if (known === step.there) return null;
      if (!step.there) return eventOf('link.deleted', place);
      const ends = nodes.map((each, n) => ({ ...each, node_id: step.ends[n] ?? each.node_id }));
      return eventOf('link.created', { ...linkData(), ...place, nodes: ends });
    }
    const { console, name } = step;
    const place = { node_id: step.id, project_id: PROJECT };
    if (!step.there) return known ? eventOf('node.deleted', place) : null;
    if (known) return eventOf('node.updated', { ...place, changes: { console, name } });
    return eventOf('node.created', nodeData({ ...place, console, name }));
  };

  const assertSame = (view: RecordView): void => {
    const all = view.ofProject('node', PROJECT);
    for (const port of [5000, 5001])
      assert.deepEqual(new Set(view.holders(port)), new Set(all.filter((n) => n.console === port)));
    for (const name of NAMES)
      assert.deepEqual(new Set(view.named(PROJECT, name)), new Set(all.filter((n) => n.name === name)));
    const links = view.ofProject('link', PROJECT);
    for (const id of ids)
      assert.deepEqual(
        new Set(view.linksOf(id)),
        new Set(links.filter((l) => l.nodes.some(({ node_id }) => node_id === id))),
      );
  };

  const joined = (ends: string[], there: boolean) => ({ what: 'link' as const, id: 'L1' as const, ends, there });
  /** A link that comes back with another end while its deletion waits for its fsync. */
  const returned = [
    joined(ids.slice(0, 2), true),
    joined(ids.slice(0, 2), false),
    { what: 'commit' as const },
    joined(ids.slice(1), true),
  ];

  it('is what a search through all records finds, whatever is staged, committed and discarded', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(node, link, end), { maxLength: 40 }), (steps) => {
        const records = new Records();
        records.commit(records.stage(created), [created]);
        let staged: RecordChange[][] = [];
        for (const step of steps) {
          if (step.what === 'commit') {
            records.commit(staged.shift() ?? [], []);
          } else if (step.what === 'discard') {
            records.discard();
            staged = [];
          } else {
            const event = eventFor(records.pending, step);
            if (event !== null) staged.push(records.stage(event) as RecordChange[]);
          }
          assertSame(records.pending);
          assertSame(records.committed);
        }
      }),
      { examples: [[returned]] },
    );
  });
});
