import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Named, pick, shortName } from '../../src/cli/names.ts';

const thing = (id: string, ...names: [string, ...string[]]): Named => ({ id, names });
const lab = thing('1', 'first-lab');
const pc1 = thing('2', 'first-lab/PC1', 'PC1');
const pc10 = thing('3', 'first-lab/PC10', 'PC10');
const otherPc1 = thing('4', 'vlans/PC1', 'PC1');
const trunk = thing('5', 'vlans/trunk', 'trunk');
const things = [lab, pc1, pc10, otherPc1, trunk];

describe('names on the command line', () => {
  for (const [wanted, meant] of [
    ['first-lab', lab],
    ['first', lab],
    ['first-lab/PC1', pc1],
    ['first-lab/PC10', pc10],
    ['PC10', pc10],
    ['vlans/P', otherPc1],
    ['tr', trunk],
    ['5', trunk],
  ] as const)
    it(`take ${wanted} for ${meant.names[0]}`, () => assert.equal(pick('node', things, wanted), meant));

  it('prefer an exact name to a beginning, and a beginning to an id', () => {
    assert.equal(pick('node', [thing('PC', 'PC1'), thing('2', 'PC')], 'PC').id, '2');
    assert.equal(pick('node', [thing('PC', 'X'), thing('2', 'PC1')], 'PC').id, '2');
  });

  it('are not guessed: what several have is an error that lists them, with ids where names do not tell them apart', () => {
    assert.throws(() => pick('node', things, 'PC1'), {
      code: 'invalid_request',
      message: /PC1 matches several nodes: first-lab\/PC1, vlans\/PC1$/,
    });
    assert.throws(() => pick('node', things, 'vlans/'), /vlans\/PC1, vlans\/trunk$/);
    assert.throws(() => pick('project', [thing('a', 'lab'), thing('b', 'lab')], 'lab'), /lab \(a\), lab \(b\)$/);
  });

  for (const [wanted, meant] of [
    ['FIRST-LAB', 'first-lab'],
    ['frist-lab', 'first-lab'],
    ['firstlab', 'first-lab'],
    ['pc10', 'PC10'],
    ['pc1', 'first-lab/PC1 or vlans/PC1'],
    ['First-lab/PC10', 'PC10'],
    ['trnk', 'trunk'],
    ['FIRST', 'first-lab'],
    ['First-lab/pc', 'first-lab/PC1 or PC10'],
    ['TRU', 'trunk'],
  ])
    it(`say what was meant by ${wanted}`, () =>
      assert.throws(() => pick('node', things, wanted ?? ''), {
        code: 'not_found',
        message: `Node ${wanted} does not exist; did you mean ${meant}?`,
      }));

  for (const wanted of ['PC2', '', 'irst', 'vlan', 'first-lab2', 'trk'])
    it(`are not there: ${wanted === '' ? '(nothing)' : wanted}`, () =>
      assert.throws(() => pick('node', things, wanted), {
        code: 'not_found',
        message: `Node ${wanted} does not exist`,
      }));

  it('are completed as short as they can be', () => {
    const short = things.map((one) => shortName(things, one));
    assert.deepEqual(short, ['first-lab', 'first-lab/PC1', 'PC10', 'vlans/PC1', 'trunk']);
    const twins = [thing('a', 'lab'), thing('b', 'lab')];
    assert.deepEqual(
      twins.map((one) => shortName(twins, one)),
      ['a', 'b'],
    );
  });
});
