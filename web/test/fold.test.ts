import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldFrames } from '../src/store/fold.ts';
import { foldProject } from '../src/store/projects.ts';
import { type Drawing, type Frame, NO_RECORDS, type Node, type Project } from '../src/store/records.ts';

const node = (node_id: string, name = node_id): Node => ({ node_id, name }) as Node;
const drawing = (drawing_id: string, svg: string, x = 0): Drawing => ({ drawing_id, svg, x }) as Drawing;
const project = (project_id: string, name: string): Project => ({ project_id, name }) as Project;
const frame = (action: string, event: unknown, position = 1): Frame => ({ action, event, position }) as Frame;

describe('folding frames of a feed', () => {
  it('adds, replaces and removes records, and leaves those before as they were', () => {
    const before = foldFrames(NO_RECORDS, [frame('node.created', node('a')), frame('node.created', node('b'))]);
    const after = foldFrames(before, [frame('node.updated', node('a', 'PC1')), frame('node.deleted', node('b'))]);
    assert.deepEqual([...before.nodes.keys()], ['a', 'b']);
    assert.equal(before.nodes.get('a')?.name, 'a');
    assert.deepEqual([...after.nodes.values()], [node('a', 'PC1')]);
    assert.equal(after.links, before.links);
  });

  it('answers the same records when nothing of them is told', () => {
    const records = foldFrames(NO_RECORDS, [frame('link.created', { link_id: 'l' })]);
    const told = [frame('ping', {}), frame('log.error', { message: 'x' }), frame('visitors', [])];
    assert.equal(foldFrames(records, told), records);
  });

  it('keeps the picture of a drawing whose update leaves it out', () => {
    const records = foldFrames(NO_RECORDS, [
      frame('drawing.created', drawing('d', '<svg/>')),
      frame('drawing.updated', { drawing_id: 'd', x: 7 }),
    ]);
    assert.deepEqual(records.drawings.get('d'), drawing('d', '<svg/>', 7));
    const redrawn = foldFrames(records, [frame('drawing.updated', drawing('d', '<svg id="2"/>', 7))]);
    assert.equal(redrawn.drawings.get('d')?.svg, '<svg id="2"/>');
  });

  it('comes to the same when frames are told twice', () => {
    const frames = [
      frame('node.created', node('a')),
      frame('node.updated', node('a', 'n')),
      frame('node.deleted', node('a')),
    ];
    const once = foldFrames(NO_RECORDS, frames);
    assert.deepEqual(foldFrames(once, frames), once);
  });
});

describe('folding frames into the list of projects', () => {
  it('keeps it in the order of names, numbers as such', () => {
    const told = ['lab 10', 'lab 9', 'Alpha'].map((name) => frame('project.created', project(name, name)));
    const list = told.reduce(foldProject, []);
    assert.deepEqual(
      list.map(({ name }) => name),
      ['Alpha', 'lab 9', 'lab 10'],
    );
    const renamed = foldProject(list, frame('project.updated', project('Alpha', 'Zeta')));
    assert.deepEqual(
      renamed.map(({ name }) => name),
      ['lab 9', 'lab 10', 'Zeta'],
    );
    assert.deepEqual(
      foldProject(renamed, frame('project.deleted', project('lab 9', 'lab 9'))).map(({ name }) => name),
      ['lab 10', 'Zeta'],
    );
  });
});
