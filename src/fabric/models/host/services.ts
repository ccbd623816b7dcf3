import { UNSPECIFIED_IPV6 } from '../../codecs/ip-address.ts';
import { PROTOCOL_TCP, PROTOCOL_UDP } from '../../codecs/ipv4.ts';
import type { ModelContext } from '../../process/model.ts';
import { createDnsResolver, type Query } from './dns-resolver.ts';
import { echoReply } from './icmp.ts';
import type { ProbeOptions, ProbeResult } from './ip-host.ts';
import type { IpPacket, IpService, Outgoing } from './ip-service.ts';
import { Probes } from './probes.ts';
import { httpGet, type HttpNode, HttpResponder, type HttpUrl } from './http.ts';
import { type TcpConnection, TcpLayer } from './tcp.ts';
import { UdpLayer } from './udp-layer.ts';
import type { Waits } from './waits.ts';

interface Options {
  ip: IpService;
  waits: Waits;
  now: () => number;
  random: () => number;
  timer: ModelContext['timer'];
}

/** Handles packets for the node itself, over both families: echo replies, probes, names, HTTP. Makes rarer parts when first needed. */
export class Services implements HttpNode {
  readonly udp: UdpLayer;
  readonly #options: Options;
  #probes: Probes | null = null;
  #tcpLayer: TcpLayer | null = null;
  #responder: HttpResponder | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.udp = new UdpLayer(options.ip, options.random);
  }

  get #tcp(): TcpLayer {
    return (this.#tcpLayer ??= new TcpLayer(this.#options));
  }

  get #http(): HttpResponder {
    return (this.#responder ??= new HttpResponder(this.#tcp));
  }

  probe(to: string, options: Parameters<Probes['probe']>[1], signal?: AbortSignal): Promise<ProbeResult> {
    this.#probes ??= new Probes({ ...this.#options, udp: this.udp, tcp: this.#tcp });
    return this.#probes.probe(to, options, signal);
  }

  get served(): ReadonlyMap<number, string> {
    return this.#http.served;
  }

  serve(port: number, text: string): void {
    this.#http.serve(port, text);
  }

  unserve(port: number): void {
    this.#http.unserve(port);
  }

  async get(url: HttpUrl, signal: AbortSignal): ReturnType<HttpNode['get']> {
    let asked: Promise<string | null> | null = null;
    const use = (connection: TcpConnection): void => void (asked = httpGet(connection, url, signal));
    const options: ProbeOptions = { protocol: 'tcp', sequence: 1, identifier: 1, port: url.port, timeout_ms: HTTP_MS };
    const result = await this.probe(url.address, { ...options, use }, signal);
    if (asked === null) return { problem: refusalOf(result) };
    const answer = await (asked as Promise<string | null>);
    return answer === null ? { problem: 'the connection broke' } : { answer };
  }

  resolve(query: Query, signal?: AbortSignal): Promise<string | null> {
    return createDnsResolver({ ...this.#options, udp: this.udp }).resolve(query, signal);
  }

  /** Takes a whole packet for this node. */
  deliver(packet: IpPacket): void {
    if (this.#probes?.receive(packet) === true) return;
    if (packet.protocol === PROTOCOL_UDP) return this.udp.receive(packet);
    if (packet.protocol === PROTOCOL_TCP) return this.#tcp.receive(packet);
    const answer = this.#answerTo(packet);
    if (answer !== null) this.#options.ip.send(answer);
  }

  #answerTo(packet: IpPacket): Outgoing | null {
    const { source, destination } = packet;
    const { ip } = this.#options;
    if (source === 0 || source === UNSPECIFIED_IPV6) return null;
    if (ip.isOwn(destination)) return echoReply(packet, destination);
    // Pings to a broadcast address are not answered, those to a group of IPv6 are (RFC 4443, section 4.2).
    return typeof source === 'bigint' ? echoReply(packet, ip.sourceFor(source)) : null;
  }

  stop(): void {
    this.#tcpLayer?.stop();
  }
}

/** Milliseconds for a connection. */
const HTTP_MS = 5000;

function refusalOf(result: ProbeResult): string {
  switch (result.kind) {
    case 'reply':
      return result.refused === true ? 'refused: nobody listens at the port' : 'there are too many connections';
    case 'timeout':
      return 'no answer';
    case 'unreachable':
    case 'exceeded':
      return `${result.from} says that it is not reachable`;
    case 'no_arp':
      return `${result.next_hop} is not reachable`;
    case 'no_route':
      return 'there is no route to it';
  }
}
