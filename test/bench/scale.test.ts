import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { LIMITS } from '../../src/http/limits.ts';
import { readConfig } from '../../src/server/config.ts';

type Numbers = Record<string, number>;
interface Plan {
  cells: number;
  computes: number;
  students_in_cell: number;
  cellLimits: Numbers;
  computeLimits: { embedded: Numbers; outside: Numbers };
  appends_start: number;
  appends_work: number;
  memory_gib: number;
  events_a_year: number;
}
interface Model {
  COSTS: Record<string, { value: number; what: string; source: string; quote?: string }>;
  DEFAULTS: Numbers;
  plan: (given?: Numbers) => Plan;
  expected: (
    load: { labs: number; nodes: number; students: number; rates: Numbers; listeners: number },
    now?: Numbers,
  ) => Numbers;
  inOrder: (limits: Numbers) => [string, number][];
}
interface Change {
  at: number;
  student: number;
  what: string;
  nth: number;
}
interface Recording {
  length_ms: number;
  students: number;
  changes: Change[];
}

const load = (name: string): Promise<unknown> => import(pathToFileURL(path.resolve('bench/scale', name)).href);
const { COSTS, DEFAULTS, plan, expected, inOrder } = (await load('model.mjs')) as Model;
const { describe: words } = (await load('text.mjs')) as { describe: (planned: Plan) => string };
const { recordingOf } = (await load('classroom.mjs')) as {
  recordingOf: (events: unknown[], of: { labs: { project_id: string }[]; pace: number }) => Change[];
};
const { ratesOf, replay } = (await load('replay.mjs')) as {
  ratesOf: (recording: Recording, school: Numbers) => Numbers;
  replay: (
    recording: Recording,
    how: { labs: object[]; seconds: number; faster: number; rates: Numbers },
  ) => Promise<{ problems: string[] }>;
};

const squeezed = (text: string): string => text.replace(/\s+/g, ' ');

describe('what the model of a school counts with', () => {
  for (const [name, { value, what, source, quote }] of Object.entries(COSTS))
    it(`${name} is a number, and on the page that it names`, () => {
      assert.ok(value > 0 && what.length > 10);
      if (quote === undefined) assert.match(source, /^npm run bench -- (?:log|scale)$/);
      else assert.ok(squeezed(readFileSync(source, 'utf8')).includes(quote), `${source} does not say "${quote}"`);
    });

  it('has the limits of the server', () => {
    const [first = 0, last = 0] = readConfig([], {})?.consoleRange ?? [];
    assert.equal(DEFAULTS['most_listeners'], LIMITS.listeners);
    assert.equal(DEFAULTS['most_connections'], LIMITS.connections);
    assert.equal(DEFAULTS['console_ports'], last - first + 1);
  });
});

describe('a plan', () => {
  it('has as many cells as the first limit wants, and says which', () => {
    const { cells, cellLimits, students_in_cell } = plan({ students: 1_001, listeners: 2, servers: 1 });
    assert.deepEqual(inOrder(cellLimits)[0], ['listeners of its servers', 250]);
    assert.equal(cells, 5);
    assert.equal(students_in_cell, 201);
  });

  it('counts what everybody does at the beginning, and what they do then', () => {
    const small = { students: 60, nodes: 10, start_within: 30, changes: 3_600, restarts: 0 };
    assert.equal(plan(small).appends_start, 60 * (1 + 2 * 10) * (1 / 30));
    assert.equal(plan(small).appends_work, 60);
    assert.equal(plan({ ...small, changes: 0, restarts: 3_600 }).appends_work, 240);
    assert.equal(
      plan({ ...small, lessons: 10, lesson_hours: 0.5 }).events_a_year,
      60 * 10 * (2 * (1 + 2 * 10) + 3_600 / 2),
    );
  });

  it('gives guests their memory', () => {
    const school = { students: 100, nodes: 2, outside: 2, outside_mib: 2_048, compute_gib: 64 };
    const both = (COSTS['server_mib']?.value ?? 0) + (COSTS['fabric_mib']?.value ?? 0);
    const { computeLimits, computes, cells } = plan(school);
    assert.equal(cells, 1);
    assert.equal(computeLimits.outside['memory'], (64 * 1024 - both) / 2_048);
    assert.equal(computes, Math.ceil(200 / Math.floor((64 * 1024 - both) / 2_048)));
  });

  it('never gets smaller when the school grows', () => {
    const school = fc.record({
      students: fc.integer({ min: 1, max: 50_000 }),
      nodes: fc.integer({ min: 1, max: 100 }),
      more: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(school, ({ students, nodes, more }) => {
        const [before, after] = [plan({ students, nodes }), plan({ students: students + more, nodes })];
        assert.ok(after.cells >= before.cells);
        // One more cell makes all of them smaller, and smaller ones may fill their computes better.
        assert.ok(after.memory_gib >= before.memory_gib || after.computes < before.computes);
        assert.ok(before.cells * before.students_in_cell >= students);
        for (const most of Object.values(before.cellLimits)) assert.ok(before.students_in_cell <= most);
      }),
    );
  });

  it('refuses what is no school, by name', () => {
    assert.throws(() => plan({ pupils: 3 }), /there is no pupils; there are students, nodes/);
    assert.throws(() => plan({ students: 0 }), /students must be a number above 0, not 0/);
    assert.throws(() => plan({ nodes: NaN }), /nodes must be/);
    assert.throws(() => plan({ nodes: 3, outside: 4 }), /outside must be at most nodes, which are 3/);
    assert.throws(() => plan({ nodes: 1_000_000 }), /not even one student fits into a cell: processor of the writer/);
  });

  it('is on the page of the model as it is reckoned', () => {
    const page = readFileSync('docs/explanation/scale.md', 'utf8');
    const blocks = [...page.matchAll(/^```text\n\$ node bench\/scale\.mjs(.*)\n([^`]*)\n```$/gm)];
    assert.ok(blocks.length >= 2);
    for (const [, flags = '', shown = ''] of blocks) {
      const given = [...flags.matchAll(/--([\w-]+) ([\d.]+)/g)].map(([, name = '', text = '']): [string, number] => [
        name.replaceAll('-', '_'),
        Number(text),
      ]);
      assert.equal(shown, words(plan(Object.fromEntries(given))));
    }
  });
});

describe('what one server is expected to take', () => {
  const load = {
    labs: 10,
    nodes: 30,
    students: 100,
    rates: { changes: 3_600, restarts: 0, reads: 0, commands: 0 },
    listeners: 0,
  };

  it('is the sum of what its students do', () => {
    const now = { update_us: 1_000, frame_us: 500, update_p99_ms: 3, idle_share: 0.001 };
    const { appends, processor, p99_ms = 0 } = expected({ ...load, labs: 1 }, now);
    assert.equal(appends, 100);
    assert.ok(Math.abs((processor ?? 0) - (0.1 + 0.05 + 0.03)) < 1e-9);
    assert.ok(Math.abs(p99_ms - 3 / (1 - 0.18)) < 1e-9);
  });

  it('grows with labs and listeners', () => {
    const { memory_mib = 0, start_ms = 0 } = expected(load, { listener_kib: 512 });
    assert.equal(expected({ ...load, listeners: 4 }, { listener_kib: 512 })['memory_mib'], memory_mib + 2);
    assert.equal(expected({ ...load, labs: 20 })['start_ms'], 2 * start_ms);
  });
});

describe('a recording', () => {
  const event = (type: string, seconds: number, more: object = {}) => ({
    ...{
      type,
      at: new Date(seconds * 1000).toISOString(),
      project_id: 'b',
      by: { principal: 'ada' },
      data: { node_id: 'n' },
    },
    ...more,
  });

  it('has what people asked for, when and of which of their things', () => {
    const events = [
      event('node.updated', 10),
      event('node.started', 11),
      event('link.updated', 12, { project_id: 'a', data: { link_id: 'l' } }),
      event('node.start_requested', 13, { by: { principal: 'system' } }),
      event('drawing.updated', 13, { project_id: 'elsewhere', data: { drawing_id: 'd' } }),
      event('node.stop_requested', 14),
    ];
    assert.deepEqual(recordingOf(events, { labs: [{ project_id: 'a' }, { project_id: 'b' }], pace: 10 }), [
      { at: 0, student: 1, what: 'move', nth: 0 },
      { at: 20_000, student: 0, what: 'filter', nth: 1 },
      { at: 40_000, student: 1, what: 'stop', nth: 0 },
    ]);
  });

  const changes = ['move', 'draw', 'stop', 'start'].map((what, n) => ({ at: n, student: 0, what, nth: n }));

  it('says how much its students do in an hour', () => {
    const rates = ratesOf(
      { length_ms: 360_000, students: 2, changes },
      { changes: 10, restarts: 5, reads: 30, commands: 60 },
    );
    assert.deepEqual(rates, { changes: 10, restarts: 5, reads: 30, commands: 60 });
  });

  it('is replayed for each student, class by class, with reads and commands beside', async () => {
    const done: string[] = [];
    const labs = [0, 1].map((n) => ({
      do: async (what: string, nth: number) => void done.push(`${n} ${what} ${nth}`),
      read: async () => void done.push(`${n} read`),
      command: () => void done.push(`${n} command`),
    }));
    const rates = { changes: 2, restarts: 1, reads: 4, commands: 2 };
    const { problems } = await replay(
      { length_ms: 100, students: 1, changes },
      { labs, seconds: 0.0999, faster: 1, rates },
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(done.filter((one) => /\d$/.test(one)).sort(), [
      '0 draw 1',
      '0 move 0',
      '0 start 3',
      '0 stop 2',
      '1 draw 1',
      '1 move 0',
      '1 start 3',
      '1 stop 2',
    ]);
    assert.equal(done.filter((one) => one.endsWith('read')).length, 8);
    assert.equal(done.filter((one) => one.endsWith('command')).length, 4);
  });

  it('says which requests failed', async () => {
    const labs = [
      { do: () => Promise.reject(new Error('refused')), read: async () => undefined, command: () => undefined },
    ];
    const rates = { changes: 1, restarts: 0, reads: 0, commands: 0 };
    const recording = { length_ms: 10, students: 1, changes: changes.slice(0, 1) };
    assert.deepEqual((await replay(recording, { labs, seconds: 0.005, faster: 1, rates })).problems, ['refused']);
  });
});
