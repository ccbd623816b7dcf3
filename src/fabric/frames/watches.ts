import { messageOf } from '../../common/errors.ts';
import { loadProgram, matches } from '../filters/bpf.ts';
import type { WallClock } from './timers.ts';
import { FabricError } from '../client/client.ts';
import { get16 } from '../codecs/bytes.ts';
import { decodeEthernet, ETHERTYPE_ARP, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../codecs/ethernet.ts';
import type { FabricEvent, WatchSpec } from '../protocol.ts';
import type { Cables } from './cables.ts';

/** Questions and answers of each sort are remembered up to this many; then the first are forgotten. */
const MOST = 64;

/**
 * Takes the frames of a cable, and says of one in direction `way` whether it proves both directions: it is an answer to who has asked
 * in the other since this was made, or it comes from who looked for an address in this direction and was told it in the other. A frame
 * that answers nothing proves none: the other direction may be dead.
 */
export const createReplyDetector = (way: 0 | 1): ((direction: 0 | 1, frame: Uint8Array) => boolean) => {
  const [askedHere, askedThere, told] = [new Set<string>(), new Set<string>(), new Set<string>()];
  return (direction, bytes) => {
    const frame = decodeEthernet(bytes);
    if (frame === null) return false;
    const { source, destination } = frame;
    const said = saidIn(frame);
    if (direction === way) {
      if (said?.looks === true && isGroup(destination)) keep(askedThere, `${said.what} ${source}`);
      if (said?.answers === true && askedHere.has(`${said.what} ${destination}`)) return true;
      return said?.looks !== true && told.has(`${source} ${destination}`);
    }
    if (said?.answers === false) keep(askedHere, `${said.what} ${source}`);
    if (said?.answers === true && said.looks && askedThere.has(`${said.what} ${destination}`))
      keep(told, `${destination} ${source}`);
    return false;
  };
};

const keep = (these: Set<string>, one: string): void => {
  these.add(one);
  const [first] = these;
  if (these.size > MOST && first !== undefined) these.delete(first);
};

/** The lowest bit of the first octet (IEEE 802): more than one may take it. */
const isGroup = (mac: number): boolean => Math.floor(mac / 2 ** 40) % 2 === 1;

interface Said {
  what: 'arp' | 'icmp' | 'nd' | 'tcp';
  answers: boolean;
  /** It is about where an address is. */
  looks: boolean;
}

const saidIn = ({
  ethertype,
  payload,
}: Pick<NonNullable<ReturnType<typeof decodeEthernet>>, 'ethertype' | 'payload'>): Said | null => {
  // The operation of ARP (RFC 826): 1 request, 2 reply.
  if (ethertype === ETHERTYPE_ARP && payload.length >= 8) return said('arp', get16(payload, 6), 1, 2);
  if (ethertype === ETHERTYPE_IPV4 && payload.length >= 20)
    return inTransport(payload[9] ?? 0, payload.subarray(((payload[0] ?? 0) & 15) * 4));
  if (ethertype === ETHERTYPE_IPV6 && payload.length >= 40) return inTransport(payload[6] ?? 0, payload.subarray(40));
  return null;
};

/** Protocols: 1 ICMP (RFC 792), 58 ICMPv6 (RFC 4443, RFC 4861), 6 TCP (RFC 9293), whose SYN is answered by SYN and ACK. */
const inTransport = (protocol: number, of: Uint8Array): Said | null => {
  const [type = -1] = of;
  if (protocol === 1) return said('icmp', type, 8, 0);
  if (protocol === 58) return said('icmp', type, 128, 129) ?? said('nd', type, 135, 136);
  return protocol === 6 ? said('tcp', (of[13] ?? 0) & 0x12, 0x02, 0x12) : null;
};

const said = (what: Said['what'], code: number, question: number, answer: number): Said | null =>
  code === question || code === answer
    ? { what, answers: code === answer, looks: what === 'arp' || what === 'nd' }
    : null;

export interface Watches {
  put(spec: WatchSpec): void;
  remove(watchId: string): void;
  removeProject(projectId: string): void;
}

interface Watch {
  spec: WatchSpec;
  isFor(direction: 0 | 1, frame: Uint8Array): boolean;
}

/** Octets of a frame that are told. */
const HEAD = 128;

interface Parts {
  cables: Pick<Cables, 'watch'>;
  clock: WallClock;
  emit: (event: FabricEvent) => void;
}

/** Cables with somebody who waits for a frame. One without costs a comparison for each frame, and nothing else. */
export function createWatches({ cables, clock, emit }: Parts): Watches {
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
