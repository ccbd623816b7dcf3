import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { until } from '../../common/promises.ts';
import type { EngineFactory, Missing } from '../kit/contract.ts';
import { programsLacking } from '../shared/network/privileges.ts';
import {
  releaseRelays,
  keepRelays,
  LARGEST,
  type Relay,
  relayAddress,
  relayEnd,
  relaysIn,
  takeRelays,
} from '../shared/network/relay.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import { natEngine, type NatPlan, type NatBackend, scriptOf } from './nat-engine.ts';
import { addressIn, freeSubnet } from './subnets.ts';

/** Leads out of the lab by libslirp-helper, which needs no privileges: one for each port. */
export const SLIRP: EngineFactory = natEngine('slirp', () => slirpBackend());

const PROGRAMS = { 'libslirp-helper': 'libslirp-helper', socat: 'socat' };

const slirpBackend = (): NatBackend => {
  const relays = new Map<string, Relay[]>();
  return {
    name: 'slirp',
    missing: (): Promise<Missing | null> => programsLacking(PROGRAMS, 'a NAT without privileges'),
    async prepare(node) {
      const taken = await takeRelays(node.ports.length);
      relays.set(node.node_id, taken);
      // If all are in use, the first hides as little of the host's networks as any other.
      return planOf(taken, (await freeSubnet(SUBNETS)) ?? SUBNETS[0]);
    },
    recall(node, script) {
      const found = relaysIn(script);
      const plan = planOf(found, subnetIn(script) ?? SUBNETS[0]);
      if (found.length !== node.ports.length || plan.script !== script) return Promise.resolve(null);
      relays.set(node.node_id, found);
      keepRelays(found);
      return Promise.resolve(plan);
    },
    clean({ node_id }) {
      releaseRelays(relays.get(node_id) ?? []);
      relays.delete(node_id);
      return Promise.resolve();
    },
  };
};

/** The ports of a NAT are numbered by their place, and so are the relays. */
const planOf = (relays: readonly Relay[], subnet: string): NatPlan => ({
  script: slirpScript(relays, subnet),
  to: ({ port_number }) => relayEnd(relays[port_number] ?? { fabric: 0, socat: 0 }),
  ready: async (signal) => {
    await Promise.all(relays.map((relay) => askForGateway(relay, gatewayOf(subnet), signal)));
  },
});

const AGAIN_MS = 25;
/** Locally administered address that nobody has. */
const SENDER = '02746c000001';
const ARP = 0x0806;
const REPLY = 2;
/** Offsets in an Ethernet frame: its type, and the operation of an ARP packet. */
const [TYPE_AT, OPERATION_AT] = [12, 20];

/**
 * Resolves once the gateway behind a relay answers an ARP probe (RFC 5227, 2.1.1), which names no sender address. The fabric is not
 * attached yet, so it is asked from here.
 */
const askForGateway = async (relay: Relay, gateway: string, signal: AbortSignal): Promise<void> => {
  const socket = createSocket('udp4');
  try {
    socket.bind(relay.fabric, '127.0.0.1');
    await once(socket, 'listening');
    // Datagrams that nobody takes yet are no failure.
    socket.on('error', () => undefined);
    let isAnswered = false;
    socket.on('message', (frame) => (isAnswered ||= isReply(frame)));
    const question = probeFor(gateway);
    const ask = (): boolean => {
      if (!isAnswered) socket.send(question, relay.socat, '127.0.0.1');
      return isAnswered;
    };
    await until(ask, { every: AGAIN_MS, signal });
  } finally {
    socket.close();
  }
};

const isReply = (frame: Buffer): boolean =>
  frame.length >= OPERATION_AT + 2 && frame.readUInt16BE(TYPE_AT) === ARP && frame.readUInt16BE(OPERATION_AT) === REPLY;

const probeFor = (address: string): Buffer =>
  Buffer.concat([
    Buffer.from(`ffffffffffff${SENDER}0806`, 'hex'),
    Buffer.from(`0001080006040001${SENDER}00000000000000000000`, 'hex'),
    Buffer.from(address.split('.').map(Number)),
  ]);

/** Networks behind a port, all /24: the first is the one that libslirp has always had. */
export const SUBNETS = ['10.0.2.0', '10.0.3.0', '172.30.2.0', '192.168.232.0'] as const;
/** Last numbers of the addresses in them. */
const HOST = 2;
const NAME_SERVER = 3;
const FIRST_LEASE = 15;

const gatewayOf = (subnet: string): string => addressIn(subnet, HOST);

/**
 * Script with one libslirp-helper for each relay. It speaks Ethernet frames on a connected datagram socket, which it inherits: here its
 * standard input, one end of the pair that socat(1) makes for it (`type=2`: SOCK_DGRAM).
 */
export const slirpScript = (relays: readonly Relay[], subnet: string): string =>
  scriptOf(
    relays.map((relay) =>
      joinWords(['socat', '-b', LARGEST, relayAddress(relay), `EXEC:${helper(subnet).join(' ')},type=2`]),
    ),
  );

const helper = (subnet: string): string[] => [
  'libslirp-helper',
  '--fd',
  '0',
  '--exit-with-parent',
  // The lab's guests are not to reach what listens on the host's loopback only; names are resolved all the same.
  ...['--disable-ipv6', '--disable-host-loopback'],
  ...['--net', `${subnet}/24`, '--host', gatewayOf(subnet)],
  ...['--dhcp-dns', addressIn(subnet, NAME_SERVER), '--dhcp-start', addressIn(subnet, FIRST_LEASE)],
];

/** Reads the network from a script that runs. */
export const subnetIn = (script: string): string | null => /--net (\d+\.\d+\.\d+\.\d+)\/24 /.exec(script)?.[1] ?? null;
