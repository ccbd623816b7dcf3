import { LARGEST, type Relay, relayAddress } from '../shared/network/relay.ts';
import { addressIn } from '../shared/network/subnets.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import { scriptOf } from './way.ts';

/** Networks behind a port, all /24: the first is the one that libslirp has always had. */
export const SUBNETS = ['10.0.2.0', '10.0.3.0', '172.30.2.0', '192.168.232.0'] as const;
/** Last numbers of the addresses in them. */
const HOST = 2;
const NAME_SERVER = 3;
const FIRST_LEASE = 15;

export const gatewayOf = (subnet: string): string => addressIn(subnet, HOST);

/**
 * One libslirp-helper for each relay. It speaks Ethernet frames on a connected datagram socket, which it inherits: here its
 * standard input, one end of the pair that socat(1) makes for it (`type=2`: SOCK_DGRAM).
 */
export const slirpScript = (relays: readonly Relay[], subnet: string): string =>
  scriptOf(
    relays.map((relay) =>
      joinWords(['socat', '-b', LARGEST, relayAddress(relay), `EXEC:${helper(subnet).join(' ')},type=2`]),
    ),
  );

const helper = (subnet: string): string[] => [
  ...['libslirp-helper', '--fd', '0', '--exit-with-parent'],
  // The lab's guests are not to reach what listens on the host's loopback only; names are resolved all the same.
  ...['--disable-ipv6', '--disable-host-loopback'],
  ...['--net', `${subnet}/24`, '--host', gatewayOf(subnet)],
  ...['--dhcp-dns', addressIn(subnet, NAME_SERVER), '--dhcp-start', addressIn(subnet, FIRST_LEASE)],
];

/** Of a script that runs. */
export const subnetIn = (script: string): string | null => /--net (\d+\.\d+\.\d+\.\d+)\/24 /.exec(script)?.[1] ?? null;
