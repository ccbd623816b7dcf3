import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { LENGTHS, MOST } from '../../src/common/bounds.ts';
import { parseJson, stableJsonSteps } from '../../src/files/fields/json.ts';
import { atOnce } from '../../src/common/slices.ts';
import { read } from './harness.ts';

const file = (topology: object, name = 'lab'): string =>
  JSON.stringify({ project_id: randomUUID(), name, revision: 9, version: '2.2.60', type: 'topology', topology });
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => ({ name: `PC${n}`, node_type: 'vpcs' }));

/** V8 quotes the text where it does not expect a character. */
const withoutContent = (message: string): string =>
  message.endsWith('is not valid JSON') ? 'unexpected character near line 1' : message;

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

  it('is the same value member by member as in one piece, and the same error', () => {
    const strange = { name: 'a"b\\', '{': '}]', nested: [{ x: [{}] }, []], text: '\u2028{"member":0}' };
    const members = [strange, 7, null, [strange], {}, ...many(9_000)];
    const value = { list: [strange], topology: { nodes: members, links: [], other: { nodes: [strange] } }, x: '[{' };
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 4)])
      assert.deepEqual(atOnce(parseJson(text)), JSON.parse(text));
    const text = JSON.stringify(value);
    const harmful = text.replace('"name":"PC8000"', '"__proto__":{"x":1}');
    assert.ok(!JSON.stringify(atOnce(parseJson(harmful))).includes('__proto__'));
    const steps = [...parseJson(text)].length;
    assert.ok(steps > members.length, `${steps} steps`);
    for (const wrong of [text.slice(0, -1), text.replace('"PC8000"', 'PC8000'), text.replace('[{', '{{'), `${text}}`])
      assert.throws(
        () => JSON.parse(wrong),
        (plain: Error) => {
          assert.throws(
            () => atOnce(parseJson(wrong)),
            (error: Error) => error.message.endsWith(`is not JSON: ${withoutContent(plain.message)}`),
          );
          return true;
        },
      );
    const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
    assert.throws(() => atOnce(parseJson(text.replace('"PC8000"', deep))), /nested deeper than 100 levels/);
  });

  it('is the same text in steps as in one piece', () => {
    const value = { b: [{ z: 1, a: [] }, 'x\ny', {}], '10': null, '2': { c: undefined, d: [1, [2]] }, a: true };
    const whole = atOnce(stableJsonSteps(value, 0));
    for (const depth of [1, 2, 3, 9]) assert.equal(atOnce(stableJsonSteps(value, depth)), whole);
    assert.deepEqual(JSON.parse(whole), JSON.parse(JSON.stringify(value)));
  });
});
