import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { blocks, KEYS, type Store, type StoreOp } from '../../src/events/store/store.ts';
import { decodeEvent, encodeEvent, fitsHash, GENESIS } from '../../src/events/encoding.ts';
import { SYSTEM } from '../../src/events/event.ts';
import { history } from '../../src/events/history.ts';
import { EventLog } from '../../src/events/log/log.ts';
import { Records } from '../../src/projections/store.ts';
import { drawingData, draftOf, PROJECT, projectData } from '../support/events.ts';
import { memoryStore } from '../support/memory-store.ts';

const EVENTS = 26_001;
/** What is always checked, and two batches: docs of log.ts. */
const MOST_UNNOTED = 20_000 + 2 * 2000;

const copyOf = async (store: Store): Promise<Store> => {
  const copy = memoryStore();
  for await (const rows of blocks(store, { gte: ' ', lte: '~' }))
    await copy.batch(
      rows.map(([key, value]): StoreOp => ({ type: 'put', key, value })),
      { sync: true },
    );
  return copy;
};

const open = (store: Store): Promise<EventLog> => EventLog.open(() => Promise.resolve(store), new Records());

describe('a log that was written for long and never closed', () => {
  let store: Store;
  let log: EventLog;
  before(async () => {
    store = memoryStore();
    log = await open(store);
    const { drawing_id } = drawingData(0);
    await log.append([draftOf('project.created', projectData())]);
    for (let n = 1; n < EVENTS; n += 1000)
      await log.append(
        Array.from({ length: 1000 }, (_, i) =>
          draftOf('drawing.updated', { drawing_id, project_id: PROJECT, changes: { x: n + i } }),
        ),
      );
  });

  it('notes how far it is whole, short of what may lie in journals', async () => {
    const noted = Number(await store.get(KEYS.checked));
    assert.ok(noted > 0 && noted <= EVENTS - 20_000, `noted ${noted}`);
    assert.ok(EVENTS - noted <= MOST_UNNOTED, `noted ${noted}`);
  });

  it('is opened to its end', async () => {
    assert.equal((await open(await copyOf(store))).status().position, EVENTS);
  });

  for (const [what, position] of [
    ['shortly before its end', EVENTS - 5],
    ['as far back as a journal reaches', EVENTS - 19_999],
  ] as const) {
    it(`is not opened without an event ${what}`, async () => {
      const broken = await copyOf(store);
      await broken.batch([{ type: 'del', key: KEYS.event(position) }], { sync: true });
      await assert.rejects(open(broken), new RegExp(`damaged at position ${position}`));
    });

    it(`is not opened with a changed event ${what}`, async () => {
      const broken = await copyOf(store);
      const text = (await broken.get(KEYS.event(position))) ?? '';
      const changed = text.replace('"x":', '"y":');
      await broken.batch([{ type: 'put', key: KEYS.event(position), value: changed }], { sync: true });
      await assert.rejects(open(broken), new RegExp(`damaged at position ${position}`));
    });
  }

  it('gives its pages one after another, each event once', async () => {
    const found: number[] = [];
    for (let from: number | null = 1; from !== null;) {
      const page = await history(store, EVENTS, { from, limit: 999 });
      for (const text of page.texts) found.push((JSON.parse(text) as { position: number }).position);
      assert.equal(page.next, page.next === null ? null : from + 999);
      from = page.next;
    }
    assert.deepEqual(
      found,
      Array.from({ length: EVENTS }, (_, i) => i + 1),
    );
    assert.equal((await history(store, EVENTS, { from: 1, limit: EVENTS })).next, null);
    assert.deepEqual(await history(store, EVENTS, { from: 5, to: 4, limit: 10 }), { texts: [], next: null });
  });
});

describe('reading ahead', () => {
  it('closes its iterator when the loop is left, and when reading fails', async () => {
    for (const failing of [false, true]) {
      let reads = 0;
      let closed = 0;
      const store: Pick<Store, 'iterator'> = {
        iterator: () => ({
          nextv: () =>
            failing && ++reads === 2
              ? Promise.reject(new Error('unreadable'))
              : Promise.resolve([['k', 'v'] as [string, string]]),
          close: () => {
            closed++;
            return Promise.resolve();
          },
        }),
      };
      const read = async (): Promise<number> => {
        let seen = 0;
        for await (const rows of blocks(store, { gte: 'a', lte: 'z' })) {
          seen += rows.length;
          if (!failing && seen === 3) break;
        }
        return seen;
      };
      if (failing) await assert.rejects(read(), /unreadable/);
      else assert.equal(await read(), 3);
      assert.equal(closed, 1);
    }
  });
});

describe('the quick check of a stored event', () => {
  const text = (data: unknown): string =>
    encodeEvent({
      position: 7,
      project_id: PROJECT,
      version: 3,
      type: 'drawing.updated',
      v: 1,
      at: '2026-01-01T00:00:00.000Z',
      by: { ...SYSTEM, agent: 'an agent with ,"data": in it' },
      request_id: null,
      cause: null,
      data,
      prev: GENESIS,
    }).text;

  it('takes whatever was encoded', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        assert.equal(fitsHash(text(data)), true);
      }),
    );
  });

  it('takes no text of which a character is another, missing, or too many', () => {
    const whole = text({ svg: '<svg></svg>', x: 1 });
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.constantFrom('', '0', 'x"', '}'), (at, by) => {
        const changed = whole.slice(0, at) + by + whole.slice(at + 1);
        fc.pre(changed !== whole);
        assert.equal(fitsHash(changed), false);
        assert.equal(decodeEvent(changed), null);
      }),
    );
    for (const other of ['', '{}', whole.slice(0, -149), whole.slice(-149), `${whole}\n`])
      assert.equal(fitsHash(other), false);
  });
});
