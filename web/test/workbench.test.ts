import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closePanel, createWorkbench, keyOf, openPanel, type Panel, select } from '../src/store/workbench.ts';

const console1: Panel = { kind: 'console', nodeId: '1' };
const console2: Panel = { kind: 'console', nodeId: '2' };
const packets: Panel = { kind: 'packets', linkId: '1' };

describe('the dock', () => {
  it('opens each panel once and brings it to the front', () => {
    const bench = createWorkbench();
    for (const panel of [console1, packets, console1]) bench.update(openPanel(panel));
    assert.deepEqual(bench.get().panels, [console1, packets]);
    assert.equal(bench.get().active, keyOf(console1));
  });

  it('shows the panel beside the one that is closed, and nothing after the last', () => {
    const bench = createWorkbench();
    for (const panel of [console1, console2, packets]) bench.update(openPanel(panel));
    bench.update(closePanel(keyOf(packets)));
    assert.equal(bench.get().active, keyOf(console2));
    bench.update(closePanel(keyOf(console1)));
    assert.equal(bench.get().active, keyOf(console2));
    bench.update(closePanel(keyOf(console2)));
    assert.deepEqual(bench.get(), { ...createWorkbench().get(), panels: [], active: null });
  });
});

describe('what is selected', () => {
  it('stays the same object when the same is selected again', () => {
    const bench = createWorkbench();
    bench.update(select(['1', '2']));
    const before = bench.get();
    bench.update(select(['1', '2']));
    assert.equal(bench.get(), before);
    bench.update(select(['2']));
    assert.deepEqual(bench.get().selected, ['2']);
  });
});
