import { concat } from '../../codecs/bytes.ts';
import type { IpAddress } from '../../codecs/ip-address.ts';
import { PROTOCOL_TCP } from '../../codecs/ipv4.ts';
import { decodeTcp, EMPTY_SEGMENT, encodeTcp, type TcpSegment } from '../../codecs/tcp.ts';
import type { ModelContext } from '../../process/model.ts';
import type { IpPacket, IpService, Outgoing } from './ip-service.ts';

/** Segment size that every path of either family carries (RFC 8200: packets of 1280), so that no path MTU is needed. */
const MOST_DATA = 1220;
const WINDOW = 65_535;
/** Octets that may wait to be sent or acknowledged; more abort the connection. */
const MOST_WAITING = 256 * 1024;
/** Milliseconds; the wait for an acknowledgment doubles with each try. */
const RETRANSMIT = 1000;
const MOST_TRIES = 4;
const IDLE = 60_000;
/** RFC 9293 requires minutes; a lab on one machine has no segments that late. Milliseconds. */
const TIME_WAIT = 1000;

export interface TcpEnds {
  local: IpAddress;
  localPort: number;
  remote: IpAddress;
  remotePort: number;
}

/** RFC 9293, section 3.3.2, without the states before a connection exists. */
export type TcpState =
  | 'syn-received'
  | 'established'
  | 'fin-wait-1'
  | 'fin-wait-2'
  | 'close-wait'
  | 'closing'
  | 'last-ack'
  | 'time-wait'
  | 'closed';

/** Callbacks of a connection's user. */
export interface TcpUser {
  data?: (bytes: Uint8Array) => void;
  /** The other side sends no more. */
  ended?: () => void;
  /** It is over; `clean` when both sides have ended it. */
  closed?: (clean: boolean) => void;
}

interface ConnectionOptions {
  ends: TcpEnds;
  /** Sequence numbers of the next octets in both directions; ours is that of the SYN while `state` is syn-received. */
  sequence: number;
  expected: number;
  window: number;
  state: 'syn-received' | 'established';
  send: (outgoing: Outgoing) => void;
  timer: ModelContext['timer'];
  forget: () => void;
}

/** How far `a` is ahead of `b` around the circle of sequence numbers. */
const ahead = (a: number, b: number): number => (a - b) | 0;

/** One connection: ordered data, retransmission, and closing of both sides. Drops segments out of order, which are then sent again. */
export class TcpConnection {
  user: TcpUser = {};
  readonly ends: TcpEnds;
  readonly #options: ConnectionOptions;
  #state: TcpState;
  /** First octet that is not acknowledged, and the next one to be sent. */
  #unacknowledged: number;
  #next: number;
  #expected: number;
  #window: number;
  /** Octets from `#unacknowledged` on. */
  #waiting: Uint8Array = new Uint8Array(0);
  #isEnding = false;
  #isBusy = false;
  readonly #outgoing: Outgoing[] = [];
  #tries = 0;
  #retransmit: { cancel(): void } | null = null;
  #idle: { cancel(): void } | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.ends = options.ends;
    this.#state = options.state;
    this.#unacknowledged = options.sequence;
    this.#next = options.sequence;
    this.#expected = options.expected;
    this.#window = options.window;
    this.#watchIdle();
  }

  get state(): TcpState {
    return this.#state;
  }

  /** Answers the SYN or SYN-ACK of the other side; then `use` may write. */
  open(use: () => void): void {
    this.#run(() => {
      if (this.#state === 'syn-received') {
        const mss = Uint8Array.of(2, 4, MOST_DATA >>> 8, MOST_DATA & 255);
        this.#emit({ syn: true, sequence: this.#next, options: mss });
        this.#next = (this.#next + 1) >>> 0;
        this.#watch();
      } else this.#emit({});
      use();
    });
  }

  write(bytes: Uint8Array): void {
    if (this.#isEnding || this.#state === 'closed') return;
    if (this.#waiting.length + bytes.length > MOST_WAITING) return this.abort();
    this.#waiting = concat(this.#waiting, bytes);
    this.#run(() => this.#pump());
  }

  /** Sends no more; the connection is over when the other side has ended as well. */
  close(): void {
    if (this.#isEnding || this.#state === 'closed') return;
    this.#isEnding = true;
    this.#run(() => this.#pump());
  }

  abort(): void {
    if (this.#state === 'closed') return;
    this.#run(() => {
      this.#emit({ rst: true });
      this.#finish(false);
    });
  }

  /** The node stops: nothing more is sent. */
  drop(): void {
    this.#finish(false);
  }

  receive(segment: TcpSegment): void {
    this.#watchIdle();
    this.#run(() => this.#process(segment));
  }

  /** Over embedded cables the answer arrives within the call that sends, so segments are sent only once the state is consistent. */
  #run(work: () => void): void {
    if (this.#isBusy) return work();
    this.#isBusy = true;
    try {
      work();
      for (let outgoing = this.#outgoing.shift(); outgoing !== undefined; outgoing = this.#outgoing.shift())
        this.#options.send(outgoing);
    } finally {
      this.#isBusy = false;
    }
  }

  #process(segment: TcpSegment): void {
    if (segment.rst) {
      if (segment.sequence === this.#expected) this.#finish(false);
      return;
    }
    // RFC 5961: an unexpected SYN gets an acknowledgment.
    if (segment.syn || !segment.ack) return this.#emit({});
    this.#acknowledged(segment);
    if (this.#state === 'closed') return;
    this.#take(segment);
    if (this.#isOpen()) this.#pump();
  }

  #isOpen(): boolean {
    return this.#state !== 'closed' && this.#state !== 'time-wait';
  }

  #acknowledged({ acknowledgment, window }: TcpSegment): void {
    const fresh = ahead(acknowledgment, this.#unacknowledged);
    if (fresh < 0 || ahead(acknowledgment, this.#next) > 0) return;
    this.#window = window;
    if (fresh === 0) return;
    // SYN and FIN count as one octet each, and are not in `#waiting`.
    const isOfSyn = this.#state === 'syn-received';
    if (isOfSyn) this.#state = 'established';
    this.#waiting = this.#waiting.slice(isOfSyn ? fresh - 1 : fresh);
    this.#unacknowledged = acknowledgment;
    this.#tries = 0;
    this.#retransmit?.cancel();
    this.#retransmit = null;
    if (this.#unacknowledged !== this.#next) return this.#watch();
    if (this.#state === 'fin-wait-1') this.#state = 'fin-wait-2';
    else if (this.#state === 'closing') this.#beginTimeWait();
    else if (this.#state === 'last-ack') this.#finish(true);
  }

  #take({ sequence, payload, fin }: TcpSegment): void {
    if (payload.length === 0 && !fin) return;
    if (sequence !== this.#expected) return this.#emit({});
    this.#expected = (this.#expected + payload.length + (fin ? 1 : 0)) >>> 0;
    this.#emit({});
    if (payload.length > 0) this.user.data?.(payload);
    if (fin && this.#state !== 'closed') this.#otherEnded();
  }

  #otherEnded(): void {
    if (this.#state === 'established') this.#state = 'close-wait';
    else if (this.#state === 'fin-wait-1') this.#state = 'closing';
    else if (this.#state === 'fin-wait-2') this.#beginTimeWait();
    this.user.ended?.();
  }

  /** Sends as much as the window allows, and then the FIN. */
  #pump(): void {
    if (this.#state === 'syn-received') return;
    for (;;) {
      const sent = ahead(this.#next, this.#unacknowledged);
      // A zero window is probed with one octet, to learn when it opens.
      const room = Math.min(Math.max(this.#window, 1) - sent, MOST_DATA);
      const part = this.#waiting.subarray(sent, sent + Math.max(room, 0));
      if (part.length === 0) break;
      this.#emit({ sequence: this.#next, payload: part, push: true });
      this.#next = (this.#next + part.length) >>> 0;
      this.#watch();
    }
    const isAllSent = ahead(this.#next, this.#unacknowledged) === this.#waiting.length;
    const ends = { established: 'fin-wait-1', 'close-wait': 'last-ack' } as const;
    if (!this.#isEnding || !isAllSent || (this.#state !== 'established' && this.#state !== 'close-wait')) return;
    this.#emit({ fin: true, sequence: this.#next });
    this.#next = (this.#next + 1) >>> 0;
    this.#state = ends[this.#state];
    this.#watch();
  }

  /** Retransmits from the first unacknowledged octet. */
  #again(): void {
    this.#retransmit = null;
    this.#tries += 1;
    if (this.#tries > MOST_TRIES) return this.abort();
    const sequence = this.#unacknowledged;
    const sent = ahead(this.#next, sequence);
    const payload = this.#waiting.subarray(0, Math.min(sent, MOST_DATA));
    if (this.#state === 'syn-received') this.#emit({ syn: true, sequence });
    else if (payload.length > 0) this.#emit({ sequence, payload, push: true });
    else this.#emit({ fin: true, sequence });
    this.#watch();
  }

  #watch(): void {
    this.#retransmit ??= this.#options.timer(RETRANSMIT * 2 ** this.#tries, () => this.#run(() => this.#again()));
  }

  #watchIdle(): void {
    if (this.#state === 'closed' || this.#state === 'time-wait') return;
    this.#idle?.cancel();
    this.#idle = this.#options.timer(IDLE, () => this.abort());
  }

  #beginTimeWait(): void {
    this.#state = 'time-wait';
    this.#idle?.cancel();
    this.#retransmit?.cancel();
    this.#idle = this.#options.timer(TIME_WAIT, () => this.#finish(true));
  }

  #finish(isClean: boolean): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#idle?.cancel();
    this.#retransmit?.cancel();
    this.#options.forget();
    this.user.closed?.(isClean);
  }

  #emit(part: Partial<TcpSegment>): void {
    const { local, localPort, remote, remotePort } = this.ends;
    const segment: TcpSegment = {
      ...EMPTY_SEGMENT,
      sourcePort: localPort,
      destinationPort: remotePort,
      sequence: this.#next,
      acknowledgment: this.#expected,
      ack: true,
      window: WINDOW,
      ...part,
    };
    const payload = encodeTcp(segment, local, remote);
    this.#outgoing.push({ protocol: PROTOCOL_TCP, source: local, destination: remote, payload });
  }
}

/** Connections of a node; more are refused. */
const MOST_CONNECTIONS = 64;

interface LayerOptions {
  ip: IpService;
  random: () => number;
  timer: ModelContext['timer'];
}

/** A handshake that we began, after the SYN-ACK of the other side. */
export interface Handshake {
  ends: TcpEnds;
  /** Numbers of the next octets: ours and theirs. */
  sequence: number;
  expected: number;
  window: number;
}

const keyOf = ({ local, localPort, remote, remotePort }: TcpEnds): string =>
  `${typeof local} ${local} ${localPort} ${remote} ${remotePort}`;

/** Connections and listening ports, over both families. */
export class TcpLayer {
  readonly #options: LayerOptions;
  readonly #connections = new Map<string, TcpConnection>();
  readonly #listeners = new Map<number, (connection: TcpConnection) => void>();

  constructor(options: LayerOptions) {
    this.#options = options;
  }

  /** `accept` gets each connection before its handshake is over. */
  listen(port: number, accept: (connection: TcpConnection) => void): void {
    this.#listeners.set(port, accept);
  }

  unlisten(port: number): void {
    this.#listeners.delete(port);
  }

  /** Completes a handshake that we began. False, after a RST, when there are too many connections. */
  complete(handshake: Handshake, use: (connection: TcpConnection) => void): boolean {
    const { ends, sequence } = handshake;
    if (this.#connections.size >= MOST_CONNECTIONS) {
      this.#reply(ends, { sequence, rst: true });
      return false;
    }
    this.#begin({ ...handshake, state: 'established' }, use);
    return true;
  }

  receive(packet: IpPacket): void {
    const segment = decodeTcp(packet.payload, packet.source, packet.destination);
    if (segment === null || !this.#options.ip.isOwn(packet.destination)) return;
    const { sourcePort: remotePort, destinationPort: localPort } = segment;
    const ends: TcpEnds = { local: packet.destination, localPort, remote: packet.source, remotePort };
    const known = this.#connections.get(keyOf(ends));
    if (known !== undefined) return known.receive(segment);
    const accept = this.#listeners.get(localPort);
    const isNew = segment.syn && !segment.ack && !segment.rst && this.#connections.size < MOST_CONNECTIONS;
    if (accept === undefined || !isNew) return this.#refuse(ends, segment);
    const sequence = Math.floor(this.#options.random() * 0x100000000);
    const expected = (segment.sequence + 1) >>> 0;
    this.#begin({ ends, sequence, expected, window: segment.window, state: 'syn-received' }, accept);
  }

  stop(): void {
    for (const connection of [...this.#connections.values()]) connection.drop();
    this.#listeners.clear();
  }

  get size(): number {
    return this.#connections.size;
  }

  #begin(
    handshake: Handshake & { state: 'syn-received' | 'established' },
    use: (connection: TcpConnection) => void,
  ): void {
    const { ip, timer } = this.#options;
    const key = keyOf(handshake.ends);
    const connection: TcpConnection = new TcpConnection({
      ...handshake,
      send: (outgoing) => ip.send(outgoing),
      timer,
      forget: () => this.#connections.get(key) === connection && this.#connections.delete(key),
    });
    this.#connections.set(key, connection);
    connection.open(() => use(connection));
  }

  /** RFC 9293, section 3.10.7.1: the answer of a closed port; a reset is not answered. */
  #refuse(ends: TcpEnds, segment: TcpSegment): void {
    if (segment.rst) return;
    const length = segment.payload.length + (segment.syn ? 1 : 0) + (segment.fin ? 1 : 0);
    const numbers = segment.ack
      ? { sequence: segment.acknowledgment }
      : { acknowledgment: (segment.sequence + length) >>> 0, ack: true };
    this.#reply(ends, { ...numbers, rst: true });
  }

  #reply({ local, localPort, remote, remotePort }: TcpEnds, part: Partial<TcpSegment>): void {
    const segment = { ...EMPTY_SEGMENT, sourcePort: localPort, destinationPort: remotePort, ...part };
    const payload = encodeTcp(segment, local, remote);
    this.#options.ip.send({ protocol: PROTOCOL_TCP, source: local, destination: remote, payload });
  }
}
