import { decodeTcp, EMPTY_SEGMENT, encodeTcp, type TcpSegment } from '../../../codecs/tcp.ts';
import { PROTOCOL_TCP } from '../../../codecs/ipv4.ts';
import type { ModelContext } from '../../../process/model.ts';
import type { IpPacket, IpService } from '../ip-service.ts';
import { TcpConnection, type TcpEnds } from './tcp-connection.ts';

/** A node of a lab has few; who wants more is told that the port is closed. */
const MOST_CONNECTIONS = 64;

interface Options {
  ip: IpService;
  random: () => number;
  timer: ModelContext['timer'];
}

/** What the other side of a connection that we began has answered. */
export interface Answered {
  ends: TcpEnds;
  /** Numbers of the next octets: ours and theirs. */
  sequence: number;
  expected: number;
  window: number;
}

const keyOf = ({ local, localPort, remote, remotePort }: TcpEnds): string =>
  `${typeof local} ${local} ${localPort} ${remote} ${remotePort}`;

/** Connections and ports that are listened at, over both families. */
export class TcpLayer {
  readonly #options: Options;
  readonly #connections = new Map<string, TcpConnection>();
  readonly #listeners = new Map<number, (connection: TcpConnection) => void>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** `accept` gets each connection before its handshake is over. */
  listen(port: number, accept: (connection: TcpConnection) => void): void {
    this.#listeners.set(port, accept);
  }

  unlisten(port: number): void {
    this.#listeners.delete(port);
  }

  /** Completes a handshake that we began. False when there are too many connections: the other side is told. */
  complete(answered: Answered, use: (connection: TcpConnection) => void): boolean {
    const { ends, sequence } = answered;
    if (this.#connections.size >= MOST_CONNECTIONS) {
      this.#reply(ends, { sequence, rst: true });
      return false;
    }
    this.#begin({ ...answered, state: 'established' }, use);
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

  #begin(told: Answered & { state: 'syn-received' | 'established' }, use: (connection: TcpConnection) => void): void {
    const { ip, timer } = this.#options;
    const key = keyOf(told.ends);
    const connection: TcpConnection = new TcpConnection({
      ...told,
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
