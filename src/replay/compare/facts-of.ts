import type { Fact } from '../../events/fact.ts';
import type { AnyFact } from '../../events/facts.ts';
import { upcast } from '../../events/upcasters.ts';
import { demand, type ReplayHost } from '../host.ts';

/** Facts of the replay's project. */
export interface FactsOf {
  /** All after a position that are on record by now, in order. */
  since(position: number): Promise<AnyFact[]>;
}

interface Page {
  events: Fact[];
  next: number | null;
}

export const factsOf = (host: ReplayHost, projectId: string, requestId: string): FactsOf => ({
  async since(position) {
    const facts: AnyFact[] = [];
    for (let from: number | null = position + 1; from !== null;) {
      const path = `/v2/projects/${projectId}/events?limit=1000&from=${from}`;
      const page = (await demand(host, 'the facts of the replay', 'GET', path, null, requestId)) as Page;
      for (const fact of page.events) facts.push(upcast(fact));
      from = page.next;
    }
    return facts;
  },
});
