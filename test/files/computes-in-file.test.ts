import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namingComputes } from '../../src/files/write/for-tools.ts';

const far = { compute_id: 'far', name: 'lab2', protocol: 'http', host: '192.0.2.1', port: 3080, user: 'me' } as const;
const other = { ...far, compute_id: 'other', name: 'lab3' };
const nodes = [{ compute_id: 'local' }, { compute_id: 'far' }];

describe('the computes that a project file names', () => {
  it('are those of its nodes, without a user', () => {
    const { extra } = namingComputes({ extra: { a: 1 } }, nodes, [far, other]);
    const { user: _, ...named } = far;
    assert.deepEqual(extra, { a: 1, topology: { computes: [named] } });
  });

  it('are those that it named before, as they were, and what is missing', () => {
    const before = { topology: { computes: [{ compute_id: 'far', name: 'as it was' }], b: 2 } };
    assert.deepEqual(namingComputes({ extra: before }, nodes, [far]).extra, before);
    const { extra } = namingComputes({ extra: before }, [{ compute_id: 'other' }], [far, other]);
    const { computes } = extra['topology'] as { computes: { name: string }[] };
    assert.deepEqual(
      computes.map(({ name }) => name),
      ['as it was', 'lab3'],
    );
  });

  it('are none for a lab of this server', () => {
    const project = { extra: {} };
    assert.equal(namingComputes(project, [{ compute_id: 'local' }], [far]), project);
  });
});
