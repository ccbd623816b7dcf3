import { decodeDns, DNS_CLASS_IN, DNS_PORT, DNS_TYPE_A, encodeDns, isDnsName } from '../../codecs/dns.ts';
import { get32 } from '../../codecs/bytes.ts';
import { formatIpv4, parseIpv4 } from '../../codecs/ipv4-address.ts';
import type { IpLayer } from './ip-layer.ts';
import { type UdpLayer, udpOutgoing } from './udp-layer.ts';
import type { Waits } from './waits.ts';

const TRIES = 2;
const WAIT = 1000;

interface Options {
  ip: IpLayer;
  udp: UdpLayer;
  waits: Waits;
  random: () => number;
}

interface Query {
  name: string;
  servers: readonly string[];
  /** Tried first for names without a dot. */
  domain: string | null;
}

/** `none`: the server knows no such name; null: the server did not answer. */
type Answer = { address: string } | 'none' | null;

interface DnsResolver {
  resolve: (query: Query, signal?: AbortSignal) => Promise<string | null>;
}

export function createDnsResolver({ ip, udp, waits, random }: Options): DnsResolver {
  async function ask(server: number, name: string, signal?: AbortSignal): Promise<Answer> {
    const nextHop = ip.nextHop(server);
    const mac = nextHop === null ? null : await ip.resolve(nextHop, signal);
    const own = ip.configuration?.address;
    if (mac === null || own === undefined) return null;
    const id = Math.floor(random() * 0x10000);
    const sourcePort = udp.freePort();
    const wait = waits.wait<Answer>(WAIT, null, signal);
    const port = udp.bind(sourcePort, (datagram, packet) => {
      const fromServer = packet.source === server && datagram.sourcePort === DNS_PORT;
      const answer = fromServer ? answerIn(datagram.payload, id, name) : null;
      if (answer !== null) wait.settle(answer);
    });
    const payload = encodeDns(questionFor(name, id));
    ip.transmit(mac, udpOutgoing({ sourcePort, destinationPort: DNS_PORT, payload }, own, server));
    const answer = await wait.promise;
    port.close();
    return answer;
  }

  async function askAll(name: string, servers: readonly string[], signal?: AbortSignal): Promise<string | null> {
    for (const text of servers) {
      const server = parseIpv4(text);
      for (let tries = 0; server !== null && tries < TRIES; tries++) {
        const answer = await ask(server, name, signal);
        if (answer === 'none') return null;
        if (answer !== null) return answer.address;
      }
    }
    return null;
  }

  return {
    async resolve({ name, servers, domain }, signal) {
      if (parseIpv4(name) !== null) return name;
      const plain = name.replace(/\.$/, '');
      const names = domain !== null && !name.includes('.') ? [`${plain}.${domain}`, plain] : [plain];
      for (const candidate of names.filter(isDnsName)) {
        const address = await askAll(candidate, servers, signal);
        if (address !== null) return address;
      }
      return null;
    },
  };
}

const questionFor = (name: string, id: number): Parameters<typeof encodeDns>[0] => ({
  id,
  response: false,
  truncated: false,
  recursionDesired: true,
  status: 0,
  questions: [{ name, type: DNS_TYPE_A, class: DNS_CLASS_IN }],
  answers: [],
});

/** Null when the bytes are no answer to this question. */
function answerIn(bytes: Uint8Array, id: number, name: string): Answer {
  const message = decodeDns(bytes);
  const [question] = message?.questions ?? [];
  if (message?.response !== true || message.id !== id) return null;
  if (question?.name.toLowerCase() !== name.toLowerCase() || question.type !== DNS_TYPE_A) return null;
  // A CNAME chain comes before the address it leads to; the server has followed it.
  const record = message.answers.find((answer) => answer.type === DNS_TYPE_A && answer.data.length === 4);
  return message.status === 0 && record !== undefined ? { address: formatIpv4(get32(record.data, 0)) } : 'none';
}
