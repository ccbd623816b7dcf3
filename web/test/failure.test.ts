import type { MenuScope } from '../src/map/map-scope.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { failureOf } from '../src/map/actions/failure.ts';
import { mergeNodes } from '../src/map/flow/flow.ts';
import { menuOf } from '../src/map/actions/menus.ts';
import { foldFrames } from '../src/store/fold.ts';
import { type Frame, NO_RECORDS, type Node, recordsOf } from '../src/store/records.ts';

const REASON = 'The image disk.qcow2 is not there. Put it into the images folder.';
const FAILED = { failure: { code: 'image_missing', message: REASON } };
const node = (status: Node['status'], properties: Node['properties']): Node =>
  ({ node_id: 'a', name: 'PC1', status, properties, x: 0, y: 0, z: 1, width: 60, height: 60 }) as Node;
const updated = (event: Node, position: number): Frame => ({ action: 'node.updated', event, position });

describe('a node that could not be started', () => {
  it('says why, until it runs', () => {
    assert.equal(failureOf(node('stopped', FAILED)), REASON);
    assert.equal(failureOf(node('started', FAILED)), null);
    assert.equal(failureOf(node('stopped', {})), null);
    assert.equal(failureOf(node('stopped', { failure: null })), null);
    assert.equal(failureOf(node('stopped', { failure: {} })), 'It could not be started.');
  });

  it('is told to those who follow the lab, also in words of its own, until it is tried again', () => {
    const before = recordsOf({} as never, [node('stopped', {})], [], []);
    const failed = foldFrames(before, [updated(node('stopped', FAILED), 2)]);
    const tried = foldFrames(failed, [updated(node('stopped', {}), 3)]);
    const labels = [before, failed, tried].map(
      (records) => mergeNodes([], records, { marks: new Map(), isReadOnly: false })[0]?.ariaLabel,
    );
    assert.deepEqual(labels, ['PC1, stopped', `PC1, stopped, failed: ${REASON}`, 'PC1, stopped']);
  });

  it('has its reason in the menu', () => {
    const asked: unknown[] = [];
    const lab = { state: { get: () => ({ records: NO_RECORDS }) } };
    const ask = (what: unknown): number => asked.push(what);
    const scope = { lab, ask, isReadOnly: true, isPast: false } as unknown as MenuScope;
    const itemsFor = (one: Node) =>
      menuOf(scope, { nodes: [one], drawings: [], links: [] }, { x: 0, y: 0 }).filter(
        ({ text }) => text === 'Why it failed',
      );
    assert.deepEqual(itemsFor(node('stopped', {})), []);
    const [item] = itemsFor(node('stopped', FAILED));
    item?.onChoose();
    assert.deepEqual(asked, [{ what: 'failed', failed: [{ nodeId: 'a', name: 'PC1', message: REASON }] }]);
  });
});
