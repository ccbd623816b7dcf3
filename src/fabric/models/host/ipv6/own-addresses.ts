import { inIpv6Prefix, isLinkLocalIpv6, solicitedNode } from '../../../codecs/ip-address.ts';

export type AddressOrigin = 'link-local' | 'static' | 'auto' | 'dhcp';

export interface OwnAddress {
  address: bigint;
  /** Bits. */
  prefix: number;
  origin: AddressOrigin;
  /** Times of `now()` until which it is used for new connections, and at all. Infinity: for ever. */
  preferredUntil: number;
  validUntil: number;
}

/** Bound for the addresses that routers and servers give. */
const MOST_ADDRESSES = 16;

/** The IPv6 addresses of one interface. Removes expired ones. */
export class OwnAddresses {
  readonly #now: () => number;
  #all: OwnAddress[];

  constructor(linkLocal: bigint, now: () => number) {
    this.#now = now;
    const forEver = { preferredUntil: Infinity, validUntil: Infinity };
    this.#all = [{ address: linkLocal, prefix: 64, origin: 'link-local', ...forEver }];
  }

  list(): readonly OwnAddress[] {
    const now = this.#now();
    if (this.#all.some(({ validUntil }) => validUntil <= now)) {
      this.#all = this.#all.filter(({ validUntil }) => validUntil > now);
    }
    return this.#all;
  }

  global(): OwnAddress[] {
    return this.list().filter(({ origin }) => origin !== 'link-local');
  }

  has(address: bigint): boolean {
    return this.list().some((own) => own.address === address);
  }

  /** False when there are too many. */
  add(added: OwnAddress): boolean {
    this.remove(({ address }) => address === added.address);
    if (this.#all.length >= MOST_ADDRESSES) return false;
    this.#all = [...this.#all, added];
    return true;
  }

  /** The link-local address stays. */
  remove(which: (own: OwnAddress) => boolean): void {
    this.#all = this.#all.filter((own) => own.origin === 'link-local' || !which(own));
  }

  listensTo(group: bigint): boolean {
    return this.list().some(({ address }) => solicitedNode(address) === group);
  }

  /** RFC 6724, section 5, simplified: the same scope, then not deprecated, then the longest common prefix. */
  sourceFor(destination: bigint): bigint | null {
    const now = this.#now();
    const isLocal = isLinkLocalIpv6(destination) || destination >> 112n === 0xff02n;
    const rank = ({ address, preferredUntil }: OwnAddress): number =>
      (preferredUntil > now ? 129 : 0) + commonBits(address, destination);
    const fitting = this.list().filter(({ origin }) => (origin === 'link-local') === isLocal);
    return (
      fitting.reduce<OwnAddress | null>((best, own) => (best === null || rank(own) > rank(best) ? own : best), null)
        ?.address ?? null
    );
  }

  /** Whether it is in the subnet of a configured or link-local address; routers advertise the other on-link prefixes. */
  isOnLink(destination: bigint): boolean {
    return this.list().some(
      ({ address, prefix, origin }) =>
        (origin === 'static' || origin === 'link-local') && inIpv6Prefix(destination, address, prefix),
    );
  }
}

function commonBits(a: bigint, b: bigint): number {
  const difference = a ^ b;
  return difference === 0n ? 128 : 128 - difference.toString(2).length;
}
