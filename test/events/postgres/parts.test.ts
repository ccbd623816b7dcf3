import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addressOf } from '../../../src/events/store/postgres/database.ts';
import { durabilityOf, standbysWaitedFor } from '../../../src/events/store/postgres/cell.ts';
import { passwordOf } from '../../../src/events/store/postgres/session.ts';
import { originalKey, storedKey, partsOf, positionsOf } from '../../../src/events/store/postgres/tables.ts';
import { isDiskFull, KEYS } from '../../../src/events/store/store.ts';
import { tempDir } from '../../support/temp.ts';

describe('the address of a database', () => {
  it('is one for each host, and is shown without its password', () => {
    const { place, urls } = addressOf('postgres://me:secret%40@one:5432,[::1]:5433,two/labs?sslmode=disable');
    assert.equal(place, 'postgres://me@one:5432,[::1]:5433,two/labs');
    assert.deepEqual(urls, [
      'postgres://me:secret%40@one:5432/labs?sslmode=disable',
      'postgres://me:secret%40@[::1]:5433/labs?sslmode=disable',
      'postgres://me:secret%40@two/labs?sslmode=disable',
    ]);
    assert.deepEqual(addressOf('postgres://me@one/labs?sslmode=require').urls, [
      'postgres://me@one/labs?sslmode=verify-full',
    ]);
    assert.equal(addressOf('postgresql:///labs?host=/run/postgresql&password=secret').place, 'postgresql:///labs');
    assert.equal(addressOf('postgres://me:a@b:c@one/labs').place, 'postgres://me@one/labs');
  });

  it('is refused without being shown when a character of its password makes another one of it', () => {
    for (const password of ['se/cret', 'se?cret', 'se#cret'])
      assert.throws(
        () => addressOf(`postgres://me:${password}@one/labs`),
        (error: Error) => /%2F/.test(error.message) && !error.message.includes('cret'),
        password,
      );
  });
});

describe('what an answered write has survived', () => {
  const safe = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on', synchronous_standby_names: '' };

  it('counts the standbys that a commit waits for', () => {
    const cases: [string, number][] = [
      ['', 0],
      ['  ', 0],
      ['*', 1],
      ['one, two', 1],
      ['"2 (x)"', 1],
      ['2 (one, two, three)', 2],
      ['FIRST 3 (a, b, c)', 3],
      ['any 1(*)', 1],
    ];
    for (const [names, count] of cases) assert.equal(standbysWaitedFor(names), count, names);
  });

  it('is told in disks and in words', () => {
    const told = (change: Partial<typeof safe>) => durabilityOf({ ...safe, ...change });
    const two = { synchronous_standby_names: 'FIRST 2 (a, b)' };
    assert.deepEqual(told({}), { disks: 1, words: "the database's disk", losses: [], waits: null });
    assert.deepEqual(told(two), { disks: 3, words: "the database's disk and 2 others", losses: [], waits: null });
    assert.equal(told({ synchronous_standby_names: '*' }).words, "the database's disk and 1 other");
    assert.equal(told({ ...two, synchronous_commit: 'remote_apply' }).disks, 3);
    assert.deepEqual(told({ ...two, synchronous_commit: 'local' }), {
      disks: 1,
      words: "the database's disk",
      losses: [],
      waits: null,
    });
    const written = told({ ...two, synchronous_commit: 'remote_write' });
    assert.deepEqual([written.disks, written.words], [1, "the database's disk, and the memory of 2 others"]);
  });

  it('names each setting under which it can be lost', () => {
    const told = (change: Partial<typeof safe>) => durabilityOf({ ...safe, ...change });
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'] as const) {
      const { losses, disks } = told({ [setting]: 'off' });
      assert.equal(losses.length, 1);
      assert.match(losses[0] ?? '', new RegExp(`^${setting} is off: `));
      assert.equal(disks, setting === 'full_page_writes' ? 1 : 0);
    }
    assert.equal(told({ fsync: 'off', synchronous_standby_names: '*' }).words, 'the disks of 1 other');
  });
});

describe('keys in tables', () => {
  const oddText = fc.string({ unit: fc.constantFrom('\0', '\x01', '\x02', '/', 'a', '~', 'é', '\u{10000}', '\uffff') });

  it('come back as they were, and sort as their octets do', () => {
    fc.assert(
      fc.property(oddText, oddText, (a, b) => {
        assert.equal(originalKey(storedKey(a)), a);
        assert.ok(!storedKey(a).includes('\0'));
        const order = (x: string, y: string) => Math.sign(Buffer.compare(Buffer.from(x), Buffer.from(y)));
        assert.equal(order(storedKey(a), storedKey(b)), order(a, b));
      }),
    );
  });

  it('are positions where they are those of events, whatever bounds a range has', () => {
    const position = fc.oneof(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 10 ** 15 }));
    const bound = fc.oneof(
      position.map(KEYS.event),
      position.chain((n) => fc.integer({ min: 0, max: 18 }).map((length) => KEYS.event(n).slice(0, length))),
      position.map((n) => `${KEYS.event(n)}!`),
      fc.constantFrom('', 'a', 'f', 'f.', 'f/', 'f/!', 'f/5', 'f/~', 'f0', 'z'),
    );
    fc.assert(
      fc.property(bound, bound, fc.boolean(), position, (low, lte, isIn, n) => {
        const part = partsOf(isIn ? { gte: low, lte } : { gt: low, lte }).find(({ table }) => table === 'event');
        const [first, last] = part === undefined ? [1, 0] : positionsOf(part);
        const key = KEYS.event(n);
        assert.equal(first <= n && n <= last, (isIn ? key >= low : key > low) && key <= lte, `${low} ${lte} ${key}`);
      }),
    );
  });

  it('are in the tables of a range from its first to its last, and the other way round', () => {
    const tables = (reverse: boolean) => partsOf({ gte: 'a', lte: 'r/~', reverse }).map(({ table }) => table);
    assert.deepEqual(tables(false), ['record', 'event', 'record', 'entry', 'record', 'entry', 'record']);
    assert.deepEqual(tables(true), tables(false).reverse());
    assert.deepEqual(
      partsOf({ gte: 'r.', lte: 'r/~' }).map(({ table }) => table),
      ['record'],
    );
  });
});

it('knows a full disk of a database by its code, whatever language it speaks', () => {
  assert.ok(isDiskFull(Object.assign(new Error('kein Platz'), { code: '53100' })));
  assert.ok(!isDiskFull(Object.assign(new Error('position 53100'), { code: '23505' })));
});

describe('the file with passwords', () => {
  it('is asked as the programs of PostgreSQL ask it', async (t) => {
    const dir = await tempDir();
    t.after(dir.remove);
    const file = path.join(dir.path, 'passwords');
    t.after(() => delete process.env['PGPASSFILE']);
    process.env['PGPASSFILE'] = file;
    const lines = [
      '#one:5432:labs:me:comment',
      'one:5433:*:me:fifth',
      'one:*:labs:me:a\\:b\\\\c',
      '*:*:*:you:other',
      'x',
    ];
    await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    const one = { host: 'one', port: 5432, database: 'labs', user: 'me' };
    assert.equal(await passwordOf(one), 'a:b\\c');
    assert.equal(await passwordOf({ ...one, port: 5433 }), 'fifth');
    assert.equal(await passwordOf({ ...one, user: 'you' }), 'other');
    assert.equal(await passwordOf({ ...one, host: 'two' }), undefined);
    await chmod(file, 0o644);
    assert.equal(await passwordOf(one), undefined);
  });
});
