import type { MenuScope } from '../src/map/map-scope.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unreachableOf } from '../src/computes/computes.ts';
import { menuOf } from '../src/map/actions/menus.ts';
import { actOn, type Failure } from '../src/map/actions/node-actions.ts';
import { mergeNodes } from '../src/map/flow/flow.ts';
import type { Lab } from '../src/store/lab.ts';
import { NO_RECORDS, type Node, recordsOf } from '../src/store/records.ts';
import { createStore } from '../src/store/store.ts';

const REASON = 'silent for 5 s';
const node = (node_id: string, properties: Node['properties'] = {}): Node =>
  ({
    node_id,
    name: node_id,
    project_id: 'p',
    compute_id: 'r',
    status: 'started',
    console_type: 'telnet',
    properties,
    x: 0,
    y: 0,
    z: 1,
    width: 60,
    height: 60,
  }) as Node;
const away = node('PC1', { unreachable: REASON });

describe('a node whose compute is away', () => {
  it('says why, in its record and in words, and keeps its state', () => {
    assert.equal(unreachableOf(away), REASON);
    assert.equal(unreachableOf(node('PC2')), null);
    const records = recordsOf({} as never, [away, node('PC2')], [], []);
    const seen = { marks: new Map(), isReadOnly: false, places: new Map([['r', 'rack']]) };
    const first = mergeNodes([], records, seen);
    assert.deepEqual(
      first.map(({ ariaLabel }) => ariaLabel),
      [`PC1, started, unreachable: ${REASON}, on rack`, 'PC2, started, on rack'],
    );
    const same = mergeNodes(first, records, { ...seen, places: new Map([['r', 'rack']]) });
    assert.equal(same[0], first[0]);
    const renamed = mergeNodes(first, records, { ...seen, places: new Map([['r', 'cellar']]) });
    assert.equal(renamed[1]?.ariaLabel, 'PC2, started, on cellar');
  });

  it('has no commands in its menu but the reason, which leads to the computes', () => {
    const asked: unknown[] = [];
    const scope = {
      lab: { state: { get: () => ({ records: NO_RECORDS }) } },
      ask: (what: unknown) => asked.push(what),
      isReadOnly: false,
      isPast: false,
    } as unknown as MenuScope;
    const items = menuOf(scope, { nodes: [away], drawings: [], links: [] }, { x: 0, y: 0 });
    const disabled = items.filter(({ isDisabled }) => isDisabled === true).map(({ text }) => text);
    assert.deepEqual(disabled, [
      'Console',
      'Start',
      'Stop',
      'Suspend',
      'Restart',
      'Rename',
      'Addresses …',
      'Duplicate',
    ]);
    assert.deepEqual([items[0]?.text, items[0]?.note], ['Why it is unreachable', REASON]);
    items[0]?.onChoose();
    items.find(({ text }) => text.startsWith('Put on'))?.onChoose();
    assert.deepEqual(asked, [{ what: 'computes' }, { what: 'move', nodes: [away] }]);
  });

  it('does not keep the others from being stopped, and is told among those that failed', async () => {
    const posted: unknown[] = [];
    const failed: (readonly Failure[])[] = [];
    const records = recordsOf({} as never, [away, node('PC2')], [], []);
    const lab = {
      projectId: 'p',
      client: { post: async (_path: string, call: { path: object }) => void posted.push(call.path) },
      state: createStore({ records }),
    } as unknown as Lab;
    const scope = { lab, onFailed: (list: readonly Failure[]) => void failed.push(list) };
    await actOn(scope, 'start', [away, node('PC2')]);
    assert.deepEqual(posted, [{ project_id: 'p', node_id: 'PC2' }]);
    await actOn(scope, 'stop', [away]);
    const told = [{ nodeId: 'PC1', name: 'PC1', message: `It is unreachable: ${REASON}` }];
    assert.deepEqual([posted.length, failed], [1, [told, told]]);
  });
});
