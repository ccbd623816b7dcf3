import type { Step } from '../../projections/fold/change.ts';

/** Everything a client can listen to. */
export type FeedKind = 'controller' | 'project' | 'compute';

export interface Frame {
  action: string;
  /** JSON text. */
  event: string;
}

/** Makes the frames of one event on a feed. Pure: the same step, the same frames, whether it just happened or is read again. */
export type Framer = (feed: FeedKind, step: Step) => Frame[];
