import { TopologError } from '../../common/errors.ts';
import type { Stamp } from '../../projections/records.ts';
import type { Caller } from '../caller.ts';

/** Names a record as it is (RFC 9110, 8.8.3): the position of the event that changed it last, in quotation marks. */
export const etagOf = ({ changed }: Stamp): string => `"${changed}"`;

/**
 * Refuses a write that was meant for another state of the record than the one it would be decided on. Ask it where the decision is
 * made: nothing may wait from here to the append.
 */
export const checkPrecondition = <R extends Stamp>(
  { expected }: Pick<Caller, 'expected'>,
  what: string,
  record: R,
): R => {
  if (expected === undefined || expected.includes('*')) return record;
  const etag = etagOf(record);
  if (!expected.includes(etag)) throw new TopologError('precondition_failed', { what, etag });
  return record;
};
