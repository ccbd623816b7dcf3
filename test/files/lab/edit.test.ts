import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rewriteText } from '../../../src/files/lab/yaml/edit.ts';

const TEXT = `# the lab of the house
lab: House # its name
version: 1
nodes: # all of them
  # in the cellar
  PC1: # the first
    kind: simple_pc # a kind
    at: # where it is
      [0, 0]
  "PC 2": # in the hall

    kind: simple_pc
  PC3: {kind: simple_pc} # in a line
  PC4:
    # below its key
    kind: simple_pc
  R1: &r # by a name
    kind: simple_router
links: # cables
  - [PC1:0, R1:0] # a cable

  # between them
  - ends: # both
      - PC3:0
      - PC4:0
checks: # what must hold
  # first of all
  # and then
  - PC1 reaches PC3
drawings: [] # none
`;

const same = (text: string): void =>
  assert.equal(
    rewriteText(text, () => undefined),
    text,
  );

describe('a text that is written again', () => {
  it('has each comment behind the key that it stood behind, and each blank line', () => {
    same(TEXT);
    same('a: &x 1 # one\nb: *x # another\n');
    for (const value of ['k: 1', '- 1', '[1, 2] # of two', '1 # of one'])
      for (const between of ['', '\n', '  # below\n', '\n  # below\n', '  # below\n\n  # and\n'])
        same(`a: &x # one\n${between}  ${value}\nb: *x\nc: &y # two\n  3\nd: [*x, *y]\n`);
    for (const between of ['', '\n', '\n    # below\n', '    # below\n', '    # below\n\n    # and\n'])
      same(`nodes:\n  A: # of a node\n${between}    kind: simple_pc # of a value\nlinks: # of links\n  - [A:0, B:0]\n`);
    same('nodes: # of nodes\n  A: # of a node\n    texts: # of texts\n      a: | # of a text\n        # no comment\n');
  });

  it('has it there also when the value is another one, or more', () => {
    const after = rewriteText(TEXT, (document) => {
      document.setIn(['nodes', 'PC1', 'at'], document.createNode([5, 5], { flow: true }));
      document.deleteIn(['checks', 0]);
      document.addIn(['links'], document.createNode(['PC 2:0', 'R1:1'], { flow: true }));
    });
    for (const line of [
      '  PC1: # the first',
      '    at: # where it is',
      '      [5, 5]',
      'links: # cables',
      'checks: # what must hold',
    ])
      assert.ok(after.split('\n').includes(line), `${line} is not in\n${after}`);
  });

  it('has it behind the anchor also when what is within is another one, and without it when the value is another one', () => {
    const text = 'a: &x # one\n  k: 1\n  l: 2\nb: &y # two\n  k: 3\nc: *x\n';
    const after = rewriteText(text, (document) => {
      document.setIn(['a', 'k'], 5);
      document.set('b', document.createNode([6], { flow: true }));
    });
    assert.equal(after, 'a: &x # one\n  k: 5\n  l: 2\nb: # two\n  [6]\nc: *x\n');
  });

  it('is what it was where it has lines of another system', () => {
    const after = rewriteText('nodes: # all\r\n  A: # one\r\n    kind: simple_pc\r\n', () => undefined);
    assert.equal(after.replaceAll('\r', ''), 'nodes: # all\n  A: # one\n    kind: simple_pc\n');
  });
});
