import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '../../events/store/store.ts';
import type { AnyEvent } from '../../events/schemas.ts';
import { eachEvent, lastPosition } from '../../events/read.ts';
import type { CheckOptions } from './check-events.ts';
import { KnownFiles } from './check-files.ts';
import { checkStore, type StoreVerdict } from './check-store.ts';
import { withProblems } from './verify-directory.ts';

interface Served {
  store: () => Store;
  filesDir: string;
  /** Directory of the images of a kind; null where it has none. */
  imagesOf(kind: string): string | null;
  /** How often what does not fit is looked at again, and the time before each look, in milliseconds. */
  looks?: number;
  pauseMs?: number;
}

/**
 * Checks a log that is being written, and the files that it knows. A file and the event that tells of it do not change in the same moment:
 * what does not fit is looked at again with all later events, and is a problem when it never fits under the same event.
 */
export const verifyServed = async (
  served: Served,
  projectId: string | null,
  options: CheckOptions = {},
): Promise<StoreVerdict> => {
  const { store, looks = 3, pauseMs = 500 } = served;
  const files = new KnownFiles(served);
  let heard = await lastPosition(store());
  const hear = (event: AnyEvent): void => {
    heard = Math.max(heard, event.position);
    if (projectId === null || event.project_id === projectId) files.hear(event);
  };
  const verdict = await checkStore(store(), projectId, { ...options, onEvent: hear });
  let wrong = await files.check(projectId);
  for (let look = 0; look < looks && wrong.length > 0; look++) {
    await pause(pauseMs);
    await eachEvent(store(), hear, heard + 1);
    wrong = await files.check(projectId, wrong);
  }
  return withProblems(verdict, [...verdict.problems, ...wrong]);
};
