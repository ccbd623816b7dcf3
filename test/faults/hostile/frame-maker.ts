import type { Random } from '../prng.ts';

/** Frames of every kind that an embedded node may be sent, right and wrong: by their structure, octet by octet. */

export const HOST = { mac: [0x00, 0x50, 0x79, 0x66, 0x68, 0x01], address: [10, 0, 0, 1] } as const;

export type Octets = number[];
export const u16 = (n: number): Octets => [(n >>> 8) & 255, n & 255];
const u32 = (n: number): Octets => [...u16(n >>> 16), ...u16(n & 0xffff)];

/** RFC 1071. */
export const sum = (octets: Octets): Octets => {
  let total = 0;
  for (let n = 0; n < octets.length; n += 2) total += ((octets[n] ?? 0) << 8) | (octets[n + 1] ?? 0);
  while (total > 0xffff) total = (total & 0xffff) + (total >>> 16);
  return u16(~total & 0xffff);
};

export class FrameMaker {
  readonly #random: Random;
  /** Frames that reached what none had reached before. */
  readonly #kept: Uint8Array[] = [];
  readonly #most = 4096;

  constructor(random: Random) {
    this.#random = random;
  }

  keep(frames: readonly Uint8Array[]): void {
    this.#kept.push(...frames);
    if (this.#kept.length > this.#most) this.#kept.splice(0, this.#kept.length - this.#most);
  }

  make(): Uint8Array {
    const { below } = this.#random;
    const known = below(4) === 0 ? this.#random.pick(this.#kept) : undefined;
    const frame = known === undefined ? Uint8Array.from(this.#frame()) : known.slice();
    return below(3) === 0 ? this.#spoil(frame) : frame;
  }

  /** Cut, stretched, bits turned, lengths that lie. */
  #spoil(frame: Uint8Array): Uint8Array {
    const { below } = this.#random;
    switch (below(5)) {
      case 0:
        return frame.slice(0, below(frame.length + 1));
      case 1:
        return Uint8Array.from([...frame, ...this.#noise(below(2000))]);
      case 2: {
        const at = below(Math.max(1, frame.length - 1));
        frame.set(this.#number().slice(0, frame.length - at), at);
        return frame;
      }
      default:
        for (let times = 1 + below(4); times > 0 && frame.length > 0; times--)
          frame[below(frame.length)] = this.#random.pick([0, 1, 0x7f, 0x80, 0xff, below(256)]) ?? 0;
        return frame;
    }
  }

  #number(): Octets {
    return u16(this.#random.pick([0, 1, 0x7fff, 0x8000, 0xffff, this.#random.below(0x10000)]) ?? 0);
  }

  #noise(length: number): Octets {
    return Array.from({ length }, () => this.#random.below(256));
  }

  #mac(): Octets {
    const { below, pick } = this.#random;
    return (
      pick([[...HOST.mac], [255, 255, 255, 255, 255, 255], [1, 0, 0x5e, ...this.#noise(3)], [0, ...this.#noise(5)]]) ??
      this.#noise(below(7))
    );
  }

  #address(): Octets {
    const any: Octets[] = [
      [...HOST.address],
      [10, ...this.#noise(3)],
      [10, 0, 0, this.#random.below(256)],
      [255, 255, 255, 255],
      [0, 0, 0, 0],
    ];
    return this.#random.pick([...any, [224, 0, 0, 1], [127, 0, 0, 1], this.#noise(4)]) ?? [];
  }

  #frame(): Octets {
    const { below } = this.#random;
    switch (below(12)) {
      case 0:
        return this.#noise(below(1600));
      case 1:
        return this.#cell();
      case 2:
        return this.#frameRelay();
      default:
        return [...this.#mac(), ...this.#mac(), ...this.#tags(), ...this.#payload()];
    }
  }

  /** Of ATM: 53 octets, and AAL5 over them. */
  #cell(): Octets {
    return [...u16(this.#random.below(16) << 4), ...u16(this.#random.below(16) << 4), 0, ...this.#noise(48)];
  }

  #frameRelay(): Octets {
    const dlci = this.#random.pick([0, 100, 200, 1023, this.#random.below(1024)]) ?? 0;
    return [((dlci >>> 4) << 2) & 255, ((dlci & 15) << 4) | 1, ...u16(0x0800), ...this.#ipv4()];
  }

  #tags(): Octets {
    const tag = (): Octets => [
      ...u16(this.#random.pick([0x8100, 0x88a8, 0x9100, 0x9200]) ?? 0x8100),
      ...u16(this.#random.pick([0, 1, 5, 4094, 4095, this.#random.below(0x10000)]) ?? 0),
    ];
    return Array.from({ length: this.#random.pick([0, 0, 0, 1, 2, 20]) ?? 0 }, tag).flat();
  }

  #payload(): Octets {
    const { below } = this.#random;
    switch (below(9)) {
      case 0:
        return [...u16(0x0806), ...this.#arp()];
      case 1:
        return [...u16(0x86dd), ...this.#ipv6()];
      case 2: // LLC, a length in place of a type
        return [...u16(below(1600)), 0x42, 0x42, 3, ...this.#noise(below(60))];
      case 3:
        return [...u16(below(0x10000)), ...this.#noise(below(100))];
      default:
        return [...u16(0x0800), ...this.#ipv4()];
    }
  }

  #arp(): Octets {
    const sizes = this.#random.below(8) === 0 ? this.#noise(2) : [6, 4];
    const ends = [...this.#mac(), ...this.#address(), ...this.#mac(), ...this.#address()];
    return [...u16(1), ...u16(0x0800), ...sizes, ...u16(1 + this.#random.below(3)), ...ends];
  }

  #ipv4(depth = 0): Octets {
    const { below, pick } = this.#random;
    const [from, to] = [this.#address(), this.#address()];
    const [protocol, data] = this.#transport(from, to, depth);
    const options = below(6) === 0 ? this.#noise(4 * below(11)) : [];
    const fragment = below(5) === 0 ? below(0x10000) : (pick([0, 0x4000, 0x2000]) ?? 0);
    const length = below(10) === 0 ? below(0x10000) : 20 + options.length + data.length;
    const first = below(12) === 0 ? below(256) : 0x40 | (5 + options.length / 4);
    const head = [first, 0, ...u16(length), ...u16(below(20)), ...u16(fragment), below(256), protocol];
    const check = below(8) === 0 ? this.#noise(2) : sum([...head, ...from, ...to, ...options]);
    return [...head, ...check, ...from, ...to, ...options, ...data];
  }

  #transport(from: Octets, to: Octets, depth: number): [number, Octets] {
    const { below } = this.#random;
    switch (below(5)) {
      case 0:
        return [1, this.#icmp(depth)];
      case 1:
        return [6, this.#tcp(from, to)];
      case 2:
        return [below(256), this.#noise(below(100))];
      default:
        return [17, this.#udp(from, to)];
    }
  }

  #icmp(depth: number): Octets {
    const { below, pick } = this.#random;
    const type = pick([0, 3, 5, 8, 11, 12, below(256)]) ?? 0;
    const inner = (type === 3 || type === 11) && depth < 3 ? this.#ipv4(depth + 1) : this.#noise(below(200));
    const rest = [...u16(below(4)), ...u16(below(4)), ...inner];
    const head = [type, below(16)];
    return [...head, ...(below(8) === 0 ? this.#noise(2) : sum([...head, 0, 0, ...rest])), ...rest];
  }

  #tcp(from: Octets, to: Octets): Octets {
    const { below, pick } = this.#random;
    const ports = [...u16(pick([7, 80, 50_000, below(0x10000)]) ?? 7), ...u16(pick([7, 50_000, below(0x10000)]) ?? 7)];
    const options = this.#noise(4 * below(11));
    const offset = below(10) === 0 ? below(256) : (5 + options.length / 4) << 4;
    const head = [...ports, ...u32(below(2 ** 32)), ...u32(below(2 ** 32)), offset, below(256), ...u16(below(0x10000))];
    const data = [...options, ...this.#noise(below(50))];
    const length = u16(head.length + 4 + data.length);
    const check = sum([...from, ...to, 0, 6, ...length, ...head, 0, 0, 0, 0, ...data]);
    return [...head, ...(below(8) === 0 ? this.#noise(2) : check), 0, 0, ...data];
  }

  #udp(from: Octets, to: Octets): Octets {
    const { below, pick } = this.#random;
    const [source, target] = pick([
      [67, 68],
      [53, 50_000 + below(9)],
      [68, 67],
      [9, 7],
      [7, 9],
    ]) ?? [9, 9];
    const data = source === 67 || source === 68 ? this.#dhcp() : source === 53 ? this.#dns() : this.#noise(below(300));
    const length = u16(below(10) === 0 ? below(0x10000) : 8 + data.length);
    const head = [...u16(source ?? 9), ...u16(target ?? 9), ...length];
    const check = sum([...from, ...to, 0, 17, ...length, ...head, ...data]);
    return [...head, ...(pick([[0, 0], check, check, this.#noise(2)]) ?? check), ...data];
  }

  /** RFC 2131; options of any length, also endless ones. */
  #dhcp(): Octets {
    const { below, pick } = this.#random;
    const addresses = [...this.#address(), ...this.#address(), ...this.#address(), ...this.#address()];
    const head = [2, 1, 6, 0, ...u32(below(3)), 0, 0, 0, 0, ...addresses, ...HOST.mac, ...this.#noise(10)];
    const option = (): Octets => {
      const length = pick([0, 1, 4, 8, 255, below(256)]) ?? 0;
      return [
        pick([1, 3, 6, 15, 51, 53, 54, 58, 59, 0, below(256)]) ?? 0,
        length,
        ...this.#noise(below(20) === 0 ? 0 : length),
      ];
    };
    const message = [53, 1, 1 + below(8)];
    const options = [...message, ...Array.from({ length: below(12) }, option).flat(), ...(below(3) === 0 ? [] : [255])];
    return [...head, ...Array.from({ length: 192 }, () => 0), 0x63, 0x82, 0x53, 0x63, ...options];
  }

  /** RFC 1035; names that point at themselves. */
  #dns(): Octets {
    const { below, pick } = this.#random;
    const name = (): Octets =>
      pick([
        [0xc0, 12],
        [0xc0, below(256)],
        [0],
        [3, 112, 99, 49, 0],
        [63, ...this.#noise(below(64))],
        [...this.#noise(20)],
      ]) ?? [0];
    const answer = (): Octets => [
      ...name(),
      ...u16(pick([1, 5, 28, below(99)]) ?? 1),
      ...u16(1),
      ...u32(below(99)),
      ...u16(pick([4, 0, 0xffff]) ?? 4),
      ...this.#address(),
    ];
    const counts = [...u16(1), ...u16(pick([1, 2, 0xffff]) ?? 1), ...u16(below(3)), ...u16(0)];
    const answers = Array.from({ length: below(30) }, answer).flat();
    return [...u16(below(0x10000)), 0x81, 0x80, ...counts, ...name(), ...u16(1), ...u16(1), ...answers];
  }

  #ipv6(): Octets {
    const { below, pick } = this.#random;
    const data = this.#noise(below(200));
    const next = pick([0, 6, 17, 43, 44, 58, 60, below(256)]) ?? 0;
    const length = u16(below(8) === 0 ? below(0x10000) : data.length);
    return [0x60, 0, 0, 0, ...length, next, 64, ...this.#noise(32), ...data];
  }
}
