import type { DataOf } from '../events/schemas.ts';

type Repair = Pick<DataOf<'log.repaired'>, 'lost' | 'records_lost' | 'events' | 'kept_as'>;

/** What a repair signs: all that it says of what is not in the new log. */
export const repairText = ({ lost, records_lost, events, kept_as }: Repair): string =>
  JSON.stringify(['topolog-repair', 1, lost, records_lost, events, kept_as]);
