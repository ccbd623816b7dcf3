import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Drawing, type Link, type Node, type Project, type Records, recordsOf } from '../src/store/records.ts';
import {
  countChanges,
  nameOfDiff,
  type ObjectDiff,
  overlay,
  reconcile,
  sayField,
} from '../src/timeline/panes/compare.ts';
import { titles } from '../src/words/titles.ts';

const node = (node_id: string, x = 0): Node => ({ node_id, name: node_id.toUpperCase(), x }) as Node;
const link = (link_id: string, ...ends: string[]): Link =>
  ({ link_id, nodes: ends.map((node_id) => ({ node_id })) }) as unknown as Link;
const records = (nodes: Node[], links: Link[] = [], drawings: Drawing[] = []): Records =>
  recordsOf({ project_id: 'p' } as Project, nodes, links, drawings);
const diff = (collection: ObjectDiff['collection'], id: string, change: ObjectDiff['change']): ObjectDiff => ({
  collection,
  id,
  name: null,
  change,
  fields: [],
});

describe('two moments on one map', () => {
  const before = records([node('a'), node('b'), node('c')], [link('l', 'a', 'b')]);
  const after = records([node('a', 5), node('c'), node('d')]);
  const diffs = [
    diff('node', 'a', 'changed'),
    diff('node', 'b', 'removed'),
    diff('node', 'd', 'added'),
    diff('link', 'l', 'removed'),
    diff('project', 'p', 'changed'),
  ];

  it('are the later one with what was removed, everything that differs marked', () => {
    const [shown, marks] = overlay(before, after, diffs);
    assert.deepEqual(new Set(shown.nodes.keys()), new Set(['a', 'b', 'c', 'd']));
    assert.equal(shown.nodes.get('a')?.x, 5);
    assert.deepEqual([...shown.links.keys()], ['l']);
    assert.deepEqual(Object.fromEntries(marks), { a: 'changed', b: 'removed', d: 'added', l: 'removed' });
    assert.deepEqual(countChanges(diffs), { added: 1, removed: 2, changed: 2 });
  });

  it('are told by name, links by their ends', () => {
    const [shown] = overlay(before, after, diffs);
    assert.equal(nameOfDiff(diff('link', 'l', 'removed'), shown), 'A – B');
    assert.equal(nameOfDiff({ ...diff('node', 'a', 'changed'), name: 'PC1' }, shown), 'PC1');
    assert.equal(nameOfDiff(diff('drawing', 'x', 'added'), shown), 'drawing');
  });

  it('are told field by field, of objects only what differs', () => {
    assert.equal(sayField({ field: 'x', from: 1, to: 2 }), 'x: 1 → 2');
    assert.equal(sayField({ field: 'filters', from: {}, to: { delay: [50, 0] } }), 'filters delay: none → [50,0]');
    assert.equal(sayField({ field: 'label', from: { text: 'a', x: 1 }, to: { text: 'b', x: 1 } }), 'label text: a → b');
  });

  it('are told by the names that forms have, and states by their words', () => {
    titles.set(new Map(Object.entries({ record_consoles: 'Record consoles', ram: 'RAM', status: 'State' })));
    const said = [
      sayField({ field: 'record_consoles', from: false, to: true }),
      sayField({ field: 'state', from: 'stopped', to: 'started' }),
      sayField({ field: 'properties', from: { ram: 256, cpus: 1 }, to: { ram: 512, cpus: 1 } }),
    ];
    titles.set(new Map());
    assert.deepEqual(said, ['Record consoles: off → on', 'State: stopped → started', 'RAM: 256 → 512']);
  });
});

describe('records of another moment', () => {
  it('keep the objects that say the same, so that nothing is drawn for nothing', () => {
    const before = records([node('a'), node('b')], [link('l', 'a', 'b')]);
    const after = reconcile(before, records([node('a'), node('b', 7)], [link('l', 'a', 'b')]));
    assert.equal(after.nodes.get('a'), before.nodes.get('a'));
    assert.notEqual(after.nodes.get('b'), before.nodes.get('b'));
    assert.equal(after.links, before.links);
    assert.equal(after.drawings, before.drawings);
  });
});
