import { messageOf } from '../../common/errors.ts';
import { reached } from '../../projections/past/changes.ts';
import type { HttpDeps, Load } from '../deps.ts';
import type { HttpLimits } from '../limits.ts';
import { computeNow, type ComputeParts, localCompute } from '../v2/computes/json.ts';
import type { RecordJson } from '../v2/json.ts';
import { Feeds } from './feeds.ts';
import { createFramer } from './frames.ts';
import { Live } from './live.ts';

/** The load is measured once for all pings of this time. Milliseconds. */
const MEASURED_MS = 500;

interface FeedParts
  extends
    ComputeParts,
    Pick<HttpDeps, 'cell' | 'changes' | 'commands' | 'counts' | 'host' | 'jobs' | 'logger' | 'traffic'> {
  limits: HttpLimits;
  closing: AbortSignal;
  json: RecordJson;
}

export const createFeeds = (api: FeedParts): Feeds => {
  const load = kept(() => api.host.load());
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

const kept = (measure: () => Load): (() => Load) => {
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
