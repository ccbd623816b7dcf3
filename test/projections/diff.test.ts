import assert from 'node:assert/strict';
import { it } from 'node:test';
import { atOnce } from '../../src/common/slices.ts';
import { diff } from '../../src/projections/past/past.ts';
import { Records } from '../../src/projections/store.ts';
import { NODE, node, PROJECT } from '../http/fake-lab.ts';

/** A lab of so many nodes that are at this place. */
const lab = (count: number, x: number): Records => {
  const records = new Records();
  for (let n = 0; n < count; n++) {
    const id = `${NODE.slice(0, -4)}${String(n).padStart(4, '0')}`;
    records.apply([{ collection: 'node', id, record: { ...node('simple_pc', { node_id: id }), x } }]);
  }
  return records;
};

it('differences between moments are found in steps, one for each object', () => {
  const [before, after] = [lab(300, 1), lab(400, 2)].map(({ committed }) => committed);
  assert.ok(before !== undefined && after !== undefined);
  const changes = atOnce(diff(before, after, PROJECT));
  assert.equal(changes.filter(({ change }) => change === 'changed').length, 300);
  assert.equal(changes.filter(({ change }) => change === 'added').length, 100);
  assert.deepEqual(changes[0]?.fields, [{ field: 'x', from: 1, to: 2 }]);
  const steps = [...diff(before, after, PROJECT)].length;
  assert.ok(steps >= 700, `${steps} steps`);
});

it('records are copied in steps', () => {
  const records = lab(300, 1);
  assert.ok([...records.copying()].length >= 300);
  assert.equal(atOnce(records.copying()).committed.count('node', PROJECT), 300);
});
