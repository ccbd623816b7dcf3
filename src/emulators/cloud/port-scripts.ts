import { endianness } from 'node:os';
import { LARGEST, type Relay, relayAddress, relaysIn } from '../shared/network/relay.ts';
import type { InterfaceMapping } from './schema.ts';

/** A port that is served, as the command line of what serves it tells. */
export interface ServedPort {
  type: InterfaceMapping['type'];
  interface: string;
  relay: Relay;
}

const PAUSE_S = 0.2;
/** Ends of socat(1) after which its complaints are no longer written down. */
const TOLD = 100;

/**
 * Serves a TAP device that is there already, or an interface, as long as it is there. socat ends when the interface is taken down
 * or when a frame is too long for it; it is started again as soon as the interface is up, which the last digit of its flags
 * tells (IFF_UP is 1). One that cannot be opened ends it all; a socat with nothing to carry tries that first.
 */
const whileThere = (name: string, size: string, address: string, relay: Relay): string => {
  const place = `/sys/class/net/${name}`;
  return `n=0
while [ -e ${place} ]; do
  case $(cat ${place}/flags) in
  *[13579bdf])
    i=$(cat ${place}/ifindex) mtu=$(cat ${place}/mtu)
    socat -u /dev/null ${address} || break
    socat -b ${size} ${address} ${relayAddress(relay)}
    n=$((n + 1))
    [ $n -lt ${TOLD} ] || exec 2>/dev/null ;;
  esac
  sleep ${PAUSE_S}
done
[ -e ${place} ] || echo 'the interface ${name} is gone'
exit 1`;
};

/** A TAP device that there is not yet lives as long as the process. */
export const tapScript = (name: string, relay: Relay, existed: boolean): string => {
  const address = `TUN,tun-name=${name},tun-type=tap,iff-no-pi,iff-up`;
  return existed
    ? whileThere(name, LARGEST, address, relay)
    : `exec socat -b ${LARGEST} ${address} ${relayAddress(relay)}`;
};

/** packet(7): level, options and structures. */
const SOL_PACKET = 263;
const PACKET_ADD_MEMBERSHIP = 1;
const PACKET_IGNORE_OUTGOING = 23;
const PACKET_MR_PROMISC = 1;

/** A little more than a VLAN tag: a longer frame would be refused by the interface, and that would end socat. */
const HEADERS = 18;

/**
 * Raw frames of an interface, all that it hears (promiscuous as long as the socket is open) and none that this host sends on it:
 * its own are not echoed, and what the host says is not the network's.
 */
export const ethernetScript = (name: string, relay: Relay): string => {
  const options = `setsockopt-int=${SOL_PACKET}:${PACKET_IGNORE_OUTGOING}:1`;
  const member = `setsockopt-bin=${SOL_PACKET}:${PACKET_ADD_MEMBERSHIP}:x`;
  // struct packet_mreq: the interface's number (32 bits), the type, the length of the address and the address itself.
  const octets = [0, 8, 16, 24].map((shift) => `$((i >> ${shift} & 255))`);
  const little = endianness() === 'LE';
  const index = (little ? octets : octets.reverse()).join(' ');
  const type = PACKET_MR_PROMISC.toString(16).padStart(2, '0');
  const rest = `${little ? `${type}00` : `00${type}`}${'00'.repeat(10)}`;
  const address = `INTERFACE:${name},${options},${member}$(printf %02x%02x%02x%02x ${index})${rest}`;
  return whileThere(name, `$((mtu + ${HEADERS}))`, address, relay);
};

/** Reads the port that a command line serves; null for any other command line. */
export const servedBy = (argv: readonly string[]): ServedPort | null => {
  const line = argv.join(' ');
  const [relay] = relaysIn(line);
  const [, tap, name = tap] = /(?:TUN,tun-name=([^, ]+)|INTERFACE:([^, ]+)),/.exec(line) ?? [];
  if (relay === undefined || name === undefined) return null;
  return { type: tap === undefined ? 'ethernet' : 'tap', interface: name, relay };
};
