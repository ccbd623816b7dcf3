import { LARGEST, type Relay, relayAddress } from '../shared/network/relay.ts';
import { addressIn } from '../shared/network/subnets.ts';
import { joinWords } from '../shared/process/shell-words.ts';
import type { KernelNames } from './kernel-names.ts';
import { scriptOf } from './way.ts';

/** Networks behind a node, all /24. */
export const SUBNETS: readonly string[] = [
  ...Array.from({ length: 133 }, (_, n) => `192.168.${122 + n}.0`),
  ...Array.from({ length: 128 }, (_, n) => `172.31.${n}.0`),
];
/** Last numbers of the addresses in them: the gateway, what is leased, and the host's end of the way out. */
const [GATEWAY, FIRST_LEASE, LAST_LEASE, HOST] = [1, 2, 253, 254];

export const gatewayOf = (subnet: string): string => addressIn(subnet, GATEWAY);
export const hostOf = (subnet: string): string => addressIn(subnet, HOST);

export interface KernelRun {
  subnet: string;
  /** By port number. */
  relays: readonly Relay[];
  /** File that keeps the leases. */
  leases: string;
  /** File with the host's name servers; null: they are on its loopback, so the host must ask for the guests. */
  resolvers: string | null;
}

/** A TAP device for each port, and DHCP and DNS at the gateway. */
export const kernelScript = (names: KernelNames, run: KernelRun): string =>
  scriptOf(
    [
      ...run.relays.map((relay, port) => [
        ...['socat', '-b', LARGEST, `TUN,tun-name=${names.tap(port)},tun-type=tap,iff-no-pi`, relayAddress(relay)],
      ]),
      ['env', 'LC_ALL=C', 'ip', 'netns', 'exec', names.namespace, ...gatewayDnsmasq(run)],
      ...(run.resolvers === null ? [hostDnsmasq(run.subnet)] : []),
    ].map(joinWords),
  );

/** dnsmasq(8): in the foreground, without the host's own settings and names. */
const DNSMASQ = ['dnsmasq', '-k', '--conf-file=/dev/null', '--pid-file=', '--log-facility=-', '--no-hosts'];

export const BRIDGE = 'br0';

const gatewayDnsmasq = ({ subnet, leases, resolvers }: KernelRun): string[] => [
  ...[...DNSMASQ, `--interface=${BRIDGE}`, '--except-interface=lo', '--bind-interfaces'],
  // Without the seconds in which it would look whether a free address answers.
  ...['--no-ping', '--dhcp-authoritative', `--dhcp-leasefile=${leases}`],
  `--dhcp-range=${addressIn(subnet, FIRST_LEASE)},${addressIn(subnet, LAST_LEASE)},255.255.255.0,1h`,
  ...(resolvers === null ? ['--no-resolv', `--server=${hostOf(subnet)}`] : [`--resolv-file=${resolvers}`]),
];

/** Asks the host's own name servers for those who cannot reach them. */
const hostDnsmasq = (subnet: string): string[] => [
  ...[...DNSMASQ, `--listen-address=${hostOf(subnet)}`, '--bind-interfaces', '--cache-size=0'],
];

/** What dnsmasq prints once it serves. */
export const SERVES = /^dnsmasq-dhcp(\[\d+\])?: DHCP, IP range/m;

/** Of a script that runs: the network, and how many ports there are. */
export const subnetIn = (script: string): string | null => {
  const first = /--dhcp-range=(\d+\.\d+\.\d+\.\d+),/.exec(script)?.[1];
  return first === undefined ? null : addressIn(first, 0);
};

/**
 * nft(8) rules of a node: its network goes out under the addresses of this host, and only answers come in. The table is made
 * again when it is there.
 */
export const rulesOf = ({ table, uplink }: KernelNames, subnet: string): string =>
  `${noRulesOf({ table })}
table ip ${table} {
  chain out {
    type nat hook postrouting priority 100; policy accept;
    ip saddr ${subnet}/24 oifname != "${uplink}" masquerade
  }
  chain in {
    type filter hook forward priority 0; policy accept;
    oifname "${uplink}" ct state != { established, related } drop
  }
}
`;

/** Added first, so that deleting a missing table is no error. */
export const noRulesOf = ({ table }: Pick<KernelNames, 'table'>): string =>
  `add table ip ${table}\ndelete table ip ${table}\n`;
