import { after, before, describe, it } from 'node:test';
import type { Cell, Lease } from '../../src/events/cell.ts';
import { openCell } from '../../src/events/open-cell.ts';
import type { StoreOp } from '../../src/events/store/store.ts';
import { bare, noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { logContract } from './log-contract.ts';
import { storeContract } from './store-contract.ts';

const skip = noPostgres();

/** Where an entry lies, by its key. */
const rowOf = (key: string): { table: string; key: string; value: string; at: string | number } =>
  key.startsWith('f/')
    ? { table: 'event', key: 'position', value: 'text', at: Number(key.slice(2)) }
    : { table: /^[po]\//.test(key) ? 'entry' : 'record', key: 'key', value: 'value', at: key };

const change = (cell: string, op: StoreOp): [text: string, values: unknown[]] => {
  const { table, key, value, at } = rowOf(op.key);
  const ours = '(SELECT id FROM topolog.cell WHERE name = $1)';
  if (op.type === 'del') return [`DELETE FROM topolog.${table} WHERE cell = ${ours} AND ${key} = $2`, [cell, at]];
  return [
    `INSERT INTO topolog.${table} (cell, ${key}, ${value}) VALUES (${ours}, $2, $3)
      ON CONFLICT (cell, ${key}) DO UPDATE SET ${value} = excluded.${value}`,
    [cell, at, op.value],
  ];
};

if (skip !== false) it('a log on PostgreSQL keeps the contract of logs', { skip }, () => undefined);
else
  describe('on a database server', () => {
    let postgres: Postgres;
    let cells = 0;
    before(async () => {
      postgres = await startPostgres();
      await postgres.create('labs');
    });
    after(() => postgres.stop());

    const leased = async (): Promise<{ log: string; name: string; cell: Cell; lease: Lease }> => {
      const log = postgres.url('labs');
      const name = `cell-${++cells}`;
      const cell = await openCell({ log, name, key: null, leaseMs: 600_000, create: true });
      return { log, name, cell, lease: (await cell.take({ owner: 'test', url: '' })) as Lease };
    };

    storeContract('PostgreSQL', async () => {
      const { cell, lease } = await leased();
      return { store: await lease.open(), end: () => cell.close() };
    });

    logContract('PostgreSQL', async () => {
      const { log, name, cell, lease } = await leased();
      return {
        open: lease.open,
        tamper: (ops) =>
          bare(log, async (client) => {
            for (const op of ops) await client.query(...change(name, op));
          }),
        raw: (at) =>
          bare(log, async (client) => {
            const { table, key, value, at: where } = rowOf(at);
            const { rows } = await client.query<{ text: string }>(
              `SELECT ${value} AS text FROM topolog.${table} JOIN topolog.cell ON id = cell WHERE name = $1 AND ${key} = $2`,
              [name, where],
            );
            return rows[0]?.text ?? '';
          }),
        end: () => cell.close(),
      };
    });
  });
