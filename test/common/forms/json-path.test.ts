import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonPath, valuesAt } from '../../../src/common/forms/json-path.ts';

const OSPF = {
  neighbors: { '10.0.0.2': [{ state: 'Full/DR' }], '10.0.0.3': [{ state: 'Init' }, { state: 'Full/-' }] },
};

test('finds the values of a path, in every way of writing it', () => {
  const all = ['Full/DR', 'Init', 'Full/-'];
  for (const path of ['neighbors.*.*.state', '$.neighbors.*[*].state', "$['neighbors'][*].*['state']"])
    assert.deepEqual(valuesAt(OSPF, path), all, path);
  assert.deepEqual(valuesAt(OSPF, "neighbors['10.0.0.3'][1].state"), ['Full/-']);
  assert.deepEqual(valuesAt(OSPF, 'neighbors["10.0.0.2"].0.state'), ['Full/DR']);
  assert.deepEqual(valuesAt([1, 2], '$'), [[1, 2]]);
  assert.deepEqual(valuesAt([1, 2], ''), [[1, 2]]);
});

test('finds nothing where there is nothing, whatever the name is', () => {
  for (const path of ['nobody', 'neighbors.toString', 'neighbors.*.length', 'neighbors[0]', '__proto__'])
    assert.deepEqual(valuesAt(OSPF, path), [], path);
  assert.deepEqual(valuesAt('text', '*'), []);
});

test('tells what is no path', () => {
  for (const path of ['a..b', 'a[', "a['b", 'a b', 'a[?(@.x)]', '$$', 'a.'])
    assert.equal(isJsonPath(path), false, path);
  for (const path of ['a', '$', '$.a', 'a-b.c_d', "x['a b']", '[0]', '*']) assert.equal(isJsonPath(path), true, path);
});
