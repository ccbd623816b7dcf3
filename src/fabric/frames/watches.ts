import { messageOf } from '../../common/errors.ts';
import { loadProgram, matches } from '../filters/bpf.ts';
import type { WallClock } from './timers.ts';
import { FabricError } from '../client/client.ts';
import { get16 } from '../codecs/bytes.ts';
import { isGroupMac } from '../codecs/mac-address.ts';
import { decodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../codecs/ethernet.ts';
import type { FabricEvent, WatchSpec } from '../protocol.ts';
import type { Cables } from './cables.ts';

export interface Watches {
  put(spec: WatchSpec): void;
  remove(watchId: string): void;
  removeProject(projectId: string): void;
}

interface Watch {
  spec: WatchSpec;
  isFor(direction: 0 | 1, frame: Uint8Array): boolean;
}

/** Octets of a matched frame that its event has. */
const HEAD = 128;

interface WatchParts {
  cables: Pick<Cables, 'watch'>;
  clock: WallClock;
  emit: (event: FabricEvent) => void;
}

/** Waits for frames on cables. A cable without a watch costs one comparison a frame. */
export function createWatches({ cables, clock, emit }: WatchParts): Watches {
  const byCable = new Map<string, Map<string, Watch>>();

  const remove = (cableId: string, watchId: string): void => {
    const watches = byCable.get(cableId);
    if (watches?.delete(watchId) !== true || watches.size > 0) return;
    byCable.delete(cableId);
    cables.watch(cableId);
  };
  const seen = ({ spec }: Watch, direction: 0 | 1, frame: Uint8Array, number: number): void => {
    const { watch_id, project_id, cable_id } = spec;
    remove(cable_id, watch_id);
    const head = Buffer.from(frame.subarray(0, HEAD)).toString('hex');
    const about = { watch_id, project_id, cable_id, direction, number, octets: frame.length, head };
    emit({ type: 'watch.matched', ...about, at_us: clock.now() });
  };
  const all = (): Watch[] => [...byCable.values()].flatMap((watches) => [...watches.values()]);

  return {
    put(spec) {
      const watches = byCable.get(spec.cable_id) ?? new Map<string, Watch>();
      const watch = { spec, isFor: load(spec) };
      const isThere = cables.watch(spec.cable_id, (direction, frame, number) => {
        for (const one of [...watches.values()]) if (one.isFor(direction, frame)) seen(one, direction, frame, number);
      });
      if (!isThere) throw new FabricError('not_found', `There is no cable ${spec.cable_id}`);
      if (all().length === 0) clock.set();
      byCable.set(spec.cable_id, watches.set(spec.watch_id, watch));
    },
    remove(watchId) {
      for (const { spec } of all()) if (spec.watch_id === watchId) remove(spec.cable_id, watchId);
    },
    removeProject(projectId) {
      for (const { spec } of all()) if (spec.project_id === projectId) remove(spec.cable_id, spec.watch_id);
    },
  };
}

const load = (spec: WatchSpec): Watch['isFor'] => {
  if ('answers' in spec) return createReplyDetector(spec.answers);
  try {
    const program = loadProgram(spec.program);
    return (_, frame) => matches(program, frame);
  } catch (error) {
    throw new FabricError('invalid', messageOf(error));
  }
};

/** Requests or replies that each set remembers; the oldest is forgotten first. */
const MOST = 64;

/**
 * Takes the frames of a cable, and tells for one in direction `forth` whether it proves that both directions work: it answers a request
 * that went the other way, or its sender asked for an address in this direction and got the reply in the other. Any other frame proves
 * nothing: the other direction may be dead.
 */
export const createReplyDetector = (forth: 0 | 1): ((direction: 0 | 1, frame: Uint8Array) => boolean) => {
  /** `protocol source` of requests that went back, and of address lookups that went forth; `source destination` of answered lookups. */
  const [requests, lookups, answered] = [new Set<string>(), new Set<string>(), new Set<string>()];
  return (direction, bytes) => {
    const frame = decodeEthernet(bytes);
    if (frame === null) return false;
    const { source, destination } = frame;
    const message = roleOf(frame);
    if (direction === forth) {
      if (message?.isLookup === true && isGroupMac(destination)) remember(lookups, `${message.protocol} ${source}`);
      if (message?.isAnswer === true && requests.has(`${message.protocol} ${destination}`)) return true;
      return message?.isLookup !== true && answered.has(`${source} ${destination}`);
    }
    if (message?.isAnswer === false) remember(requests, `${message.protocol} ${source}`);
    if (message?.isAnswer === true && message.isLookup && lookups.has(`${message.protocol} ${destination}`))
      remember(answered, `${destination} ${source}`);
    return false;
  };
};

const remember = (set: Set<string>, key: string): void => {
  set.add(key);
  const [oldest] = set;
  if (set.size > MOST && oldest !== undefined) set.delete(oldest);
};

interface Role {
  protocol: 'arp' | 'icmp' | 'nd' | 'tcp';
  isAnswer: boolean;
  /** Resolves a link-layer address. */
  isLookup: boolean;
}

const roleOf = ({
  ethertype,
  payload,
}: Pick<NonNullable<ReturnType<typeof decodeEthernet>>, 'ethertype' | 'payload'>): Role | null => {
  // The operation of ARP (RFC 826): 1 request, 2 reply.
  if (ethertype === ETHERTYPE_ARP && payload.length >= 8) return role('arp', get16(payload, 6), 1, 2);
  if (ethertype === ETHERTYPE_IPV4 && payload.length >= 20)
    return inTransport(payload[9] ?? 0, payload.subarray(((payload[0] ?? 0) & 15) * 4));
  if (ethertype === ETHERTYPE_IPV6 && payload.length >= 40) return inTransport(payload[6] ?? 0, payload.subarray(40));
  return null;
};

/** Protocols: 1 ICMP (RFC 792), 58 ICMPv6 (RFC 4443, RFC 4861), 6 TCP (RFC 9293), whose SYN is answered by SYN and ACK. */
const inTransport = (protocol: number, of: Uint8Array): Role | null => {
  const [type = -1] = of;
  if (protocol === 1) return role('icmp', type, 8, 0);
  if (protocol === 58) return role('icmp', type, 128, 129) ?? role('nd', type, 135, 136);
  return protocol === 6 ? role('tcp', (of[13] ?? 0) & 0x12, 0x02, 0x12) : null;
};

const role = (protocol: Role['protocol'], code: number, question: number, answer: number): Role | null =>
  code === question || code === answer
    ? { protocol, isAnswer: code === answer, isLookup: protocol === 'arp' || protocol === 'nd' }
    : null;
