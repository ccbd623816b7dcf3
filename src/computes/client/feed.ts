import { WebSocket } from 'ws';
import { z } from 'zod';
import { BOUNDS, boundedJson } from '../../common/json.ts';
import { authorizationOf, originOf, socketsTo, type Target } from './target.ts';

/** A frame of the compute feed: a ping has no project. Further keys are not looked at. */
const frame = z.looseObject({
  action: z.string(),
  event: z.looseObject({}),
  project_id: z.string().nullish(),
});
export type FeedFrame = z.infer<typeof frame>;

export interface FeedHearing {
  /** It stands; `address`: of this machine, by which the compute is reached. */
  opened(address: string | null): void;
  heard(frame: FeedFrame): void;
  /** It is over, and why. */
  ended(reason: string): void;
}

/** What a compute tells, over `/notifications/ws`. Silence for `silenceMs` ends it: a compute tells something each second. */
export class ComputeFeed {
  readonly #socket: WebSocket;
  readonly #hearing: FeedHearing;
  readonly #silence: NodeJS.Timeout;
  #ended = false;

  constructor(target: Target, silenceMs: number, hearing: FeedHearing) {
    this.#hearing = hearing;
    const url = `${originOf(target).replace(/^http/, 'ws')}/v2/compute/notifications/ws`;
    this.#socket = new WebSocket(url, {
      headers: authorizationOf(target),
      maxPayload: BOUNDS.message.size,
      ...socketsTo(target),
    });
    this.#silence = setTimeout(() => this.end(`nothing was heard of it for ${silenceMs / 1000} s`), silenceMs).unref();
    this.#socket.on('upgrade', ({ socket }) => hearing.opened(socket.localAddress ?? null));
    this.#socket.on('message', (data: Buffer) => this.#hear(data.toString('utf8')));
    this.#socket.on('error', (error) => this.end(error.message));
    this.#socket.on('close', () => this.end('it has ended its feed'));
  }

  #hear(text: string): void {
    if (this.#ended) return;
    this.#silence.refresh();
    const found = parsed(text);
    if (found !== undefined) this.#hearing.heard(found);
  }

  end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#silence);
    this.#socket.terminate();
    this.#hearing.ended(reason);
  }
}

/** One that is not as it should be is no reason to give the compute up. */
const parsed = (text: string): FeedFrame | undefined => {
  try {
    return frame.safeParse(boundedJson(text, BOUNDS.message)).data;
  } catch {
    return undefined;
  }
};
