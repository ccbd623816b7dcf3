import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Cell, Lease, Taker } from '../../../src/events/cell.ts';
import { openCell } from '../../../src/events/open-cell.ts';
import { DamagedLog } from '../../../src/events/store/damage.ts';
import { KEYS, type StoreOp } from '../../../src/events/store/store.ts';
import { takeSnapshot } from '../../../src/session/verify/store-snapshot.ts';
import { eventText } from '../../contract/store-contract.ts';
import { freePort } from '../../support/free-port.ts';
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';
import { waitFor } from '../../support/wait-for.ts';

const LONG_MS = 600_000;

/** Asks for a password: https://www.postgresql.org/docs/15/protocol-message-formats.html (AuthenticationSASL, AuthenticationSASLContinue). */
const asking = (step: 10 | 11, text: string): Buffer =>
  Buffer.concat([Buffer.from([0x52, 0, 0, 0, 8 + text.length, 0, 0, 0, step]), Buffer.from(text)]);

const put = (key: string, value: string): StoreOp => ({ type: 'put', key, value });
const A = { owner: 'a', url: 'http://a' };
const B = { owner: 'b', url: 'http://b' };
const LOST = { code: 'lease_lost' };

describe('a cell in PostgreSQL', { skip: noPostgres() }, () => {
  let postgres: Postgres;
  let log: string;
  let name: string;
  let cells = 0;
  const opened: Cell[] = [];
  before(async () => {
    postgres = await startPostgres();
    log = await postgres.create('labs');
  });
  after(() => postgres?.stop());
  afterEach(async () => {
    for (const cell of opened.splice(0)) await cell.close();
  });

  const open = async (given: Partial<Parameters<typeof openCell>[0]> = {}): Promise<Cell> => {
    const cell = await openCell({ log, name, key: null, leaseMs: LONG_MS, create: true, ...given });
    opened.push(cell);
    return cell;
  };
  const fresh = (given: Partial<Parameters<typeof openCell>[0]> = {}): Promise<Cell> => {
    name = `cell-${++cells}`;
    return open(given);
  };
  const taken = async (cell: Cell, me: Taker): Promise<Lease> => {
    const lease = await cell.take(me);
    assert.ok(lease !== null);
    return lease;
  };
  const inCell = (set: string, table = 'lease', id = 'cell'): Promise<unknown> =>
    sql(`UPDATE topolog.${table} SET ${set} WHERE ${id} = (SELECT id FROM topolog.cell WHERE name = $1)`, [name]);
  const sql = async (text: string, values: unknown[] = []): Promise<unknown[][]> => postgres.sql(text, values, 'labs');
  const write = async (lease: Lease, ...ops: StoreOp[]): Promise<void> => {
    const store = await lease.open();
    await store.batch(ops, { sync: true });
  };

  describe('that is opened', () => {
    it('is made by two servers at once, once, and not where nobody asks for it', async () => {
      const database = await postgres.create('both');
      const given = { log: database, name: 'one', key: null, leaseMs: LONG_MS };
      await assert.rejects(openCell({ ...given, create: false }), {
        code: 'not_found',
        message: `${database} has no cell one`,
      });
      const both = await Promise.all([openCell({ ...given, create: true }), openCell({ ...given, create: true })]);
      opened.push(...both, await openCell({ ...given, create: false }));
      assert.deepEqual(await postgres.sql('SELECT name FROM topolog.cell', [], 'both'), [['one']]);
      await assert.rejects(openCell({ ...given, name: 'two', create: false }), /has no cell two$/);
    });

    it('is refused when its tables are of a later version', async () => {
      const database = await postgres.create('later');
      const given = { log: database, name: 'one', key: null, leaseMs: LONG_MS, create: true };
      opened.push(await openCell(given));
      await postgres.sql('UPDATE topolog.schema SET version = 7', [], 'later');
      await assert.rejects(openCell(given), { code: 'conflict', message: /of version 7; this program knows 1/ });
    });

    it('says what the database does not allow, and never the password', async () => {
      await postgres.sql(`CREATE ROLE guest LOGIN PASSWORD 'secret'`);
      await postgres.create('closed');
      const at = `postgres://guest:secret@127.0.0.1:${postgres.port}`;
      const given = { name: 'one', key: null, leaseMs: LONG_MS, create: true };
      await postgres.sql(`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0`);
      for (const [database, why] of [
        ['closed', /cannot be used: permission denied for database closed: .* needs the right CREATE there$/],
        ['nowhere', /cannot be used: database "nowhere" does not exist$/],
        ['latin', /cannot be used: its encoding is LATIN1, not UTF8$/],
      ] as const)
        await assert.rejects(openCell({ ...given, log: `${at}/${database}` }), (error: Error) => {
          assert.match(error.message, why);
          return !error.message.includes('secret');
        });
      const { place } = await open({ log: `postgres://postgres:secret@127.0.0.1:${postgres.port}/labs`, name: 'p' });
      assert.equal(place, `cell p of postgres://postgres@127.0.0.1:${postgres.port}/labs`);
    });

    it('says that it was given no password', async (t) => {
      const refusing = createServer((socket) => {
        socket.once('data', () => {
          socket.once('data', () => socket.write(asking(11, 'r=x,s=x,i=1')));
          socket.write(asking(10, 'SCRAM-SHA-256\0\0'));
        });
      });
      refusing.listen(0, '127.0.0.1');
      await once(refusing, 'listening');
      t.after(() => refusing.close());
      const { port } = refusing.address() as AddressInfo;
      const before = { ...process.env };
      t.after(() => void (process.env = before));
      process.env['PGPASSFILE'] = '/nowhere';
      delete process.env['PGPASSWORD'];
      const given = { name: 'one', key: null, leaseMs: LONG_MS, create: true };
      await assert.rejects(openCell({ ...given, log: `postgres://guest@127.0.0.1:${port}/labs` }), {
        message: 'The database of the log cannot be used: no password: give it by PGPASSWORD, PGPASSFILE or ~/.pgpass',
      });
    });

    it('does with few rights once its tables are there', async () => {
      await fresh();
      await sql('CREATE ROLE worker LOGIN');
      await sql('GRANT USAGE ON SCHEMA topolog TO worker');
      await sql('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA topolog TO worker');
      const cell = await fresh({ log: `postgres://worker@127.0.0.1:${postgres.port}/labs`, key: randomBytes(32) });
      await cell.secrets.put('sign', 'x');
      await write(await taken(cell, A), put('r/a', '1'), put(KEYS.event(1), eventText(1)), { type: 'del', key: 'o/a' });
      assert.equal((await cell.durability()).disks, 1);
      const moment = await cell.moment();
      assert.equal(await moment.get('r/a'), '1');
      await moment.close();
    });

    it('is found at the host that answers, whichever of them that is', async () => {
      const nobody = await freePort();
      const cell = await fresh({ log: `postgres://postgres@127.0.0.1:${nobody},127.0.0.1:${postgres.port}/labs` });
      assert.equal(await cell.writer(), null);
      await assert.rejects(fresh({ log: `postgres://postgres@127.0.0.1:${nobody}/labs` }), {
        code: 'log_unreachable',
        message: new RegExp(`cannot be reached: connect ECONNREFUSED 127.0.0.1:${nobody}$`),
      });
    });

    it('answers reads after its connections were lost', async () => {
      const cell = await fresh();
      await write(await taken(cell, A), put('r/a', '1'));
      const store = await cell.reading();
      assert.equal(await store.get('r/a'), '1');
      await sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
        `topolog ${name}`,
      ]);
      assert.deepEqual(await Promise.all([store.get('r/a'), store.get('r/a'), store.get('r/b')]), [
        '1',
        '1',
        undefined,
      ]);
    });
  });

  describe('that has a lease', () => {
    it('has one writer at a time, with an epoch above all before and above the last position', async () => {
      const [one, other] = [await fresh(), await open()];
      assert.equal(await one.writer(), null);
      const first = await taken(one, A);
      assert.equal(first.epoch, 1);
      assert.ok(first.holds());
      assert.equal(await other.take(B), null);
      const seen = await other.writer();
      assert.deepEqual({ ...seen, left: 0 }, { ...A, epoch: 1, position: 0, left: 0 });
      assert.ok((seen?.left ?? 0) > LONG_MS / 2 && (seen?.left ?? 0) <= LONG_MS);
      await write(first, put(KEYS.event(41), eventText(41)));
      await first.announce('http://elsewhere');
      assert.equal((await other.writer())?.url, 'http://elsewhere');
      await Promise.all([first.release(), first.release()]);
      assert.equal(first.holds(), false);
      assert.equal(first.lost.aborted, false);
      assert.equal(await one.writer(), null);
      assert.equal((await taken(other, B)).epoch, 42);
    });

    it('knows who stands by, but for the one that writes', async () => {
      const [one, other] = [await fresh(), await open()];
      await other.standsBy({ ...B, position: 3 });
      await one.standsBy({ ...A, position: 1 });
      await other.standsBy({ ...B, position: 4 });
      assert.deepEqual(await one.standbys(), [
        { ...A, position: 1 },
        { ...B, position: 4 },
      ]);
      await taken(one, A);
      assert.deepEqual(await one.standbys(), [{ ...B, position: 4 }]);
    });

    it('lets one of many win that take it at once', async () => {
      const all = [await fresh(), ...(await Promise.all(Array.from({ length: 5 }, () => open())))];
      for (let round = 1; round <= 5; round++) {
        const tries = await Promise.all(all.map((cell, i) => cell.take({ owner: `${i}`, url: '' })));
        const [winner, ...more] = tries.filter((lease) => lease !== null);
        assert.deepEqual(more, []);
        assert.equal(winner?.epoch, round);
        await winner.release();
      }
    });

    it('refuses what a stale owner appends, and tells it', async () => {
      const [one, other] = [await fresh(), await open()];
      const stale = await taken(one, A);
      await write(stale, put(KEYS.event(1), eventText(1)));
      await inCell(`until = '-infinity'`);
      const next = await taken(other, B);
      assert.equal(next.epoch, 2);
      assert.ok(stale.holds());
      await assert.rejects(write(stale, put(KEYS.event(2), eventText(2, 'stale'))), {
        ...LOST,
        message: /^This server does not write the log: another server has taken it over/,
      });
      assert.equal(stale.holds(), false);
      assert.equal((stale.lost.reason as Error).message.includes('another server has taken it over'), true);
      await assert.rejects(stale.open(), LOST);
      await assert.rejects(stale.announce('http://stale'), LOST);
      const store = await next.open();
      assert.equal(await store.get(KEYS.event(2)), undefined);
      await store.batch([put(KEYS.event(2), eventText(2))], { sync: true });
      await stale.release();
      assert.equal((await one.writer())?.owner, 'b');
    });

    it('is taken before its end by who was its owner before, and by nobody else', async () => {
      const cell = await fresh();
      const before = await taken(cell, A);
      const other = await open();
      assert.equal(await other.take({ ...B, before: 'c' }), null);
      const lease = await taken(other, { ...B, before: A.owner });
      assert.ok(lease.epoch > before.epoch);
      await assert.rejects(write(before, put('r/a', '1')), LOST);
      await write(lease, put('r/a', '2'));
      assert.equal((await cell.writer())?.owner, B.owner);
    });

    it('is renewed for as long as its owner lives', async () => {
      const cell = await fresh({ leaseMs: 3_000 });
      const lease = await taken(cell, A);
      const until = `SELECT until FROM topolog.lease JOIN topolog.cell ON id = cell WHERE name = $1`;
      const [[first] = []] = await sql(until, [name]);
      await postgres.until(`${until} AND until > $2`, [name, first], 'labs');
      assert.ok(lease.holds());
    });

    it('is lost at once when a renewal finds it taken', async () => {
      const cell = await fresh({ leaseMs: 3_000 });
      const lease = await taken(cell, A);
      await inCell(`epoch = epoch + 1, owner = 'b'`);
      if (!lease.lost.aborted) await once(lease.lost, 'abort');
      assert.match(String(lease.lost.reason), /another server has taken it over, or its lease has ended/);
    });

    it('is ended by a clean stop', async () => {
      const cell = await fresh({ leaseMs: 3_000 });
      const lease = await taken(cell, A);
      await cell.close();
      assert.equal(lease.holds(), false);
      assert.equal(lease.lost.aborted, false);
      assert.equal(await (await open()).writer(), null);
    });

    it('does not wait long for an append that does not come to its end', async () => {
      const cell = await fresh({ leaseMs: 1_000 });
      await postgres.locked('labs', `SELECT FROM topolog.cell WHERE name = '${name}' FOR UPDATE`, async () => {
        assert.equal(await cell.take(A), null);
      });
      assert.equal((await taken(cell, A)).epoch, 1);
    });
  });

  describe('that others read', () => {
    it('has a moment that stays as it was', async () => {
      const cell = await fresh();
      const lease = await taken(cell, A);
      await write(lease, put('r/a', '1'), put(KEYS.event(1), eventText(1)));
      const moment = await cell.moment();
      await write(lease, put('r/a', '2'), put(KEYS.event(2), eventText(2)));
      assert.equal(await moment.get('r/a'), '1');
      assert.equal(await moment.get(KEYS.event(2)), undefined);
      const reading = await cell.reading();
      assert.equal(await reading.get('r/a'), '2');
      await assert.rejects(moment.batch([], { sync: true }), LOST);
      await assert.rejects(reading.batch([], { sync: true }), LOST);
      await moment.close();
    });

    it('is verified as it was at one moment, and what is found is noted of the log', async () => {
      const lease = await taken(await fresh(), A);
      const store = await lease.open();
      await store.batch([put('r/a', '1'), put('h/a', '1'), put(KEYS.event(1), eventText(1))], { sync: true });
      const snapshot = await takeSnapshot(store, { a: { gte: 'r/', lte: 'r/~' }, b: { gte: 'h/', lte: 'h/~' } });
      await store.batch([put('r/a', '2'), put(KEYS.event(2), eventText(2))], { sync: true });
      assert.equal(snapshot.position, 1);
      assert.deepEqual((await snapshot.rows.a.next()).value, [['r/a', '1']]);
      await inCell(`value = 'no'`, 'record');
      const again = await takeSnapshot(store, { a: { gte: 'r/', lte: 'r/~' } });
      await assert.rejects(again.rows.a.next(), DamagedLog);
      assert.deepEqual(
        store.damages?.list.map(({ key }) => key),
        ['r/a'],
      );
      await snapshot.close();
      await again.close();
    });

    it('checks what it reads also where nothing was written when it was opened', async () => {
      const cell = await fresh();
      const reading = await cell.reading();
      await write(await taken(cell, A), put('r/a', '1'));
      await inCell(`value = '1'`, 'record');
      await assert.rejects(reading.get('r/a'), DamagedLog);
    });

    it('wakes who listens when the log grows, and when the lease changes hands', async () => {
      const [one, other] = [await fresh(), await open()];
      const reading = await other.reading();
      let wake: () => void = () => undefined;
      let heard = 0;
      const over = new AbortController();
      const listener = (): void => {
        heard++;
        wake();
      };
      other.onChange(listener, { signal: over.signal });
      const until = async (is: () => Promise<boolean>): Promise<void> => {
        while (!(await is())) await new Promise<void>((resolve) => (wake = resolve));
      };
      const lease = await taken(one, A);
      await until(async () => (await other.writer())?.owner === 'a');
      for (let n = 1; n <= 20; n++) await write(lease, put(KEYS.event(n), eventText(n)));
      await until(async () => (await reading.get(KEYS.event(20))) !== undefined);
      await lease.announce('http://later');
      await until(async () => (await other.writer())?.url === 'http://later');
      await lease.release();
      await until(async () => (await other.writer()) === null);
      over.abort();
      const before = heard;
      await write(await taken(one, A), put(KEYS.event(21), eventText(21)));
      assert.equal(heard, before);
    });

    it('wakes who listens also without notifications, and after the connection was lost', async () => {
      const cell = await fresh();
      let wake: () => void = () => undefined;
      let heard = new Promise<void>((resolve) => (wake = resolve));
      cell.onChange(() => {
        wake();
        heard = new Promise<void>((resolve) => (wake = resolve));
      });
      for (let n = 1; n <= 2; n++) {
        const next = heard;
        // It has looked once when the session listens.
        await postgres.until(
          `SELECT FROM pg_stat_activity WHERE query LIKE '%concat_ws%' AND state = 'idle' AND application_name = $1`,
          [`topolog ${name}`],
        );
        await inCell('written = written + 1', 'cell', 'id');
        await next;
        await sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
          `topolog ${name}`,
        ]);
      }
    });
  });

  describe('that has secrets', () => {
    it('keeps them encrypted, each under its name', async () => {
      const key = randomBytes(32);
      const [one, other] = [await fresh({ key }), await open({ key })];
      assert.equal(await one.secrets.get('sign'), null);
      const kept = await Promise.all([one.secrets.keep('sign', 'ours'), other.secrets.keep('sign', 'theirs')]);
      assert.equal(kept[0], kept[1]);
      await one.secrets.put('sign', 'changed é');
      assert.equal(await other.secrets.get('sign'), 'changed é');
      await one.secrets.put('other', 'text');
      await one.secrets.put('folder/a', 'x');
      await one.secrets.put('folder_b', 'x');
      assert.deepEqual(await other.secrets.list('folder'), ['folder/a']);
      await other.secrets.remove('folder/a');
      assert.deepEqual(await one.secrets.list('folder'), []);
      const stored = await sql('SELECT s.value FROM topolog.secret s');
      assert.ok(stored.every(([value]) => !Buffer.from(value as string, 'base64').includes('changed')));
      await sql(
        `UPDATE topolog.secret SET value = (SELECT value FROM topolog.secret WHERE name = 'other') WHERE name = 'sign'`,
      );
      await assert.rejects(one.secrets.get('sign'), /sign was encrypted with another key/);
    });

    it('says that a server has another key than the others', async () => {
      await (await fresh({ key: randomBytes(32) })).secrets.put('sign', 'x');
      await assert.rejects((await open({ key: randomBytes(32) })).secrets.get('sign'), {
        code: 'invalid_request',
        message: /give this server the --cell-key that the other servers of the cell have/,
      });
      await assert.rejects((await open()).secrets.get('sign'), /need --cell-key FILE/);
    });
  });

  describe('that people ask', () => {
    it('shows events in typed columns, whatever text is in them', async () => {
      await write(
        await taken(await fresh(), A),
        put(KEYS.event(1), eventText(1, 'a\0\0b \ud800 \\u0000 \u{1f600}')),
        put(KEYS.event(2), eventText(2)),
      );
      const rows = await sql(
        `SELECT cell, position, project_id, version, type, v, at = '2030-01-01 00:00:00+00', principal, address, agent,
           request_id, cause, data ->> 'text', pg_typeof(data)::text, length(hash) FROM topolog.events WHERE cell = $1`,
        [name],
      );
      const row = (n: number, text: string) => [
        name,
        `${n}`,
        null,
        `${n}`,
        'server.started',
        1,
        true,
        'system',
        null,
        null,
        null,
        null,
        text,
        'jsonb',
        64,
      ];
      assert.deepEqual(rows, [row(1, 'a\ufffd\ufffdb \ufffd \\u0000 \u{1f600}'), row(2, 'x')]);
    });
  });

  describe('on a database with other settings', () => {
    it('says what an answer means there, as it is now', async () => {
      const cell = await fresh();
      assert.deepEqual(await cell.durability(), { disks: 1, words: "the database's disk", losses: [], waits: null });
      await sql('ALTER DATABASE labs SET synchronous_commit = off');
      const { disks, losses } = await (await open()).durability();
      await sql('ALTER DATABASE labs RESET synchronous_commit');
      assert.equal(disks, 0);
      assert.match(losses.join(), /^synchronous_commit is off/);
    });

    it('says that commits wait for a standby that is not there, and loses its lease by that', async () => {
      const cell = await fresh({ leaseMs: 6_000 });
      const { lost } = await taken(cell, A);
      const ended = once(lost, 'abort');
      await postgres.set({ synchronous_standby_names: 'ANY 1 (db2)' });
      const why = 'the database waits for its standby (synchronous_standby_names = ANY 1 (db2); connected: none)';
      try {
        await waitFor('commits wait', async () => (await cell.durability()).waits === why);
        await ended;
        assert.ok((lost.reason as Error).message.includes(why), String(lost.reason));
      } finally {
        await postgres.set({ synchronous_standby_names: '' });
      }
      await waitFor('commits wait no more', async () => (await cell.durability()).waits === null);
    });

    it('is not cut off by limits that are meant for others', async () => {
      await sql(`ALTER DATABASE labs SET statement_timeout = '500ms'`);
      await sql(`ALTER DATABASE labs SET lock_timeout = '500ms'`);
      await sql(`ALTER DATABASE labs SET default_transaction_isolation = 'serializable'`);
      const lease = await taken(await fresh(), A);
      const store = await lease.open();
      let written: Promise<void> | undefined;
      await postgres.locked('labs', `SELECT FROM topolog.cell WHERE name = '${name}' FOR UPDATE`, async () => {
        written = store.batch([put('r/a', '1')], { sync: true });
        await postgres.until(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = $1
             AND query_start < clock_timestamp() - interval '1 s'`,
          [`topolog ${name}`],
        );
      });
      await written;
      assert.equal(await store.get('r/a'), '1');
      await sql('ALTER DATABASE labs RESET ALL');
    });
  });
});
