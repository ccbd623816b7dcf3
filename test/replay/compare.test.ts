import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SYSTEM } from '../../src/events/event.ts';
import type { AnyEvent, EventType } from '../../src/events/schemas.ts';
import { type Answer, compareReplay, lastingVerdicts } from '../../src/replay/compare.ts';
import { createIds } from '../../src/replay/mapping.ts';
import { namesOf } from '../../src/replay/names.ts';
import { planReplay } from '../../src/replay/steps.ts';
import { drawingData, PROJECT, projectData } from '../support/events.ts';

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';
const WHO = { principal: 'someone', address: '127.0.0.1', agent: null };
const of = { project_id: PROJECT };

interface Given {
  type: EventType;
  data: object;
  request?: string;
  cause?: number;
  /** Milliseconds behind those before it. */
  later?: number;
}
const events = (given: readonly Given[], first = 1): AnyEvent[] =>
  given.map(
    ({ type, data, request = null, cause = null, later = 0 }, i) =>
      ({
        ...{ position: first + i, version: first + i, project_id: PROJECT, v: 1, prev: '', hash: '', type, data },
        at: new Date(1_700_000_000_000 + i + later).toISOString(),
        ...{ by: request === null ? SYSTEM : WHO, request_id: request, cause },
      }) as unknown as AnyEvent,
  );

const started = (node_id: string, more: object = {}) => ({
  ...{ ...of, node_id, engine: 'embedded', pid: 7, console: 5000, command_line: 'x' },
  ...more,
});
/** Two steps, and a trace that ends by itself. */
const RECORDED: readonly Given[] = [
  { type: 'project.created', data: projectData(), request: 'begin' },
  { type: 'project.nodes_requested', data: { ...of, action: 'start' }, request: 'one' },
  { type: 'node.start_requested', data: { ...of, node_id: A, arguments: {} }, request: 'one', cause: 2 },
  { type: 'node.start_requested', data: { ...of, node_id: B, arguments: {} }, request: 'one', cause: 2 },
  { type: 'node.started', data: started(A), cause: 3 },
  { type: 'node.started', data: started(B), cause: 4 },
  { type: 'project.nodes_finished', data: { ...of, action: 'start', done: 2, failed: [] }, request: 'one', cause: 2 },
  { type: 'drawing.created', data: { ...drawingData(1) }, request: 'two' },
  { type: 'node.exited', data: { ...of, node_id: B, code: 1, signal: null, output: 'recorded' } },
];
/** The same as a replay makes it: from position 101 on, with ids, times, processes, ports of its own and in another order. */
const REPLAYED: readonly Given[] = [
  { type: 'project.nodes_requested', data: { ...of, action: 'start' }, request: 'r-1' },
  { type: 'node.start_requested', data: { ...of, node_id: B, arguments: {} }, request: 'r-1', cause: 101 },
  { type: 'node.start_requested', data: { ...of, node_id: A, arguments: {} }, request: 'r-1', cause: 101 },
  { type: 'node.started', data: started(B, { pid: 8, console: 6000 }), cause: 102 },
  { type: 'node.started', data: started(A, { command_line: 'y' }), cause: 103 },
  { type: 'project.nodes_finished', data: { ...of, action: 'start', done: 2, failed: [] }, request: 'r-1', cause: 101 },
  { type: 'drawing.created', data: { ...drawingData(1) }, request: 'r-2' },
  { type: 'warning.raised', data: { message: 'of no account', node_id: null } },
  { type: 'node.exited', data: { ...of, node_id: B, code: 1, signal: null, output: 'otherwise' } },
];

interface Compared {
  answers?: [number, Answer][];
  engines?: boolean;
  recorded?: readonly Given[];
  /** How long behind the last step checks are looked at; null: the replay takes the time of the recording. */
  ms?: number | null;
}
const compareBy = (now: readonly Given[], { answers, engines = true, recorded = RECORDED, ms = null }: Compared) => {
  const plan = planReplay({ events: events(recorded), base: null });
  const ids = createIds(plan.ids);
  const side = { udpPort: (port: number) => port, engines };
  const performed = {
    answers: new Map(answers ?? [1, 2].map((n) => [n, DONE])),
    events: ids.forth(events(now, 101)),
    requestId: (n: number) => `r-${n}`,
    lasting: ms === null ? null : lastingVerdicts(plan, ms),
  };
  const sides = { recorded: { ...side, text: (t: string) => t }, now: { ...side, text: (t: string) => ids.back(t) } };
  return compareReplay(plan, performed, sides, namesOf(plan));
};
const compare = (now: readonly Given[], answers?: [number, Answer][], engines = true) =>
  compareBy(now, { engines, ...(answers === undefined ? {} : { answers }) });
const DONE: Answer = { status: 201, reason: null };
const change = (n: number, data: object): Given[] =>
  REPLAYED.map((given, i) => (i === n ? { ...given, data: { ...given.data, ...data } } : given));

describe('a comparison', () => {
  it('finds nothing where only times, ids, processes, ports and the order within a step differ', () => {
    assert.deepEqual(compare(REPLAYED), []);
  });

  it('finds a changed value and names its step, event and field', () => {
    assert.deepEqual(compare(change(6, { x: 99 })), [
      {
        step: 2,
        request: 'POST drawings',
        what: `drawing.created ${drawingData(1).drawing_id}: x`,
        recorded: 1,
        now: 99,
      },
    ]);
  });

  it('asks of a check which verdicts came, not behind which step', () => {
    const recorded = [...RECORDED, verdict('met', { cause: 2 })];
    assert.deepEqual(compareBy([...REPLAYED, verdict('met', { cause: 107 })], { recorded }), []);
    assert.deepEqual(
      compareBy([...REPLAYED, verdict('broken', { cause: 101 })], { recorded }).map((d) => [d.step, d.what]),
      [
        [null, 'check.met c'],
        [null, 'check.broken c'],
      ],
    );
  });

  it('finds another engine, unless engines do not matter', () => {
    const other = change(4, { engine: 'simulated' });
    assert.deepEqual(
      compare(other).map((d) => [d.step, d.recorded, d.now]),
      [[1, 'embedded', 'simulated']],
    );
    assert.deepEqual(compare(other, undefined, false), []);
  });

  it('finds what is missing and what is too much', () => {
    const less = compare(REPLAYED.filter((_, i) => i !== 4));
    assert.deepEqual(
      less.map((d) => [d.step, d.what, d.now]),
      [[1, `node.started ${A}`, null]],
    );
    const more = compare([...REPLAYED, { type: 'drawing.deleted', data: { ...of, drawing_id: A }, request: 'r-2' }]);
    assert.deepEqual(
      more.map((d) => [d.step, d.what, d.recorded]),
      [[2, `drawing.deleted ${A}`, null]],
    );
  });

  it('finds a failure in the place of a success', () => {
    const failed = REPLAYED.map((given, i): Given =>
      i === 4
        ? { ...given, type: 'node.start_failed', data: { ...of, node_id: A, failure: { code: 'x', message: 'y' } } }
        : given,
    );
    assert.deepEqual(
      compare(failed)
        .map((d) => d.what)
        .sort(),
      [`node.start_failed ${A}`, `node.started ${A}`],
    );
  });

  it('finds what happened by itself here only, or there only', () => {
    assert.deepEqual(
      compare(REPLAYED.slice(0, -1)).map((d) => [d.step, d.what]),
      [[null, `node.exited ${B}`]],
    );
    const crashed = { ...of, node_id: A, code: 139, signal: null, output: '' };
    assert.deepEqual(
      compare([...REPLAYED, { type: 'node.exited', data: crashed }]).map((d) => [d.step, d.what, d.recorded]),
      [[null, `node.exited ${A}`, null]],
    );
  });

  it('finds another outcome: refused now, or refused for another reason', () => {
    const refused: Answer = { status: 409, reason: 'it is locked' };
    assert.deepEqual(
      compare(REPLAYED, [
        [1, DONE],
        [2, refused],
      ]),
      [{ step: 2, request: 'POST drawings', what: 'outcome', recorded: 'done', now: '409 it is locked' }],
    );
  });

  it('leaves out the steps that were not performed', () => {
    assert.deepEqual(
      compare(REPLAYED.slice(0, 6), [[1, DONE]]).filter((d) => d.step !== null),
      [],
    );
  });

  it('finds every single change of a value that is part of the lab', () => {
    const kept = /^(node_id|drawing_id|project_id|pid|console|command_line|output|extra|message)$/;
    const places = REPLAYED.flatMap((given, i) =>
      given.type === 'warning.raised'
        ? []
        : Object.keys(given.data)
            .filter((k) => !kept.test(k))
            .map((key) => ({ i, key })),
    );
    assert.ok(places.length > 15);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), ({ i, key }, value) => {
        const before = JSON.stringify((REPLAYED[i]?.data as Record<string, unknown>)[key]);
        fc.pre(before !== JSON.stringify(value) && typeof value !== 'object');
        assert.notDeepEqual(compare(change(i, { [key]: value })), []);
      }),
      { numRuns: 300 },
    );
  });
});

const verdict = (verdict: 'met' | 'broken', more: { name?: string; cause?: number; later?: number } = {}): Given => {
  const { name = 'both run', cause = 2, later = 0 } = more;
  const data = { ...of, check_id: 'c', name, after_ms: cause, text: 'x', evidence: {} };
  return { type: `check.${verdict}`, data, cause, later };
};

describe('a comparison of a replay that takes less time than the recording', () => {
  /** Verdicts of the recording before its last step and behind it, and those of the replay, whose first cause is 101. */
  const fast = (before: Given[], after: Given[], now: Given[]) =>
    compareBy([...REPLAYED, ...now.map((one) => ({ ...one, cause: 101 }))], {
      recorded: [...RECORDED.slice(0, 7), ...before, ...RECORDED.slice(7), ...after],
      ms: 5_000,
    });

  it('asks nothing of verdicts that came between the steps, and of no name', () => {
    assert.deepEqual(fast([verdict('met'), verdict('broken')], [], []), []);
    assert.deepEqual(fast([verdict('met', { name: 'PC1 reaches PC2' })], [], [verdict('met', { name: 'x' })]), []);
    assert.deepEqual(fast([], [verdict('met')], [verdict('met', { name: 'x' })]), []);
  });

  it('asks of a check what it said last behind the last step', () => {
    const [met, broken] = [verdict('met'), verdict('broken')];
    assert.deepEqual(fast([], [broken, met], [broken, met]), []);
    assert.deepEqual(fast([broken], [met], [met]), []);
    assert.deepEqual(fast([], [broken, met], [met, broken]), [
      { step: null, request: null, what: 'check c', recorded: 'met', now: 'broken' },
    ]);
  });

  it('asks nothing of what came long behind it, and of a check that has no verdict yet', () => {
    const late = verdict('broken', { later: 110_000 });
    assert.deepEqual(fast([verdict('met')], [late], [verdict('met')]), []);
    assert.deepEqual(fast([], [verdict('met'), late], [verdict('met')]), []);
    assert.deepEqual(fast([], [verdict('broken')], []), []);
  });
});

describe('ids', () => {
  it('go forth and back wherever they stand', () => {
    const ids = createIds([A, B]);
    const value = { [A]: [`/labs/${B}/x`, { deep: A }], other: drawingData(1).drawing_id, n: 1, none: null };
    const there = ids.forth(value);
    assert.ok(!JSON.stringify(there).includes(A) && !JSON.stringify(there).includes(B));
    assert.equal(there.other, value.other);
    assert.deepEqual(ids.back(there), value);
  });
});
