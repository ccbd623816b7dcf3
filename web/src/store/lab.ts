import type { Client, Shown } from 'topolog/client';
import { untilDone } from './following/retry.ts';
import { foldFrames } from './fold.ts';
import { type Frame, NO_RECORDS, type Records, recordsOf } from './records.ts';
import { createStore, type Store } from './store.ts';

export type Connection = 'connecting' | 'connected' | 'lost';

export type Listeners = Extract<Frame, { action: 'project.listeners' }>['event'];

export interface LabState {
  /** The present. */
  readonly records: Records;
  readonly isLoaded: boolean;
  readonly connection: Connection;
  /** Position of the last event received. */
  readonly position: number;
  /** People who are looking, oneself among them. */
  readonly listeners: Listeners | null;
  /** It was deleted; nothing follows. */
  readonly isGone: boolean;
  /** Why it cannot be shown. */
  readonly problem: unknown;
}

/** Value for `?at=`, a position or an ISO time, and how it is called. */
export interface Moment {
  readonly at: number | string;
  /** ISO time. */
  readonly time: string;
}
export type Mark = 'added' | 'removed' | 'changed';
/** An earlier moment, or a comparison of two, to be shown instead of the present. */
export interface Past {
  readonly moment: Moment;
  readonly records: Records;
  /** Differences by id of the object; `removed` ones are among the records, so that they can be shown. */
  readonly marks: ReadonlyMap<string, Mark>;
}

/** One project as it is followed: the records by the feed, and what is shown of them. */
export interface Lab {
  readonly projectId: string;
  readonly client: Client;
  readonly state: Store<LabState>;
  /** Null: the present is shown. */
  readonly past: Store<Past | null>;
  /** Hears every frame once, also those that are no records (`log.error`, transient ones); answers what ends it. */
  readonly listen: (listener: (frame: Frame) => void) => () => void;
  /** Shows something to the others who look; where the connection is lost, once it is back. */
  readonly show: (shown: Shown) => void;
  /** The lists of a moment, or of now. */
  readonly read: (at?: number | string, signal?: AbortSignal) => Promise<Records>;
  readonly close: () => void;
}

export interface LabOptions {
  /** Under which name one is told to others, where nobody is asked. */
  name?: string | null;
  /** Id of one of the person’s windows; a further one has it beside the first. */
  seat?: { readonly seat: string } | { readonly beside: string };
  /** Runs something soon; frames that come until then are folded at once. */
  schedule?: (run: () => void) => void;
}

const soon = (run: () => void): void => {
  setTimeout(run, 0);
};

const START: LabState = {
  records: NO_RECORDS,
  isLoaded: false,
  connection: 'connecting',
  position: 0,
  listeners: null,
  isGone: false,
  problem: null,
};

/** Begins to follow a project; its state says how that goes. */
export const openLab = (client: Client, projectId: string, options: LabOptions = {}): Lab => {
  const { name = null, seat, schedule = soon } = options;
  const state = createStore(START);
  const listeners = new Set<(frame: Frame) => void>();
  const ending = new AbortController();
  const read = (at?: number | string, signal: AbortSignal = ending.signal): Promise<Records> =>
    readRecords(client, projectId, at, signal);
  const change = (part: Partial<LabState>): void => state.update((now) => ({ ...now, ...part }));
  const lose = (): void => change({ connection: 'lost' });
  const inbox = createInbox(state, () => untilDone(() => read(), ending.signal, lose), change, schedule);
  const { show, onShow } = createShowing();
  const follow = async (): Promise<void> => {
    const path = { project_id: projectId };
    const onConnection = (stands: boolean): void => change({ connection: stands ? 'connected' : 'lost' });
    const feed = client.feed('/v2/projects/{project_id}/notifications', {
      path,
      over: 'websocket',
      live: true,
      as: name ?? undefined,
      ...seat,
      signal: ending.signal,
      onConnection,
      onShow,
    });
    for await (const frame of feed) {
      inbox.take(frame);
      if (frame.action === 'project.listeners') change({ listeners: frame.event });
      for (const listener of [...listeners]) listener(frame);
    }
    inbox.flush();
    change({ isGone: true });
  };
  // The feed heals by itself once it has stood; until then it is asked for again.
  untilDone(follow, ending.signal, lose).catch((problem: unknown) => {
    if (!ending.signal.aborted) change({ problem, connection: 'lost' });
  });
  return {
    projectId,
    client,
    state,
    past: createStore<Past | null>(null),
    read,
    show,
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => ending.abort(),
  };
};

/** Sends the last view again on each new connection. */
const createShowing = () => {
  let last: Shown | null = null;
  let send: ((shown: Shown) => void) | null = null;
  return {
    show: (shown: Shown): void => {
      last = shown;
      send?.(shown);
    },
    onShow: (now: ((shown: Shown) => void) | null): void => {
      send = now;
      if (last !== null) now?.(last);
    },
  };
};

interface Inbox {
  take(frame: Frame): void;
  flush(): void;
}

/**
 * Frames wait here until the lists are there, and for the next turn of the screen. The lists are read after the first ping, so that the
 * frames that come meanwhile are at most as new as they are: nothing is missed, and what comes twice is the same.
 */
const createInbox = (
  state: Store<LabState>,
  read: () => Promise<Records>,
  change: (part: Partial<LabState>) => void,
  schedule: (run: () => void) => void,
): Inbox => {
  let waiting: Frame[] = [];
  let isReading = true;
  let isAwaitingPing = true;
  let isScheduled = false;
  const flush = (): void => {
    isScheduled = false;
    if (isReading || waiting.length === 0) return;
    const frames = waiting;
    waiting = [];
    const { records, position } = state.get();
    change({ records: foldFrames(records, frames), position: frames.at(-1)?.position ?? position });
  };
  const readAll = (): void => {
    isReading = true;
    isAwaitingPing = false;
    read().then(
      (records) => {
        isReading = false;
        change({ records, isLoaded: true, connection: 'connected' });
        flush();
      },
      (problem: unknown) => change({ problem, connection: 'lost' }),
    );
  };
  return {
    flush,
    take(frame) {
      if (frame.action === 'reload') {
        waiting = [];
        readAll();
        return;
      }
      waiting.push(frame);
      if (isAwaitingPing && frame.action === 'ping') readAll();
      if (isScheduled || isReading) return;
      isScheduled = true;
      schedule(flush);
    },
  };
};

const readRecords = async (
  client: Client,
  projectId: string,
  at: number | string | undefined,
  signal: AbortSignal,
): Promise<Records> => {
  const call = { path: { project_id: projectId }, query: { at }, signal };
  const [project, nodes, links, drawings] = await Promise.all([
    client.get('/v2/projects/{project_id}', call),
    client.get('/v2/projects/{project_id}/nodes', call),
    client.get('/v2/projects/{project_id}/links', call),
    client.get('/v2/projects/{project_id}/drawings', call),
  ]);
  return recordsOf(project, nodes, links, drawings);
};
