import { messageOf } from '../../../common/errors.ts';
import type { Lease, Taker } from '../../cell.ts';
import { KEYS, type Store, type StoreOp } from '../store.ts';
import type { Database } from './database.ts';
import { Hold } from './hold.ts';
import type { Reads } from './pages.ts';
import type { Session } from './session.ts';
import { checked, storeOf } from './stores.ts';
import { type Stand, Writer } from './writer.ts';

/** Longest that taking a lease waits for an append that has not come to its end. Milliseconds. */
const LOCK_MS = 1_000;
const LOCKED = '55P03';

/** What a lease of a cell needs. */
export interface LeaseParts {
  database: Database;
  cell: number;
  leaseMs: number;
  reads: Reads;
  /** The log as it is at one moment, unchecked. */
  moment: () => Promise<Store>;
  /** Tells those who listen that the log has grown, or that the lease has changed hands; does not fail. */
  tell: (what: 'log' | 'lease') => Promise<void>;
  report: (message: string) => void;
  /** What commits have waited for, for so long: a sentence; null: for nothing. */
  waits: (ms: number) => Promise<string | null>;
}

/** Takes the lease if nobody has it, or only who was before; null: somebody has. */
export const takeLease = async (parts: LeaseParts, me: Taker): Promise<Lease | null> => {
  const session = await parts.database.connect(parts.leaseMs);
  try {
    const taken = await take(session, parts, me);
    if (taken === null) return null;
    const hold = new Hold({ ...parts, ...taken });
    // The database has taken so long that it is over.
    if (!hold.holds()) return null;
    void parts.tell('lease');
    return leaseOf(parts, hold, taken.stand);
  } catch (error) {
    if ((error as { code?: string }).code === LOCKED) return null;
    throw error;
  } finally {
    await session.close();
  }
};

interface Taken {
  epoch: number;
  stand: Stand;
  asked: number;
}

const take = async (
  session: Session,
  { cell, leaseMs }: LeaseParts,
  { owner, url, before = null }: Taker,
): Promise<Taken | null> => {
  const run = (text: string, ...values: unknown[]) => session.run({ text, values }, leaseMs);
  await run('BEGIN');
  await run(`SELECT set_config('lock_timeout', $1, true)`, String(Math.min(LOCK_MS, leaseMs / 2)));
  const free = await run(
    'SELECT FROM topolog.lease WHERE cell = $1 AND (until <= clock_timestamp() OR owner = $2) FOR UPDATE',
    ...[cell, before],
  );
  if (free.count === 0) return null;
  const { rows } = await run(
    'UPDATE topolog.cell SET epoch = greatest(epoch, head) + 1 WHERE id = $1 RETURNING epoch, batch, written',
    cell,
  );
  const [epoch = 0, batch = 0, written = 0] = rows[0]?.map(Number) ?? [];
  const asked = performance.now();
  await run(
    `UPDATE topolog.lease SET owner = $2, url = $3, epoch = $4, until = clock_timestamp() + $5 * interval '1 ms' WHERE cell = $1`,
    ...[cell, owner, url, epoch, leaseMs],
  );
  const { isAlone } = await run('COMMIT');
  // A standby that is promoted might not know of it.
  if (isAlone) return null;
  return { epoch, stand: { batch, written }, asked };
};

const leaseOf = (parts: LeaseParts, hold: Hold, stand: Stand): Lease => {
  const writer = new Writer({ ...parts, hold, stand });
  const batch = async (ops: StoreOp[]): Promise<void> => {
    const grows = ops.some(({ type, key }) => type === 'put' && key.startsWith('f/'));
    await writer.write(ops);
    if (grows) void parts.tell('log');
  };
  const open = async (): Promise<Store> => {
    hold.check();
    return checked(storeOf(parts.reads, { moment: parts.moment, batch }));
  };
  let released: Promise<void> | null = null;
  const release = async (): Promise<void> => {
    hold.stop('it has handed it over');
    await writer.close(parts.leaseMs);
    try {
      await hold.end();
      await parts.tell('lease');
    } catch (error) {
      parts.report(`the lease could not be ended, and ends by itself: ${messageOf(error)}`);
    }
  };
  return {
    epoch: hold.epoch,
    lost: hold.lost,
    holds: () => hold.holds(),
    open: Object.assign(open, {
      ready: async () => void (hold.check(), await parts.reads.get(KEYS.format)),
    }),
    announce: async (url) => {
      await hold.announce(url);
      await parts.tell('lease');
    },
    release: () => (released ??= release()),
  };
};
