import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Schemas } from '../../src/client/index.ts';
import { planLines } from '../../src/cli/lab/apply.ts';

type Plan = Schemas['LabPlan'];

type Change = Plan['changes'][number];

const change = (name: string, compute_id: string | null, more: Partial<Change> = {}): Change => ({
  ...{ action: 'change', type: 'node', name, compute_id, restart: false, fields: [] },
  ...more,
});
const planOf = (...changes: Plan['changes']): Plan => ({ project_id: 'p', name: 'lab', changes, notes: [] });
const ALONE = new Map([['local', 'local']]);
const TWO = new Map([...ALONE, ['55a4', 'lab2']]);

describe('the lines of a plan', () => {
  it('say by name on which compute a node is, where there are several', () => {
    const plan = planOf(
      change('A', '55a4', { action: 'add' }),
      change('B', null, { action: 'add' }),
      change('C', '55a4', { restart: true, fields: [{ field: 'compute', from: '55a4', to: 'local' }] }),
      change('A:0 – B:0', null, { action: 'add', type: 'link' }),
    );
    assert.deepEqual(planLines(plan, TWO, null).split('\n').slice(0, 5), [
      '  + node A on lab2',
      '  + node B on local',
      '  ~ node C on lab2, stopped for it and started again',
      '      compute: lab2 → local',
      '  + link A:0 – B:0',
    ]);
    assert.match(planLines(planOf(change('B', null, { action: 'add' })), ALONE, null), /^ {2}\+ node B$/m);
  });

  it('say once why nodes did not start, with up to ten of their names', () => {
    const names = Array.from({ length: 12 }, (_, n) => `web${n + 1}`);
    const failed = [
      ...names.map((name) => ({ name, message: `${name} needs Docker: apt-get install docker.io` })),
      { name: 'db1', message: 'db1 needs image db: docker pull db' },
      { name: 'A', message: 'A: it ended at once' },
      { name: 'B', message: 'B: it ended at once' },
    ];
    assert.deepEqual(
      planLines(planOf(change('A', null)), ALONE, { failed, started: [] })
        .split('\n')
        .slice(2, -2),
      [
        `${names.slice(0, 10).join(', ')} and 2 more did not start: each needs Docker: apt-get install docker.io`,
        'db1 did not start: db1 needs image db: docker pull db',
        'A, B did not start: it ended at once',
      ],
    );
  });

  it('show what comes and goes of a text and of a list', () => {
    const [kept, gone, added] = ['a', 'b', 'c'].map((name) => ({ name, reach: { from: 'A', to: 'B' } }));
    const fields = [
      { field: 'startup_script', from: 'ip dhcp', to: 'ip dhcp\nset pcname x\n' },
      { field: 'checks', from: [kept, gone], to: [kept, added] },
    ];
    assert.deepEqual(
      planLines(planOf(change('A', null, { fields })), ALONE, null)
        .split('\n')
        .slice(1, 6),
      [
        '      startup_script:',
        '        + set pcname x',
        '      checks:',
        '        - { name: b, reach: { from: A, to: B } }',
        '        + { name: c, reach: { from: A, to: B } }',
      ],
    );
  });

  it('say checks, weather and stages as the text of a lab does', () => {
    const reach = { from: 'A', to: 'B', not: true };
    const fields = [
      { field: 'checks', from: [], to: [{ reach, within: '10s' }, { reach: { ...reach, size: 9 } }] },
      {
        field: 'weather',
        from: [],
        to: [{ name: 'rain', at: 1500, for: 60_000, links: [['A:0', 'B:0']], suspend: true }],
      },
      { field: 'stages', from: [], to: [{ name: 'first', checks: ['A does not reach B'] }] },
    ];
    assert.deepEqual(planLines(planOf(change('A', null, { fields })), ALONE, null).match(/(?<=^ {8}).*/gm), [
      '+ A does not reach B within 10s',
      '+ { reach: { from: A, to: B, not: true, size: 9 } }',
      '+ { name: rain, at: 1500ms, for: 1m, links: [ [ A:0, B:0 ] ], suspend: true }',
      '+ { name: first, checks: [ A does not reach B ] }',
    ]);
  });

  it('say which nodes have started where there was nothing else to do', () => {
    const lines = planLines(planOf(), ALONE, { failed: [], started: ['A', 'B'] });
    assert.equal(lines, 'lab is as the text says: 2 started (A, B).\n');
    assert.match(planLines(planOf(), ALONE, { failed: [], started: [] }), /: nothing to do\.$/m);
  });
});
