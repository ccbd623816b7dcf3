import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { messageOf, TopologError } from '../../../src/common/errors.ts';
import type { Cell } from '../../../src/events/cell.ts';
import { openCell } from '../../../src/events/open-cell.ts';
import { type CuttingProxy, cuttingProxy } from '../../support/cutting-proxy.ts';
import { noPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';

const LONG_MS = 600_000;
const NAME = 'taken';
const COMMIT = 'COMMIT\0';
/** Octets of the end of a transaction, at most, in each direction. Before it, not every octet is another case. */
const EXCHANGE = 24;
const STRIDE = 41;

type Direction = 'up' | 'down';

describe('taking the lease of a cell', { skip: noPostgres() }, () => {
  let postgres: Postgres;
  let proxy: CuttingProxy;
  const opened: Cell[] = [];
  before(async () => {
    postgres = await startPostgres();
    proxy = await cuttingProxy(postgres.port);
  });
  after(async () => {
    await proxy?.close();
    await postgres?.stop();
  });
  afterEach(async () => {
    proxy.cut = null;
    for (const cell of opened.splice(0)) await cell.close();
  });
  const open = async (port: number): Promise<Cell> => {
    const log = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const cell = await openCell({ log, name: NAME, key: null, leaseMs: LONG_MS, create: true });
    opened.push(cell);
    return cell;
  };
  const row = async (): Promise<{ epoch: number; isTaken: boolean }> => {
    const [[epoch, isTaken] = []] = await postgres.sql(
      `SELECT cell.epoch, until > clock_timestamp() FROM topolog.lease JOIN topolog.cell ON id = cell WHERE name = $1`,
      [NAME],
    );
    return { epoch: Number(epoch), isTaken: isTaken === true };
  };
  const expire = (): Promise<unknown> => postgres.sql(`UPDATE topolog.lease SET until = '-infinity'`);

  /** Octets that go by before the transaction comes to its end. */
  const lengths = async (cell: Cell): Promise<Record<Direction, number>> => {
    const passed = { up: 0, down: 0 };
    let isBefore = true;
    proxy.cut = (direction, chunk) => {
      isBefore &&= !chunk.includes(COMMIT);
      if (isBefore) passed[direction] += chunk.length;
      return null;
    };
    const lease = await cell.take({ owner: 'far', url: '' });
    await lease?.release();
    return passed;
  };
  /** From here on. */
  const cutAt = (wanted: Direction, at: number): void => {
    let [passed, isCut] = [0, false];
    proxy.cut = (direction, chunk) => {
      if (isCut || direction !== wanted) return null;
      passed += chunk.length;
      isCut = passed >= at;
      return isCut ? chunk.length - (passed - at) : null;
    };
  };

  it('is done, or not, wherever the exchange with the server is cut', async () => {
    const [far, near] = [await open(proxy.port), await open(postgres.port)];
    const before = await lengths(far);
    const cuts = (['up', 'down'] as const).flatMap((direction) =>
      Array.from({ length: before[direction] + EXCHANGE }, (_, at) => ({ direction, at })).filter(
        ({ at }) => at % STRIDE === 0 || at >= before[direction],
      ),
    );
    const ends = { done: 0, undone: 0, unheard: 0 };
    for (const { direction, at } of cuts) {
      const { epoch } = await row();
      cutAt(direction, at);
      const lease = await far.take({ owner: 'far', url: '' }).catch((error: unknown) => {
        assert.ok(error instanceof TopologError && error.code === 'log_unreachable', messageOf(error));
        return null;
      });
      proxy.cut = null;
      const found = await row();
      assert.equal(found.epoch, found.isTaken ? epoch + 1 : epoch);
      // Taken, and nobody has it: the others wait for its end.
      if (found.isTaken) assert.equal(await near.take({ owner: 'near', url: '' }), null);
      ends[lease !== null ? 'done' : found.isTaken ? 'unheard' : 'undone']++;
      if (lease !== null) assert.deepEqual(found, { epoch: lease.epoch, isTaken: true });
      await lease?.release();
      await expire();
      const next = await near.take({ owner: 'near', url: '' });
      assert.equal(next?.epoch, found.epoch + 1);
      await next?.release();
    }
    assert.ok(ends.done > 0 && ends.undone > 10 && ends.unheard > 10, JSON.stringify(ends));
  });
});
