import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { meaningOf } from '../src/map/map-keys.ts';
import { movePlaces } from '../src/map/actions/object-actions.ts';
import type { Lab } from '../src/store/lab.ts';
import { type Drawing, type Node, recordsOf } from '../src/store/records.ts';
import { createStore } from '../src/store/store.ts';
import { asEdit, type Edit, nextOf, undoingOf } from '../src/undo/edits.ts';
import { sayField } from '../src/undo/restore.ts';
import { sayEdit, sayLeft } from '../src/undo/sentences.ts';

const object = (type: 'node' | 'link' | 'drawing' | 'project', name: string | null, more: object = {}) => ({
  ...{ type, id: String(name), action: 'move' as const, name, was: null, fields: [] },
  ...more,
});
const counts = { project: 0, node: 0, link: 0, drawing: 0 };
const edit = (position: number, more: Partial<Edit> = {}): Edit => ({
  ...{ position, at: '', by: { principal: 'ada', address: null, agent: null }, action: 'move', objects: [], counts },
  ...{ undone: false, can_undo: true, can_redo: false, why_not: null },
  ...more,
});

/** A lab whose server has these edits, and keeps what it was asked. */
const labOf = (edits: Edit[], redo: number | null = null) => {
  const asked: string[] = [];
  const get = () => Promise.resolve({ undo: edits[0]?.position ?? null, redo, edits });
  const post = (path: string, { body }: { body: { position?: number; steps?: { id: string }[] } }) => {
    asked.push(`${path.split('/').at(-1)} ${body.position ?? body.steps?.map(({ id }) => id).join(' ')}`);
    return Promise.resolve({ edit: edits[0], changes: [], left: [] });
  };
  const nodes = ['a', 'b'].map((node_id) => ({ node_id, x: 1, y: 2 }) as Node);
  const records = recordsOf({} as never, nodes, [], [{ drawing_id: 'd', x: 1, y: 2 } as Drawing]);
  const lab = { projectId: 'p', client: { get, post }, state: createStore({ records }), listen: () => () => undefined };
  return { lab: lab as unknown as Lab, asked };
};

describe('undo in the page', () => {
  it('says edits in a few words', () => {
    const said = (more: Partial<Edit>): string => sayEdit(edit(1, more));
    const two = [object('node', 'R1'), object('node', 'R2')];
    assert.equal(said({ objects: two, counts: { ...counts, node: 2 } }), 'move R1, R2');
    assert.equal(said({ objects: two, counts: { ...counts, node: 12 } }), 'move R1, R2 and 10 more');
    const renamed = [object('node', 'R1', { was: 'PC1' })];
    assert.equal(said({ action: 'rename', objects: renamed, counts: { ...counts, node: 1 } }), 'rename PC1 to R1');
    // Links that go with their nodes are not worth a word.
    const gone = [object('link', 'R1 – R2'), object('node', 'R1')];
    assert.equal(said({ action: 'delete', objects: gone, counts: { ...counts, node: 1, link: 1 } }), 'delete R1');
    const link = { action: 'create', objects: [gone[0]], counts: { ...counts, link: 1 } } as Partial<Edit>;
    assert.equal(said(link), 'create link R1 – R2');
    assert.equal(said({ objects: [object('drawing', null)], counts: { ...counts, drawing: 2 } }), 'move 2 drawings');
    const settings = {
      action: 'change',
      objects: [object('project', 'lab')],
      counts: { ...counts, project: 1 },
    } as const;
    assert.equal(said({ ...settings, objects: [...settings.objects] }), 'change the project settings');
  });

  it('says what stays and who has changed it', () => {
    assert.equal(sayLeft([]), null);
    const by = { principal: 'bob', address: null, agent: null };
    const left = { type: 'node', id: 'a', name: 'PC1', fields: ['x'], why: 'changed', by } as const;
    assert.equal(sayLeft([{ ...left, fields: ['x'] }]), 'Left as it is: PC1: changed by bob since');
  });

  it('says what a restore changes of a field, shortly', () => {
    assert.equal(sayField({ field: 'properties.ram', from: 256, to: 512 }), 'ram: 256 → 512');
    assert.ok(sayField({ field: 'svg', from: 'x'.repeat(500), to: null }).length < 100);
  });

  it('offers the last own edit, but for those that nothing is left of', () => {
    const edits = [edit(9, { can_undo: false }), edit(5), edit(3)];
    const all = { undo: 5, redo: null, edits };
    assert.equal(nextOf(all, new Set()).undo?.position, 5);
    assert.equal(nextOf(all, new Set([5])).undo?.position, 3);
    assert.equal(nextOf({ ...all, redo: 9 }, new Set()).redo?.position, 9);
  });

  it('asks only after what was asked for before is answered, and asks nothing where there is nothing', async () => {
    const { lab, asked } = labOf([edit(5)]);
    const moved = asEdit(lab, (headers) => movePlaces(lab, [{ id: 'a', x: 7.2, y: 8 }], headers));
    const undone = undoingOf(lab).take('undo');
    await Promise.all([moved, undone]);
    assert.deepEqual(asked, ['batch a', 'undo 5']);
    assert.equal(await undoingOf(lab).take('redo'), null);
    assert.deepEqual(asked, ['batch a', 'undo 5']);
  });

  it('moves only what is there and goes elsewhere, nodes and drawings in one edit', async () => {
    const { lab, asked } = labOf([]);
    const move = (...places: readonly { id: string; x: number; y: number }[]): Promise<void> =>
      asEdit(lab, (headers) => movePlaces(lab, places, headers));
    await move(
      { id: 'a', x: 1, y: 2 },
      { id: 'b', x: 3, y: 4 },
      { id: 'd', x: 3, y: 4 },
      { id: 'unknown', x: 0, y: 0 },
    );
    await move({ id: 'a', x: 1.2, y: 2 });
    assert.deepEqual(asked, ['batch b d']);
  });

  it('has the keys that people know', () => {
    const key = (pressed: string, shiftKey = false) =>
      meaningOf({ key: pressed, ctrlKey: true, metaKey: false, altKey: false, shiftKey })?.do;
    assert.deepEqual([key('z'), key('Z', true), key('y')], ['undo', 'redo', 'redo']);
  });
});
