import { DHCP_OPTION, DHCP_TYPE, type DhcpMessage, messageType, numberOption } from '../../codecs/dhcp.ts';
import type { ModelContext } from '../../process/model.ts';
import type { ClientMessage, DhcpExchange } from './dhcp-exchange.ts';
import type { Lease } from './ip-host.ts';
import { leasePhase, type LeaseTerms, leaseTerms, nextAttention } from './lease-terms.ts';
import type { Waits } from './waits.ts';

const DISCOVER_WAITS = [1000, 2000, 4000];
const REQUEST_WAITS = [1000, 2000];

type DhcpProgress = (letter: 'D' | 'O' | 'R' | 'A') => void;

export interface DhcpClient {
  readonly lease: Lease | null;
  acquire: (progress: DhcpProgress, signal?: AbortSignal) => Promise<Lease | null>;
  renew: (signal?: AbortSignal) => Promise<Lease | null>;
  release: () => void;
  /** The host has got an address by other means: the lease is no longer kept. */
  forget: () => void;
}

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
export function createDhcpClient({ exchange, waits, now, timer, random, inUse, install }: Options): DhcpClient {
  let terms: LeaseTerms | null = null;
  let clock: { cancel(): void } | null = null;

  const transaction = (): number => Math.floor(random() * 0x100000000);
  const over = (signal?: AbortSignal): boolean => waits.stopped || signal?.aborted === true;

  function hold(next: LeaseTerms | null): void {
    clock?.cancel();
    clock = null;
    terms = next;
    if (next !== null) attend(next);
  }

  function take(next: LeaseTerms): Lease {
    hold(next);
    install(next.lease);
    return next.lease;
  }

  function lose(): void {
    hold(null);
    install(null);
  }

  async function acquire(progress: DhcpProgress, signal?: AbortSignal): Promise<Lease | null> {
    for (const ms of DISCOVER_WAITS) {
      if (over(signal)) return null;
      progress('D');
      const discover: ClientMessage = { type: 'discover', transaction: transaction() };
      const offer = await exchange.ask(discover, [DHCP_TYPE.offer], ms, signal);
      const server = offer === null ? null : numberOption(offer, DHCP_OPTION.server);
      if (offer === null || server === null) continue;
      progress('O');
      const request = { transaction: discover.transaction, requested: offer.yourAddress, server };
      const granted = grantIn(await requestOffered(request, progress, signal));
      if (granted === null) continue;
      progress('A');
      if (await inUse(granted.address, signal)) exchange.send({ type: 'decline', ...request });
      else if (!over(signal)) return take(granted);
    }
    return null;
  }

  async function requestOffered(
    request: Omit<ClientMessage, 'type'>,
    progress: DhcpProgress,
    signal?: AbortSignal,
  ): Promise<DhcpMessage | null> {
    for (const ms of REQUEST_WAITS) {
      if (over(signal)) return null;
      progress('R');
      const answer = await exchange.ask({ type: 'request', ...request }, [DHCP_TYPE.ack, DHCP_TYPE.nak], ms, signal);
      if (answer !== null) return answer;
    }
    return null;
  }

  /** Null when the answer refuses or there is none. */
  const grantIn = (answer: DhcpMessage | null): LeaseTerms | null =>
    answer !== null && messageType(answer) === DHCP_TYPE.ack ? leaseTerms(answer, now()) : null;

  /** Asks the server of the lease, or everybody when `rebinding`; null when nobody answered. */
  async function extend(held: LeaseTerms, rebinding: boolean, signal?: AbortSignal): Promise<Lease | null> {
    const request: ClientMessage = { type: 'request', transaction: transaction(), clientAddress: held.address };
    if (!rebinding) request.unicast = held.server;
    const answer = await exchange.ask(request, [DHCP_TYPE.ack, DHCP_TYPE.nak], REQUEST_WAITS[1] ?? 2000, signal);
    // Released or replaced while the question was out.
    if (answer === null || terms !== held) return null;
    const granted = grantIn(answer);
    if (granted?.address === held.address) return take(granted);
    lose();
    return acquire(() => undefined, signal);
  }

  /** Looks after a lease when it next wants it. */
  function attend(held: LeaseTerms): void {
    const wait = nextAttention(held, now() - held.lease.obtained);
    if (wait === Infinity) return;
    clock = timer(wait, () => {
      const phase = leasePhase(held, now() - held.lease.obtained);
      if (phase === 'expired') return lose();
      if (phase === 'bound') return attend(held);
      void extend(held, phase === 'rebinding').then(() => {
        if (terms === held && !waits.stopped) attend(held);
      });
    });
  }

  return {
    get lease() {
      return terms?.lease ?? null;
    },
    acquire,
    async renew(signal) {
      const held = terms;
      if (held === null) return null;
      const renewed = await extend(held, false, signal);
      return renewed ?? (terms === held && !over(signal) ? extend(held, true, signal) : null);
    },
    release() {
      if (terms === null) return;
      const { address, server } = terms;
      exchange.send({ type: 'release', transaction: transaction(), clientAddress: address, server, unicast: server });
      lose();
    },
    forget: () => hold(null),
  };
}
