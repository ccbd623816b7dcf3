import { messageOf } from '../common/errors.ts';
import { TOOLS_VERSION } from '../common/package.ts';
import { reached } from '../projections/past/changes.ts';
import type { Api, HttpDeps, ServerParts } from './api.ts';
import { KeptAnswers } from './routing/kept-answers.ts';
import { Feeds } from './feed/feeds.ts';
import { createFramer } from './feed/framer.ts';
import { Live } from './feed/live.ts';
import { createKindNames } from './kind-names.ts';
import { createLookups } from './lookups.ts';
import { computeJsonOptions, computeNow, localCompute } from './v2/computes/compute-record.ts';
import { createJson } from './v2/json.ts';

export const createApi = (deps: HttpDeps, parts: ServerParts): Api => {
  const { names = 'neutral', toldVersion = TOOLS_VERSION } = deps;
  const kindNames = createKindNames(deps.kinds, names);
  const gns3Compat = names === 'gns3';
  const api = {
    ...deps,
    ...parts,
    kindNames,
    // The own version stands in `/v2/health` and in the OpenAPI document.
    shownVersion: gns3Compat ? toldVersion : deps.version,
    gns3Compat,
    find: createLookups(deps.records),
    answers: new KeptAnswers(),
    json: createJson({
      kinds: deps.kinds,
      console_host: deps.consoleHost ?? '127.0.0.1',
      compute_id: deps.computeId,
      isHere: (id) => deps.computes.isHere(id),
      computes: () => deps.records.ofServer('compute'),
      ...computeJsonOptions({ kindNames, gns3Compat }),
    }),
  };
  return { ...api, feeds: createFeeds(api) };
};

const createFeeds = (api: Omit<Api, 'feeds'>): Feeds => {
  const load = cached(() => api.host.load());
  return new Feeds({
    changes: api.changes,
    commands: api.commands,
    framer: createFramer(api),
    limits: api.limits,
    closing: api.closing,
    reached: (position) =>
      api.cell === undefined ? Promise.resolve() : reached(api.changes, position, api.limits.behindMs),
    load,
    computes: () => [
      localCompute(api, load()),
      ...api.records.ofServer('compute').map((record) => computeNow(api, record)),
    ],
    live: new Live({ traffic: api.traffic, everyMs: api.limits.liveMs }),
    jobs: api.jobs,
    counts: api.counts,
    failed: (error) => api.logger.error(`a feed was closed: ${messageOf(error)}`),
  });
};

/** The load is measured once for all pings of this time. Milliseconds. */
const MEASURED_MS = 500;

const cached = <T>(measure: () => T): (() => T) => {
  let last = measure();
  let at = performance.now();
  return () => {
    const now = performance.now();
    if (now - at > MEASURED_MS) {
      last = measure();
      at = now;
    }
    return last;
  };
};
