import { get32 } from '../../codecs/bytes.ts';
import {
  decodeDns,
  DNS_CLASS_IN,
  DNS_PORT,
  DNS_TYPE_A,
  DNS_TYPE_AAAA,
  encodeDns,
  isDnsName,
} from '../../codecs/dns.ts';
import { formatIp, type IpAddress, parseIp, readIpv6 } from '../../codecs/ip-address.ts';
import type { IpService } from './ip-service.ts';
import { type UdpLayer, udpOutgoing } from './udp-layer.ts';
import type { Waits } from './waits.ts';

const TRIES = 2;
const WAIT = 1000;

interface Options {
  ip: IpService;
  udp: UdpLayer;
  waits: Waits;
  random: () => number;
}

export interface Query {
  name: string;
  servers: readonly string[];
  /** Tried first for names without a dot. */
  domain: string | null;
  /** Families in order of preference; the first that has an address counts. */
  families: readonly (4 | 6)[];
}

/** `none`: the server knows no such name; null: the server did not answer. */
type Answer = { address: string } | 'none' | null;

interface DnsResolver {
  resolve: (query: Query, signal?: AbortSignal) => Promise<string | null>;
}

export function createDnsResolver({ ip, udp, waits, random }: Options): DnsResolver {
  async function ask(server: IpAddress, question: Question, signal?: AbortSignal): Promise<Answer> {
    const route = await ip.resolveRoute(server, signal);
    if ('kind' in route) return null;
    const id = Math.floor(random() * 0x10000);
    const sourcePort = udp.freePort();
    const wait = waits.wait<Answer>(WAIT, null, signal);
    const port = udp.bind(sourcePort, (datagram, packet) => {
      const fromServer = packet.source === server && datagram.sourcePort === DNS_PORT;
      const answer = fromServer ? answerIn(datagram.payload, id, question) : null;
      if (answer !== null) wait.settle(answer);
    });
    const payload = encodeDns(questionFor(question, id));
    route.transmit(udpOutgoing({ sourcePort, destinationPort: DNS_PORT, payload }, route.source, server));
    const answer = await wait.promise;
    port.close();
    return answer;
  }

  async function askAll(question: Question, servers: readonly string[], signal?: AbortSignal): Promise<string | null> {
    for (const text of servers) {
      const server = parseIp(text);
      for (let tries = 0; server !== null && tries < TRIES; tries++) {
        const answer = await ask(server, question, signal);
        if (answer === 'none') return null;
        if (answer !== null) return answer.address;
      }
    }
    return null;
  }

  return {
    async resolve({ name, servers, domain, families }, signal) {
      if (parseIp(name) !== null) return name;
      const plain = name.replace(/\.$/, '');
      const names = domain !== null && !name.includes('.') ? [`${plain}.${domain}`, plain] : [plain];
      const questions = families.flatMap((family) =>
        names.filter(isDnsName).map((candidate) => ({ name: candidate, type: TYPES[family] })),
      );
      for (const question of questions) {
        const address = await askAll(question, servers, signal);
        if (address !== null) return address;
      }
      return null;
    },
  };
}

interface Question {
  name: string;
  type: number;
}

const TYPES = { 4: DNS_TYPE_A, 6: DNS_TYPE_AAAA } as const;

const questionFor = ({ name, type }: Question, id: number): Parameters<typeof encodeDns>[0] => ({
  id,
  response: false,
  truncated: false,
  recursionDesired: true,
  status: 0,
  questions: [{ name, type, class: DNS_CLASS_IN }],
  answers: [],
});

/** Null when the bytes do not answer this question. */
function answerIn(bytes: Uint8Array, id: number, { name, type }: Question): Answer {
  const message = decodeDns(bytes);
  const [question] = message?.questions ?? [];
  if (message?.response !== true || message.id !== id) return null;
  if (question?.name.toLowerCase() !== name.toLowerCase() || question.type !== type) return null;
  const length = type === DNS_TYPE_A ? 4 : 16;
  // CNAME records come before the address, as the server has followed them.
  const record = message.answers.find((answer) => answer.type === type && answer.data.length === length);
  if (message.status !== 0 || record === undefined) return 'none';
  return { address: formatIp(type === DNS_TYPE_A ? get32(record.data, 0) : readIpv6(record.data, 0)) };
}
