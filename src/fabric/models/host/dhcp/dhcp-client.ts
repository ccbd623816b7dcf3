import { DHCP_OPTION, DHCP_TYPE, type DhcpMessage, messageType, numberOption } from '../../../codecs/dhcp.ts';
import type { ModelContext } from '../../../process/model.ts';
import type { ClientMessage, DhcpExchange } from './dhcp-exchange.ts';
import type { Lease } from '../ip-host.ts';
import { leasePhase, type LeaseTerms, leaseTerms, nextAttention } from './lease-terms.ts';
import type { Waits } from '../waits.ts';

const DISCOVER_WAITS = [1000, 2000, 4000];
const REQUEST_WAITS = [1000, 2000];
/** To a request. */
const ANSWERS = [DHCP_TYPE.ack, DHCP_TYPE.nak];

type DhcpProgress = (letter: 'D' | 'O' | 'R' | 'A') => void;

interface Options {
  exchange: DhcpExchange;
  waits: Waits;
  now: () => number;
  timer: ModelContext['timer'];
  random: () => number;
  inUse: (address: number, signal?: AbortSignal) => Promise<boolean>;
  /** The host takes the lease's settings; null: it loses its address. */
  install: (lease: Lease | null) => void;
}

/** RFC 2131, figure 5. */
export class DhcpClient {
  readonly #options: Options;
  #terms: LeaseTerms | null = null;
  #clock: { cancel(): void } | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  get lease(): Lease | null {
    return this.#terms?.lease ?? null;
  }

  async acquire(progress: DhcpProgress, signal?: AbortSignal): Promise<Lease | null> {
    const { exchange, inUse } = this.#options;
    for (const ms of DISCOVER_WAITS) {
      if (this.#over(signal)) return null;
      progress('D');
      const discover: ClientMessage = { type: 'discover', transaction: this.#transaction() };
      const offer = await exchange.ask(discover, [DHCP_TYPE.offer], ms, signal);
      const server = offer === null ? null : numberOption(offer, DHCP_OPTION.server);
      if (offer === null || server === null) continue;
      progress('O');
      const request = { transaction: discover.transaction, requested: offer.yourAddress, server };
      const granted = this.#grantIn(await this.#requestOffered(request, progress, signal));
      if (granted === null) continue;
      progress('A');
      if (await inUse(granted.address, signal)) exchange.send({ type: 'decline', ...request });
      else if (!this.#over(signal)) return this.#take(granted);
    }
    return null;
  }

  async #requestOffered(
    request: Omit<ClientMessage, 'type'>,
    progress: DhcpProgress,
    signal?: AbortSignal,
  ): Promise<DhcpMessage | null> {
    for (const ms of REQUEST_WAITS) {
      if (this.#over(signal)) return null;
      progress('R');
      const answer = await this.#options.exchange.ask({ type: 'request', ...request }, ANSWERS, ms, signal);
      if (answer !== null) return answer;
    }
    return null;
  }

  async renew(signal?: AbortSignal): Promise<Lease | null> {
    const held = this.#terms;
    if (held === null) return null;
    const renewed = await this.#extend(held, false, signal);
    return renewed ?? (this.#terms === held && !this.#over(signal) ? this.#extend(held, true, signal) : null);
  }

  /** Asks the server of the lease, or everybody when `rebinding`; null when nobody answered. */
  async #extend(held: LeaseTerms, rebinding: boolean, signal?: AbortSignal): Promise<Lease | null> {
    const request: ClientMessage = { type: 'request', transaction: this.#transaction(), clientAddress: held.address };
    if (!rebinding) request.unicast = held.server;
    const answer = await this.#options.exchange.ask(request, ANSWERS, REQUEST_WAITS[1] ?? 2000, signal);
    // Released or replaced while the question was out.
    if (answer === null || this.#terms !== held) return null;
    const granted = this.#grantIn(answer);
    if (granted?.address === held.address) return this.#take(granted);
    this.#lose();
    return this.acquire(() => undefined, signal);
  }

  release(): void {
    if (this.#terms === null) return;
    const { address, server } = this.#terms;
    const transaction = this.#transaction();
    this.#options.exchange.send({ type: 'release', transaction, clientAddress: address, server, unicast: server });
    this.#lose();
  }

  /** The host has got an address by other means: the lease is no longer kept. */
  forget(): void {
    this.#hold(null);
  }

  #transaction(): number {
    return Math.floor(this.#options.random() * 0x100000000);
  }

  #over(signal?: AbortSignal): boolean {
    return this.#options.waits.stopped || signal?.aborted === true;
  }

  /** Null when the answer refuses or there is none. */
  #grantIn(answer: DhcpMessage | null): LeaseTerms | null {
    return answer !== null && messageType(answer) === DHCP_TYPE.ack ? leaseTerms(answer, this.#options.now()) : null;
  }

  #take(next: LeaseTerms): Lease {
    this.#hold(next);
    this.#options.install(next.lease);
    return next.lease;
  }

  #lose(): void {
    this.#hold(null);
    this.#options.install(null);
  }

  #hold(next: LeaseTerms | null): void {
    this.#clock?.cancel();
    this.#clock = null;
    this.#terms = next;
    if (next !== null) this.#attend(next);
  }

  /** Looks after a lease when it next wants it. */
  #attend(held: LeaseTerms): void {
    const { now, timer, waits } = this.#options;
    const wait = nextAttention(held, now() - held.lease.obtained);
    if (wait === Infinity) return;
    this.#clock = timer(wait, () => {
      const phase = leasePhase(held, now() - held.lease.obtained);
      if (phase === 'expired') return this.#lose();
      if (phase === 'bound') return this.#attend(held);
      void this.#extend(held, phase === 'rebinding').then(() => {
        if (this.#terms === held && !waits.stopped) this.#attend(held);
      });
    });
  }
}
