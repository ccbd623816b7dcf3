import { WebSocket } from 'ws';
import { z } from 'zod';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import { boundedJson, BOUNDS } from '../../common/json.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type { ComputeCapabilities } from '../../events/server-fields.ts';
import type { ComputeClient, HttpComputeClient, Identity } from './client.ts';
import { unreachable } from './errors.ts';
import { type ComputeInfo, createClient, handshake } from './handshake.ts';
import { authorizationOf, originOf, socketsTo, type Target } from './target.ts';

/** A frame of the compute feed; a ping has no project. Further keys are ignored. */
const frame = z.looseObject({
  action: z.string(),
  event: z.looseObject({}),
  project_id: z.string().nullish(),
});
export type FeedFrame = z.infer<typeof frame>;

interface FeedListener {
  /** The feed is open; `address`: this machine's, by which it reaches the compute. */
  opened(address: string | null): void;
  received(frame: FeedFrame): void;
  ended(reason: string): void;
}

/** Pauses after the first attempts. Milliseconds. */
const AGAIN_MS = [250, 500, 1_000];
/** Attempts after which the pause is doubled, again and again up to the longest. */
const DOUBLED_AFTER = 60;
const LONGEST_MS = 30_000;

/** Milliseconds until the next attempt. `attempts`: failed ones in a row. */
export const pauseAfter = (attempts: number): number =>
  AGAIN_MS[attempts] ?? Math.min(LONGEST_MS, 1_000 * 2 ** Math.floor(attempts / DOUBLED_AFTER));

/** Pause after a refusal, which may be lifted. Milliseconds. */
const REFUSED_MS = 5_000;

/** CPU and memory in percent, by the pings of a compute. */
export interface ComputeLoad {
  cpu_usage_percent: number;
  memory_usage_percent: number;
}

const load = z.object({ cpu_usage_percent: z.number(), memory_usage_percent: z.number() });

export interface ComputeListener {
  /** Connected, at first or again after a loss. The compute is not used before this has resolved. */
  connected(capabilities: ComputeCapabilities): Promise<void>;
  /** Silent for too long, or not usable. Called once until it is connected again. */
  lost(reason: string): void;
  /** A frame other than a ping. */
  received(frame: FeedFrame): void;
  loadChanged(): void;
}

interface Parts {
  target: Target;
  /** For a new connection. Throws `lease_lost`. */
  identity: () => Identity;
  /** Longest silence. Milliseconds. */
  silenceMs: number;
  /** Take the compute from another controller. */
  take: boolean;
  listener: ComputeListener;
}

/** The connection to another compute, which is made again after each loss until it is closed. */
export class RemoteCompute {
  readonly #parts: Parts;
  #identity: Identity | undefined;
  #client: HttpComputeClient | null = null;
  #feed: ComputeFeed | null = null;
  #state: 'connecting' | 'connected' | 'closed' = 'connecting';
  #reason = 'it is just being connected to';
  #info: ComputeInfo | null = null;
  #load: ComputeLoad | null = null;
  #attempts = 0;
  #attempt: Promise<void> = Promise.resolve();
  #next: NodeJS.Timeout | undefined;
  /** Runs since the last sign of the compute. */
  #loss: NodeJS.Timeout | undefined;
  #isLost = false;
  #ownAddress: string | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get target(): Target {
    return this.#parts.target;
  }

  /** Identity of the last connection. */
  get identity(): Identity | undefined {
    return this.#identity;
  }

  get isConnected(): boolean {
    return this.#state === 'connected';
  }

  get isTopolog(): boolean {
    return this.#info?.capabilities.topolog != null;
  }

  /** Its engines; null: it does not tell them. */
  get engines(): ComputeInfo['engines'] {
    return this.#info?.engines ?? null;
  }

  /** Whether it has an engine for the kind, as far as it tells. */
  canRun({ name, alias }: Pick<Kind, 'name' | 'alias'>): boolean {
    const isKind = (type: string): boolean => type === name || type === alias;
    if (this.#info === null) return false;
    const { engines, capabilities } = this.#info;
    return engines === null
      ? capabilities.node_types.some(isKind)
      : engines.some(({ node_type, available }) => isKind(node_type) && available);
  }

  /** Claims it again after its claim was removed. False: it is not connected any more, or has another controller. */
  async claimAgain(): Promise<boolean> {
    const [client, identity] = [this.#client, this.#identity];
    if (!this.isConnected || client === null || identity === undefined) return false;
    return handshake(client, identity, false).then(
      () => this.isConnected,
      () => false,
    );
  }

  /** Resolves when the current attempt to connect has succeeded or failed. */
  settled(): Promise<void> {
    return this.#attempt;
  }

  get load(): ComputeLoad | null {
    return this.#load;
  }

  /** Why it cannot be used now; null: it can. */
  get problem(): string | null {
    return this.isConnected ? null : this.#reason;
  }

  /** Address of this machine as the compute sees it; null before the first connection. */
  get ownAddress(): string | null {
    return this.#ownAddress;
  }

  /** Seconds by which its clock is ahead of this machine's; null: not known. */
  get clockAhead(): number | null {
    return this.isConnected ? (this.#client?.clockAhead ?? null) : null;
  }

  /** Throws where it cannot be reached. */
  get client(): ComputeClient {
    if (this.#client === null || this.#state !== 'connected') throw unreachable(this.target.name, this.#reason);
    return this.#client;
  }

  connect(): void {
    this.#loss = setTimeout(() => this.#lose(), this.#parts.silenceMs).unref();
    this.#try();
  }

  /** Never connects. */
  leaveAlone(reason: string): void {
    this.#reason = reason;
    this.#lose();
  }

  #try(): void {
    this.#attempt = this.#connect();
  }

  close(): void {
    this.#state = 'closed';
    clearTimeout(this.#next);
    clearTimeout(this.#loss);
    this.#feed?.end('it was removed');
    this.#client?.end('it was removed');
  }

  async #connect(): Promise<void> {
    const { target } = this.#parts;
    try {
      this.#identity = this.#parts.identity();
    } catch (error) {
      // The lease is lost: another server writes by now.
      return this.#ended(null, reasonOf(error));
    }
    const identity = this.#identity;
    const client = await createClient(target, identity, (error) => {
      if (this.#state === 'connected') this.#ended(client, reasonOf(error), error);
    });
    if (this.#state === 'closed') return client.end('it was removed');
    this.#client = client;
    try {
      const info = await handshake(client, identity, this.#parts.take);
      const { capabilities } = info;
      if (capabilities.topolog !== null) client.useBatches();
      await this.#listen();
      this.#info = info;
      this.#attempts = 0;
      this.#isLost = false;
      clearTimeout(this.#loss);
      this.#state = 'connected';
      await this.#parts.listener.connected(capabilities);
    } catch (error) {
      this.#ended(client, reasonOf(error), error);
    }
  }

  #listen(): Promise<void> {
    const { target, silenceMs, listener } = this.#parts;
    const client = this.#client;
    return new Promise((resolve, reject) => {
      this.#feed = new ComputeFeed(target, silenceMs, {
        opened: (address) => {
          this.#ownAddress = plainAddress(address);
          resolve();
        },
        received: (frame) => {
          if (frame.action !== 'ping') return listener.received(frame);
          const found = load.safeParse(frame.event);
          if (found.success) this.#load = found.data;
          listener.loadChanged();
        },
        ended: (reason) => {
          reject(conflict(reason));
          if (client !== null && this.#state === 'connected') this.#ended(client, reason);
        },
      });
    });
  }

  /** The connection is over: requests under way fail, and another attempt is scheduled. */
  #ended(client: HttpComputeClient | null, reason: string, error?: unknown): void {
    if (this.#state === 'closed' || client !== this.#client) return;
    const wasConnected = this.#state === 'connected';
    this.#state = 'connecting';
    this.#reason = reason;
    this.#load = null;
    client?.end(reason);
    this.#client = null;
    this.#feed?.end(reason);
    // A refusal is not a matter of time.
    const isRefused = error instanceof TopologError && error.code === 'conflict';
    if (isRefused || reason.startsWith('nothing was heard')) this.#lose();
    else if (wasConnected) this.#loss = setTimeout(() => this.#lose(), this.#parts.silenceMs).unref();
    const pause = pauseAfter(this.#attempts++);
    this.#next = setTimeout(() => this.#try(), isRefused ? REFUSED_MS : pause).unref();
  }

  #lose(): void {
    clearTimeout(this.#loss);
    if (this.#isLost || this.#state !== 'connecting') return;
    this.#isLost = true;
    this.#parts.listener.lost(this.#reason);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof TopologError && 'reason' in error.details ? String(error.details['reason']) : messageOf(error);

/** IPv4 where a dual-stack socket tells the address as IPv6. */
const plainAddress = (address: string | null): string | null => address?.replace(/^::ffff:/, '') ?? null;

/** The feed of a compute, `/notifications/ws`. Silence for `silenceMs` ends it, as a compute sends a ping each second. */
class ComputeFeed {
  readonly #socket: WebSocket;
  readonly #listener: FeedListener;
  readonly #silence: NodeJS.Timeout;
  #ended = false;

  constructor(target: Target, silenceMs: number, listener: FeedListener) {
    this.#listener = listener;
    const url = `${originOf(target).replace(/^http/, 'ws')}/v2/compute/notifications/ws`;
    this.#socket = new WebSocket(url, {
      headers: authorizationOf(target),
      maxPayload: BOUNDS.message.size,
      ...socketsTo(target),
    });
    this.#silence = setTimeout(() => this.end(`nothing was heard of it for ${silenceMs / 1000} s`), silenceMs).unref();
    this.#socket.on('upgrade', ({ socket }) => listener.opened(socket.localAddress ?? null));
    this.#socket.on('message', (data: Buffer) => this.#receive(data.toString('utf8')));
    this.#socket.on('error', (error) => this.end(error.message));
    this.#socket.on('close', () => this.end('it has ended its feed'));
  }

  #receive(text: string): void {
    if (this.#ended) return;
    this.#silence.refresh();
    const found = parseFrame(text);
    if (found !== undefined) this.#listener.received(found);
  }

  end(reason: string): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#silence);
    this.#socket.terminate();
    this.#listener.ended(reason);
  }
}

/** undefined: not a frame, which is ignored. */
const parseFrame = (text: string): FeedFrame | undefined => {
  try {
    return frame.safeParse(boundedJson(text, BOUNDS.message)).data;
  } catch {
    return undefined;
  }
};
