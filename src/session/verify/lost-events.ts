import { encodeEvent, GENESIS } from '../../events/encoding.ts';
import { type LogEvent, SYSTEM } from '../../events/event.ts';
import { streamOf } from '../../events/store/store.ts';
import { conflict } from '../../common/errors.ts';
import type { Break, Salvaged } from '../../projections/recover-log.ts';

/** The stream of lost events of which nobody knows whose they were. */
const NOBODYS = '00000000-0000-0000-0000-000000000000';

/** Which version of which stream a lost event was. */
interface Place {
  project_id: string | null;
  version: number;
}

/**
 * Gives every missing position the version of the stream that it had: a stream that misses versions misses them between two positions, so
 * the one whose end comes first is served first. Throws `conflict` where nothing is missing and the stream does not go on all the same:
 * somebody has changed the log, and what is right is for no program to say.
 */
export const placesOf = ({ missing, breaks }: Pick<Salvaged, 'missing' | 'breaks'>): Map<number, Place> => {
  for (const { project_id, version, next_version, before } of breaks)
    if (next_version <= version + 1)
      throw conflict(
        `position ${before} does not follow version ${version} of stream ${streamOf(project_id)}, and nothing is missing: the log was changed, not damaged`,
      );
  const left = breaks.map((one) => ({ ...one, next: one.version + 1 })).sort((a, b) => a.before - b.before);
  const places = new Map<number, Place>();
  let nobodys = 0;
  for (const { first, last } of missing)
    for (let position = first; position <= last; position++) {
      const one = left.find((gap) => isOpen(gap, position));
      if (one === undefined) places.set(position, { project_id: NOBODYS, version: ++nobodys });
      else places.set(position, { project_id: one.project_id, version: one.next++ });
    }
  return places;
};

const isOpen = (gap: Break & { next: number }, position: number): boolean =>
  gap.after < position && position < gap.before && gap.next < gap.next_version;

/** What stands in the new log for an event that is lost. */
export const lostEvent = (position: number, { project_id, version }: Place, prev = GENESIS, at: string) => {
  const { principal, address, agent } = SYSTEM;
  const event: LogEvent = {
    ...{ position, project_id, version, type: 'event.lost', v: 1, at },
    ...{ by: { principal, address, agent }, request_id: null, cause: null, data: {}, prev, hash: '' },
  };
  const { hash, text } = encodeEvent(event);
  return { text, event: { ...event, hash } };
};
