import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeEvent, GENESIS } from '../../src/events/encoding.ts';
import { SYSTEM } from '../../src/events/event.ts';
import { blocks, entries, KEYS, type Range, type Store, type StoreOp } from '../../src/events/store/store.ts';

interface Made {
  store: Store;
  end: () => Promise<void>;
}

/** The text of an event at a position, as a store takes it. */
export const eventText = (position: number, text = 'x'): string =>
  encodeEvent({
    position,
    project_id: null,
    version: position,
    type: 'server.started',
    v: 1,
    at: '2030-01-01T00:00:00.000Z',
    by: SYSTEM,
    request_id: null,
    cause: null,
    data: { text },
    prev: GENESIS,
  }).text;

const put = (key: string, value: string): StoreOp => ({ type: 'put', key, value });
const puts = (rows: Iterable<[string, string]>): StoreOp[] => [...rows].map(([key, value]) => put(key, value));

const all = async (store: Store, range: Range, block?: number): Promise<[string, string][]> => {
  const found: [string, string][] = [];
  for await (const row of entries(store, range, block)) found.push(row);
  return found;
};

const octets = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** What a range of these has, by the definition of a range. */
const expected = (kept: ReadonlyMap<string, string>, { gt, gte, lte, reverse, limit }: Range): [string, string][] => {
  const rows = [...kept]
    .filter(([key]) => (gt === undefined || octets(key, gt) > 0) && (gte === undefined || octets(key, gte) >= 0))
    .filter(([key]) => octets(key, lte) <= 0)
    .sort(([a], [b]) => octets(a, b));
  if (reverse === true) rows.reverse();
  return rows.slice(0, limit);
};

const ODD = ['\0', '\x01', '\x02', '\n', '!', '/', '0', '"', '\\', '{', ',', '~', '\x7f', 'é', '\uffee', '\u{1f600}'];

/** What the log asks of a store, whatever is below it. */
export const storeContract = (name: string, create: () => Promise<Made>): void => {
  describe(`store on ${name}`, () => {
    let store: Store;
    let end: () => Promise<void>;
    beforeEach(async () => ({ store, end } = await create()));
    afterEach(() => end());
    const write = (ops: StoreOp[]): Promise<void> => store.batch(ops, { sync: true });

    it('answers what was put, and undefined for what was not', async () => {
      const event = eventText(1);
      await write([put(KEYS.event(1), event), put('p/-/1', '1'), put('r/node/a', '{"a":"\\u0000"}'), put('o/a/1', '')]);
      assert.equal(await store.get(KEYS.event(1)), event);
      assert.equal(await store.get('o/a/1'), '');
      assert.equal(await store.get('r/node/b'), undefined);
      const keys = ['r/node/a', 'p/-/2', KEYS.event(2), KEYS.event(1), 'r/node/a', 'p/-/1'];
      const node = '{"a":"\\u0000"}';
      assert.deepEqual(await store.getMany(keys), [node, undefined, undefined, event, node, '1']);
      assert.deepEqual(await store.getMany([]), []);
    });

    it('takes what is said last of a key in a batch', async () => {
      await write([put('r/a', '1'), put('r/b', '1'), put('o/a/1', ''), put(KEYS.event(1), eventText(1))]);
      await write([
        put('r/a', '2'),
        put('r/a', '3'),
        { type: 'del', key: 'r/b' },
        put('r/c', '1'),
        { type: 'del', key: 'r/c' },
        { type: 'del', key: 'o/a/1' },
        put('o/a/1', ''),
        put('p/a/1', '1'),
        { type: 'del', key: KEYS.event(1) },
        { type: 'del', key: 'r/never' },
      ]);
      assert.deepEqual(await all(store, { gte: '', lte: '~' }), [
        ['o/a/1', ''],
        ['p/a/1', '1'],
        ['r/a', '3'],
      ]);
      await write([]);
    });

    it('has ranges over everything that it keeps, in the order of octets, both ways', async () => {
      const kept = new Map<string, string>();
      for (let n = 1; n <= 30; n++) kept.set(KEYS.event(n * 7), eventText(n * 7));
      for (const prefix of ['c', 'e', 'g', 'h', 'm', 'o', 'oo', 'p', 'q', 'r', 'z'])
        for (const odd of ODD) {
          kept.set(`${prefix}/${odd}`, `${prefix} ${odd}`);
          kept.set(`${prefix}/a${odd}b`, '');
        }
      // Values of a log are JSON, which escapes it.
      for (const [key, value] of kept) kept.set(key, value.replace('\0', ''));
      kept.set(KEYS.recordSum, '{}');
      await write(puts(kept));
      assert.deepEqual(await all(store, { gte: '', lte: '~' }), expected(kept, { gte: '', lte: '~' }));
      const keys = [...kept.keys()];
      const bound = fc.oneof(
        fc.constantFrom(...keys),
        fc.constantFrom(...keys).map((key) => key.slice(0, -1)),
        fc.constantFrom('', 'f/', 'f/~', 'o/', 'o/~', 'p0', 'r.', '~', KEYS.event(8), KEYS.event(10 ** 15)),
      );
      const ranges = fc.record(
        { gt: bound, gte: bound, lte: bound, reverse: fc.boolean(), limit: fc.integer({ min: 0, max: 40 }) },
        { requiredKeys: ['lte'] },
      );
      await fc.assert(
        fc.asyncProperty(ranges, fc.integer({ min: 1, max: 50 }), async ({ gt, ...range }, block) => {
          const { gte, ...after } = { ...range };
          const asked: Range = gt === undefined ? { ...after, gte: gte ?? '' } : { ...after, gt };
          assert.deepEqual(await all(store, asked, block), expected(kept, asked));
        }),
        { numRuns: 60 },
      );
    });

    it('hands over long ranges in blocks, of which none is too large nor empty before the end', async () => {
      const kept = new Map<string, string>();
      for (let n = 0; n < 300; n++) kept.set(KEYS.record('node', String(n)), 'x'.repeat(n % 3 === 0 ? 20_000 : 10));
      await write(puts(kept));
      const found: [string, string][] = [];
      for await (const rows of blocks(store, { gte: KEYS.recordStart, lte: KEYS.recordEnd }, 100)) {
        assert.ok(rows.length > 0 && rows.length <= 100);
        found.push(...rows);
      }
      assert.deepEqual(found, expected(kept, { gte: '', lte: '~' }));
      const small = store.iterator({ gte: '', lte: '~', highWaterMarkBytes: 1 });
      assert.ok((await small.nextv(10)).length >= 1);
      await small.close();
    });

    it('takes batches of thousands of events, with all that belongs to them, and takes them back', async () => {
      const kept = new Map<string, string>();
      for (let n = 1; n <= 4_000; n++) {
        kept.set(KEYS.event(n), eventText(n, 'x'.repeat(n % 700)));
        kept.set(KEYS.stream('-', n), String(n));
        kept.set(KEYS.object(`node-${n}`, n), '');
        kept.set(KEYS.record('node', `node-${n}`), `{"created":${n}}`);
      }
      await write(puts(kept));
      const found: [string, string][] = [];
      for await (const rows of blocks(store, { gte: '', lte: '~' })) found.push(...rows);
      assert.deepEqual(found, expected(kept, { gte: '', lte: '~' }));
      assert.equal((await store.getMany([...kept.keys()])).filter((value) => value === undefined).length, 0);
      await write([...kept.keys()].map((key) => ({ type: 'del', key })));
      assert.deepEqual(await all(store, { gte: '', lte: '~' }), []);
    });
  });
};
