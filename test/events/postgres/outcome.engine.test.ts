import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Cell, Lease } from '../../../src/events/cell.ts';
import { openCell } from '../../../src/events/open-cell.ts';
import { isDiskFull, KEYS, type Store, type StoreOp } from '../../../src/events/store/store.ts';
import { eventText } from '../../contract/store-contract.ts';
import { type CuttingProxy, cuttingProxy } from '../../support/cutting-proxy.ts';
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';

const LONG_MS = 600_000;
const LOST = { code: 'lease_lost' };
const put = (key: string, value: string): StoreOp => ({ type: 'put', key, value });

/** Name of the statement of a batch that puts records, as it goes to the server. */
const STATEMENT = 'batch record\0';

describe('what becomes of a batch in PostgreSQL', { skip: noPostgres() }, () => {
  let postgres: Postgres;
  let proxy: CuttingProxy;
  let name: string;
  let cells = 0;
  const opened: Cell[] = [];
  before(async () => {
    postgres = await startPostgres();
    proxy = await cuttingProxy(postgres.port);
    opened.push(await openCell({ log: postgres.url(), name: 'first', key: null, leaseMs: LONG_MS, create: true }));
    // What was written, also when it was written twice.
    await postgres.sql('CREATE TABLE seen (cell integer, key text, value text)');
    await postgres.sql(`CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO seen VALUES (NEW.cell, NEW.key, NEW.value); RETURN NULL; END'`);
    await postgres.sql(
      'CREATE TRIGGER see AFTER INSERT OR UPDATE ON topolog.record FOR EACH ROW EXECUTE FUNCTION see()',
    );
  });
  after(async () => {
    await proxy?.close();
    await postgres?.stop();
  });
  beforeEach(() => (name = `cell-${++cells}`));
  afterEach(async () => {
    proxy.cut = null;
    proxy.hold(false);
    for (const cell of opened.splice(0)) await cell.close();
  });

  const through = (): string => `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
  const open = async (log = postgres.url(), leaseMs = LONG_MS): Promise<Cell> => {
    const cell = await openCell({ log, name, key: null, leaseMs, create: true });
    opened.push(cell);
    return cell;
  };
  const leased = async (log?: string, leaseMs?: number): Promise<{ lease: Lease; store: Store }> => {
    const lease = await (await open(log, leaseMs)).take({ owner: 'a', url: '' });
    assert.ok(lease !== null);
    return { lease, store: await lease.open() };
  };
  const write = (store: Store, ...ops: StoreOp[]): Promise<void> => store.batch(ops, { sync: true });
  /** How often a record was written, by those who look at the table. */
  const times = async (key: string): Promise<number> => {
    const rows = await postgres.sql('SELECT FROM seen JOIN topolog.cell ON id = cell WHERE name = $1 AND key = $2', [
      name,
      key,
    ]);
    return rows.length;
  };
  const waits = (event: string): Promise<void> =>
    postgres.until(
      `SELECT FROM pg_stat_activity WHERE wait_event_type || ' ' || wait_event = $1 AND application_name = $2`,
      [event, `topolog ${name}`],
    );
  const onServer = (what: 'cancel' | 'terminate', event: string): Promise<unknown> =>
    postgres.sql(
      `SELECT pg_${what}_backend(pid) FROM pg_stat_activity WHERE wait_event_type || ' ' || wait_event = $1 AND application_name = $2`,
      [event, `topolog ${name}`],
    );
  const LOCK = 'Lock transactionid';
  const SYNC = 'IPC SyncRep';
  const lockedCell = <T>(use: () => Promise<T>): Promise<T> =>
    postgres.locked('postgres', `SELECT FROM topolog.cell WHERE name = '${name}' FOR UPDATE`, use);

  it('is one, wherever the exchange with the server is cut', async () => {
    const { lease, store } = await leased(through());
    await write(store, put('r/warm', 'up'));
    /** Octets of each direction, and how often the batch was sent. */
    const lengths = { up: 0, down: 0 };
    let sent = 0;
    const cutAt = (wanted: 'up' | 'down', at: number): void => {
      let isUnderWay = false;
      let isCut = false;
      sent = 0;
      proxy.cut = (direction, chunk) => {
        const isBatch = direction === 'up' && chunk.includes(STATEMENT);
        if (isBatch) sent++;
        isUnderWay ||= isBatch;
        if (isCut || !isUnderWay || direction !== wanted) return null;
        isCut = true;
        lengths[direction] = chunk.length;
        return at <= chunk.length ? at : null;
      };
    };
    const resent = { up: 0, down: 0 };
    for (const direction of ['up', 'down'] as const)
      for (let at = 0; at === 0 || at <= lengths[direction]; at++) {
        const key = `r/${direction}-${at}`;
        cutAt(direction, at);
        await write(store, put(key, `${at}`));
        assert.equal(await times(key), 1, `cut at octet ${at} ${direction}`);
        resent[direction] += sent - 1;
      }
    // All of it had arrived in the last round, and in every one of the other direction.
    assert.deepEqual(resent, { up: lengths.up, down: 0 });
    assert.ok(lease.holds());
  });

  it('is asked for again until it is known, while connections to ask are cut as well', async () => {
    const { store } = await leased(through());
    await write(store, put('r/warm', 'up'));
    let cuts = 0;
    proxy.cut = (direction, chunk) => {
      const isOurs = direction === 'up' && (chunk.includes(STATEMENT) || chunk.includes('settle\0'));
      // All of it gets through, and nothing of the answer.
      return isOurs && cuts++ < 6 ? chunk.length : null;
    };
    await write(store, put('r/a', '1'));
    assert.ok(cuts >= 6);
    assert.equal(await times('r/a'), 1);
    await write(store, put('r/b', '1'));
    assert.equal(await times('r/b'), 1);
  });

  it('is known also when its session is ended by the administrator', async () => {
    const { store } = await leased();
    await write(store, put('r/warm', 'up'));
    const written = await lockedCell(async () => {
      const batch = write(store, put('r/a', '1'));
      await waits(LOCK);
      await onServer('terminate', LOCK);
      // It asks what became of it, and waits for the lock as well.
      await waits(LOCK);
      return { batch };
    });
    await written.batch;
    assert.equal(await times('r/a'), 1);
  });

  it('is an error that says why when the server refuses it, and the next one is written', async () => {
    const { lease, store } = await leased();
    await write(store, put('r/a', '1'));
    await postgres.sql(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'no more'; END $$`);
    await postgres.sql('CREATE TRIGGER full_disk BEFORE INSERT ON topolog.entry EXECUTE FUNCTION full_disk()');
    await assert.rejects(write(store, put('r/a', '2'), put('o/a/1', '')), (error) => isDiskFull(error));
    await postgres.sql('DROP TRIGGER full_disk ON topolog.entry');
    assert.equal(await store.get('r/a'), '1');
    assert.ok(lease.holds());
    await write(store, put('r/a', '3'), put('o/a/1', ''));
    assert.equal(await store.get('r/a'), '3');
  });

  it('is refused by a database that has gone back to an earlier state', async () => {
    const { lease, store } = await leased();
    for (const value of ['1', '2', '3']) await write(store, put('r/a', value));
    await postgres.sql('UPDATE topolog.cell SET batch = batch - 2, written = written - 2 WHERE name = $1', [name]);
    await assert.rejects(write(store, put('r/a', '4')), { ...LOST, message: /has gone back to an earlier state/ });
    assert.equal(lease.holds(), false);
    assert.equal(await times('r/a'), 3);
  });

  it('is nobody knows what when the lease is lost meanwhile, and nothing is sent after that', async () => {
    const { lease, store } = await leased(through(), 3_000);
    await write(store, put('r/a', '1'));
    proxy.hold(true);
    const batch = write(store, put('r/a', '2'));
    const later = write(store, put('r/a', '3'));
    const refused = [
      assert.rejects(batch, { ...LOST, message: /was not renewed in time|could not be renewed/ }),
      assert.rejects(later, LOST),
    ];
    if (!lease.lost.aborted) await once(lease.lost, 'abort');
    await Promise.all(refused);
    assert.equal(lease.holds(), false);
    proxy.hold(false);
    assert.ok((await times('r/a')) <= 2);
    await assert.rejects(write(store, put('r/a', '4')), LOST);
    await lease.release();
  });

  it('is nothing of a process that was stopped for longer than its lease', async () => {
    const next = await open();
    const owner = fork(path.resolve('dist/test/support/lease-owner.js'), [postgres.url(), name, '1500'], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    try {
      const [{ epoch }] = (await once(owner, 'message')) as [{ epoch: number }];
      owner.send('before');
      assert.deepEqual((await once(owner, 'message'))[0], { written: 'before' });
      owner.kill('SIGSTOP');
      await postgres.until(
        'SELECT FROM topolog.lease JOIN topolog.cell ON id = cell WHERE name = $1 AND until < clock_timestamp()',
        [name],
      );
      const lease = await next.take({ owner: 'b', url: '' });
      assert.ok((lease?.epoch ?? 0) > epoch);
      owner.send('after');
      const told: Record<string, unknown>[] = [];
      const both = new Promise<void>((resolve) =>
        owner.on('message', (message: Record<string, unknown>) => {
          if (told.push(message) === 2) resolve();
        }),
      );
      owner.kill('SIGCONT');
      await both;
      assert.ok(told.some(({ lost }) => /renewed in time|taken it over/.test(String(lost))));
      assert.ok(told.some(({ code }) => code === 'lease_lost'));
      assert.equal(await (await lease?.open())?.get('r/stopped'), 'before');
      assert.equal(await times('r/stopped'), 1);
    } finally {
      owner.kill('SIGKILL');
    }
  });

  describe('with a standby', () => {
    let standby: Postgres;
    before(async () => {
      standby = await postgres.standby();
    });
    after(() => standby?.stop());

    it('is answered when the standby has it, also when somebody has ended the wait for it', async () => {
      const cell = await open();
      assert.deepEqual((await cell.durability()).words, "the database's disk and 1 other");
      const { store } = await leased();
      await standby.end('SIGINT');
      let isAnswered = false;
      const batch = write(store, put('r/a', '1')).then(() => (isAnswered = true));
      await waits(SYNC);
      for (let n = 0; n < 3; n++) {
        await onServer('cancel', SYNC);
        // It has committed on one disk, which does not count: another commit waits for the standby.
        await postgres.until('SELECT FROM seen JOIN topolog.cell ON id = cell WHERE name = $1', [name]);
        await waits(SYNC);
        assert.equal(isAnswered, false);
      }
      await onServer('terminate', SYNC);
      await waits(SYNC);
      assert.equal(isAnswered, false);
      await standby.start();
      await batch;
      assert.equal(await times('r/a'), 1);
      // It has it on disk; that it also shows it takes another moment.
      await standby.until(`SELECT FROM seen WHERE key = 'r/a' AND value LIKE '1#%'`);
    });

    it('is written to the standby that is promoted, by the same lease', async () => {
      const both = `postgres://postgres@127.0.0.1:${postgres.port},127.0.0.1:${standby.port}/postgres`;
      const { lease, store } = await leased(both, 60_000);
      await write(store, put(KEYS.event(1), eventText(1)));
      await postgres.end('SIGQUIT');
      const batch = write(store, put(KEYS.event(2), eventText(2)));
      await standby.promote();
      await batch;
      assert.ok(lease.holds());
      assert.equal(await store.get(KEYS.event(1)), eventText(1));
      const rows = await standby.sql('SELECT position FROM topolog.events WHERE cell = $1 ORDER BY 1', [name]);
      assert.deepEqual(rows, [['1'], ['2']]);
    });
  });
});
