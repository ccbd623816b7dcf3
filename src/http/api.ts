import { KeptAnswers } from './controller/kept-answers.ts';
import type { HttpDeps } from './deps.ts';
import type { HttpLimits } from './limits.ts';
import { createFeeds } from './feed/create.ts';
import type { Feeds } from './feed/feeds.ts';
import { createKindNames, type KindNames, shownVersion } from './kind-names.ts';
import { createLookups, type Lookups } from './lookups.ts';
import { computeJsonOptions } from './v2/computes/json.ts';
import { createJson, type RecordJson } from './v2/json.ts';

/** What belongs to the listening server. */
export interface ServerParts {
  bodyLimit: number;
  limits: HttpLimits;
  /** Aborted when the server begins to close. */
  closing: AbortSignal;
  /** Where this server listens, for the record of its compute. */
  address(): { host: string; port: number };
}

/** What every route is made with. */
export interface Api extends Omit<HttpDeps, keyof ServerParts>, ServerParts {
  kindNames: KindNames;
  /** The version that clients are told. */
  shownVersion: string;
  /** Programs that know the existing server's names rely on its ways as well, where another would be as good. */
  asExisting: boolean;
  find: Lookups;
  json: RecordJson;
  /** To requests of a controller. */
  answers: KeptAnswers;
  feeds: Feeds;
}

export const createApi = (deps: HttpDeps, parts: ServerParts): Api => {
  const names = deps.names ?? 'neutral';
  const kindNames = createKindNames(deps.kinds, names);
  const api = {
    ...deps,
    ...parts,
    kindNames,
    shownVersion: shownVersion(names, deps),
    asExisting: names === 'gns3',
    find: createLookups(deps.records),
    answers: new KeptAnswers(),
    json: createJson({
      kinds: deps.kinds,
      console_host: deps.consoleHost ?? '127.0.0.1',
      compute_id: deps.computeId,
      isHere: (id) => deps.computes.isHere(id),
      computes: () => deps.records.ofServer('compute'),
      ...computeJsonOptions({ kindNames, asExisting: names === 'gns3' }),
    }),
  };
  return { ...api, feeds: createFeeds(api) };
};
