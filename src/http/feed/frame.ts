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

/** Last frame that a client has seen: everything up to a position, but for the last `more` frames of that very position. */
export interface Cursor {
  position: number;
  more: number;
}

/** A frame as it goes out. */
export interface Encoded {
  position: number;
  /** How many frames of the same position follow. */
  more: number;
  data: Buffer;
}

/** Keys beside action, event and position. */
interface Extras {
  more?: number;
  project_id?: string | null;
}

/** Text `{"action", "event", "position"}`, of which every feed is made. */
export const encodeFrame = ({ action, event }: Frame, position: number, extras: Extras = {}): Buffer => {
  const rest = Object.entries(extras).map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return Buffer.from(`{"action":${JSON.stringify(action)},"event":${event},"position":${position}${rest.join('')}}`);
};

/** Frames of one event on a feed, in order. */
export const encodeStep = (framer: Framer, feed: FeedKind, step: Step): Encoded[] => {
  const { position, project_id } = step.event;
  const frames = framer(feed, step);
  return frames.map((frame, i) => {
    const more = frames.length - 1 - i;
    const extras = { ...(feed === 'compute' ? { project_id } : {}), ...(more > 0 ? { more } : {}) };
    return { position, more, data: encodeFrame(frame, position, extras) };
  });
};
