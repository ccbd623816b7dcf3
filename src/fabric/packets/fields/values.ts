/** Names of values, by field. */
type Words = Readonly<Record<string, Readonly<Record<number, string>>>>;

const ETHERTYPES = {
  0x0800: 'IPv4',
  0x0806: 'ARP',
  0x8100: '802.1Q',
  0x86dd: 'IPv6',
  0x8847: 'MPLS',
  0x8863: 'PPPoE discovery',
  0x8864: 'PPPoE session',
  0x88a8: '802.1ad',
  0x88cc: 'LLDP',
  0x9000: 'Loopback',
};
export const NEXT_PROTOCOLS: Readonly<Record<number, string>> = {
  0: 'Hop-by-hop options',
  1: 'ICMP',
  2: 'IGMP',
  4: 'IPv4',
  6: 'TCP',
  17: 'UDP',
  41: 'IPv6',
  43: 'Routing',
  44: 'Fragment',
  47: 'GRE',
  50: 'ESP',
  58: 'ICMPv6',
  59: 'No next header',
  88: 'EIGRP',
  89: 'OSPF',
  103: 'PIM',
  112: 'VRRP',
};

export const LINKS: Words = {
  'eth.type': ETHERTYPES,
  'vlan.etype': ETHERTYPES,
  'ieee8021ad.type': ETHERTYPES,
  'llc.type': ETHERTYPES,
  'chdlc.protocol': ETHERTYPES,
  'llc.cisco_pid': { 0x2000: 'CDP', 0x010b: 'PVST+' },
  'ip.proto': NEXT_PROTOCOLS,
  'ipv6.nxt': NEXT_PROTOCOLS,
  'ipv6.ext.nxt': NEXT_PROTOCOLS,
  'ipv6.fraghdr.nxt': NEXT_PROTOCOLS,
};

export const ARP: Words = {
  'arp.hw.type': { 1: 'Ethernet' },
  'arp.proto.type': ETHERTYPES,
  'arp.opcode': { 1: 'request', 2: 'reply' },
};

export const ICMPV6_TYPES: Readonly<Record<number, string>> = {
  1: 'Destination unreachable',
  2: 'Packet too big',
  3: 'Time exceeded',
  4: 'Parameter problem',
  128: 'Echo request',
  129: 'Echo reply',
  130: 'Multicast listener query',
  131: 'Multicast listener report',
  132: 'Multicast listener done',
  133: 'Router solicitation',
  134: 'Router advertisement',
  135: 'Neighbour solicitation',
  136: 'Neighbour advertisement',
  137: 'Redirect',
  143: 'Multicast listener report, version 2',
};

export const ICMP: Words = {
  'icmp.type': {
    0: 'Echo reply',
    3: 'Destination unreachable',
    5: 'Redirect',
    8: 'Echo request',
    11: 'Time exceeded',
    12: 'Parameter problem',
  },
  'icmpv6.type': ICMPV6_TYPES,
  'icmpv6.opt.type': {
    1: 'Source link-layer address',
    2: 'Target link-layer address',
    3: 'Prefix information',
    5: 'MTU',
  },
};

export const DHCP_MESSAGES: Readonly<Record<number, string>> = {
  1: 'Discover',
  2: 'Offer',
  3: 'Request',
  4: 'Decline',
  5: 'Ack',
  6: 'Nak',
  7: 'Release',
  8: 'Inform',
};

export const DHCP: Words = {
  'dhcp.type': { 1: 'Request', 2: 'Reply' },
  'dhcp.hw.type': { 1: 'Ethernet' },
  'dhcp.option.dhcp': DHCP_MESSAGES,
  'dhcp.option.type': {
    0: 'Padding',
    1: 'Subnet mask',
    3: 'Router',
    6: 'Domain name server',
    12: 'Host name',
    15: 'Domain name',
    28: 'Broadcast address',
    50: 'Requested address',
    51: 'Lease time',
    53: 'Message type',
    54: 'DHCP server',
    55: 'Parameter request list',
    57: 'Maximum message size',
    58: 'Renewal time',
    59: 'Rebinding time',
    60: 'Vendor class',
    61: 'Client identifier',
    255: 'End',
  },
};

export const DNS_TYPES: Readonly<Record<number, string>> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
  255: 'ANY',
};

export const DNS: Words = {
  'dns.qry.type': DNS_TYPES,
  'dns.resp.type': DNS_TYPES,
  'dns.qry.class': { 1: 'IN' },
  'dns.resp.class': { 1: 'IN' },
  'dns.flags.rcode': {
    0: 'No error',
    1: 'Format error',
    2: 'Server failure',
    3: 'No such name',
    4: 'Not implemented',
    5: 'Refused',
  },
};

export const CONTROL: Words = {
  'stp.type': { 0: 'Configuration', 2: 'Rapid or multiple', 128: 'Topology change' },
  'lldp.tlv.type': {
    0: 'End',
    1: 'Chassis ID',
    2: 'Port ID',
    3: 'Time to live',
    4: 'Port description',
    5: 'System name',
    6: 'System description',
    7: 'System capabilities',
    8: 'Management address',
    127: 'Organisation specific',
  },
  'cdp.tlv.type': {
    1: 'Device',
    2: 'Addresses',
    3: 'Port',
    4: 'Capabilities',
    5: 'Software',
    6: 'Platform',
  },
};

/** Protocols and parts of them. */
export const PROTOCOLS: Readonly<Record<string, string>> = {
  frame: 'Frame',
  eth: 'Ethernet II',
  vlan: '802.1Q virtual LAN',
  ieee8021ad: '802.1ad provider bridge',
  llc: 'Logical-link control',
  fr: 'Frame Relay',
  chdlc: 'Cisco HDLC',
  ppp: 'Point-to-point protocol',
  arp: 'Address Resolution Protocol',
  ip: 'Internet Protocol version 4',
  ipv6: 'Internet Protocol version 6',
  'ipv6.ext': 'Extension header',
  'ipv6.fraghdr': 'Fragment header',
  icmp: 'Internet Control Message Protocol',
  icmpv6: 'Internet Control Message Protocol version 6',
  'icmpv6.opt': 'Option',
  udp: 'User Datagram Protocol',
  tcp: 'Transmission Control Protocol',
  dhcp: 'Dynamic Host Configuration Protocol',
  'dhcp.option': 'Option',
  dns: 'Domain Name System',
  mdns: 'Multicast Domain Name System',
  'dns.qry': 'Query',
  'dns.resp': 'Answer',
  http: 'Hypertext Transfer Protocol',
  stp: 'Spanning Tree Protocol',
  lldp: 'Link Layer Discovery Protocol',
  'lldp.tlv': 'TLV',
  cdp: 'Cisco Discovery Protocol',
  'cdp.tlv': 'TLV',
  data: 'Data',
};
