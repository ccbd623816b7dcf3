import { ApiError } from './error.ts';
import type { Schemas } from './operations.ts';

type Frame = Schemas['Frame'] | Schemas['ComputeFrame'];

/** What a listener shows to the others who look at the same project. */
export type Shown = Omit<Extract<Schemas['Frame'], { action: 'listener.updated' }>['event'], 'id'>;

export interface FeedOptions {
  /** Where to go on: a position of the log, or what `cursorOf` says of the last frame. Default: from now on. */
  since?: string | number | undefined;
  /** Also sends frames that are in no log: a project's feed who else listens and the traffic of links, the server's feed jobs. */
  live?: boolean | undefined;
  /** Who listens, for the others, on a server that asks nobody; of a live feed. */
  as?: string | undefined;
  /** A name for this listener that its further windows give as `beside`; of a live feed of a project. */
  seat?: string | undefined;
  /** The seat of the listener that this one is a further window of: as long as that is there, the others are not told of this one. */
  beside?: string | undefined;
  /** Ends the feed; it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Default: http, and websocket for the compute feed, which has no other. */
  over?: 'http' | 'websocket' | undefined;
  /** Of a live feed of a project over a WebSocket: what shows something to the other listeners; null while there is no connection. */
  onShow?: ((show: ((shown: Shown) => void) | null) => void) | undefined;
  /** Told whenever the connection is there or lost: only to show it, as the feed heals by itself. */
  onConnection?: ((stands: boolean) => void) | undefined;
}

/** Texts of frames from a cursor on, until the connection ends; `connected` is called once it stands. */
export type Listen = (cursor: string | undefined, signal: AbortSignal, connected: () => void) => AsyncIterable<string>;

/** Pauses between two tries, doubled each time. Milliseconds. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** A feed pings every 5 s: after this silence the connection is dead. Milliseconds. */
const SILENCE_MS = 20_000;

/** What `since` takes in order to go on behind a frame. */
export const cursorOf = ({ position, more }: Pick<Frame, 'position' | 'more'>): string =>
  more === undefined ? String(position) : `${position}.${more}`;

/**
 * Frames, without a gap and without a repetition however often the connection breaks. Throws what the first try throws, and later
 * only what another try would not fix. `ends`: whether nothing follows a frame.
 */
export async function* follow<F extends Frame>(
  listen: Listen,
  options: FeedOptions,
  ends: (frame: F) => boolean,
): AsyncGenerator<F, void, undefined> {
  const { signal } = options;
  let cursor = options.since === undefined ? undefined : String(options.since);
  let hasStood = false;
  let pauseMs = FIRST_PAUSE_MS;
  let stands = false;
  const tell = (now: boolean): void => {
    if (now !== stands) options.onConnection?.((stands = now));
  };
  const connected = (): void => {
    hasStood = true;
    tell(true);
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
      if (!hasStood || !passes(error)) throw error;
    } finally {
      silence.end();
    }
    tell(false);
    await pause(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** Whether it is worth another try: the network failed, or the server is starting, ending or full. */
const passes = (error: unknown): boolean =>
  error instanceof ApiError ? error.status >= 500 || error.status === 429 : error instanceof TypeError;

/** A signal that is aborted with the given one, and when nothing comes for too long. */
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
