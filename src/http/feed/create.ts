import { messageOf } from '../../common/errors.ts';
import type { Api } from '../api.ts';
import { localCompute } from '../v2/computes/routes.ts';
import type { Load } from '../deps.ts';
import { Feeds } from './feeds.ts';
import { createFramer } from './frames.ts';
import { Live } from './live.ts';

/** The load is measured once for all pings of this time. Milliseconds. */
const MEASURED_MS = 500;

export const createFeeds = (api: Omit<Api, 'feeds'>): Feeds => {
  const load = kept(() => api.host.load());
  return new Feeds({
    changes: api.changes,
    commands: api.commands,
    framer: createFramer(api),
    limits: api.limits,
    closing: api.closing,
    load,
    compute: () => JSON.stringify(localCompute(api, load())),
    live: new Live({ traffic: api.traffic, everyMs: api.limits.liveMs }),
    jobs: api.jobs,
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
