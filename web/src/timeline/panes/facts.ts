import type { Client } from '../../store/wire.ts';
import { type Fact, type Mark, markOf, nothingKnown } from '../bar/marks.ts';

/** So many facts are asked for at once. */
const PAGE = 1000;

/** Reads the facts of a project in pages, in the order of the log, and goes on where it was. */
export interface FactReader {
  /** Reads what there is; `take` gets each page, and `isEnd` with the last. Throws what the server says. */
  read(take: (marks: Mark[], isEnd: boolean) => void, signal: AbortSignal): Promise<void>;
}

export const createFactReader = (client: Client, projectId: string): FactReader => {
  const known = nothingKnown();
  let next = 1;
  return {
    async read(take, signal) {
      for (;;) {
        const page = await client.get('/v2/projects/{project_id}/events', {
          path: { project_id: projectId },
          query: { from: String(next), limit: String(PAGE) },
          signal,
        });
        const facts: readonly Fact[] = page.events;
        next = page.next ?? (facts.at(-1)?.position ?? next - 1) + 1;
        take(
          facts.map((fact) => markOf(known, fact)),
          page.next === null,
        );
        if (page.next === null) return;
      }
    },
  };
};
