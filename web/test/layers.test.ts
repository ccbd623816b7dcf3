import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeNodes } from '../src/map/flow/flow.ts';
import {
  hideLayer,
  idsIn,
  idsOfLayers,
  isLocked,
  layersOf,
  reveal,
  showAllLayers,
  swapHidden,
  swapSteps,
} from '../src/map/layers/layers.ts';
import { type Drawing, type Node, type Project, recordsOf } from '../src/store/records.ts';
import { createWorkbench } from '../src/store/workbench.ts';

const node = (node_id: string, z: number, locked = false): Node =>
  ({ node_id, z, locked, name: node_id, x: 0, y: 0, width: 60, height: 60, properties: {}, ports: [] }) as never;
const drawing = (drawing_id: string, z: number): Drawing =>
  ({ drawing_id, z, locked: false, svg: '', x: 0, y: 0 }) as never;
const records = recordsOf(
  {} as Project,
  [node('a', 1), node('b', 1, true), node('c', 5)],
  [],
  [drawing('d', 0), drawing('e', 5)],
);

describe('layers of the map', () => {
  const layers = layersOf(records);

  it('are those that something is in, the uppermost first', () => {
    assert.deepEqual(
      layers.map((layer) => [layer.z, idsIn(layer)]),
      [
        [5, ['c', 'e']],
        [1, ['a', 'b']],
        [0, ['d']],
      ],
    );
    assert.equal(layers.some(isLocked), false);
    assert.equal(layersOf({ nodes: new Map([['b', node('b', 1, true)]]), drawings: new Map() }).every(isLocked), true);
  });

  it('change their places as a whole, and mix with no other', () => {
    const [top, middle] = layers;
    assert.ok(top !== undefined && middle !== undefined);
    assert.deepEqual(
      swapSteps(middle, top).map((step) => (step.action === 'update' ? [step.type, step.id, step.record['z']] : [])),
      [
        ['node', 'a', 5],
        ['node', 'b', 5],
        ['node', 'c', 1],
        ['drawing', 'e', 1],
      ],
    );
  });

  it('are hidden for oneself, follow when they are raised, and come back for what is to be shown', () => {
    const workbench = createWorkbench();
    const hidden = (): number[] => [...workbench.get().hiddenLayers];
    workbench.update(hideLayer(5, true));
    workbench.update(swapHidden(5, 1));
    assert.deepEqual(hidden(), [1]);
    reveal(workbench, records, 'c');
    assert.deepEqual(hidden(), [1]);
    reveal(workbench, records, 'a');
    assert.deepEqual(hidden(), []);
    workbench.update(hideLayer(0, true));
    workbench.update(showAllLayers);
    assert.deepEqual(hidden(), []);
  });

  it('have their nodes and drawings', () => {
    const nodes = mergeNodes([], records, { marks: new Map(), isReadOnly: false });
    assert.deepEqual([...idsOfLayers(nodes, new Set([5, 0]))].sort(), ['c', 'd', 'e']);
  });
});
