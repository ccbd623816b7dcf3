import { conflict } from '../../common/errors.ts';
import { changedAt, sumOp } from '../log/batch-ops.ts';
import { damaged } from './checked-store.ts';
import { placeOf } from './damage.ts';
import { blocks, KEYS, type Store } from './store.ts';

/** Format in which values have checksums, and the records a sum. */
const SEALED = '2';

/** Every range of values other than events, and the form of its values. */
const isJson = (value: string): boolean => /^[[{].*[\]}]$/s.test(value);
const RANGES: readonly { gte: string; lte: string; fits: (value: string) => boolean }[] = [
  { gte: 'c/', lte: 'c/~', fits: isJson },
  { gte: 'h/', lte: 'h/~', fits: isJson },
  { gte: 'm/', lte: 'm/~', fits: (value) => /^\d+$/.test(value) },
  { gte: 'o/', lte: 'o/~', fits: (value) => value === '' },
  { gte: 'p/', lte: 'p/~', fits: (value) => /^\d+$/.test(value) },
  { gte: KEYS.recordStart, lte: KEYS.recordEnd, fits: isJson },
];

/** Entries written at once. */
const BATCH = 2_000;

/**
 * Adds checksums to every value of a log that was created without them, once. Each value shows whether it has one, so
 * an interrupted run is resumed; the note that all have theirs is written last.
 */
export const sealLog = async (store: Store): Promise<void> => {
  const format = await store.get(KEYS.format);
  if (format === SEALED) return;
  if (format !== undefined)
    throw conflict(
      `the log is of format ${format}, which a newer Topolog writes; this one knows ${SEALED}. Start the newer one again, or restore the backup from before the upgrade`,
    );
  if (store.witness?.seen != null)
    throw damaged(store, { ...placeOf(KEYS.format), message: 'the note that all values have checksums is missing' });
  const sum = { records: 0, changed: 0 };
  for (const { fits, ...range } of RANGES)
    for await (const rows of blocks(store, range, BATCH)) {
      for (const [key, value] of rows) {
        if (!fits(value)) throw damaged(store, { ...placeOf(key), message: 'the stored content is not of its kind' });
        if (range.gte !== KEYS.recordStart) continue;
        sum.records++;
        sum.changed += changedAt(JSON.parse(value));
      }
      await store.batch(
        rows.map(([key, value]) => ({ type: 'put', key, value })),
        { sync: true },
      );
    }
  await store.batch([sumOp(sum), { type: 'put', key: KEYS.format, value: SEALED }], { sync: true });
};
