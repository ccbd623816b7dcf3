import { z } from 'zod';
import { conflict, messageOf, TopologError } from '../../common/errors.ts';
import type { Kind } from '../../emulators/kit/contract.ts';
import type { ComputeCapabilities } from '../../events/server-fields.ts';
import { unreachable } from './errors.ts';
import type { HttpComputeClient, Identity } from './client.ts';
import type { Target } from './target.ts';
import type { ComputeClient } from './client-contract.ts';
import { ComputeFeed, type FeedFrame } from './feed.ts';
import { connectionTo, type Greeted, greet } from './greeting.ts';

/** Between two attempts. Milliseconds. */
const AGAIN_MS = [250, 500, 1_000];
/** After so many attempts the pause is twice as long, up to the longest. */
const DOUBLED_AFTER = 60;
const LONGEST_MS = 30_000;

/** `attempts`: that failed one after another. Milliseconds. */
export const pauseAfter = (attempts: number): number =>
  AGAIN_MS[attempts] ?? Math.min(LONGEST_MS, 1_000 * 2 ** Math.floor(attempts / DOUBLED_AFTER));

/** One that refuses us may think better of it. */
const REFUSED_MS = 5_000;
/** CPU and memory in percent, as its pings tell. */
export interface ComputeLoad {
  cpu_usage_percent: number;
  memory_usage_percent: number;
}

const load = z.object({ cpu_usage_percent: z.number(), memory_usage_percent: z.number() });

export interface ComputeHearing {
  /** Once more after each loss. Nothing is asked of it before this has resolved. */
  connected(capabilities: ComputeCapabilities): Promise<void>;
  /** Told when it was silent for too long, or is not one to be used. Not again until it was connected. */
  lost(reason: string): void;
  /** A frame that is no ping. */
  heard(frame: FeedFrame): void;
  /** New figures. */
  loaded(): void;
}

interface Parts {
  target: Target;
  /** Of a new connection. */
  identity: () => Identity;
  /** Longest silence. Milliseconds. */
  silenceMs: number;
  /** This server takes it from another controller. */
  take: boolean;
  hearing: ComputeHearing;
}

/** A compute that is not this server: connected to as long as it is one of ours, again and again. */
export class RemoteCompute {
  readonly #parts: Parts;
  #identity: Identity | undefined;
  #client: HttpComputeClient | null = null;
  #feed: ComputeFeed | null = null;
  #state: 'connecting' | 'connected' | 'closed' = 'connecting';
  #reason = 'it is just being connected to';
  #greeted: Greeted | null = null;
  #load: ComputeLoad | null = null;
  #attempts = 0;
  #attempt: Promise<void> = Promise.resolve();
  #next: NodeJS.Timeout | undefined;
  /** Runs from the last sign of it. */
  #loss: NodeJS.Timeout | undefined;
  #isLost = false;
  /** Of this machine, by which it is reached. */
  #ownAddress: string | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get target(): Target {
    return this.#parts.target;
  }

  /** Of the last connection. */
  get identity(): Identity | undefined {
    return this.#identity;
  }

  get isConnected(): boolean {
    return this.#state === 'connected';
  }

  get isTopolog(): boolean {
    return this.#greeted?.capabilities.topolog != null;
  }

  /** What each engine of it needs; null: it does not say. */
  get engines(): Greeted['engines'] {
    return this.#greeted?.engines ?? null;
  }

  /** It has an engine for the kind, as far as it says. */
  canRun({ name, alias }: Pick<Kind, 'name' | 'alias'>): boolean {
    const isKind = (type: string): boolean => type === name || type === alias;
    if (this.#greeted === null) return false;
    const { engines, capabilities } = this.#greeted;
    return engines === null
      ? capabilities.node_types.some(isKind)
      : engines.some(({ node_type, available }) => isKind(node_type) && available);
  }

  /** Makes it ours again where somebody has made it nobody's. False: it is not connected any more, or is another's. */
  async claimAgain(): Promise<boolean> {
    const [client, identity] = [this.#client, this.#identity];
    if (!this.isConnected || client === null || identity === undefined) return false;
    return greet(client, identity, false).then(
      () => this.isConnected,
      () => false,
    );
  }

  /** Resolves when the connection that is being made stands, or has failed. */
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

  /** Address of this machine as it sees it; null before the first connection. */
  get ownAddress(): string | null {
    return this.#ownAddress;
  }

  /** Seconds by which its clock is ahead of this machine's; null: it is not known. */
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

  /** It is not asked anything. */
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
      // Another server writes by now, and this one is just learning it.
      return this.#ended(null, reasonOf(error));
    }
    const identity = this.#identity;
    const client = await connectionTo(target, identity, (error) => {
      if (this.#state === 'connected') this.#ended(client, reasonOf(error), error);
    });
    if (this.#state === 'closed') return client.end('it was removed');
    this.#client = client;
    try {
      const greeted = await greet(client, identity, this.#parts.take);
      const { capabilities } = greeted;
      if (capabilities.topolog !== null) client.batch();
      await this.#listen();
      this.#greeted = greeted;
      this.#attempts = 0;
      this.#isLost = false;
      clearTimeout(this.#loss);
      this.#state = 'connected';
      await this.#parts.hearing.connected(capabilities);
    } catch (error) {
      this.#ended(client, reasonOf(error), error);
    }
  }

  #listen(): Promise<void> {
    const { target, silenceMs, hearing } = this.#parts;
    const client = this.#client;
    return new Promise((resolve, reject) => {
      this.#feed = new ComputeFeed(target, silenceMs, {
        opened: (address) => {
          this.#ownAddress = plainAddress(address);
          resolve();
        },
        heard: (frame) => {
          if (frame.action !== 'ping') return hearing.heard(frame);
          const found = load.safeParse(frame.event);
          if (found.success) this.#load = found.data;
          hearing.loaded();
        },
        ended: (reason) => {
          reject(conflict(reason));
          if (client !== null && this.#state === 'connected') this.#ended(client, reason);
        },
      });
    });
  }

  /** What was under way fails, and it is tried again. */
  #ended(client: HttpComputeClient | null, reason: string, error?: unknown): void {
    if (this.#state === 'closed' || client !== this.#client) return;
    const wasConnected = this.#state === 'connected';
    this.#state = 'connecting';
    this.#reason = reason;
    this.#load = null;
    client?.end(reason);
    this.#client = null;
    this.#feed?.end(reason);
    // One that does not want us is no matter of time.
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
    this.#parts.hearing.lost(this.#reason);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof TopologError && 'reason' in error.details ? String(error.details['reason']) : messageOf(error);

/** Of IPv4 where a socket for both tells it as IPv6. */
const plainAddress = (address: string | null): string | null => address?.replace(/^::ffff:/, '') ?? null;
