import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sayStateChanges } from '../src/app/state-announcer.tsx';
import type { Node } from '../src/store/records.ts';

const node = (name: string, status: Node['status'], properties: Node['properties'] = {}): Node =>
  ({ node_id: name, name, status, properties }) as Node;
const nodes = (...all: Node[]): ReadonlyMap<string, Node> => new Map(all.map((one) => [one.node_id, one]));
const FAILED = { failure: { code: 'x', message: 'No image.' } };

describe('what becomes of nodes, in words', () => {
  it('names a few, each state in a sentence', () => {
    const before = nodes(node('PC1', 'stopped'), node('PC2', 'stopped'), node('PC3', 'started'));
    const now = nodes(node('PC1', 'started'), node('PC2', 'started'), node('PC3', 'suspended'));
    assert.equal(sayStateChanges(before, now), 'PC1, PC2: started. PC3: suspended.');
  });

  it('counts many', () => {
    const names = ['PC1', 'PC2', 'PC3', 'PC4'];
    const before = nodes(...names.map((name) => node(name, 'started')));
    assert.equal(sayStateChanges(before, nodes(...names.map((name) => node(name, 'stopped')))), '4 nodes: stopped.');
  });

  it('tells a failure and its end, though the node stays stopped', () => {
    const well = nodes(node('PC1', 'stopped'));
    const failed = nodes(node('PC1', 'stopped', FAILED));
    assert.equal(sayStateChanges(well, failed), 'PC1: failed.');
    assert.equal(sayStateChanges(failed, well), 'PC1: stopped.');
  });

  it('is silent about what is new and rests, is gone, or is as it was', () => {
    const before = nodes(node('PC1', 'stopped'), node('PC2', 'started'));
    assert.equal(sayStateChanges(before, nodes(node('PC1', 'stopped'), node('PC3', 'stopped'))), '');
    assert.equal(sayStateChanges(before, nodes(node('PC1', 'stopped'), node('PC3', 'started'))), 'PC3: started.');
  });
});
