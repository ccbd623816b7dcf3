import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { LogEvent } from '../../src/events/event.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { readEvents } from '../../src/events/read.ts';
import { EVENTS } from '../../src/events/schemas.ts';
import { indexOps, KEYS, type Store, type StoreOp, streamOf } from '../../src/events/store/store.ts';
import { fold } from '../../src/projections/fold/fold.ts';
import { Records } from '../../src/projections/store.ts';
import { checkStore } from '../../src/session/verify/check-store.ts';
import { verifySession } from '../../src/session/verify/verify-session.ts';
import { drawingDraft } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';

/** Compiled tests read the recorded logs where they are kept. */
const FOLDER = path.resolve('test/replay');
const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');
const linesOf = (name: string): string[] => read(name).split('\n').slice(0, -1);
const VERSIONS = readdirSync(FOLDER).flatMap((name) => /^(recorded-v[\d.]+)\.ndjson$/.exec(name)?.[1] ?? []);

type Entry = [collection: string, id: string, record: unknown];

/** Events, as a log of that version stored them, in a store with the indexes and heads of today. */
const storeOf = async (lines: string[], records: Entry[]): Promise<Store> => {
  const ops: StoreOp[] = lines.flatMap((value) => {
    const event = JSON.parse(value) as LogEvent;
    const { position, version, hash } = event;
    const head = JSON.stringify({ version, position, hash });
    return [
      { type: 'put', key: KEYS.event(position), value },
      ...indexOps(event),
      { type: 'put', key: KEYS.head(streamOf(event.project_id)), value: head },
    ];
  });
  for (const [collection, id, record] of records)
    ops.push({ type: 'put', key: KEYS.record(collection, id), value: JSON.stringify(record) });
  const store = memoryStore();
  await store.batch(ops, { sync: true });
  return store;
};

for (const name of VERSIONS)
  describe(`the log ${name}`, () => {
    const expected = JSON.parse(read(`${name}.records.json`)) as Entry[];

    it('is whole, and folds to the records of its time, which every check of the store accepts', async () => {
      const verdict = await checkStore(await storeOf(linesOf(`${name}.ndjson`), expected));
      assert.deepEqual(verdict, {
        ok: true,
        facts: linesOf(`${name}.ndjson`).length,
        records: expected.length,
        lost: 0,
        problem: null,
        problems: [],
      });
      assert.ok(expected.length > 5);
    });

    it('changes at each event what it changed then', async () => {
      const store = await storeOf(linesOf(`${name}.ndjson`), []);
      const changes = linesOf(`${name}.changes.ndjson`);
      const records = new Records();
      let n = 0;
      for await (const event of readEvents(store)) {
        const changed = fold(records.committed, event);
        const found: unknown = JSON.parse(
          JSON.stringify({ position: event.position, type: event.type, changes: changed }),
        );
        assert.deepEqual(found, JSON.parse(changes[n] ?? ''), `position ${event.position}`);
        records.apply(changed);
        n++;
      }
      assert.equal(n, changes.length);
      assert.deepEqual(JSON.parse(JSON.stringify([...records.all()])), expected);
    });

    it('can be gone on with', async () => {
      const store = await storeOf(linesOf(`${name}.ndjson`), expected);
      const project = (expected.find(([collection]) => collection === 'project') ?? [])[1] ?? '';
      const records = new Records();
      records.restore(expected.map(([collection, id, record]) => ({ collection, id, record }) as never));
      const log = await EventLog.open(() => Promise.resolve(store), records);
      await log.append([drawingDraft(1, project)]);
      await log.close();
      assert.equal((await checkStore(store)).problem, null);
    });

    it('has a session that is still accepted', async () => {
      const verdict = await verifySession(read(`${name}.session.ndjson`));
      assert.ok(verdict.ok, JSON.stringify(verdict));
      assert.ok(verdict.facts > 10 && verdict.files > 0);
    });
  });

/** Types that came after the last release: the next one records them. */
const UNRELEASED = [
  ...['project.apply_requested', 'project.applied', 'project.apply_finished'],
  ...['weather.started', 'weather.stepped', 'weather.paused', 'weather.resumed', 'weather.ended'],
  ...['run.begun', 'run.ended', 'check.met', 'check.broken'],
  ...['image.deleted', 'node.unreachable', 'node.reachable', 'node.config_collected', 'link.tunnel_made'],
  ...['link.tunnel_joined', 'link.unproved', 'link.proved'],
  ...['compute.added', 'compute.updated', 'compute.removed', 'compute.connected', 'compute.disconnected'],
  ...['symbol.deleted', 'compute.claimed', 'compute.released', 'server.took_over'],
];

describe('the recorded logs', () => {
  it('have every type of event; a new one is recorded with scripts/record-log.mjs', () => {
    const seen = new Set(
      VERSIONS.flatMap((name) => linesOf(`${name}.ndjson`)).map((line) => (JSON.parse(line) as LogEvent).type),
    );
    assert.deepEqual(
      Object.keys(EVENTS).filter((type) => !seen.has(type)),
      // Of a repair only, which has no lab to record: test/cli/repair.test.ts.
      ['event.lost', 'log.repaired', 'project.repaired', ...UNRELEASED],
    );
  });

  it('are refused when they were edited, by the check of the store and by the log that is opened on them', async () => {
    const lines = linesOf('recorded-broken.ndjson');
    const store = await storeOf(lines, []);
    const { problem } = await checkStore(store);
    assert.equal(problem?.where, 'event');
    assert.match(problem.message, /does not fit its hash/);
    const position = problem.position ?? 0;
    assert.ok(position > 15 && position < lines.length, 'it was edited in the middle');
    const whole = linesOf(`${VERSIONS[0] ?? ''}.ndjson`).slice(0, lines.length);
    const edited = lines.flatMap((line, i) => (line === whole[i] ? [] : [i + 1]));
    assert.deepEqual(edited, [position]);
    await assert.rejects(
      EventLog.open(() => Promise.resolve(store), new Records()),
      new RegExp(`damaged at position ${position}`),
    );
  });
});
