import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { LENGTHS, MOST } from '../../src/bounds.ts';
import { stableJsonSteps } from '../../src/files/json.ts';
import { atOnce } from '../../src/turns.ts';
import { read } from './harness.ts';

const file = (topology: object, name = 'lab'): string =>
  JSON.stringify({ project_id: randomUUID(), name, revision: 9, version: '2.2.60', type: 'topology', topology });
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => ({ name: `PC${n}`, node_type: 'vpcs' }));

describe('a project file', () => {
  it('with more nodes, links or drawings than a project may have is refused with the bound', () => {
    for (const [key, most] of [
      ['nodes', MOST.node],
      ['links', MOST.link],
      ['drawings', MOST.drawing],
    ] as const)
      assert.throws(
        () => read(file({ [key]: Array.from({ length: most + 1 }, () => ({})) })),
        new RegExp(`it has ${most + 1} ${key}; ${most} are the most`),
      );
    assert.equal(read(file({ nodes: many(MOST.node) })).nodes.length, MOST.node);
  });

  it('with a name that is too long is refused; a node with one is broken and says why', () => {
    const long = 'n'.repeat(LENGTHS.name + 1);
    assert.throws(() => read(file({}, long)), /name must be a text of 1 to 255 characters/);
    const [node] = read(file({ nodes: [{ ...many(1)[0], port_name_format: long }] })).nodes;
    assert.equal(node?.port_name_format, null);
    assert.match(node.problem?.message ?? '', /port_name_format must be a text of at most 255 characters/);
    assert.equal(node.extra['port_name_format'], long);
  });

  it('is the same text in steps as in one piece', () => {
    const value = { b: [{ z: 1, a: [] }, 'x\ny', {}], '10': null, '2': { c: undefined, d: [1, [2]] }, a: true };
    const whole = atOnce(stableJsonSteps(value, 0));
    for (const depth of [1, 2, 3, 9]) assert.equal(atOnce(stableJsonSteps(value, depth)), whole);
    assert.deepEqual(JSON.parse(whole), JSON.parse(JSON.stringify(value)));
  });
});
