import { ApiError } from './call.ts';
import type { Schemas } from './operations.ts';

type Frame = Schemas['Frame'] | Schemas['ComputeFrame'];

/** State of a listener that others who look at the same project see. */
export type Shown = Omit<Extract<Schemas['Frame'], { action: 'listener.updated' }>['event'], 'id'>;

export interface FeedOptions {
  /** Position of the log, or the last frame's `cursorOf`, behind which the feed begins. Default: from now on. */
  since?: string | number | undefined;
  /** Also sends frames that are in no log: a project's feed who else listens and the traffic of links, the server's feed jobs. */
  live?: boolean | undefined;
  /** Name of the listener that others see, on a server without passwords; of a live feed. */
  as?: string | undefined;
  /** A name for this listener that its further windows give as `beside`; of a live feed of a project. */
  seat?: string | undefined;
  /** Seat of the listener that this one is a further window of: while that is connected, the others are not told of this one. */
  beside?: string | undefined;
  /** Ends the feed; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Default: http, and websocket for the compute feed, which has no other. */
  over?: 'http' | 'websocket' | undefined;
  /** Gets the function that sends this listener's state to the others, null while there is no connection; of a live feed of a project over a WebSocket. */
  onShow?: ((show: ((shown: Shown) => void) | null) => void) | undefined;
  /** Called whenever the connection is made or lost, to show that: the feed reconnects by itself. */
  onConnection?: ((isConnected: boolean) => void) | undefined;
}

/** Yields the texts of frames from a cursor on, until the connection ends; calls `connected` once it is made. */
export type Listen = (cursor: string | undefined, signal: AbortSignal, connected: () => void) => AsyncIterable<string>;

/** Pauses between two tries, doubled each time. Milliseconds. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** Silence after which a connection is dead: a feed pings every 5 s. Milliseconds. */
const SILENCE_MS = 20_000;

/** The value of `since` with which a feed continues behind a frame. */
export const cursorOf = ({ position, more }: Pick<Frame, 'position' | 'more'>): string =>
  more === undefined ? String(position) : `${position}.${more}`;

/**
 * Yields frames without a gap and without a repetition, however often the connection breaks. Throws when the first connection fails,
 * and later for errors that another try would not fix. `ends`: whether nothing follows a frame.
 */
export async function* follow<F extends Frame>(
  listen: Listen,
  options: FeedOptions,
  ends: (frame: F) => boolean,
): AsyncGenerator<F, void, undefined> {
  const { signal } = options;
  let cursor = options.since === undefined ? undefined : String(options.since);
  let wasConnected = false;
  let pauseMs = FIRST_PAUSE_MS;
  let isConnected = false;
  const setConnected = (now: boolean): void => {
    if (now !== isConnected) options.onConnection?.((isConnected = now));
  };
  const connected = (): void => {
    wasConnected = true;
    setConnected(true);
  };
  for (;;) {
    const silence = watch(signal);
    try {
      for await (const text of listen(cursor, silence.signal, connected)) {
        silence.end();
        const frame = JSON.parse(text) as F;
        cursor = cursorOf(frame);
        pauseMs = FIRST_PAUSE_MS;
        yield frame;
        if (ends(frame)) return;
        silence.begin();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!wasConnected || !isTransient(error)) throw error;
    } finally {
      silence.end();
    }
    setConnected(false);
    await pause(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** Whether another try may succeed: the network failed, or the server is starting, ending or full. */
const isTransient = (error: unknown): boolean =>
  error instanceof ApiError ? error.status >= 500 || error.status === 429 : error instanceof TypeError;

/** A signal that is aborted with the given one, and by a timeout that `begin` starts again and `end` stops. */
const watch = (signal: AbortSignal | undefined): { signal: AbortSignal; begin(): void; end(): void } => {
  const controller = new AbortController();
  const dead = (): void => controller.abort(new TypeError('the feed is silent'));
  let timer = setTimeout(dead, SILENCE_MS);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    begin() {
      timer = setTimeout(dead, SILENCE_MS);
    },
    end: () => clearTimeout(timer),
  };
};

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
